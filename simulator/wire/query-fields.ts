/** Query parameters as data: one declaration says what is accepted, and is what the documentation shows. */
import { ASSET_SYMBOL, NETWORK_ID } from "./account-components.ts";
import { count, flag, oneOfText, productId, type Schema, text, time, UUID, uuid } from "./schema.ts";

export type QueryField =
  | { readonly kind: "text"; readonly schema: Schema; readonly required?: boolean }
  /** One value, or several: each must have the form. */
  | {
      readonly kind: "one" | "list";
      readonly schema: Schema;
      readonly form: Form;
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
type Read<F extends QueryField> = F extends { kind: "list" }
  ? readonly string[]
  : F extends { kind: "integer" }
    ? number
    : F extends { kind: "boolean" }
      ? boolean | null
      : F extends { kind: "time" }
        ? number | null
        : string | null;

export type QueryValues<F extends QueryFields> = { readonly [K in keyof F]: Read<F[K]> };

/** Which texts a value may be, as its schema says it and in words. */
export interface Form {
  readonly accepts: (value: string) => boolean;
  readonly expected: string;
}

export const LONGEST_TEXT = 512;
export const INSTANT =
  "^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$";

interface Shape {
  readonly schema: Schema;
  readonly form: Form;
}

function matching(schema: Schema, pattern: string, expected: string): Shape {
  const compiled = new RegExp(pattern);
  return { schema: { ...schema, pattern }, form: { accepts: (value) => compiled.test(value), expected } };
}

const amongThese = (description: string, allowed: readonly string[]): Shape => ({
  schema: oneOfText(description, allowed),
  form: { accepts: (value) => allowed.includes(value), expected: `one of ${allowed.join(", ")}` },
});

const product = (description: string): Shape => {
  const schema = productId(description);
  return matching(schema, schema.pattern ?? "", "a trading pair such as BTC-USD");
};

const list = (shape: Shape): QueryField & { kind: "list" } => ({ kind: "list", ...shape });
const one = (shape: Shape, required = false): QueryField & { kind: "one" } => ({
  kind: "one",
  ...shape,
  required,
});

export const products = (description: string) => list(product(description));
export const oneProduct = (description: string) => one(product(description));
export const assets = (description: string) =>
  list(matching(text(description, { examples: ["BTC"] }), ASSET_SYMBOL, "an asset symbol such as BTC"));
export const networks = (description: string) =>
  list(
    matching(
      text(description, { examples: ["bitcoin-mainnet"] }),
      NETWORK_ID,
      "a network id such as bitcoin-mainnet",
    ),
  );
export const uuids = (description: string) => list(matching(uuid(description), UUID, "a UUID"));
export const choices = (description: string, allowed: readonly string[]) =>
  list(amongThese(description, allowed));
export const choice = (description: string, allowed: readonly string[], required = false) =>
  one(amongThese(description, allowed), required);

/** Any text that is not empty: what it means is looked at where it is used. */
export const oneText = (description: string): QueryField & { kind: "text" } => ({
  kind: "text",
  schema: text(description, { minLength: 1, maxLength: LONGEST_TEXT }),
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
