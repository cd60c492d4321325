import { readJsonText } from "../check/lossless-json.ts";
import { objectsIn } from "../check/pointer.ts";

/**
 * The value of a JSON text, or a sentence if it has none. Some readers use the first of two equal members and some the
 * last. A text with duplicate members therefore has no value, so that two readers cannot see different reports.
 */
export function singleReading(text: string): { readonly value: unknown } | string {
  const reading = readJsonText(text, Infinity);
  if (!reading.ok) return `it is ${reading.problem.replace(/^body is /, "")}`;
  const [twice] = objectsIn(reading.json, ({ duplicates }) => duplicates.length > 0, { most: 1 });
  if (twice === undefined) return { value: JSON.parse(text) as unknown };
  const [pointer, { duplicates }] = twice;
  const where = pointer === "" ? "it" : pointer;
  return `the member ${JSON.stringify(duplicates[0])} of ${where} occurs twice, and readers differ in which one they take`;
}
