import { describe, expect, it } from "vitest";
import { decimal, productIdPattern, type Schema, uuidV4 } from "../schema/fields.ts";
import { envelopeSchema, schemaComponents } from "./components.ts";
import { orderFields, orderShapes } from "./order-request.ts";
import { decimalOut, record } from "./schema.ts";
import { type SpecField, specFields } from "./testing/spec-data.ts";

/** Its fields depend on type and side: compared on their own below. */
const union = "OrderRequest";
/** The envelope is made around each payload. */
const envelope = "Envelope";

/** Keys that are not always there; every other key of a record is always sent. */
const optional: Readonly<Record<string, readonly string[]>> = {
  OrderResult: ["order", "message"],
  DepositAddressRequest: ["network"],
  // No operation of ours makes these, so nothing is promised about their keys.
  EditHistoryEntry: specFields.records["EditHistoryEntry"]?.fields.map(({ name }) => name) ?? [],
  OrderEditHistoryEntry: specFields.records["OrderEditHistoryEntry"]?.fields.map(({ name }) => name) ?? [],
  ErrorDetail: specFields.records["ErrorDetail"]?.fields.map(({ name }) => name) ?? [],
};

/** Values that our simulator narrows although the table has no enumeration for them. */
const narrowed: Readonly<Record<string, string>> = { "Order.timeInForce": "TimeInForce" };

const records = Object.entries(specFields.records).filter(([name]) => name !== union && name !== envelope);

describe("The schemas of the wire", () => {
  it("are those of the field tables, no more and no fewer", () => {
    expect(Object.keys(schemaComponents).sort()).toEqual(
      Object.keys(specFields.records)
        .filter((name) => name !== envelope)
        .sort(),
    );
  });

  it.each(records)("hold the table of %s, key by key", (name, { fields, open = false }) => {
    const schema = schemaComponents[name] ?? {};
    const keys = fields.map((field) => field.name);
    expect(Object.keys(schema.properties ?? {})).toEqual(keys);
    expect(schema.additionalProperties).toBe(open);
    expect(schema.required ?? []).toEqual(keys.filter((key) => !optional[name]?.includes(key)));
    const demanded = fields.filter(({ required }) => required).map((field) => field.name);
    expect(schema.required ?? []).toEqual(expect.arrayContaining(demanded));
    for (const field of fields) compareField(`${name}.${field.name}`, field, schema.properties?.[field.name]);
  });

  it("put every payload into the envelope of the table", () => {
    const fields = specFields.records[envelope]?.fields ?? [];
    const schema = envelopeSchema(200, record("A payload.", {}));
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
  const values = field.enum ?? narrowed[at];
  const enumeration = schema.enum?.filter((value) => value !== null) ?? [];
  expect(enumeration, `values of ${at}`).toEqual(
    values === undefined ? [] : specFields.enums[values]?.values,
  );
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
  schema.$ref === undefined ? schema : (schemaComponents[schema.$ref.split("/").at(-1) ?? ""] ?? {});

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
  if (format === "decimal") expect(pattern, at).toBe(decimalOut);
  else if (format === "product-id") expect(pattern, at).toBe(productIdPattern);
  else if (format === "date-time" || format === "uuid") expect(schema.format, at).toBe(format);
  else expect(format === undefined || format === "integer", `${at} has an unknown format`).toBe(true);
}

function compareItems(at: string, { items, itemsEnum, freedom }: SpecField, schema: Schema): void {
  const ref = schema.$ref?.split("/").at(-1);
  if (ref !== undefined && items === "object") {
    // The table of the document says no more than "object"; ours says what a future edit would fill in.
    expect(freedom, at).toBe("F-edit-history-elements");
    expect(specFields.records[ref], at).toBeDefined();
  } else expect(ref ?? schema.type, `items of ${at}`).toBe(items);
  if (itemsEnum !== undefined) expect(schema.enum, at).toEqual(specFields.enums[itemsEnum]?.values);
}

describe("The schema of an order request", () => {
  const fields = specFields.records[union]?.fields ?? [];
  const schemaOf = (name: string): Schema =>
    Object.entries(orderFields).find(([key]) => key === name)?.[1] ?? {};

  it("has the fields of the table, with their types, values and forms", () => {
    expect(Object.keys(orderFields)).toEqual(fields.map(({ name }) => name));
    for (const field of fields) {
      const schema = schemaOf(field.name);
      expect(schema.type, field.name).toBe(field.type);
      expect(field.nullable, field.name).toBe(false);
      expect(schema.enum, field.name).toEqual(
        field.enum === undefined ? undefined : specFields.enums[field.enum]?.values,
      );
      const pattern = {
        decimal: decimal("").pattern,
        "uuid-v4": uuidV4("").pattern,
        "product-id": productIdPattern,
      }[field.format ?? ""];
      expect(schema.pattern, field.name).toBe(pattern);
    }
  });

  it("covers each pair of type and side with exactly one shape", () => {
    for (const [type, side] of pairs()) expect(shapesOf(type, side)).toHaveLength(1);
  });

  it("requires for each pair of type and side the fields of the table", () => {
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

  it("does not restrict a field that the order ignores", () => {
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
    (specFields.enums["PlaceableOrderType"]?.values ?? []).flatMap((type) =>
      (specFields.enums["Side"]?.values ?? []).map((side): [string, string] => [type, side]),
    );

  const shapesOf = (type: string, side: string): Schema[] =>
    Object.values(orderShapes).filter(
      ({ properties }) =>
        properties?.["type"]?.enum?.includes(type) === true &&
        properties["side"]?.enum?.includes(side) === true,
    );
});
