/** The published schemas, read as files, because Node 20 still warns about JSON imports. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../package-root.ts";
import type accepted from "./accepted.schema.json";
import type expectations from "./expectations.schema.json";
import type profile from "./profile.schema.json";
import type recording from "./recording.schema.json";
import type report from "./report.schema.json";
import type scenario from "./scenario.schema.json";

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(packageRoot(), "conformance", "schema", `${name}.schema.json`), "utf8"));

export const scenarioSchema = () => read("scenario") as typeof scenario;
export const profileSchema = () => read("profile") as typeof profile;
export const expectationsSchema = () => read("expectations") as typeof expectations;
export const reportSchema = () => read("report") as typeof report;
export const recordingSchema = () => read("recording") as typeof recording;
export const acceptedSchema = () => read("accepted") as typeof accepted;
