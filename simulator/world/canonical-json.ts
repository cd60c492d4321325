/** One text for one value: keys sorted by code unit, no blanks. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };

export function canonicalJson(value: Plain): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`).join(",")}}`;
}

const isList = (value: object): value is readonly Plain[] => Array.isArray(value);
