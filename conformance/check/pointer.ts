import { isArray, type Json, JsonObject } from "../model/json.ts";

/** RFC 6901 with an optional leading `#`: `#/data/order/id`, `/data/0`, `#` for the whole. */
export function resolvePointer(json: Json | undefined, pointer: string): Json | undefined {
  const path = pointer.replace(/^#/, "");
  if (path === "") return json;
  let value: Json | undefined = json;
  for (const token of path.split("/").slice(path.startsWith("/") ? 1 : 0)) {
    value = childOf(value, token.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return value;
}

/** The first of several pointers that leads somewhere: targets differ in where they put a list. */
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

/** Every object anywhere below a value, with its pointer: the shape-agnostic search of `anywhere`. */
export function* objectsIn(json: Json | undefined, pointer = ""): Generator<readonly [string, JsonObject]> {
  if (json instanceof JsonObject) {
    yield [pointer, json];
    for (const [key, value] of json.entries) yield* objectsIn(value, appendPointer(pointer, key));
  } else if (isArray(json)) {
    for (const [index, value] of json.entries()) yield* objectsIn(value, appendPointer(pointer, index));
  }
}
