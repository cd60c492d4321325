/** Query parameters as data: one schema says what is accepted, and is what the documentation shows. */
import {
  flag,
  instant as instantText,
  list,
  networkId,
  type Optional,
  oneOf,
  optional,
  patterned,
  productId,
  type Shape,
  symbol,
  text,
  uuid,
  type ValueOf,
  integer as wholeNumber,
} from "../schema/fields.ts";

/** A list, a number with a default and a required value are there in any case; another parameter that is absent is null. */
export type QueryField = Shape<unknown> | Optional<unknown>;
export type QueryFields = Readonly<Record<string, QueryField>>;
export type QueryValues<F extends QueryFields> = { readonly [K in keyof F]: ValueOf<F[K]> };

const several = (item: (description: string) => Shape<string>) => (description: string) =>
  optional(list(item(description), description));

// as: an absent field reads as null; a value has the type of the shape.
const one = <T>(shape: Shape<T>) => optional(shape as Shape<unknown> as Shape<T | null>);

export const products = several(productId);
export const assets = several(symbol);
export const networks = several(networkId);
export const uuids = several(uuid);
export const choices = (description: string, allowed: readonly string[]) =>
  several((about) => oneOf(allowed, about))(description);

export const oneProduct = (description: string) => one(productId(description));
export const choice = <const V extends string>(description: string, allowed: readonly V[]) =>
  one(oneOf(allowed, description));
export const required = <const V extends string>(description: string, allowed: readonly V[]) =>
  oneOf(allowed, description);

/** Any text that is not empty: its meaning is looked at where it is used. */
export const oneText = (description: string) => one(text(512, description));
export const integer = (description: string, min: number, max: number, fallback: number) =>
  optional(wholeNumber(min, max, description, { default: fallback }));
/** A place in a list that grows. */
export const position = (description: string) => one(wholeNumber(0, Number.MAX_SAFE_INTEGER, description));
/** A status of HTTP, a class of them, or 0. */
export const statusOrClass = (description: string) =>
  one(
    patterned(
      "^([1-5]([0-9]{2}|xx)|0)$",
      "must be a status such as 404, a class such as 4xx, or 0",
      description,
    ),
  );
export const bool = (description: string) => one(flag(description));

/** Read as milliseconds since the epoch. */
export const instant = (description: string) =>
  // as: the schema is that of the text; `readQuery` makes the number.
  optional(instantText(description) as Shape<unknown> as Shape<number | null>);
