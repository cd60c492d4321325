import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import { toJsonText, type Value } from "../model/value.ts";

const maxShown = 160;

/** A value as it was read, lexemes kept, cut to one readable line. */
export function describeJson(json: Json | undefined): string {
  return shorten(jsonText(json));
}

function jsonText(json: Json | undefined): string {
  if (json === undefined) return "(missing)";
  if (json instanceof JsonNumber) return json.lexeme;
  if (json instanceof JsonObject) {
    return `{${[...json.entries].map(([key, value]) => `${JSON.stringify(key)}:${jsonText(value)}`).join(",")}}`;
  }
  return isArray(json) ? `[${json.map(jsonText).join(",")}]` : JSON.stringify(json);
}

export function describeValue(value: Value): string {
  return shorten(toJsonText(value));
}

export function shorten(text: string, limit = maxShown): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
