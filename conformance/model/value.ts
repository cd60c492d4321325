import { isArray, type Json, JsonNumber, JsonObject } from "./json.ts";

/** A value in a scenario. Numbers are integers only: the parser refuses unquoted decimals. */
export type Value = null | boolean | string | number | readonly Value[] | ValueMap;
export interface ValueMap {
  readonly [key: string]: Value;
}

export function isMap(value: Value | undefined): value is ValueMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The mapping, or an empty one. */
export function asMap(value: Value | undefined): ValueMap {
  return isMap(value) ? value : {};
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** The single `$key` of a mapping that has exactly that one key, or undefined. */
export function soleKey(value: Value): string | undefined {
  if (!isMap(value)) return undefined;
  const keys = Object.keys(value);
  return keys.length === 1 ? keys[0] : undefined;
}

/** Every text in a value, not counting keys. */
export function textsIn(value: Value): string[] {
  if (typeof value === "string") return [value];
  const inner = isList(value) ? value : isMap(value) ? Object.values(value) : [];
  return inner.flatMap(textsIn);
}

/** A captured reply value, as a scenario value. A number keeps its lexeme under `$json`. */
export function fromJson(json: Json): Value {
  if (json === null || typeof json === "boolean" || typeof json === "string") return json;
  if (json instanceof JsonNumber) return { $json: json.lexeme };
  if (json instanceof JsonObject) {
    const entries: [string, Value][] = [...json.entries].map(([key, item]) => [key, fromJson(item)]);
    return Object.fromEntries(entries);
  }
  return isArray(json) ? json.map(fromJson) : null;
}

/** Compact JSON text with keys in the written order; the lexeme of `{ $json: lexeme }` is copied unchanged. */
export function toJsonText(value: Value): string {
  if (isList(value)) return `[${value.map(toJsonText).join(",")}]`;
  if (!isMap(value)) return JSON.stringify(value);
  if (soleKey(value) === "$json") return String(value["$json"]);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${toJsonText(item)}`)
    .join(",")}}`;
}

/** RFC 7396: null deletes a key, a mapping merges, anything else replaces. */
export function mergePatch(base: Value, patch: Value): Value {
  if (!isMap(patch)) return patch;
  const merged: Record<string, Value> = isMap(base) ? { ...base } : {};
  for (const [key, item] of Object.entries(patch)) {
    if (item === null) delete merged[key];
    else merged[key] = mergePatch(merged[key] ?? null, item);
  }
  return merged;
}
