/**
 * JSON Schema as plain data, in the dialect of OpenAPI 3.1 (2020-12). The same objects describe a field to a reader of
 * the API documentation and decide what the decoders accept, so the two cannot drift apart.
 */
import { invariant } from "../domain/invariant.ts";
import { productIdPattern, type Schema } from "../schema/fields.ts";

export const text = (description: string, more: Schema = {}): Schema => ({
  type: "string",
  description,
  ...more,
});
export const flag = (description: string): Schema => ({ type: "boolean", description });
export const count = (description: string, more: Schema = {}): Schema => ({
  type: "integer",
  description,
  ...more,
});
export const oneOfText = (description: string, values: readonly string[]): Schema => ({
  type: "string",
  description,
  enum: values,
});

/** One value and no other. */
export const always = (description: string, value: string | number | boolean): Schema => ({
  type: typeof value === "number" ? "integer" : typeof value,
  description,
  const: value,
});

/** A decimal as the venue writes it: plain notation, as a string. */
export const decimalOut = "^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$";
export const decimal = (description: string): Schema =>
  text(description, { pattern: decimalOut, examples: ["0.5"] });
export const time = (description: string): Schema => text(description, { format: "date-time" });
export const uuid = (description: string): Schema => text(description, { format: "uuid" });

export const productId = (description: string): Schema =>
  text(description, { pattern: productIdPattern, examples: ["BTC-USD"] });

/** The same schema, or null. */
export function nullable(schema: Schema): Schema {
  if (schema.$ref !== undefined) return { oneOf: [schema, { type: "null" }] };
  invariant(schema.type !== undefined, "a schema without a type cannot be made nullable");
  return {
    ...schema,
    type: [schema.type, "null"].flat(),
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  };
}

/** A limit or step of an amount; null where there is none. */
export const size = (description: string): Schema => nullable(decimal(description));

export const list = (items: Schema, description?: string): Schema => ({
  type: "array",
  items,
  ...(description === undefined ? {} : { description }),
});

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** A map with names that are not known beforehand. */
export const mapOf = (values: Schema, description: string): Schema => ({
  type: "object",
  description,
  additionalProperties: values,
});

/** A closed record: all its fields, always, and no others. `optional` names the exceptions. */
export function record(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  const closed = { type: "object", description, properties, additionalProperties: false };
  return required.length === 0 ? closed : { ...closed, required };
}
