/**
 * Builds dist/: the compiler checks the sources and writes their declarations, the bundler writes the program, with
 * source maps. One build makes the program and the library, so that both use the same copy of every module. A command
 * and its libraries are in separate files, which are loaded when they are needed. `--types` rolls the types of the
 * package, too, and `--clean` starts with an empty folder.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import process from "node:process";
import { rolldown } from "rolldown";
import { build as buildPage } from "vite";
import * as yaml from "yaml";
import {
  at,
  builtFile,
  builtFixtures,
  root,
  scenariosFile,
  scenarioTexts,
  surveySources,
} from "./freshness.mjs";
import { licencesOf } from "./licences.mjs";

const entries = {
  gatewright: "bin/gatewright.ts",
  worker: "bin/detection/worker.ts",
  simulator: "simulator/index.ts",
  conformance: "conformance/index.ts",
  vitest: "conformance/vitest.ts",
  "read-yaml": "conformance/parse/yaml-child.ts",
};

/** Of the fixtures, what only tests and readers of the repository look at: these keys, and incidents outside every clause. */
const unread = ["where", "aliases", "unseen", "classes", "class", "planted", "unplanted"];
const isRead = (part) => part?.outside === undefined;
const packed = (key, part) => {
  if (unread.includes(key)) return undefined;
  return Array.isArray(part) ? part.filter(isRead) : part;
};

/** Of the fixtures, what the kit reads as it reads the files of others: in a process of its own, unless the build has. */
const readFixtures = ["profiles/simulator", "signing/mistakes", "spec/freedoms"].map(
  (name) => `fixtures/${name}.yaml`,
);

/** A small module that loads no other one. Where several parts share it, it is in one file with its like. */
function isLeaf(id) {
  if (!id.startsWith(root) || id.includes("node_modules")) return false;
  const text = readFileSync(id, "utf8");
  return text.length < 1500 && !/^(?:import|export) (?!type )[^;]*?from "/m.test(text);
}

/** Files that a module reads from its own folder: all modules are in dist/. */
const readBeside = ["conformance/report/html", "simulator/guide"].flatMap((folder) =>
  filesIn(at(folder))
    .filter((name) => !name.endsWith(".ts"))
    .map((name) => [folder, name]),
);

// A test that builds would get the console as it is for development.
process.env.NODE_ENV = "production";

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
// Beside the bundler: it takes as long. A start needs no types.
const typesRolled = process.argv.includes("--types")
  ? once(
      spawn(process.execPath, [at("tools", "types.mjs")], { cwd: root, stdio: ["ignore", "ignore", 2] }),
      "exit",
    )
  : [0];

const bundle = await rolldown({
  cwd: root,
  input: entries,
  platform: "node",
  transform: { target: "es2023" },
  resolve: { alias: { undici: at("tools", "undici.mjs") } },
  external: [
    // Native code, and optional peers: what only `mcp`, a shared store, its workers or a test runner need.
    /^better-sqlite3/,
    /^@modelcontextprotocol/,
    /^pg(?:-boss)?$/,
    "vitest",
    // Fastify loads these for routes with a schema of its own, and there are none (simulator/http/listener.ts).
    "@fastify/ajv-compiler",
    "@fastify/fast-json-stringify-compiler",
  ],
  // A warning of the bundler is a mistake of ours: who starts for the first time should not read it.
  onLog(level, { message }) {
    if (level === "warn") throw new Error(message);
  },
});
const { output } = await bundle.write({
  dir: at("dist"),
  format: "esm",
  sourcemap: true,
  // Without blanks, comments and long names the program is read faster. Functions keep theirs, for stack traces.
  minify: { compress: true, mangle: { toplevel: true, keepNames: true }, codegen: true },
  // Names that stay: a running server still finds its files after a build.
  chunkFileNames: "[name].js",
  minifyInternalExports: false,
  codeSplitting: { groups: [{ name: "leaves", test: isLeaf, minShareCount: 2 }] },
});
await bundle.close();
// Parts that an earlier build had under other names would be packed, too.
const made = new Set(output.map(({ fileName }) => fileName));
for (const name of readdirSync(at("dist")).filter((file) => file.endsWith(".js") && !made.has(file)))
  rmSync(at("dist", name));

const page = existsSync(at("simulator", "console"))
  ? await buildPage({
      configFile: false,
      root: at("simulator", "console"),
      base: "/__gatewright/console/",
      logLevel: "warn",
      oxc: { jsx: { importSource: "preact" } },
      build: { outDir: at("dist", "console"), emptyOutDir: true, modulePreload: false, target: "es2022" },
    })
  : { output: [] };

const bundled = [...output, ...page.output].flatMap(({ moduleIds = [] }) => moduleIds);
writeFileSync(at("dist", "licences.txt"), licencesOf(bundled));

for (const [folder, name] of readBeside) {
  if (output.some(({ fileName }) => fileName === name)) throw new Error(`a chunk has the name of ${name}`);
  copyFileSync(at(folder, name), at("dist", name));
}

for (const name of builtFixtures.filter((name) => existsSync(at("fixtures", name)))) {
  const value = yaml.parse(readFileSync(at("fixtures", name), "utf8"));
  const written = JSON.stringify(value, packed);
  writeFileSync(at("dist", `${name.replaceAll("/", "-")}.json`), written);
}

if (existsSync(at("scenarios"))) {
  await readScenarios();
  await checkScenarios();
}

const [typesCode] = await typesRolled;
if (typesCode !== 0) process.exit(1);

writeFileSync(builtFile, String(count));
utimesSync(builtFile, began, began);

/** None in a checkout that holds a part of the sources only: the tests make such. */
function filesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Lints the built-in suite with the code that was built: if it has no problem, a start need not do so again. */
async function checkScenarios() {
  const file = at("dist", "checked-suite.txt");
  rmSync(file, { force: true });
  const reads = output.find(({ exports = [] }) => exports.includes("readSuite"));
  if (reads === undefined) throw new Error("no chunk reads the suite");
  const { readSuite } = await import(`../dist/${reads.fileName}`);
  const { suite, problems } = await readSuite([]);
  if (problems.length === 0) writeFileSync(file, suite.digest.suite);
}

/** Parses what a run would parse of ours, by the digest of its text. What an earlier build has read is taken from there. */
async function readScenarios() {
  const file = at("dist", "readings.json");
  const earlier = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const { readYaml } = await import("../dist/read-yaml.js");
  const scenarios = scenarioTexts();
  writeFileSync(scenariosFile, JSON.stringify(scenarios));
  const fixtures = readFixtures.map((name) => readFileSync(at(name), "utf8"));
  const readings = [...Object.values(scenarios), ...fixtures].map((text) => {
    const digest = createHash("sha256").update(text).digest("hex");
    return [digest, earlier[digest] ?? readYaml(yaml, text)];
  });
  writeFileSync(file, JSON.stringify(Object.fromEntries(readings)));
}
