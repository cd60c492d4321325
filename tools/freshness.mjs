/** Is the checkout ready to run? Answered with a few stat calls, because the launcher asks at every start. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
export const at = (...names) => path.join(root, ...names);

/** Written into node_modules after an install: { key, runtime }. */
export const stampFile = at("node_modules", ".gatewright-setup");
/** Written after a build: how many sources it saw. Its mtime is the moment the build began. */
export const builtFile = at("dist", ".built");
/** Native modules built for one of these do not load on another. */
export const runtime = `${process.versions.modules}-${process.platform}-${process.arch}`;

const sourceFolders = ["simulator", "conformance", "bin"];
/** Files of YAML that the build writes as JSON beside the program, which reads that form where it is. */
export const builtFixtures = ["worlds/demo.yaml", "spec/freedoms.yaml", "incidents.yaml"];
const buildSettings = [
  "tsconfig.json",
  "tsconfig.build.json",
  "tools/build.mjs",
  "tools/undici.mjs",
  ...builtFixtures.map((name) => `fixtures/${name}`),
];

export function isReady() {
  return looksInstalled() && isBuilt();
}

/** Cheap: compares times only. `setup.mjs` compares contents when this says no. */
export function looksInstalled() {
  const stamp = readStamp();
  return stamp?.runtime === runtime && modified(at("package-lock.json")) <= modified(stampFile);
}

export function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    return undefined;
  }
}

export function isBuilt() {
  if (!existsSync(builtFile)) return false;
  const sources = surveySources();
  return sources.newest <= modified(builtFile) && readFileSync(builtFile, "utf8") === String(sources.count);
}

/** The built-in scenarios, as text by their names. */
export function scenarioTexts() {
  const names = readdirSync(at("scenarios"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml") && !name.startsWith("regressions"))
    .toSorted();
  return Object.fromEntries(names.map((name) => [name, readFileSync(at("scenarios", name), "utf8")]));
}

/** The copy of the scenarios that a package holds. */
export const scenariosFile = at("dist", "scenarios.json");

/** Does dist hold the scenarios as they are? A start does not ask, because it parses those that have changed. */
export const holdsScenarios = () =>
  existsSync(scenariosFile) && readFileSync(scenariosFile, "utf8") === JSON.stringify(scenarioTexts());

/** The newest change among all that goes into dist, and the number of files: a deleted file changes only the number. */
export function surveySources() {
  const survey = { newest: Math.max(...buildSettings.map((name) => modified(at(name)))), count: 0 };
  for (const folder of sourceFolders) visit(at(folder), survey);
  return survey;
}

function visit(folder, survey) {
  for (const file of builtFrom(folder)) {
    survey.count += 1;
    survey.newest = Math.max(survey.newest, modified(file));
  }
}

/** Every file below the folder that a build reads; nothing for a folder that is not there. */
function builtFrom(folder) {
  const files = [];
  for (const entry of entriesOf(folder)) {
    // A thousand files are looked at in every start, and join would take as long as all of the looking.
    const full = folder + path.sep + entry.name;
    if (entry.isDirectory()) {
      if (entry.name !== "testing" && entry.name !== "node_modules") files.push(...builtFrom(full));
    } else if (entry.isFile() && !/\.test\.ts$|\.md$|^\./.test(entry.name)) {
      files.push(full);
    }
  }
  return files;
}

function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
