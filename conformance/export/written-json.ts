import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import type { Value } from "../model/value.ts";

/**
 * The value as a scenario writes it; undefined if it has no such form, because it would be read as something else. `inText`
 * gives a text that is read as what it is.
 */
export function writtenJson(
  json: Json,
  inText: (text: string) => string = (text) => text,
): Value | undefined {
  if (json === null || typeof json === "boolean") return json;
  if (typeof json === "string") return inText(json);
  if (json instanceof JsonNumber) return writtenNumber(json.lexeme);
  if (json instanceof JsonObject) {
    const keys = [...json.entries.keys()];
    if (json.duplicates.length > 0 || keys.some((key) => key.startsWith("$") || key === "__proto__"))
      return undefined;
    const entries = [...json.entries].map(([key, item]) => [key, writtenJson(item, inText)] as const);
    return entries.some(([, item]) => item === undefined)
      ? undefined
      : (Object.fromEntries(entries) as Value);
  }
  const items = isArray(json) ? json.map((item) => writtenJson(item, inText)) : [];
  return items.some((item) => item === undefined) ? undefined : (items as Value);
}

const writtenNumber = (lexeme: string): Value =>
  /^(?:0|-?[1-9]\d{0,14})$/.test(lexeme) ? Number(lexeme) : { $json: lexeme };
