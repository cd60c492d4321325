/** Reads the small JSON bodies of the control surface: closed records, every problem named. */
import { spellDecimal } from "../domain/decimal-text.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Problem } from "../wire/order-request.ts";
import { parseInstant } from "../wire/query.ts";

type Kind = "text" | "decimal" | "signed-decimal" | "boolean" | "integer" | "time" | "value";

export interface Field {
  readonly kind: Kind;
  readonly optional?: true;
  readonly choices?: readonly string[];
  /** Of an integer; zero and no end when absent. */
  readonly min?: number;
  readonly max?: number;
}

/** The longest way on the market clock that one call can ask for: a typing error shall not run it for a thousand years. */
export const LONGEST_MOVE_MS = 366 * 24 * 3600 * 1000;

export type Fields = Readonly<Record<string, Field>>;

const EXPECTED: Readonly<Record<Kind, string>> = {
  text: "must be a string of 1 to 128 characters",
  decimal: 'must be a decimal as a string, for example "0.5"',
  "signed-decimal": 'must be a decimal as a string, for example "-0.0001"',
  boolean: "must be true or false",
  integer: "must be a whole number, zero or more",
  time: "must be an ISO 8601 time with a zone, for example 2026-01-01T00:00:00.000Z",
  value: "must be given",
};

export type Values = Readonly<Record<string, unknown>>;

/** The fields of a body; absent optional ones are null, times are milliseconds since the epoch. */
export function readFields(fields: Fields, body: unknown): Result<Values, readonly Problem[]> {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    return err([{ field: "", issue: "the body must be one JSON object" }]);
  const given = body as Values;
  const problems: Problem[] = [];
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(fields, name)) continue;
    problems.push({
      field: name,
      issue: `is not a field here; the fields are ${Object.keys(fields).join(", ") || "none"}`,
    });
  }
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(given, name) ? (given[name] ?? null) : null;
    if (value === null) {
      if (field.optional === undefined)
        problems.push({ field: name, issue: `is required: ${expectation(field)}` });
      values[name] = null;
      continue;
    }
    const read = readValue(field, value);
    if (read === null) problems.push({ field: name, issue: expectation(field) });
    values[name] = read;
  }
  return problems.length > 0 ? err(problems) : ok(values);
}

function expectation({ kind, choices, min = 0, max }: Field): string {
  if (choices !== undefined) return `must be one of ${choices.join(", ")}`;
  if (max !== undefined) return `must be a whole number from ${min} to ${max}`;
  return min > 0 ? `must be a whole number, ${min} or more` : EXPECTED[kind];
}

const isWithin = ({ min = 0, max = Number.MAX_SAFE_INTEGER }: Field, value: number): boolean =>
  value >= min && value <= max;

function readValue(field: Field, value: unknown): unknown {
  if (field.choices !== undefined)
    return typeof value === "string" && field.choices.includes(value) ? value : null;
  switch (field.kind) {
    case "text":
      return typeof value === "string" && value.length > 0 && value.length <= 128 ? value : null;
    case "decimal":
      return typeof value === "string" ? spellDecimal(value) : null;
    case "signed-decimal":
      return typeof value === "string" && spellDecimal(value.replace(/^-/, "")) !== null ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "integer":
      return Number.isSafeInteger(value) && isWithin(field, Number(value)) ? value : null;
    case "time":
      return typeof value === "string" ? parseInstant(value) : null;
    case "value":
      return value;
  }
}
