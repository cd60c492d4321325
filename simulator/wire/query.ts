/**
 * Query strings, read strictly: unknown names are ignored, malformed values are refused (F-open-orders-query). Every
 * camelCase name may also be given in snake_case (F-query-name-style); lists are repeated or comma-separated.
 */
import { err, ok, type Result } from "../domain/result.ts";
import type { Problem } from "./order-request.ts";
import { count, flag, oneOfText, type Schema, text, time } from "./schema.ts";

export type QueryField =
  | { readonly kind: "text"; readonly schema: Schema; readonly required?: boolean }
  | { readonly kind: "texts"; readonly schema: Schema; readonly allowed?: readonly string[] }
  | {
      readonly kind: "choice";
      readonly schema: Schema;
      readonly allowed: readonly string[];
      readonly required?: boolean;
    }
  | {
      readonly kind: "integer";
      readonly schema: Schema;
      readonly min: number;
      readonly max: number;
      readonly fallback: number;
    }
  | { readonly kind: "boolean"; readonly schema: Schema }
  | { readonly kind: "time"; readonly schema: Schema };

export type QueryFields = Readonly<Record<string, QueryField>>;

/** What a field of each kind reads as; absent is null, an absent list is empty. */
type Read<F extends QueryField> = F extends { kind: "texts" }
  ? readonly string[]
  : F extends { kind: "integer" }
    ? number
    : F extends { kind: "boolean" }
      ? boolean | null
      : F extends { kind: "time" }
        ? number | null
        : string | null;

export type QueryValues<F extends QueryFields> = { readonly [K in keyof F]: Read<F[K]> };

const LONGEST_TEXT = 512;
const INSTANT =
  "^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$";

export const oneText = (description: string): QueryField & { kind: "text" } => ({
  kind: "text",
  schema: text(description, { maxLength: LONGEST_TEXT }),
});
export const texts = (description: string, allowed?: readonly string[]): QueryField & { kind: "texts" } => ({
  kind: "texts",
  schema: allowed === undefined ? text(description) : oneOfText(description, allowed),
  ...(allowed === undefined ? {} : { allowed }),
});
export const choice = (
  description: string,
  allowed: readonly string[],
  required = false,
): QueryField & { kind: "choice" } => ({
  kind: "choice",
  schema: oneOfText(description, allowed),
  allowed,
  required,
});
export const integer = (
  description: string,
  min: number,
  max: number,
  fallback: number,
): QueryField & { kind: "integer" } => ({
  kind: "integer",
  schema: count(description, { minimum: min, maximum: max, default: fallback }),
  min,
  max,
  fallback,
});
export const bool = (description: string): QueryField & { kind: "boolean" } => ({
  kind: "boolean",
  schema: flag(description),
});
export const instant = (description: string): QueryField & { kind: "time" } => ({
  kind: "time",
  schema: { ...time(description), pattern: INSTANT, examples: ["2026-01-01T00:00:00.000Z"] },
});

export function readQuery<F extends QueryFields>(
  fields: F,
  search: string,
): Result<QueryValues<F>, readonly Problem[]> {
  // A plus sign is a plus sign: no value has blanks, and the offset +01:00 of a time is often sent unescaped.
  const given = new URLSearchParams(search.replaceAll("+", "%2B"));
  const problems: Problem[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const found = [...given.getAll(name), ...(snake(name) === name ? [] : given.getAll(snake(name)))];
    values[name] = readField(name, field, found, problems);
  }
  return problems.length > 0 ? err(problems) : ok(values as QueryValues<F>);
}

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function readField(name: string, field: QueryField, found: readonly string[], problems: Problem[]): unknown {
  if (field.kind === "texts") return readTexts(name, field, found, problems);
  const refuse = (issue: string): null => {
    problems.push({ field: name, issue, ...(found[0] === undefined ? {} : { value: found[0] }) });
    return null;
  };
  if (found.length > 1) return refuse("must be given once");
  const [value] = found;
  if (value === undefined) {
    if ("required" in field && field.required === true) return refuse(missing(field));
    return field.kind === "integer" ? field.fallback : null;
  }
  switch (field.kind) {
    case "text":
      return [...value].length <= LONGEST_TEXT
        ? value
        : refuse(`is too long: at most ${LONGEST_TEXT} characters`);
    case "choice":
      return field.allowed.includes(value) ? value : refuse(`must be one of ${field.allowed.join(", ")}`);
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
  field.kind === "choice" ? `is required: one of ${field.allowed.join(", ")}` : "is required";

function readTexts(
  name: string,
  field: Extract<QueryField, { kind: "texts" }>,
  found: readonly string[],
  problems: Problem[],
): readonly string[] {
  const values = found.flatMap((item) => item.split(",")).filter((item) => item !== "");
  const { allowed } = field;
  const wrong = allowed === undefined ? undefined : values.find((value) => !allowed.includes(value));
  if (wrong !== undefined)
    problems.push({ field: name, issue: `must be one of ${allowed?.join(", ") ?? ""}`, value: wrong });
  return values;
}

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
