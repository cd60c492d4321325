/**
 * Query strings, read strictly. A value that is empty, malformed or given twice is a problem with the name of its
 * parameter; so is a name that the route does not have, unless the venue ignores those (F-unknown-query). Every camelCase
 * name may also be given in snake_case (F-query-name-style); a list is repeated or comma-separated.
 */
import { didYouMean } from "../domain/nearest-name.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { decode } from "../schema/decode.ts";
import { instantPattern, isOptional, type Schema, type Shape } from "../schema/fields.ts";
import { spellIssue } from "../schema/problem.ts";
import type { Problem } from "./body.ts";
import type { QueryField, QueryFields, QueryValues } from "./query-fields.ts";

/** F-unknown-query */
export type UnknownNames = "reject" | "ignore";

export interface ReadQuery<F extends QueryFields> {
  readonly values: QueryValues<F>;
  /** Names that the route does not have, where they are ignored. */
  readonly ignored: readonly string[];
}

export function readQuery<F extends QueryFields>(
  fields: F,
  search: string,
  unknownNames: UnknownNames = "reject",
): Result<ReadQuery<F>, readonly Problem[]> {
  // A plus sign is a plus sign: no value has blanks, and the offset +01:00 of a time is often sent unescaped.
  const given = new URLSearchParams(search.replaceAll("+", "%2B"));
  const problems: Problem[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const found = [...given.getAll(name), ...(snake(name) === name ? [] : given.getAll(snake(name)))];
    values[name] = readField(name, field, found, problems);
  }
  const unknown = [...new Set(given.keys())].filter((name) => !isKnown(fields, name));
  if (unknownNames === "reject") problems.push(...unknown.map((name) => unknownName(fields, name)));
  problems.push(...backwards(values));
  if (problems.length > 0) return err(problems);
  // as: each value was read by the field of its name.
  return ok({ values: values as QueryValues<F>, ignored: unknown });
}

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isKnown = (fields: QueryFields, name: string): boolean =>
  Object.hasOwn(fields, name) || Object.keys(fields).some((known) => snake(known) === name);

function unknownName(fields: QueryFields, name: string): Problem {
  const names = Object.keys(fields);
  const takes = names.length === 0 ? "it takes none" : `it takes ${names.join(", ")}`;
  const near = didYouMean(name, names);
  const issue = `is not a query parameter of this route: ${takes}${near === null ? "" : `; ${near}`}`;
  return { field: name.slice(0, longestShown), issue };
}

const longestShown = 64;

/** A span that ends before it starts, on every route that has one. */
function backwards({ startTime, endTime }: Readonly<Record<string, unknown>>): readonly Problem[] {
  if (typeof startTime !== "number" || typeof endTime !== "number" || startTime <= endTime) return [];
  return [
    { field: "startTime", issue: "must not be after endTime" },
    { field: "endTime", issue: "must not be before startTime" },
  ];
}

function readField(name: string, field: QueryField, found: readonly string[], problems: Problem[]): unknown {
  const { type, default: fallback = null, items, enum: choices } = field;
  const refuse = (issue: string, value = found[0]): null => {
    problems.push({ field: name, issue, ...(value === undefined ? {} : { value: shown(value) }) });
    return null;
  };
  if (type === "array") return readList(items ?? {}, found, refuse);
  if (found.length > 1) return refuse("must be given once");
  const [text] = found;
  if (text !== undefined) return readText(field, text, refuse);
  if (isOptional(field)) return fallback;
  return refuse(choices === undefined ? "is required" : `is required: one of ${choices.join(", ")}`);
}

type Refuse = (issue: string, value?: string) => null;

/** The value of a text, by its schema. */
function readText(schema: Schema, text: string, refuse: Refuse): unknown {
  if (text === "") return refuse("must not be empty: leave the parameter out instead", text);
  // as: nothing is claimed of the value before it is read.
  const read = decode(schema as Shape<unknown>, typedText(schema, text));
  const [problem] = read.ok ? [] : read.error;
  // The advice of a problem is meant for values that have quotes.
  if (problem !== undefined)
    return refuse(schema.type === "string" ? spellIssue(problem) : problem.issue, text);
  if (schema.format !== "date-time") return read.ok ? read.value : null;
  return parseInstant(text) ?? refuse(`${schema.patternErrorMessage ?? ""}, and one that exists`, text);
}

function typedText({ type }: Schema, text: string): unknown {
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return type === "integer" && /^-?(0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : text;
}

/** An empty item is refused like any other that has not the form: an unset variable must not widen a filter. */
function readList(item: Schema, found: readonly string[], refuse: Refuse): readonly unknown[] | null {
  const values = found.flatMap((text) => text.split(","));
  if (values.includes("")) return refuse("must not be empty: leave the parameter out for all", "");
  // as: nothing is claimed of a value before it is read.
  const wrong = values.find((value) => !decode(item as Shape<unknown>, value).ok);
  return wrong === undefined ? values : (readText(item, wrong, refuse), null);
}

const shown = (value: string): string =>
  value.length > longestShown ? `${value.slice(0, longestShown)}…` : value;

const wellFormed = new RegExp(instantPattern);

/** Milliseconds since the epoch, or null when it is no real instant (30 February, hour 25, no zone). */
export function parseInstant(value: string): number | null {
  if (!wellFormed.test(value)) return null;
  const parsed = Date.parse(value);
  if (Number.isNaN(parsed)) return null;
  const [year, month, day] = [value.slice(0, 4), value.slice(5, 7), value.slice(8, 10)].map(Number);
  // Years below 100 mean others to Date.UTC; a calendar repeats itself after 400 years.
  const calendar = new Date(Date.UTC(2000 + ((year ?? 0) % 400), (month ?? 1) - 1, day ?? 1));
  return calendar.getUTCMonth() === (month ?? 1) - 1 && calendar.getUTCDate() === day ? parsed : null;
}
