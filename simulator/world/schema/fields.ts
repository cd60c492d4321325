/**
 * The kinds of values in a world file, each with the sentence that a person reads when the value is not one.
 */
import { type Static, type TSchema, Type } from "typebox";

/** What every property says of itself: editors show it, the documentation is made from it. */
export interface Note {
  readonly description: string;
  readonly default?: unknown;
  readonly unit?: string;
}

const DIGITS = "(0|[1-9][0-9]{0,19})(\\.[0-9]{1,20})?";
export const DECIMAL_PATTERN = `^${DIGITS}$`;
export const RATE_PATTERN = `^-?${DIGITS}$`;

/** Patterns whose values people tend to write without quotes. */
export const QUOTED_DECIMALS: ReadonlySet<string> = new Set([DECIMAL_PATTERN, RATE_PATTERN]);

const patterned = (pattern: string, patternErrorMessage: string, note: Note) =>
  Type.String({ pattern, patternErrorMessage, ...note });

export const decimal = (note: Note) =>
  patterned(
    DECIMAL_PATTERN,
    'must be a decimal in quotes, such as "0.01": digits, one point, no sign or exponent',
    note,
  );

export const rate = (note: Note) =>
  patterned(RATE_PATTERN, 'must be a fraction in quotes, such as "0.0025" for 0.25 %', {
    unit: "fraction",
    ...note,
  });

export const symbol = (note: Note) =>
  patterned("^[A-Z0-9]{1,20}$", "must be 1 to 20 capital letters or digits, such as BTC", note);

export const productId = (note: Note) =>
  patterned(
    "^[A-Z0-9]{1,20}-[A-Z0-9]{1,20}$",
    "must be BASE-QUOTE in capital letters or digits, such as BTC-USD",
    note,
  );

export const name = (note: Note) =>
  patterned(
    "^[a-z][a-z0-9-]{0,39}$",
    "must be lower-case letters, digits and hyphens, at most 40, such as alice-2",
    note,
  );

export const text = (maxLength: number, note: Note) => Type.String({ minLength: 1, maxLength, ...note });

export const integer = (minimum: number, maximum: number, note: Note) =>
  Type.Integer({ minimum, maximum, ...note });

/** A span of time in whole milliseconds, at most a day unless said otherwise. */
export const milliseconds = (note: Note, minimum = 0, maximum = 86_400_000) =>
  integer(minimum, maximum, { unit: "ms", ...note });

export const flag = (note: Note) => Type.Boolean({ ...note });

export const oneOf = <const Values extends string[]>(values: [...Values], note: Note) =>
  Type.Enum(values, { ...note });

/** Nothing but what is named may stand in a section. */
export const closed = { additionalProperties: false } as const;

/** A map whose keys are names from elsewhere in the file; `check/` looks them up. */
export const byName = <Value extends TSchema>(value: Value, note: Note) =>
  Type.Unsafe<Record<string, Static<Value>>>({ type: "object", additionalProperties: value, ...note });

/**
 * One of several sections, told apart by the property `tag`, so that a mistake is reported for the one that
 * was meant.
 */
export const taggedBy = <Branches extends TSchema[]>(tag: string, branches: [...Branches], note: Note) =>
  Type.Unsafe<Static<Branches[number]>>({
    type: "object",
    discriminator: { propertyName: tag },
    oneOf: branches,
    ...note,
  });
