import { readFileSync } from "node:fs";
import type profile from "./profile.schema.json";
import type scenario from "./scenario.schema.json";

/**
 * The published schemas, read as files: Node 20 still warns about JSON imports. The type imports above make the
 * compiler carry the two files into `dist`.
 */
export function scenarioSchema(): typeof scenario {
  return JSON.parse(
    readFileSync(new URL("./scenario.schema.json", import.meta.url), "utf8"),
  ) as typeof scenario;
}

export function profileSchema(): typeof profile {
  return JSON.parse(
    readFileSync(new URL("./profile.schema.json", import.meta.url), "utf8"),
  ) as typeof profile;
}
