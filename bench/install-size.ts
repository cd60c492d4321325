/**
 * What an install takes, beside three tools of the same kind, from the registry, without scripts: `npm run bench:install`. The
 * package is that of this checkout.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

const root = process.cwd();
const quiet = { stdio: "ignore" } as const;

for (const name of ["gatewright", "@mockoon/cli", "@stoplight/prism-cli", "newman"]) {
  const folder = mkdtempSync(path.join(tmpdir(), "gatewright-install-"));
  writeFileSync(path.join(folder, "package.json"), "{}");
  if (name === "gatewright") {
    execFileSync(process.execPath, ["tools/types.mjs"], quiet);
    execFileSync("npm", ["pack", root, "--ignore-scripts"], { cwd: folder, ...quiet });
  }
  const wanted = name === "gatewright" ? "./gatewright-0.1.0.tgz" : name;
  const began = performance.now();
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", wanted], {
    cwd: folder,
    ...quiet,
  });
  const seconds = (performance.now() - began) / 1000;
  const files = readdirSync(path.join(folder, "node_modules"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  console.log(`${name}: ${seconds.toFixed(0)} s, ${(bytes / 1e6).toFixed(0)} MB in ${files.length} files`);
  rmSync(folder, { recursive: true, force: true });
}
