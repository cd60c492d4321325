/** What JSON can hold, and nothing else. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/**
 * The one spelling of a JSON value that RFC 8785 defines, so that a signature does not hang on blanks or on the order of
 * keys: no white space, keys sorted by UTF-16 code units, numbers and strings as ECMAScript writes them. What has no
 * such spelling (NaN, half of a surrogate pair) is an error.
 */
export function canonicalJson(value: JsonValue): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value).toSorted(byCodeUnit);
    return `{${keys.map((key) => `${canonicalJson(key)}:${canonicalJson(value[key] ?? null)}`).join(",")}}`;
  }
  if (typeof value === "number" && !Number.isFinite(value))
    throw new TypeError(`${value} cannot be written in JSON`);
  if (typeof value === "string" && /[\ud800-\udfff]/u.test(value))
    throw new TypeError("a string with half of a surrogate pair cannot be written in JSON");
  return JSON.stringify(value);
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
