/** Shapes of answers. A sandbox may be of another version or no sandbox at all, so what it says is checked before it is used. */

// tidy-allow-file absence: the members of JSON, which say null

export type Shape<T> = (value: unknown) => value is T;
export type Shaped<S> = S extends Shape<infer T> ? T : never;

export const text: Shape<string> = (value) => typeof value === "string";
export const count: Shape<number> = (value) => typeof value === "number";
export const flag: Shape<boolean> = (value) => typeof value === "boolean";
export const anything: Shape<unknown> = (_value): _value is unknown => true;

export const oneOf =
  <const T extends string>(...choices: readonly T[]): Shape<T> =>
  (value): value is T =>
    choices.includes(value as T);

export const orNull =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value): value is T | null =>
    value === null || shape(value);

/** A member that may be missing. */
export const optional =
  <T>(shape: Shape<T>): Shape<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || shape(value);

export const listOf =
  <T>(shape: Shape<T>): Shape<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.every(shape);

/** More members than these may be there. */
export const record =
  <const S extends Readonly<Record<string, Shape<unknown>>>>(
    members: S,
  ): Shape<{ readonly [Name in keyof S]: Shaped<S[Name]> }> =>
  (value): value is { readonly [Name in keyof S]: Shaped<S[Name]> } =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(members).every(([name, shape]) =>
      shape((value as Readonly<Record<string, unknown>>)[name]),
    );
