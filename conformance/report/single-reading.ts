import { readJsonText } from "../check/lossless-json.ts";
import { objectsIn } from "../check/pointer.ts";

/**
 * The value of a text in JSON, or a sentence when it has none. One reader takes the first of two equal members and
 * another the last: so that nobody can be shown one report and have another one counted, there is none.
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
