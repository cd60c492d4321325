import { type Exchange, textOf } from "../model/exchange.ts";
import { JsonObject } from "../model/json.ts";

/** The text of a refusal, without the parts that differ from request to request: ids, numbers and paths. */
export function maskedText(exchange: Exchange): string {
  const message = exchange.json instanceof JsonObject ? exchange.json.get("message") : undefined;
  const said = typeof message === "string" ? message : textOf(exchange.reply?.body ?? new Uint8Array());
  return said
    .slice(0, 4096)
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, "*")
    .replace(/\/[^\s"',]*/g, "*")
    .replace(/[0-9a-f]{32,}/gi, "*")
    .replace(/[\d.:]*\d/g, "*");
}
