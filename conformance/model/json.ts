/**
 * JSON as it was on the wire. `JSON.parse` turns `200.0` into `200` and `0.1000000000000000055` into `0.1`. The kit
 * judges whether decimals are strings (GEN-04), so it must see the lexeme and not a double.
 */
export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonObject;

export class JsonNumber {
  readonly lexeme: string;
  constructor(lexeme: string) {
    this.lexeme = lexeme;
  }
}

const none: readonly string[] = [];

/** A map, so that a target's `__proto__` or `constructor` key is a key like any other. */
export class JsonObject {
  readonly entries: ReadonlyMap<string, Json>;
  /** Keys that occurred more than once. Parsers disagree on the value that counts, so duplicates are reported. */
  readonly duplicates: readonly string[];
  constructor(entries: ReadonlyMap<string, Json>, duplicates: readonly string[] = none) {
    this.entries = entries;
    this.duplicates = duplicates;
  }
  get(key: string): Json | undefined {
    return this.entries.get(key);
  }
}

export type JsonKind = "null" | "boolean" | "string" | "number" | "array" | "object";

export function kindOf(value: Json): JsonKind {
  if (value === null) return "null";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "string") return "string";
  if (value instanceof JsonNumber) return "number";
  if (value instanceof JsonObject) return "object";
  return "array";
}

/** True for a number that was written without fraction and exponent: `200`, not `200.0`. */
export function isInteger(value: Json): boolean {
  return value instanceof JsonNumber && /^-?\d+$/.test(value.lexeme);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
