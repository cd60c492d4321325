import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../package-root.ts";
import {
  type Field,
  orderFields,
  orderStatuses,
  orderTypes,
  pairFields,
  resultTypes,
  sides,
  sizeFields,
} from "./fields.ts";
import { formatNames, hasFormat } from "./formats.ts";

interface Row {
  readonly name: string;
  readonly required?: boolean;
  readonly nullable?: boolean;
}

const fixture = (...path: string[]): string => readFileSync(join(packageRoot(), "fixtures", ...path), "utf8");
const { enums, records } = parse(fixture("spec", "fields.yaml")) as {
  readonly enums: Readonly<Record<string, { readonly values: readonly string[] }>>;
  readonly records: Readonly<Record<string, { readonly fields: readonly Row[] }>>;
};

const rowsOf = (fields: readonly Field[]) =>
  fields.map(({ name, required, nullable }) => ({ name, required, nullable }));

describe("our transcription of the field tables agrees with fixtures/spec/fields.yaml", () => {
  it("on the enumerations", () => {
    expect(enums["Side"]?.values).toEqual(sides);
    expect(enums["RecordOrderType"]?.values).toEqual(orderTypes);
    expect(enums["OrderStatus"]?.values).toEqual(orderStatuses);
    expect(enums["ResultType"]?.values).toEqual(resultTypes);
  });

  it("on the fields of an order, which are required and which may be null", () => {
    const rows = (records["Order"]?.fields ?? []).map(({ name, required = false, nullable = false }) => ({
      name,
      required,
      nullable,
    }));
    const byName = (a: Row, b: Row): number => (a.name < b.name ? -1 : 1);
    expect(rowsOf(orderFields).sort(byName)).toEqual([...rows].sort(byName));
  });

  it("on the fields of a pair", () => {
    const names = (records["ProductPair"]?.fields ?? []).map(({ name }) => name);
    expect([...pairFields, ...sizeFields].map(({ name }) => name).sort()).toEqual([...names].sort());
  });
});

/** Lines of fixtures/formats. Each is the content of a JSON string; quotes make leading and trailing blanks visible. */
function lines(file: string): string[] {
  return fixture("formats", file)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => JSON.parse(line.startsWith('"') ? line : `"${line}"`) as string);
}

describe("formats", () => {
  it.each([
    ["iso8601", "date-time"],
    ["uuid4", "uuid-v4"],
    ["decimal", "decimal"],
  ] as const)("%s accepts every valid line of fixtures/formats", (format, name) => {
    expect(lines(`${name}-valid.txt`).filter((text) => !hasFormat(format, text))).toEqual([]);
  });

  it.each([
    ["iso8601", "date-time"],
    ["uuid4", "uuid-v4"],
  ] as const)("%s refuses every invalid line of fixtures/formats", (format, name) => {
    expect(lines(`${name}-invalid.txt`).filter((text) => hasFormat(format, text))).toEqual([]);
  });

  it("each has a name that the matcher knows", () => {
    expect(formatNames).toContain("product-id");
  });
});
