import { UsageError } from "../model/position.ts";
import { mostBytes, readCapped } from "../parse/read-capped.ts";
import { reportProblem } from "./check-report.ts";
import { readNdjson } from "./ndjson.ts";
import type { Report } from "./report.ts";
import { singleReading } from "./single-reading.ts";

/** Reads a report, JSON or NDJSON; refuses other and incomplete files with the reason. */
export const readReport = async (file: string): Promise<Report> =>
  reportFrom(await readCapped("report", file, mostBytes.large), file);

/** `file` is what a refusal calls it. */
export function reportFrom(text: string, file: string): Report {
  const reading = reportIn(text);
  if (typeof reading === "string") throw new UsageError(`${file} is not a report: ${reading}`);
  const problem = reportProblem(reading);
  if (problem !== undefined) throw new UsageError(`${file} is not a report of this version: ${problem}`);
  return reading;
}

function reportIn(text: string): Report | string {
  if (/^\s*\{\s*"line"/.test(text)) return readNdjson(text);
  const reading = singleReading(text);
  return typeof reading === "string" ? reading : (reading.value as Report);
}
