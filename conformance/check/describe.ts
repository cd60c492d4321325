import { type Json, JsonNumber, JsonObject } from "../model/json.ts";
import { ownText } from "../model/own-text.ts";
import { isList, isMap, type Value } from "../model/value.ts";
import { macroWords } from "./macro-words.ts";

const maxShown = 160;

/** A value with its lexemes, cut to one readable line. Only the part that is shown is written out. */
export function describeJson(json: Json | undefined): string {
  return shorten(jsonText(json, maxShown));
}

/** In place of a text: a number looks like the text that was expected, so its type is said. */
export const describeForText = (json: Json | undefined): string =>
  `${describeJson(json)}${json instanceof JsonNumber ? " (a number)" : ""}`;

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
  return shorten(matcherText(value));
}

/** A matcher as JSON, with macros described in words. */
export function matcherText(value: Value): string {
  if (isList(value)) return `[${value.map(matcherText).join(",")}]`;
  if (!isMap(value)) return JSON.stringify(value);
  const entries = Object.entries(value);
  const [[key, item] = []] = entries;
  if (entries.length === 1 && key === "$json") return String(item);
  if (entries.length === 1 && key === "$macro") return macroWords(String(item));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${matcherText(inner)}`).join(",")}}`;
}

export function shorten(text: string, limit = maxShown): string {
  return text.length <= limit ? text : `${ownText(text.slice(0, limit - 1))}…`;
}
