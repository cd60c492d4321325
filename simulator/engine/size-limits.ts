/**
 * Size limits (PLC-26..28, LIM-01): exchange, product and client limits intersect; bounds are inclusive (F-size-limit-bounds).
 * `base_quantity` is measured in base units, the `quote_value` of a MARKET BUY in quote units (F-size-limit-unit).
 */

import type { Client, ProductRules } from "../domain/account.ts";
import { type Lots, pow10, type Units } from "../domain/amount.ts";
import type { PlaceOrder } from "../domain/command.ts";
import {
  type DecimalText,
  formatScaled,
  fractionDigits,
  scaleDecimal,
  scaleToNumber,
} from "../domain/decimal-text.ts";
import type { Product } from "../domain/market.ts";
import type { LimitSource, Rejection } from "../domain/rejection.ts";
import { rulesOf } from "./state.ts";

interface Bound {
  readonly value: bigint;
  readonly source: LimitSource;
}

/** Compares at the finest scale an input can have, so that no rounding decides. */
const FINEST = 20;

export function checkBaseSize(client: Client, product: Product, command: PlaceOrder): Rejection | null {
  if (command.baseQuantity === null || (command.type === "MARKET" && command.side === "BUY")) return null;
  const rules = rulesOf(client, product.index);
  if (isPlainlyInside(command.baseQuantity, product, rules)) return null;
  const scaled = (value: Lots | null): bigint | null =>
    value === null ? null : BigInt(value) * BigInt(product.lotUnit) * pow10(FINEST - product.lotScale);
  const lower = tightest("lower", [
    [scaled(product.exchangeMinSize), "EXCHANGE"],
    [scaled(product.minOrderSize), "PRODUCT"],
    [scaled(rules.minOrderSize), "CLIENT"],
  ]);
  const upper = tightest("upper", [
    [scaled(product.exchangeMaxSize), "EXCHANGE"],
    [scaled(product.maxOrderSize), "PRODUCT"],
    [scaled(rules.maxOrderSize), "CLIENT"],
  ]);
  return outside("base_quantity", command.baseQuantity, lower, upper, product.base.symbol, product.id);
}

export function checkQuoteSize(client: Client, product: Product, command: PlaceOrder): Rejection | null {
  if (command.quoteValue === null || command.type !== "MARKET" || command.side !== "BUY") return null;
  const rules = rulesOf(client, product.index);
  const scaled = (value: Units | null): bigint | null =>
    value === null ? null : value * pow10(FINEST - product.quote.scale);
  const lower = tightest("lower", [
    [scaled(product.exchangeQuoteMinSize), "EXCHANGE"],
    [scaled(rules.minQuoteValue), "CLIENT"],
  ]);
  const upper = tightest("upper", [
    [scaled(product.exchangeQuoteMaxSize), "EXCHANGE"],
    [scaled(rules.maxQuoteValue), "CLIENT"],
  ]);
  return outside("quote_value", command.quoteValue, lower, upper, product.quote.symbol, product.id);
}

/** The common case in machine numbers: a quantity of the product's own scale that no limit objects to. */
function isPlainlyInside(text: string, product: Product, rules: ProductRules): boolean {
  const spelled = text as DecimalText;
  const value = fractionDigits(spelled) <= product.lotScale ? scaleToNumber(spelled, product.lotScale) : null;
  if (value === null) return false;
  const { lotUnit, exchangeMinSize, minOrderSize, exchangeMaxSize, maxOrderSize } = product;
  const above = (limit: Lots | null): boolean => limit === null || value >= limit * lotUnit;
  const below = (limit: Lots | null): boolean => limit === null || value <= limit * lotUnit;
  return (
    above(exchangeMinSize) &&
    above(minOrderSize) &&
    above(rules.minOrderSize) &&
    below(exchangeMaxSize) &&
    below(maxOrderSize) &&
    below(rules.maxOrderSize)
  );
}

/** Of several limits, the one that binds; a client's own limit is named first when two are equal. */
function tightest(
  which: "lower" | "upper",
  limits: readonly (readonly [bigint | null, LimitSource])[],
): Bound | null {
  let bound: Bound | null = null;
  for (const [value, source] of limits) {
    if (value === null) continue;
    if (bound === null || (which === "lower" ? value >= bound.value : value <= bound.value))
      bound = { value, source };
  }
  return bound;
}

function outside(
  field: "base_quantity" | "quote_value",
  text: string,
  lower: Bound | null,
  upper: Bound | null,
  symbol: string,
  productId: string,
): Rejection | null {
  const value = scaleDecimal(text as DecimalText, FINEST);
  const refuse = (code: "ORDER_SIZE_BELOW_MINIMUM" | "ORDER_SIZE_ABOVE_MAXIMUM", bound: Bound): Rejection => {
    const limit = formatScaled(bound.value, FINEST);
    const [where, which] = code === "ORDER_SIZE_BELOW_MINIMUM" ? ["below", "minimum"] : ["above", "maximum"];
    const message = `Order size ${text} is ${where} the ${which} of ${limit} ${symbol} for ${productId}`;
    return { code, message, field, limit, source: bound.source };
  };
  if (lower !== null && value < lower.value) return refuse("ORDER_SIZE_BELOW_MINIMUM", lower);
  if (upper !== null && value > upper.value) return refuse("ORDER_SIZE_ABOVE_MAXIMUM", upper);
  return null;
}
