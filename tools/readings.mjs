/**
 * Reads the YAML files that ship with the kit once and for all, so that no run has to wait for a parser to read them again.
 * conformance/parse/known-readings.ts says why that is safe: an edited file is no longer known.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { at } from "./freshness.mjs";

const built = (name) => import(pathToFileURL(at("dist", "conformance", name)).href);
const { keepReading } = await built("parse/known-readings.js");
const { YamlReader } = await built("parse/yaml-reader.js");
const { readingsFolder } = await built("read-yaml.js");

const files = [
  at("fixtures", "spec", "clauses.yaml"),
  at("fixtures", "spec", "document.yaml"),
  at("fixtures", "profiles", "simulator.yaml"),
  ...scenarios(),
];

const reader = new YamlReader();
rmSync(readingsFolder(), { recursive: true, force: true });
mkdirSync(readingsFolder(), { recursive: true });
for (const file of files) {
  const text = readFileSync(file, "utf8");
  const { problems, root } = await reader.read(text);
  // The kit itself says better what is wrong with the file; a build does not fail for a scenario.
  if (root === undefined)
    process.stderr.write(`build: ${path.relative(at(), file)}: ${problems[0]?.message}\n`);
  else keepReading(readingsFolder(), text, root);
}
reader[Symbol.dispose]();

function scenarios() {
  return readdirSync(at("scenarios"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".yaml"))
    .map((entry) => path.join(entry.parentPath, entry.name));
}
