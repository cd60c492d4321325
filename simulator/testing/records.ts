/** Holds records of the wire against fixtures/spec/fields.yaml: closed, complete, and each value of its kind. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import type { Json } from "./client.ts";

interface FieldRow {
  readonly name: string;
  readonly type: string | readonly string[];
  readonly required: boolean;
  readonly nullable: boolean;
  readonly format?: string;
  readonly enum?: string;
  readonly const?: unknown;
  readonly items?: string;
  readonly itemsEnum?: string;
  readonly record?: string;
  readonly values?: string;
  readonly sends?: string;
}

interface FieldTables {
  readonly enums: Readonly<Record<string, { readonly values: readonly string[] }>>;
  readonly records: Readonly<
    Record<string, { readonly source: string; readonly open?: boolean; readonly fields: readonly FieldRow[] }>
  >;
  readonly errorCodes: { readonly byStatus: Readonly<Record<string, readonly string[]>> };
  readonly claims: { readonly routes: readonly ClaimRow[] };
}

export interface ClaimRow {
  readonly route: string;
  readonly claim?: string;
  readonly anyOf?: readonly string[];
  readonly signed?: boolean;
}

const file = path.resolve(import.meta.dirname, "../../fixtures/spec/fields.yaml");
// as: fixtures/spec/spec-data.test.ts checks the shape of the file.
const tables = parse(readFileSync(file, "utf8")) as FieldTables;

export const documentedErrorCodes = tables.errorCodes.byStatus;
export const documentedClaims = tables.claims.routes;

const formats: Readonly<Record<string, RegExp>> = {
  decimal: /^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/,
  uuid: /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
  "date-time": /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/,
  "product-id": /^[A-Z0-9]{1,20}-[A-Z0-9]{1,20}$/,
};

/** Optional only where it belongs to some outcomes. Every other key is always sent (F-extra-response-fields). */
const sometimes: Readonly<Record<string, readonly string[]>> = { OrderResult: ["order", "message"] };

/** The problems of the value with their places; empty if it is a record of that name. */
export function problemsIn(name: string, value: unknown, at = name): string[] {
  const record = tables.records[name];
  if (record === undefined) throw new Error(`fields.yaml has no record ${name}`);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${at} is not an object`];
  const given = value as Readonly<Record<string, Json>>;
  const known = new Set(record.fields.map((field) => field.name));
  const strangers = record.open === true ? [] : Object.keys(given).filter((key) => !known.has(key));
  return [
    ...strangers.map((key) => `${at}.${key} is not a field of ${name}`),
    ...record.fields.flatMap((field) => fieldProblems(name, field, given, `${at}.${field.name}`)),
  ];
}

function fieldProblems(
  name: string,
  field: FieldRow,
  given: Readonly<Record<string, Json>>,
  at: string,
): string[] {
  const optional = sometimes[name]?.includes(field.name) === true || tables.records[name]?.open === true;
  if (!Object.hasOwn(given, field.name)) return optional ? [] : [`${at} is missing`];
  const value = given[field.name] ?? null;
  if (value === null) return field.nullable ? [] : [`${at} is null`];
  const type = Array.isArray(value) ? "array" : typeof value;
  const types = field.sends === undefined ? [field.type].flat() : [field.sends];
  if (!types.includes(type)) return [`${at} is a ${type}`];
  return valueProblems(field, value, at);
}

function valueProblems(field: FieldRow, value: Json, at: string): string[] {
  const problems: string[] = [];
  const format = field.format === undefined ? undefined : formats[field.format];
  if (format !== undefined && !format.test(String(value))) problems.push(`${at} is ${String(value)}`);
  if (field.const !== undefined && value !== field.const) problems.push(`${at} is ${String(value)}`);
  const allowed = field.enum === undefined ? undefined : tables.enums[field.enum]?.values;
  if (allowed !== undefined && !allowed.includes(String(value))) problems.push(`${at} is ${String(value)}`);
  if (field.record !== undefined) problems.push(...problemsIn(field.record, value, at));
  if (field.values !== undefined) {
    for (const [key, inner] of Object.entries(value as object))
      problems.push(...problemsIn(field.values, inner, `${at}.${key}`));
  }
  if (field.items !== undefined && tables.records[field.items] !== undefined) {
    for (const [index, inner] of (value as readonly Json[]).entries())
      problems.push(...problemsIn(field.items, inner, `${at}[${index}]`));
  }
  return problems;
}
