import { isArray, type Json, JsonObject } from "../model/json.ts";
import { shorten } from "./describe.ts";

/** RFC 6901 with an optional leading `#`: `#/data/order/id`, `/data/0`; `#` is the whole value. */
export function resolvePointer(json: Json | undefined, pointer: string): Json | undefined {
  const path = pointer.replace(/^#/, "");
  if (path === "") return json;
  let value: Json | undefined = json;
  for (const token of path.split("/").slice(path.startsWith("/") ? 1 : 0)) {
    value = childOf(value, token.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return value;
}

/** The first of several pointers that resolves: targets differ in the place of a list. */
export function resolveFirst(json: Json | undefined, pointers: readonly string[]): Json | undefined {
  for (const pointer of pointers) {
    const found = resolvePointer(json, pointer);
    if (found !== undefined) return found;
  }
  return undefined;
}

function childOf(value: Json | undefined, key: string): Json | undefined {
  if (value instanceof JsonObject) return value.get(key);
  if (isArray(value) && /^(?:0|[1-9]\d*)$/.test(key)) return value[Number(key)];
  return undefined;
}

export function appendPointer(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/**
 * All matching objects anywhere below a value, each with its pointer: the search of `anywhere`, which does not depend
 * on a shape. Pointers are made only for matches, because an answer may have fifty thousand other objects.
 */
export function objectsIn(
  json: Json | undefined,
  fits: (object: JsonObject) => boolean,
  { most = Infinity, notBelow = [] }: { readonly most?: number; readonly notBelow?: readonly string[] } = {},
): (readonly [pointer: string, object: JsonObject])[] {
  const found: (readonly [string, JsonObject])[] = [];
  const path: (string | number)[] = [];
  const walk = (value: Json | undefined): void => {
    if (found.length >= most) return;
    if (value instanceof JsonObject) {
      if (fits(value)) found.push([pointerOf(path), value]);
      for (const [key, inner] of value.entries) if (!notBelow.includes(key)) step(key, inner);
    } else if (isArray(value)) for (let at = 0; at < value.length; at += 1) step(at, value[at]);
  };
  const step = (key: string | number, value: Json | undefined): void => {
    if (value === null || typeof value !== "object") return;
    path.push(key);
    walk(value);
    path.pop();
  };
  walk(json);
  return found;
}

/** A key may be as long as the answer; the shown part is limited. */
const pointerOf = (path: readonly (string | number)[]): string =>
  path.reduce<string>((pointer, key) => appendPointer(pointer, shorten(String(key), 100)), "");
