/**
 * The body of a trading route: its members by a schema, and its unknown members. Unknown members are ignored and
 * reported, or refused, as the venue's setting says (F-unknown-request-fields). A `null` counts as absent.
 */
import { nearestName } from "../domain/nearest-name.ts";
import { err, type Result } from "../domain/result.ts";
import { decode } from "../schema/decode.ts";
import type { Shape } from "../schema/fields.ts";
import { type PathProblem, spellIssue, spellPath } from "../schema/problem.ts";

/** One thing wrong with a request: where, what was expected, and what was found. */
export interface Problem {
  readonly field: string;
  readonly issue: string;
  readonly value?: unknown;
}

export interface DecodeOptions {
  /** F-unknown-request-fields */
  readonly unknownFields: "ignore" | "reject";
}

/** A decoded body, or all its mistakes; `ignored` names the members that were not used. */
export type Decoded<T> = Result<T, readonly Problem[]> & { readonly ignored: readonly string[] };

export type Body = Readonly<Record<string, unknown>>;

// as: parsed JSON that is an object and no list.
export const asBody = (body: unknown): Body | null =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? (body as Body) : null;

export const notAnObject = (): Decoded<never> => ({
  ...err([{ field: "", issue: "the body must be one JSON object" }]),
  ignored: [],
});

/** `known` are the members of any body of this route: one that this body does not use is ignored, with any value. */
export function decodeBody<T>(
  schema: Shape<T>,
  body: Body,
  known: readonly string[],
  { unknownFields }: DecodeOptions,
): Decoded<T> {
  const given: Record<string, unknown> = {};
  const unused: string[] = [];
  const unknown: string[] = [];
  for (const name of Object.keys(body)) {
    if (!known.includes(name)) unknown.push(name);
    else if (body[name] === null || body[name] === undefined) continue;
    else if (schema.properties?.[name] === undefined) unused.push(name);
    else given[name] = body[name];
  }
  const read = decode(schema, given);
  const isClosed = unknownFields === "reject";
  const ignored = isClosed ? unused : [...unused, ...unknown];
  if (read.ok && (!isClosed || unknown.length === 0)) return { ok: true, value: read.value, ignored };
  const order = Object.keys(schema.properties ?? {});
  const problems = (read.ok ? [] : read.error)
    .map((problem) => detail(problem, given, unknown, known))
    .sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field));
  if (isClosed) problems.push(...unknown.map((name) => ({ field: name, issue: noField(name, known) })));
  // What another shape would have used is not ignored: the request is refused before.
  return { ...err(problems), ignored: isClosed ? [] : unknown };
}

/** One that is missing is told which unknown member looks like it. */
function detail(
  problem: PathProblem,
  given: Body,
  unknown: readonly string[],
  known: readonly string[],
): Problem {
  const field = spellPath(problem.path);
  const issue = spellIssue(problem);
  if (problem.on === "value") return { field, issue, value: shown(given[field]) };
  const near = unknown.find((name) => nearestName(name, known) === field || isLonger(name, field));
  return {
    field,
    issue: near === undefined ? issue : `${issue}; the body has ${JSON.stringify(shown(near))} instead`,
  };
}

/** `limit_price` and `limitPrice` for `price`, or `quantity` for `base_quantity`. */
function isLonger(name: string, field: string): boolean {
  const given = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return given.endsWith(`_${field}`) || field.endsWith(`_${given}`);
}

function noField(field: string, known: readonly string[]): string {
  const near = nearestName(field, known);
  const hint = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
  return `is not a field of this body: it takes ${known.join(", ")}${hint}`;
}

/** Enough of the value to recognise it; never a whole document. */
function shown(value: unknown): unknown {
  if (typeof value === "string") return value.length > 64 ? `${value.slice(0, 64)}…` : value;
  if (typeof value === "number" || typeof value === "boolean") return value;
  return Array.isArray(value) ? "list" : typeof value;
}
