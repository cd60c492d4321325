import { durationProblem, longestShiftMs, longestWaitMs } from "../model/duration.ts";
import type { Path } from "../model/position.ts";
import { isList, isMap, type Value } from "../model/value.ts";

/** Every duration field of a scenario or a profile, with its limit. A test compares this with the schemas. */
export const durationFields: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ["timeout", "pause", "settle", "within", "for", "every", "sleep", "request"].map((name) => [
      name,
      longestWaitMs,
    ]),
  ),
  advance: longestShiftMs,
  offset: longestShiftMs,
};

/** Checks durations at every place except in bodies: the target decides about the fields of a body. */
export function lintDurations(value: Value, path: Path, say: (path: Path, problem: string) => void): void {
  if (isList(value)) for (const [index, item] of value.entries()) lintDurations(item, [...path, index], say);
  if (!isMap(value)) return;
  for (const [key, item] of Object.entries(value)) {
    const most = Object.hasOwn(durationFields, key) ? durationFields[key] : undefined;
    const problem =
      most === undefined || typeof item !== "string"
        ? undefined
        : durationProblem(item.replace(/^[+-]/, ""), most);
    if (problem !== undefined) say([...path, key], problem);
    else if (key !== "body") lintDurations(item, [...path, key], say);
  }
}
