/**
 * Query strings, read strictly. A value that is empty, malformed or given twice is a problem with the name of its
 * parameter; so is a name that the route does not have, unless the venue ignores those (F-unknown-query). Every camelCase
 * name may also be given in snake_case (F-query-name-style); a list is repeated or comma-separated.
 */
import { didYouMean } from "../domain/nearest-name.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Problem } from "./order-request.ts";
import {
  type Form,
  INSTANT,
  LONGEST_TEXT,
  type QueryField,
  type QueryFields,
  type QueryValues,
} from "./query-fields.ts";

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
  return { field: name.slice(0, LONGEST_SHOWN), issue };
}

const LONGEST_SHOWN = 64;

/** A span that ends before it starts, on every route that has one. */
function backwards({ startTime, endTime }: Readonly<Record<string, unknown>>): readonly Problem[] {
  if (typeof startTime !== "number" || typeof endTime !== "number" || startTime <= endTime) return [];
  return [
    { field: "startTime", issue: "must not be after endTime" },
    { field: "endTime", issue: "must not be before startTime" },
  ];
}

function readField(name: string, field: QueryField, found: readonly string[], problems: Problem[]): unknown {
  if (field.kind === "list") return readList(name, field.form, found, problems);
  const refuse = (issue: string): null => {
    problems.push({ field: name, issue, ...(found[0] === undefined ? {} : { value: shown(found[0]) }) });
    return null;
  };
  if (found.length > 1) return refuse("must be given once");
  const [value] = found;
  if (value === undefined) {
    if ("required" in field && field.required === true) return refuse(missing(field));
    return field.kind === "integer" ? field.fallback : null;
  }
  switch (field.kind) {
    case "text": {
      const { length } = [...value];
      if (length > LONGEST_TEXT) return refuse(`is too long: at most ${LONGEST_TEXT} characters`);
      return length > 0 ? value : refuse("must not be empty: leave the parameter out instead");
    }
    case "one":
      return field.form.accepts(value) ? value : refuse(`must be ${field.form.expected}`);
    case "boolean":
      return value === "true" ? true : value === "false" ? false : refuse("must be true or false");
    case "integer": {
      const number = /^(0|[1-9][0-9]{0,8})$/.test(value) ? Number(value) : Number.NaN;
      const inside = number >= field.min && number <= field.max;
      return inside ? number : refuse(`must be a whole number from ${field.min} to ${field.max}`);
    }
    case "time":
      return (
        parseInstant(value) ??
        refuse("must be an ISO 8601 time with a zone, for example 2026-01-01T00:00:00.000Z")
      );
  }
}

const missing = (field: QueryField): string =>
  field.kind === "one" ? `is required: ${field.form.expected}` : "is required";

/** An empty item is refused like any other that has not the form: an unset variable must not widen a filter. */
function readList(
  name: string,
  { accepts, expected }: Form,
  found: readonly string[],
  problems: Problem[],
): readonly string[] {
  const values = found.flatMap((item) => item.split(","));
  const wrong = values.find((value) => !accepts(value));
  if (wrong !== undefined) {
    const issue = wrong === "" ? "must not be empty: leave the parameter out for all" : `must be ${expected}`;
    problems.push({ field: name, issue, value: shown(wrong) });
  }
  return values;
}

const shown = (value: string): string =>
  value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value;

const WELL_FORMED = new RegExp(INSTANT);

/** Milliseconds since the epoch, or null when it is no real instant (30 February, hour 25, no zone). */
export function parseInstant(value: string): number | null {
  if (!WELL_FORMED.test(value)) return null;
  const parsed = Date.parse(value);
  if (Number.isNaN(parsed)) return null;
  const [year, month, day] = [value.slice(0, 4), value.slice(5, 7), value.slice(8, 10)].map(Number);
  // Years below 100 mean others to Date.UTC; a calendar repeats itself after 400 years.
  const calendar = new Date(Date.UTC(2000 + ((year ?? 0) % 400), (month ?? 1) - 1, day ?? 1));
  return calendar.getUTCMonth() === (month ?? 1) - 1 && calendar.getUTCDate() === day ? parsed : null;
}
