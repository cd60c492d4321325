/** Files of fixtures/, which the package has. A file is read when it is first asked for: a start needs few of them. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

/** The folder of the package, in a checkout and in a project that has installed it. */
export const packageRoot = (): string => path.dirname(require.resolve("gatewright/package.json"));

/**
 * The value in a file of JSON or YAML. Beside the built program stands the YAML that a start needs as JSON (tools/build.mjs): the
 * parser takes a fifth of the time of a start.
 */
export function fixture(...name: readonly string[]): unknown {
  const built = new URL(`${name.join("-")}.json`, import.meta.url);
  if (existsSync(built)) return JSON.parse(readFileSync(built, "utf8"));
  const file = path.join(packageRoot(), "fixtures", ...name);
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".json")) return JSON.parse(text);
  const { parse } = require("yaml") as typeof import("yaml");
  return parse(text);
}
