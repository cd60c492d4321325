/** Files of fixtures/, which the package has. A file is read when it is first asked for: a start needs few of them. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

/** The value in a file of JSON, or of YAML, whose parser is loaded then. */
export function fixture(...name: readonly string[]): unknown {
  const root = path.dirname(require.resolve("gatewright/package.json"));
  const file = path.join(root, "fixtures", ...name);
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".json")) return JSON.parse(text);
  const { parse } = require("yaml") as typeof import("yaml");
  return parse(text);
}
