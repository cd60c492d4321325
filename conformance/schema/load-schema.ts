import { readFileSync } from "node:fs";
import type accepted from "./accepted.schema.json";
import type expectations from "./expectations.schema.json";
import type profile from "./profile.schema.json";
import type recording from "./recording.schema.json";
import type report from "./report.schema.json";
import type scenario from "./scenario.schema.json";

/**
 * The published schemas, read as files, because Node 20 still warns about JSON imports. The build puts the files beside
 * the bundle.
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

export function expectationsSchema(): typeof expectations {
  return JSON.parse(
    readFileSync(new URL("./expectations.schema.json", import.meta.url), "utf8"),
  ) as typeof expectations;
}

export function reportSchema(): typeof report {
  return JSON.parse(readFileSync(new URL("./report.schema.json", import.meta.url), "utf8")) as typeof report;
}

export function recordingSchema(): typeof recording {
  return JSON.parse(
    readFileSync(new URL("./recording.schema.json", import.meta.url), "utf8"),
  ) as typeof recording;
}

export function acceptedSchema(): typeof accepted {
  return JSON.parse(
    readFileSync(new URL("./accepted.schema.json", import.meta.url), "utf8"),
  ) as typeof accepted;
}
