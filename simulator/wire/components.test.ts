import { describe, expect, it } from "vitest";
import { decimal, PRODUCT_ID, type Schema, uuidV4 } from "../schema/fields.ts";
import { COMPONENTS, envelopeSchema } from "./components.ts";
import { ORDER_FIELDS, ORDER_SHAPES } from "./order-request.ts";
import { DECIMAL_OUT } from "./schema.ts";
import { SPEC, type SpecField } from "./testing/spec-data.ts";

/** Its fields depend on type and side: compared on their own below. */
const UNION = "OrderRequest";
/** The envelope is made around each payload. */
const ENVELOPE = "Envelope";

/** Keys that are not always there; every other key of a record is always sent. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  OrderResult: ["order", "message"],
  DepositAddressRequest: ["network"],
  // No operation of ours makes these, so nothing is promised about their keys.
  EditHistoryEntry: SPEC.records["EditHistoryEntry"]?.fields.map(({ name }) => name) ?? [],
  OrderEditHistoryEntry: SPEC.records["OrderEditHistoryEntry"]?.fields.map(({ name }) => name) ?? [],
  ErrorDetail: SPEC.records["ErrorDetail"]?.fields.map(({ name }) => name) ?? [],
};

/** Values that our simulator narrows although the table has no enumeration for them. */
const NARROWED: Readonly<Record<string, string>> = { "Order.timeInForce": "TimeInForce" };

const records = Object.entries(SPEC.records).filter(([name]) => name !== UNION && name !== ENVELOPE);

describe("The schemas of the wire", () => {
  it("are those of the field tables, no more and no fewer", () => {
    expect(Object.keys(COMPONENTS).sort()).toEqual(
      Object.keys(SPEC.records)
        .filter((name) => name !== ENVELOPE)
        .sort(),
    );
  });

  it.each(records)("hold the table of %s, key by key", (name, { fields, open = false }) => {
    const schema = COMPONENTS[name] ?? {};
    const keys = fields.map((field) => field.name);
    expect(Object.keys(schema.properties ?? {})).toEqual(keys);
    expect(schema.additionalProperties).toBe(open);
    expect(schema.required ?? []).toEqual(keys.filter((key) => !OPTIONAL[name]?.includes(key)));
    const demanded = fields.filter(({ required }) => required).map((field) => field.name);
    expect(schema.required ?? []).toEqual(expect.arrayContaining(demanded));
    for (const field of fields) compareField(`${name}.${field.name}`, field, schema.properties?.[field.name]);
  });

  it("put every payload into the envelope of the table", () => {
    const fields = SPEC.records[ENVELOPE]?.fields ?? [];
    const schema = envelopeSchema(200, { type: "object" });
    expect(Object.keys(schema.properties ?? {})).toEqual(fields.map(({ name }) => name));
    expect(schema.required).toEqual(fields.map(({ name }) => name));
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties?.["statusCode"]).toMatchObject({ type: "integer", const: 200 });
    expect(schema.properties?.["success"]).toMatchObject({ type: "boolean", const: true });
    expect(schema.properties?.["message"]).toMatchObject({ type: "string" });
  });
});

function compareField(at: string, field: SpecField, given: Schema | undefined): void {
  expect(given, at).toBeDefined();
  // A reference that may be null is one of two branches.
  const [referred, none] = given?.oneOf ?? [];
  const schema = resolved(referred ?? given ?? {});
  const types = new Set([schema.type ?? [], none?.type ?? []].flat());
  expect(types.has("null"), `${at} may be null`).toBe(field.nullable);
  expect([...types].filter((type) => type !== "null").sort(), `type of ${at}`).toEqual(typesOf(field));
  const values = field.enum ?? NARROWED[at];
  const enumeration = schema.enum?.filter((value) => value !== null) ?? [];
  expect(enumeration, `values of ${at}`).toEqual(values === undefined ? [] : SPEC.enums[values]?.values);
  if (field.const !== undefined) expect(schema.const, at).toBe(field.const);
  else if (schema.const !== undefined) expect.fail(`${at} has one value only, and the table does not say so`);
  compareForm(at, field, schema);
  if (field.record !== undefined)
    expect(given?.$ref ?? referred?.$ref, at).toBe(`#/components/schemas/${field.record}`);
  if (field.values !== undefined)
    expect(schema.additionalProperties, at).toEqual({ $ref: `#/components/schemas/${field.values}` });
  if (field.items !== undefined) compareItems(at, field, schema.items ?? {});
}

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (COMPONENTS[schema.$ref.split("/").at(-1) ?? ""] ?? {});

function typesOf({ type, format, sends }: SpecField): string[] {
  const types = sends ?? type;
  return [types]
    .flat()
    .map((name) => (name === "number" && format === "integer" ? "integer" : name))
    .sort();
}

/** The table's format has to be there; where it has none, our simulator may still promise one. */
function compareForm(at: string, { format }: SpecField, schema: Schema): void {
  const { pattern } = schema;
  if (format === "decimal") expect(pattern, at).toBe(DECIMAL_OUT);
  else if (format === "product-id") expect(pattern, at).toBe(PRODUCT_ID);
  else if (format === "date-time" || format === "uuid") expect(schema.format, at).toBe(format);
  else expect(format === undefined || format === "integer", `${at} has an unknown format`).toBe(true);
}

function compareItems(at: string, { items, itemsEnum, freedom }: SpecField, schema: Schema): void {
  const ref = schema.$ref?.split("/").at(-1);
  if (ref !== undefined && items === "object") {
    // The table of the document says no more than "object"; ours says what a future edit would fill in.
    expect(freedom, at).toBe("F-edit-history-elements");
    expect(SPEC.records[ref], at).toBeDefined();
  } else expect(ref ?? schema.type, `items of ${at}`).toBe(items);
  if (itemsEnum !== undefined) expect(schema.enum, at).toEqual(SPEC.enums[itemsEnum]?.values);
}

describe("The schema of an order request", () => {
  const fields = SPEC.records[UNION]?.fields ?? [];
  const schemaOf = (name: string): Schema =>
    Object.entries(ORDER_FIELDS).find(([key]) => key === name)?.[1] ?? {};

  it("has the fields of the table, with their types, values and forms", () => {
    expect(Object.keys(ORDER_FIELDS)).toEqual(fields.map(({ name }) => name));
    for (const field of fields) {
      const schema = schemaOf(field.name);
      expect(schema.type, field.name).toBe(field.type);
      expect(field.nullable, field.name).toBe(false);
      expect(schema.enum, field.name).toEqual(
        field.enum === undefined ? undefined : SPEC.enums[field.enum]?.values,
      );
      const pattern = {
        decimal: decimal("").pattern,
        "uuid-v4": uuidV4("").pattern,
        "product-id": PRODUCT_ID,
      }[field.format ?? ""];
      expect(schema.pattern, field.name).toBe(pattern);
    }
  });

  it("covers each pair of type and side with exactly one shape", () => {
    for (const [type, side] of pairs()) expect(shapesOf(type, side)).toHaveLength(1);
  });

  it("asks each pair of type and side for what the table asks for", () => {
    for (const [type, side] of pairs()) {
      const needed = fields.filter(
        (field) => field.required || field.requiredWhen?.includes(`${type} ${side}`) === true,
      );
      const [shape] = shapesOf(type, side);
      expect([...(shape?.required ?? [])].sort(), `${type} ${side}`).toEqual(
        needed.map(({ name }) => name).sort(),
      );
    }
  });

  it("says nothing about a field that the order ignores, so that anything may stand there", () => {
    const ignored = fields.filter(({ ignoredOtherwise }) => ignoredOtherwise === true);
    expect(ignored.map(({ name }) => name)).toEqual(["quote_value", "stop_price"]);
    for (const [type, side] of pairs()) {
      const [shape] = shapesOf(type, side);
      expect(shape?.additionalProperties).toBe(true);
      for (const { name, requiredWhen } of ignored) {
        expect(Object.hasOwn(shape?.properties ?? {}, name), `${type} ${side} ${name}`).toBe(
          requiredWhen?.includes(`${type} ${side}`),
        );
      }
    }
  });

  const pairs = (): [string, string][] =>
    (SPEC.enums["PlaceableOrderType"]?.values ?? []).flatMap((type) =>
      (SPEC.enums["Side"]?.values ?? []).map((side): [string, string] => [type, side]),
    );

  const shapesOf = (type: string, side: string): Schema[] =>
    Object.values(ORDER_SHAPES).filter(
      ({ properties }) =>
        properties?.["type"]?.enum?.includes(type) === true &&
        properties["side"]?.enum?.includes(side) === true,
    );
});
