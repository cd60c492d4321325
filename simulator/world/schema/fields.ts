/**
 * The kinds of values that a person writes, in a world file and in a body of the control surface, each with the sentence that
 * is read when the value is not one. A kind is JSON Schema as plain data, so that editors, documents and `check/shape.ts` read
 * the same thing, and it carries the type of its values for the compiler.
 */

/** JSON Schema, as far as `check/shape.ts` reads it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly unit?: string;
  readonly enum?: readonly (string | number)[];
  readonly const?: string;
  readonly pattern?: string;
  /** What a value that does not fit the pattern must be. */
  readonly patternErrorMessage?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | Schema;
  readonly discriminator?: { readonly propertyName: string };
  readonly oneOf?: readonly Schema[];
}

declare const valued: unique symbol;

/** A schema whose values are of the type T: only the compiler sees the member that says so. */
export interface Shape<T> extends Schema {
  readonly [valued]?: T;
}

export type ValueOf<S> = S extends Shape<infer T> ? T : never;

/** A member that may be left out. */
export interface Optional<T> {
  readonly optional: Shape<T>;
}

export const optional = <T>(shape: Shape<T>): Optional<T> => ({ optional: shape });

export type Members = Readonly<Record<string, Shape<unknown> | Optional<unknown>>>;
type Needed<M> = { readonly [K in keyof M as M[K] extends Optional<unknown> ? never : K]: ValueOf<M[K]> };
type Spare<M> = { readonly [K in keyof M as M[K] extends Optional<unknown> ? K : never]?: ValueIn<M[K]> };
type ValueIn<O> = O extends Optional<infer T> ? T : never;

/** What every property says of itself: editors show it, the documentation is made from it. */
export interface Note {
  readonly description: string;
  readonly default?: unknown;
  readonly unit?: string;
}

const isOptional = (member: Schema | Optional<unknown>): member is Optional<unknown> => "optional" in member;

/** Named members, and nothing but them. */
export function section<M extends Members>(members: M, description?: string): Shape<Needed<M> & Spare<M>> {
  const entries = Object.entries(members);
  const required = entries.flatMap(([name, member]) => (isOptional(member) ? [] : [name]));
  return {
    type: "object",
    ...(description === undefined ? {} : { description }),
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      entries.map(([name, member]) => [name, isOptional(member) ? member.optional : member]),
    ),
    additionalProperties: false,
  };
}

const DIGITS = "(0|[1-9][0-9]{0,19})(\\.[0-9]{1,20})?";
const DECIMAL_PATTERN = `^${DIGITS}$`;
const RATE_PATTERN = `^-?${DIGITS}$`;

/** Patterns whose values people tend to write without quotes. */
export const QUOTED_DECIMALS: ReadonlySet<string> = new Set([DECIMAL_PATTERN, RATE_PATTERN]);

export const patterned = (pattern: string, patternErrorMessage: string, note: Note): Shape<string> => ({
  type: "string",
  pattern,
  patternErrorMessage,
  ...note,
});

export const decimal = (note: Note): Shape<string> =>
  patterned(
    DECIMAL_PATTERN,
    'must be a decimal in quotes, such as "0.01": digits, one point, no sign or exponent',
    note,
  );

export const rate = (note: Note): Shape<string> =>
  patterned(RATE_PATTERN, 'must be a fraction in quotes, such as "0.0025" for 0.25 %', {
    unit: "fraction",
    ...note,
  });

export const symbol = (note: Note): Shape<string> =>
  patterned("^[A-Z0-9]{1,20}$", "must be 1 to 20 capital letters or digits, such as BTC", note);

export const productId = (note: Note): Shape<string> =>
  patterned(
    "^[A-Z0-9]{1,20}-[A-Z0-9]{1,20}$",
    "must be BASE-QUOTE in capital letters or digits, such as BTC-USD",
    note,
  );

export const name = (note: Note): Shape<string> =>
  patterned(
    "^[a-z][a-z0-9-]{0,39}$",
    "must be lower-case letters, digits and hyphens, at most 40, such as alice-2",
    note,
  );

export const text = (maxLength: number, note: Note): Shape<string> => ({
  type: "string",
  minLength: 1,
  maxLength,
  ...note,
});

export const integer = (minimum: number, maximum: number, note: Note): Shape<number> => ({
  type: "integer",
  minimum,
  maximum,
  ...note,
});

/** A span of time in whole milliseconds, at most a day unless said otherwise. */
export const milliseconds = (note: Note, minimum = 0, maximum = 86_400_000): Shape<number> =>
  integer(minimum, maximum, { unit: "ms", ...note });

export const flag = (note: Note): Shape<boolean> => ({ type: "boolean", ...note });

export const oneOf = <const Value extends string>(values: readonly Value[], note: Note): Shape<Value> => ({
  type: "string",
  enum: values,
  ...note,
});

export const oneNumberOf = <const Value extends number>(
  values: readonly Value[],
  note: Note,
): Shape<Value> => ({ type: "integer", enum: values, ...note });

/** This text and no other. */
export const only = <const Value extends string>(value: Value, description: string): Shape<Value> => ({
  type: "string",
  const: value,
  description,
});

/** The same, or null. */
export const orNull = <T>(shape: Shape<T>): Shape<T | null> => ({
  ...shape,
  type: [shape.type ?? [], "null"].flat(),
});

export const list = <T>(
  items: Shape<T>,
  note: Note & Pick<Schema, "minItems" | "maxItems" | "uniqueItems">,
): Shape<readonly T[]> => ({ type: "array", items, ...note });

/** A map whose keys are names from elsewhere in the file; `check/` looks them up. */
export const byName = <T>(value: Shape<T>, note: Note): Shape<Readonly<Record<string, T>>> => ({
  type: "object",
  additionalProperties: value,
  ...note,
});

/**
 * One of several sections, told apart by the property `tag`, so that a mistake is reported for the one that
 * was meant.
 */
export const taggedBy = <Branches extends readonly Shape<unknown>[]>(
  tag: string,
  branches: Branches,
  note: Note,
): Shape<ValueOf<Branches[number]>> => ({
  type: "object",
  discriminator: { propertyName: tag },
  oneOf: branches,
  ...note,
});
