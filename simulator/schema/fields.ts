/**
 * The kinds of values that come from outside, in a world file, a body, a query or a message of the stream, each with the
 * message for a wrong value. A kind is a TypeBox schema: JSON Schema as plain data, so that editors,
 * documents and `decode.ts` read the same thing, with the type of its values for the compiler.
 */
import * as Type from "typebox";

/** Further data of a kind, for editors, the documents and `decode.ts`. */
export interface Note {
  readonly description?: string;
  readonly default?: unknown;
  readonly unit?: string;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  /** The requirement in the message for a value that does not match the pattern. */
  readonly patternErrorMessage?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  /** A pattern that a value must not fit; what it must be instead. */
  readonly not?: {
    readonly description: string;
    readonly pattern: string;
    readonly patternErrorMessage: string;
  };
}

/** JSON Schema, as far as `decode.ts` reads it. */
export interface Schema extends Note {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly enum?: readonly (string | number | null)[];
  readonly const?: string | number | boolean;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly discriminator?: { readonly propertyName: string };
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
}

/** A schema whose values are of the type T. */
export type Shape<T> = Type.TUnsafe<T> & Schema;
export type ValueOf<S extends Type.TSchema> = Type.Static<S>;

/** A member that may be left out. */
export type Optional<T> = Type.TOptional<Shape<T>>;
// as: the same schema, with a mark for the section that it is a member of.
export const optional = <T>(shape: Shape<T>): Optional<T> => Type.Optional(shape) as Optional<T>;

/** A member that may be left out, and what it is then. */
export const withDefault = <T>(shape: Shape<T>, value: NoInfer<T>): Optional<T> =>
  optional(typed({ ...shape, default: value }));

export const isOptional = (schema: object): boolean => Type.IsOptional(schema);

// as: a TypeBox schema is JSON Schema as plain data; only the compiler sees the type of its values.
const typed = <T>(schema: Type.TSchema): Shape<T> => Type.Unsafe<T>(schema) as Shape<T>;

export type Members = Readonly<Record<string, Shape<unknown> | Optional<unknown>>>;
type Section<M extends Members> = Shape<Type.Static<Type.TObject<{ -readonly [K in keyof M]: M[K] }>>>;

/** Named members, and nothing but them; other members of an open one are ignored. */
export const section = <M extends Members>(
  members: M,
  description?: string,
  open: { readonly title?: string; readonly additionalProperties: boolean } = { additionalProperties: false },
): Section<M> =>
  typed(Type.Object(members, { ...(description === undefined ? {} : { description }), ...open }));

const digitsPattern = "(0|[1-9][0-9]{0,19})(\\.[0-9]{1,20})?";
const decimalPattern = `^${digitsPattern}$`;
const ratePattern = `^-?${digitsPattern}$`;

/** Patterns whose values people tend to write without quotes. */
export const quotedDecimals: ReadonlySet<string> = new Set([decimalPattern, ratePattern]);

export const patterned = (
  pattern: string,
  patternErrorMessage: string,
  description: string,
  note: Note = {},
): Shape<string> => typed(Type.String({ pattern, patternErrorMessage, description, ...note }));

const kind =
  (pattern: string, message: string, usual: Note = {}) =>
  (description: string, note: Note = {}): Shape<string> =>
    patterned(pattern, message, description, { ...usual, ...note });

export const decimal = kind(
  decimalPattern,
  'must be a decimal in quotes, such as "0.01": at most 20 digits on each side of one point, no sign or exponent',
);

/** Zero in any spelling is refused by a second rule: one pattern for both would need what few tools understand. */
export const positiveDecimal = (description: string, example: string): Shape<string> =>
  decimal(description, {
    not: {
      description: "Zero in any spelling.",
      pattern: "^[0.]*$",
      patternErrorMessage: "must be above zero",
    },
    examples: [example],
  });

export const rate = kind(ratePattern, 'must be a fraction in quotes, such as "0.0025" for 0.25 %', {
  unit: "fraction",
});

export const assetSymbol = "^[A-Z0-9]{1,20}$";
export const symbol = kind(assetSymbol, "must be 1 to 20 capital letters or digits, such as BTC", {
  examples: ["BTC"],
});

export const productIdPattern = "^[A-Z0-9]{1,20}-[A-Z0-9]{1,20}$";
export const productId = kind(
  productIdPattern,
  "must be BASE-QUOTE in capital letters or digits, such as BTC-USD",
  { examples: ["BTC-USD"] },
);

export const networkId = kind("^[a-z0-9-]{1,64}$", "must be a network id such as bitcoin-mainnet", {
  examples: ["bitcoin-mainnet"],
});

export const name = kind(
  "^[a-z][a-z0-9-]{0,39}$",
  "must be lower-case letters, digits and hyphens, at most 40, such as alice-2",
);

/** A UUID of any version, in either letter case. */
export const uuid = kind("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", "must be a UUID", {
  format: "uuid",
});

export const uuidV4 = kind(
  "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$",
  "must be a UUID v4, for example 9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10",
  { format: "uuid" },
);

/** A moment in time; which of these exist is looked at by `parseInstant`. */
export const instantPattern =
  "^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$";
export const instant = kind(
  instantPattern,
  "must be an ISO 8601 time with a zone, for example 2026-01-01T00:00:00.000Z",
  { format: "date-time", examples: ["2026-01-01T00:00:00.000Z"] },
);

export const text = (maxLength: number, description: string, note: Note = {}): Shape<string> =>
  typed(Type.String({ minLength: 1, maxLength, description, ...note }));

export const integer = (
  minimum: number,
  maximum: number,
  description: string,
  note: Note = {},
): Shape<number> => typed(Type.Integer({ minimum, maximum, description, ...note }));

/** A span of time in whole milliseconds, at most a day unless said otherwise. */
export const milliseconds = (
  description: string,
  note: Note = {},
  minimum = 0,
  maximum = 86_400_000,
): Shape<number> => integer(minimum, maximum, description, { unit: "ms", ...note });

export const flag = (description: string, note: Note = {}): Shape<boolean> =>
  typed(Type.Boolean({ description, ...note }));

export const oneOf = <const Value extends string>(
  values: readonly Value[],
  description: string,
  note: Note = {},
): Shape<Value> => typed({ type: "string", enum: values, description, ...note });

export const oneNumberOf = <const Value extends number>(
  values: readonly Value[],
  description: string,
): Shape<Value> => typed({ type: "integer", enum: values, description });

/** This text and no other. */
export const only = <const Value extends string>(value: Value, description: string): Shape<Value> =>
  typed(Type.Literal(value, { description }));

/** The same, or null. */
export const orNull = <T>(shape: Shape<T>): Shape<T | null> =>
  typed({ ...shape, type: [shape.type ?? [], "null"].flat() });

/** A member that may be left out or be null, which is the same. */
export const maybe = <T>(shape: Shape<T>): Optional<T | null> => optional(orNull(shape));

export const list = <T>(items: Shape<T>, description: string, note: Note = {}): Shape<readonly T[]> =>
  typed(Type.Array(items, { description, ...note }));

/** A map whose keys are names from elsewhere. */
export const byName = <T>(
  value: Shape<T>,
  description: string,
  note: Note = {},
): Shape<Readonly<Record<string, T>>> =>
  typed({ type: "object", additionalProperties: value, description, ...note });

/**
 * One of several sections, told apart by the property `tag`, so that a mistake is reported for the one that
 * was meant.
 */
export const taggedBy = <Branches extends readonly Shape<unknown>[]>(
  tag: string,
  branches: Branches,
  description: string,
  note: Note = {},
): Shape<ValueOf<Branches[number]>> =>
  typed({ type: "object", discriminator: { propertyName: tag }, oneOf: branches, description, ...note });
