import { type ExactDecimal, parseDecimal } from "../check/decimal.ts";
import { readJson } from "../check/lossless-json.ts";
import type { SentRequest } from "../model/exchange.ts";
import { type Json, JsonNumber, JsonObject } from "../model/json.ts";
import type { Cost } from "./budget.ts";

const fields = [
  "side",
  "type",
  "product",
  "client_order_id",
  "base_quantity",
  "price",
  "quote_value",
  "stop_price",
] as const;
export type OrderField = (typeof fields)[number];

/**
 * Everything a body could mean as an order. A strict reader sees one value a field; a lenient one might mend broken
 * JSON, take the first of two equal keys or look into a wrapper. So each field has all values that anybody could read,
 * and a guard asks for the worst of them.
 */
export interface OrderScan {
  /** One JSON object in UTF-8, each key once. */
  readonly wellFormed: boolean;
  readonly values: (field: OrderField) => readonly string[];
}

/** Is this request one that can create an order? Whatever the query, the case of the word or slashes at the end. */
export function isOrder(request: SentRequest): boolean {
  const path = (request.path.split(/[?#]/)[0] ?? "").replace(/\/+$/, "");
  return (
    request.operation === "placeOrder" || (request.method.toUpperCase() === "POST" && /\/order$/i.test(path))
  );
}

export function scanOrder(body: Uint8Array): OrderScan {
  const reading = readJson(body);
  const found = new Map<string, Set<string>>();
  const add = (field: string, value: string): void => {
    found.set(field, (found.get(field) ?? new Set()).add(value));
  };
  const strict = reading.ok && reading.json instanceof JsonObject ? reading.json : undefined;
  for (const field of fields) {
    const value = textOf(strict?.get(field));
    if (value !== undefined) add(field, value);
  }
  // NUL bytes away: UTF-16 becomes readable. Quotes of both kinds or none, a colon or an equals sign.
  const text = Buffer.from(body).toString("latin1").replaceAll("\0", "");
  const pattern = new RegExp(
    `\\b(${fields.join("|")})\\b["'\\\\\\s]*[:=]["'\\\\\\s]*([A-Za-z0-9.+_-]{1,400})`,
    "gi",
  );
  for (const [, field = "", value = ""] of text.matchAll(pattern)) add(field.toLowerCase(), value);
  return {
    wellFormed: strict !== undefined && strict.duplicates.length === 0,
    values: (field) => [...(found.get(field) ?? [])],
  };
}

/** Could a target that mends what it reads make an order of it? All fields that its type needs are there. */
export function couldBeOrder(scan: OrderScan): boolean {
  const has = (field: OrderField) => scan.values(field).length > 0;
  const sized = (field: OrderField) => scan.values(field).some((value) => positive(value) !== undefined);
  if (!has("side") || !has("type") || !has("product") || !has("client_order_id")) return false;
  const types = scan.values("type");
  if (types.includes("LIMIT") && sized("base_quantity") && sized("price")) return true;
  if (
    types.includes("STOP_LIMIT") &&
    ["base_quantity", "price", "stop_price"].every((name) => sized(name as OrderField))
  )
    return true;
  return types.includes("MARKET") && (sized("base_quantity") || sized("quote_value"));
}

/** The most it could cost: the largest quantity at the largest price, or the largest amount to spend. */
export function costOf(scan: OrderScan): Cost | undefined {
  const quote = scan.values("product")[0]?.split("-")[1];
  if (quote === undefined || quote === "") return undefined;
  const [quantity, price, spend] = [
    largest(scan, "base_quantity"),
    largest(scan, "price"),
    largest(scan, "quote_value"),
  ];
  const notional = quantity === undefined || price === undefined ? undefined : quantity.times(price);
  const amount = notional === undefined || (spend !== undefined && spend.gt(notional)) ? spend : notional;
  return amount === undefined ? undefined : { quote, amount };
}

export function largest(scan: OrderScan, field: OrderField): ExactDecimal | undefined {
  return scan
    .values(field)
    .map((value) => parseDecimal(value, "lax"))
    .reduce((most, value) => (most === undefined || (value?.gt(most) ?? false) ? value : most), undefined);
}

function positive(value: string): ExactDecimal | undefined {
  const found = parseDecimal(value, "lax");
  return found?.gt(0) === true ? found : undefined;
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value;
  return value instanceof JsonNumber ? value.lexeme : undefined;
}
