/**
 * Does node_modules have the contents of package-lock.json, and does the native module load?
 * This is how an install made by someone else (`npm ci` in CI, an image) is accepted without doing it again.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { at, root, runtime } from "./freshness.mjs";

export const hasLockfile = () => existsSync(at("package-lock.json"));

/** Changes when the dependencies change or when native modules would have to be built again. */
export function installKey() {
  const manifest = at(hasLockfile() ? "package-lock.json" : "package.json");
  return createHash("sha256").update(readFileSync(manifest)).update(runtime).digest("hex");
}

/** How many packages an install lays down on any platform, and how many of them are there. */
export function packagesLaidDown() {
  const wanted = Object.entries(packagesOf(at("package-lock.json")))
    .filter(([where, { link, optional }]) => where !== "" && !link && !optional)
    .map(([where]) => where);
  return {
    all: wanted.length,
    there: wanted.filter((where) => existsSync(at(where, "package.json"))).length,
  };
}

/** The first package that is missing or of another version, or undefined when all are there. */
export function firstMismatch() {
  if (!hasLockfile()) return "package-lock.json";
  const wanted = packagesOf(at("package-lock.json"));
  const present = packagesOf(at("node_modules", ".package-lock.json"));
  for (const [where, entry] of Object.entries(wanted)) {
    if (where === "" || entry.link) continue;
    const found = present[where];
    const isHere = found?.version === entry.version && existsSync(at(where, "package.json"));
    // Packages for other platforms are optional, and rightly absent.
    if (!isHere && !(found === undefined && entry.optional)) return where;
  }
  return undefined;
}

/** The SQLite driver that simulator/store/driver.ts takes on this Node. Release 13 brings its binaries along. */
export const sqliteDriver =
  Number(process.versions.napi) >= 10
    ? { name: "better-sqlite3-napi", compiles: false }
    : { name: "better-sqlite3", compiles: true };

/** In a child process, since a native module for another Node may end the process that loads it. */
export function nativeModuleLoads() {
  const probe = `new (require("${sqliteDriver.name}"))(":memory:").close()`;
  return spawnSync(process.execPath, ["-e", probe], { cwd: root, stdio: "ignore" }).status === 0;
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages ?? {};
  } catch {
    return {};
  }
}
