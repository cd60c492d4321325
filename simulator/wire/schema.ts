/**
 * The kinds of values that leave the venue: JSON Schema as plain data, in the dialect of OpenAPI 3.1 (2020-12), with the type
 * of its values for the compiler. What comes in has its kinds in schema/fields.ts.
 */
import { invariant } from "../domain/invariant.ts";
import { productIdPattern, type Schema, type Shape, type ValueOf } from "../schema/fields.ts";

// as: only the compiler sees the type of its values.
export const out = <T>(schema: Schema): Shape<T> => schema as Shape<T>;

export const text = (description: string, more: Schema = {}): Shape<string> =>
  out({ type: "string", description, ...more });
export const flag = (description: string): Shape<boolean> => out({ type: "boolean", description });
export const count = (description: string, more: Schema = {}): Shape<number> =>
  out({ type: "integer", description, ...more });
export const oneOfText = <const V extends string>(description: string, values: readonly V[]): Shape<V> =>
  out({ type: "string", description, enum: values });

/** One value and no other. */
export const always = <const V extends string | number | boolean>(description: string, value: V): Shape<V> =>
  out({ type: typeof value === "number" ? "integer" : typeof value, description, const: value });

/** A decimal as the venue writes it: plain notation, as a string. */
export const decimalOut = "^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$";
export const decimal = (description: string): Shape<string> =>
  text(description, { pattern: decimalOut, examples: ["0.5"] });
export const time = (description: string): Shape<string> => text(description, { format: "date-time" });
export const uuid = (description: string): Shape<string> => text(description, { format: "uuid" });

export const productId = (description: string): Shape<string> =>
  text(description, { pattern: productIdPattern, examples: ["BTC-USD"] });

/** The same schema, or null. */
export function nullable<T>(schema: Shape<T>): Shape<T | null> {
  if (schema.$ref !== undefined) return out({ oneOf: [schema, { type: "null" }] });
  invariant(schema.type !== undefined, "a schema without a type cannot be made nullable");
  return out({
    ...schema,
    type: [schema.type, "null"].flat(),
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  });
}

/** A limit or step of an amount; null where there is none. */
export const size = (description: string): Shape<string | null> => nullable(decimal(description));

export const list = <T>(items: Shape<T>, description?: string): Shape<readonly T[]> =>
  out({ type: "array", items, ...(description === undefined ? {} : { description }) });

/** A component of the documents by its name. */
export const ref = <T = unknown>(name: string): Shape<T> => out({ $ref: `#/components/schemas/${name}` });

/** A map with names that are not known beforehand. */
export const mapOf = <T>(values: Shape<T>, description: string): Shape<Readonly<Record<string, T>>> =>
  out({ type: "object", description, additionalProperties: values });

export type Fields = Readonly<Record<string, Shape<unknown>>>;
type Flat<T> = { readonly [K in keyof T]: T[K] };
type RecordOf<F extends Fields, O extends keyof F> = Flat<
  { readonly [K in Exclude<keyof F, O>]: ValueOf<F[K]> } & { readonly [K in O]?: ValueOf<F[K]> }
>;

/** A closed record: all its fields, always, and no others. `optional` names the exceptions. */
export function record<F extends Fields, const O extends keyof F & string = never>(
  description: string,
  properties: F,
  optional: readonly O[] = [],
): Shape<RecordOf<F, O>> {
  const left: readonly string[] = optional;
  const required = Object.keys(properties).filter((name) => !left.includes(name));
  const closed = { type: "object", description, properties, additionalProperties: false };
  return out(required.length === 0 ? closed : { ...closed, required });
}

/** A closed record each of whose fields may be missing. */
export const partial = <F extends Fields>(
  description: string,
  properties: F,
): Shape<{ readonly [K in keyof F]?: ValueOf<F[K]> }> =>
  out({ type: "object", description, properties, additionalProperties: false });
