import { type Json, JsonNumber, JsonObject } from "../model/json.ts";
import { ownText } from "../model/own-text.ts";
import { toJsonText, type Value } from "../model/value.ts";

const maxShown = 160;

/** A value as it was read, lexemes kept, cut to one readable line. No more of it is written out than is shown. */
export function describeJson(json: Json | undefined): string {
  return shorten(jsonText(json, maxShown));
}

/** The text of a value, or a beginning of it that is longer than `room`. */
function jsonText(json: Json | undefined, room: number): string {
  if (json === undefined) return "(missing)";
  if (json === null || typeof json === "boolean") return String(json);
  if (typeof json === "string") return JSON.stringify(json.slice(0, room + 1));
  if (json instanceof JsonNumber) return json.lexeme.slice(0, room + 1);
  const isObject = json instanceof JsonObject;
  const parts: Iterable<readonly [string | number, Json]> = isObject ? json.entries : json.entries();
  let text = isObject ? "{" : "[";
  for (const [key, value] of parts) {
    if (text.length > room) return text;
    const name = isObject ? `${JSON.stringify(String(key).slice(0, room))}:` : "";
    text += (text.length > 1 ? "," : "") + name + jsonText(value, Math.max(0, room - text.length));
  }
  return text + (isObject ? "}" : "]");
}

export function describeValue(value: Value): string {
  return shorten(toJsonText(value));
}

export function shorten(text: string, limit = maxShown): string {
  return text.length <= limit ? text : `${ownText(text.slice(0, limit - 1))}…`;
}
