import { parseDecimal } from "../check/decimal.ts";
import { readJson } from "../check/lossless-json.ts";
import type { SentRequest } from "../model/exchange.ts";
import { type Json, JsonObject } from "../model/json.ts";
import type { Profile } from "../model/profile.ts";

/**
 * Reads every order before it leaves for a machine that is not ours (kit.md 6.6, rule 4): a product that the target
 * lists has to be one the profile allows, and what the order could cost has to be within the profile's cap. A body
 * that is no JSON object cannot be an order and passes.
 */
export function orderProblem(
  request: SentRequest,
  profile: Profile,
  listed: ReadonlySet<string>,
): string | undefined {
  if (profile.loopback) return undefined;
  const reading = readJson(request.body);
  if (!reading.ok || !(reading.json instanceof JsonObject)) return undefined;
  const order = reading.json;
  const product = order.get("product");
  if (typeof product !== "string" || !listed.has(product)) return undefined;
  const allowed =
    Object.hasOwn(profile.safety.products, product) || profile.facts["disabledProduct"] === product;
  if (!allowed) return `${product} is not among safety.products of the profile`;
  const quote = product.split("-")[1] ?? "";
  const cap = parseDecimal(profile.safety.notionalPerOrder[quote] ?? "");
  const cost = costOf(order);
  if (cap === undefined || cost === undefined || cost.lte(cap)) return undefined;
  return `an order of ${cost.toFixed()} ${quote} is above the ${cap.toFixed()} that safety.notional.perOrder allows`;
}

/** The larger of what a limit order and what a market buy of this body could cost. */
function costOf(order: JsonObject) {
  const [quantity, price, spend] = ["base_quantity", "price", "quote_value"].map((field) =>
    decimalIn(order.get(field)),
  );
  const notional = quantity === undefined || price === undefined ? undefined : quantity.times(price);
  if (notional === undefined || spend === undefined) return notional ?? spend;
  return notional.gt(spend) ? notional : spend;
}

function decimalIn(value: Json | undefined) {
  return typeof value === "string" ? parseDecimal(value, "lax") : undefined;
}
