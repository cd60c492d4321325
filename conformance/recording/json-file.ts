import { readJsonText } from "../check/lossless-json.ts";
import type { Json } from "../model/json.ts";
import { UsageError } from "../model/position.ts";

const mostValues = 1_000_000;

/** A file of one JSON value that another program wrote. */
export function readJsonFile(file: string, text: string): Json {
  const reading = readJsonText(text, mostValues);
  if (reading.ok) return reading.json;
  const at = Number(/at character (\d+)/.exec(reading.problem)?.[1] ?? text.length);
  const line = text.slice(0, at).split("\n").length;
  throw new UsageError(`${file}:${line}: cannot be read: ${reading.problem.replace(/^body is /, "it is ")}`);
}
