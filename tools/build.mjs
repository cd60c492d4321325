/** Compiles to dist/ and copies what the compiler leaves behind (SQL, pages, data). `--clean` starts from nothing. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { at, builtFile, builtFrom, root, sourceFolders, surveySources } from "./freshness.mjs";

if (process.argv.includes("--clean")) rmSync(at("dist"), { recursive: true, force: true });

// Both are taken before compiling: a file edited during the build is newer than the build and causes the next one.
const began = new Date();
const { count } = surveySources();

rmSync(builtFile, { force: true });
const compiler = at("node_modules", "typescript", "bin", "tsc");
const compiled = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: ["ignore", 2, 2],
});
if (compiled.status !== 0) process.exit(compiled.status ?? 1);

for (const file of sourceFolders.flatMap((folder) => builtFrom(at(folder)))) {
  if (!/\.(sql|html|css|js|svg|json|yaml|txt)$/.test(file)) continue;
  const copy = at("dist", path.relative(root, file));
  mkdirSync(path.dirname(copy), { recursive: true });
  copyFileSync(file, copy);
}

// A checkout that holds a part of the sources only (the tests make such) has nothing to read or to bundle.
if (existsSync(at("dist", "bin", "serve-main.js"))) for (const name of ["readings", "bundle"]) run(name);

mkdirSync(at("dist"), { recursive: true });
writeFileSync(builtFile, String(count));
utimesSync(builtFile, began, began);

function run(name) {
  const step = spawnSync(process.execPath, [at("tools", `${name}.mjs`)], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (step.status !== 0) process.exit(step.status ?? 1);
}
