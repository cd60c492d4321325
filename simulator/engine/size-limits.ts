/**
 * Size limits (PLC-26..28, LIM-01): exchange, product and client limits intersect; bounds are inclusive (F-size-limit-bounds).
 * `base_quantity` is measured in base units, the `quote_value` of a MARKET BUY in quote units (F-size-limit-unit). What that
 * value buys at the best ask, fees included, is measured in base units, too (F-market-buy-size-check).
 */

import type { Client, ProductRules } from "../domain/account.ts";
import { type Lots, lots, pow10, type Units, units } from "../domain/amount.ts";
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
import { NO_FEES } from "./fees.ts";
import { canAfford } from "./market-buy-sizing.ts";
import { type Market, rulesOf, type VenueState } from "./state.ts";

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
  const scaled = (bound: Bound | null): Bound | null =>
    bound === null ? null : { ...bound, value: baseUnits(product, bound.value) };
  const [lower, upper] = [smallestSize(product, rules), largestSize(product, rules)];
  const { base, id } = product;
  return outside("base_quantity", command.baseQuantity, scaled(lower), scaled(upper), base.symbol, id);
}

/**
 * F-market-buy-size-check: the base size that the budget of a MARKET BUY pays for at the best ask, fees included, must lie
 * within the limits of base sizes. An empty book has no best ask; then only matching keeps to the largest size.
 */
export function checkEstimatedSize(state: VenueState, market: Market, command: PlaceOrder): Rejection | null {
  if (command.type !== "MARKET" || command.side !== "BUY" || command.quoteValue === null) return null;
  const { product, book } = market;
  const ask = book.bestPrice("SELL");
  if (state.settings.marketBuySizeCheck !== "estimate" || ask === null) return null;
  const client = state.client(command.client);
  const rules = rulesOf(client, product.index);
  // Costs are whole units, so a digit beyond them decides nothing.
  const budget = units(scaleDecimal(command.quoteValue as DecimalText, product.quote.scale));
  const pays = (size: bigint): boolean =>
    canAfford(product, client.rates, NO_FEES, budget, ask, lots(Number(size)));
  const refuse = (which: "BELOW_MINIMUM" | "ABOVE_MAXIMUM", { value, source }: Bound): Rejection => {
    const limit = formatScaled(baseUnits(product, value), FINEST);
    const price = formatScaled(BigInt(ask) * BigInt(product.tickUnit), product.priceScale);
    const [than, bound] = which === "BELOW_MINIMUM" ? ["less", "minimum"] : ["more", "maximum"];
    const message =
      `quote_value ${command.quoteValue} ${product.quote.symbol}, fees included, buys ${than} than the ${bound} of ` +
      `${limit} ${product.base.symbol} for ${product.id} at the best ask ${price}`;
    return {
      code: `ORDER_SIZE_${which}`,
      message,
      field: "quote_value",
      limit,
      asset: product.base.symbol,
      source,
    };
  };
  const [lower, upper] = [smallestSize(product, rules), largestSize(product, rules)];
  if (lower !== null && !pays(lower.value)) return refuse("BELOW_MINIMUM", lower);
  return upper !== null && pays(upper.value + 1n) ? refuse("ABOVE_MAXIMUM", upper) : null;
}

/** The largest size of an order of this client in lots; null = no limit. */
export const largestSize = (product: Product, rules: ProductRules): Bound | null =>
  tightest("upper", [
    [product.exchangeMaxSize, "EXCHANGE"],
    [product.maxOrderSize, "PRODUCT"],
    [rules.maxOrderSize, "CLIENT"],
  ]);

const smallestSize = (product: Product, rules: ProductRules): Bound | null =>
  tightest("lower", [
    [product.exchangeMinSize, "EXCHANGE"],
    [product.minOrderSize, "PRODUCT"],
    [rules.minOrderSize, "CLIENT"],
  ]);

/** Whole lots as base units at `FINEST`. */
const baseUnits = (product: Product, size: bigint): bigint =>
  size * BigInt(product.lotUnit) * pow10(FINEST - product.lotScale);

export function checkQuoteSize(client: Client, product: Product, command: PlaceOrder): Rejection | null {
  if (command.quoteValue === null || command.type !== "MARKET" || command.side !== "BUY") return null;
  const { scale, symbol } = product.quote;
  const scaled = (bound: Bound | null): Bound | null =>
    bound === null ? null : { ...bound, value: bound.value * pow10(FINEST - scale) };
  const [lower, upper] = quoteLimits(client, product);
  return outside("quote_value", command.quoteValue, scaled(lower), scaled(upper), symbol, product.id);
}

/** Smallest and largest quote value of an order of this client, in units of the quote asset. */
function quoteLimits(client: Client, product: Product): readonly [Bound | null, Bound | null] {
  const { minQuoteValue, maxQuoteValue } = rulesOf(client, product.index);
  return [
    tightest("lower", [
      [product.exchangeQuoteMinSize, "EXCHANGE"],
      [minQuoteValue, "CLIENT"],
    ]),
    tightest("upper", [
      [product.exchangeQuoteMaxSize, "EXCHANGE"],
      [maxQuoteValue, "CLIENT"],
    ]),
  ];
}

/** The limit that a value passes, with both as decimals; null when it lies within. */
export function outsideQuoteLimits(
  client: Client,
  product: Product,
  value: Units,
): {
  readonly which: "minimum" | "maximum";
  readonly value: string;
  readonly limit: string;
  readonly asset: string;
  readonly source: LimitSource;
} | null {
  const [lower, upper] = quoteLimits(client, product);
  const { scale, symbol } = product.quote;
  const passed = (which: "minimum" | "maximum", { value: limit, source }: Bound) => ({
    which,
    value: formatScaled(value, scale),
    limit: formatScaled(limit, scale),
    asset: symbol,
    source,
  });
  if (lower !== null && value < lower.value) return passed("minimum", lower);
  return upper !== null && value > upper.value ? passed("maximum", upper) : null;
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
  limits: readonly (readonly [Lots | bigint | null, LimitSource])[],
): Bound | null {
  let bound: Bound | null = null;
  for (const [limit, source] of limits) {
    if (limit === null) continue;
    const value = BigInt(limit);
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
    return { code, message, field, limit, asset: symbol, source: bound.source };
  };
  if (lower !== null && value < lower.value) return refuse("ORDER_SIZE_BELOW_MINIMUM", lower);
  if (upper !== null && value > upper.value) return refuse("ORDER_SIZE_ABOVE_MAXIMUM", upper);
  return null;
}
