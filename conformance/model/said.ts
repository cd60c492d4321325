import { type Exchange } from "./exchange.ts";
import { isArray, type Json, JsonObject } from "./json.ts";

/** The words of a target for a refusal: its message, or the fields of another error body that have such words. */
export function saidBy({ reply, json }: Pick<Exchange, "reply" | "json">): string | undefined {
  if ((reply?.status ?? 0) < 400 || !(json instanceof JsonObject)) return undefined;
  const texts = wordFields.flatMap((name) => textsIn(json.get(name))).slice(0, mostTexts);
  const said = [...new Set(texts)].join("; ").replace(/\s+/g, " ").trim();
  return said === "" ? undefined : said.slice(0, longest);
}

const wordFields = ["message", "detail", "title", "error", "errors", "reason"] as const;
const mostTexts = 10;
const longest = 400;

function textsIn(value: Json | undefined): string[] {
  if (typeof value === "string") return [value.slice(0, longest)];
  if (isArray(value)) return value.slice(0, mostTexts).flatMap(textsIn);
  return value instanceof JsonObject ? textsIn(value.get("message") ?? value.get("detail")) : [];
}
