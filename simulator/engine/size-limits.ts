/**
 * Size limits (PLC-26..28, LIM-01): exchange, product and client limits intersect; bounds are inclusive (F-size-limit-bounds).
 * `base_quantity` is measured in base units, the `quote_value` of a MARKET BUY in quote units (F-size-limit-unit). The
 * quantity that this value buys at the best ask, fees included, is measured in base units too (F-market-buy-size-check).
 */

import type { Client, ProductRules } from "../domain/account.ts";
import { type Lots, lots, pow10, units } from "../domain/amount.ts";
import type { PlaceOrder } from "../domain/command.ts";
import { type DecimalText, formatScaled, fractionDigits, scaleDecimal } from "../domain/decimal-text.ts";
import type { Product } from "../domain/market.ts";
import type { OrderTerms } from "../domain/order.ts";
import type { LimitSource, Rejection } from "../domain/rejection.ts";
import { lotsText, ticksText } from "../domain/steps.ts";
import { exchange } from "./decision.ts";
import { noFees } from "./fees.ts";
import { canAfford, notionalOf } from "./market-buy-sizing.ts";
import { type Market, rulesOf, type VenueState } from "./state.ts";

interface Bound {
  readonly value: bigint;
  readonly source: LimitSource;
}

type Bounds = readonly [lower: Bound | null, upper: Bound | null];

export function checkBaseSize(
  client: Client,
  product: Product,
  { baseQuantity }: PlaceOrder,
): Rejection | null {
  if (baseQuantity === null) return null;
  const bounds = sizeLimits(product, rulesOf(client, product.index));
  const { lotUnit, lotScale, base, id } = product;
  return outside("base_quantity", baseQuantity, bounds, BigInt(lotUnit), lotScale, base.symbol, id);
}

export function checkQuoteSize(
  client: Client,
  product: Product,
  { quoteValue }: PlaceOrder,
): Rejection | null {
  if (quoteValue === null) return null;
  const { scale, symbol } = product.quote;
  return outside("quote_value", quoteValue, quoteLimits(client, product), 1n, scale, symbol, product.id);
}

/**
 * F-market-buy-size-check: the base size that the budget of a MARKET BUY pays for at the best ask, fees included, must lie
 * within the limits of base sizes. An empty book has no best ask; then only matching keeps to the largest size.
 */
export function checkEstimatedSize(
  state: VenueState,
  { product, book }: Market,
  { client: index, quoteValue }: PlaceOrder,
): Rejection | null {
  const ask = book.bestPrice("SELL");
  if (quoteValue === null || state.settings.marketBuySizeCheck !== "estimate" || ask === null) return null;
  const client = state.client(index);
  // as: a command's decimals are well spelled. Costs are whole units, so a digit beyond them decides nothing.
  const budget = units(scaleDecimal(quoteValue as DecimalText, product.quote.scale));
  const pays = (size: bigint): boolean =>
    canAfford(product, client.rates, noFees, budget, ask, lots(Number(size)));
  const refuse = (which: "BELOW_MINIMUM" | "ABOVE_MAXIMUM", { value, source }: Bound): Rejection => {
    const [limit, asset] = [lotsText(product, value), product.base.symbol];
    const [than, bound] = which === "BELOW_MINIMUM" ? ["less", "minimum"] : ["more", "maximum"];
    const message =
      `quote_value ${quoteValue} ${product.quote.symbol}, fees included, buys ${than} than the ${bound} of ` +
      `${limit} ${asset} for ${product.id} at the best ask ${ticksText(product, ask)}`;
    return { code: `ORDER_SIZE_${which}`, message, field: "quote_value", limit, asset, source };
  };
  const [lower, upper] = sizeLimits(product, rulesOf(client, product.index));
  if (lower !== null && !pays(lower.value)) return refuse("BELOW_MINIMUM", lower);
  return upper !== null && pays(upper.value + 1n) ? refuse("ABOVE_MAXIMUM", upper) : null;
}

/** Smallest and largest size of an order of this client, in lots. */
export const sizeLimits = (product: Product, rules: ProductRules): Bounds => [
  tightest("lower", [
    [product.exchangeMinSize, "EXCHANGE"],
    [product.minOrderSize, "PRODUCT"],
    [rules.minOrderSize, "CLIENT"],
  ]),
  tightest("upper", [
    [product.exchangeMaxSize, "EXCHANGE"],
    [product.maxOrderSize, "PRODUCT"],
    [rules.maxOrderSize, "CLIENT"],
  ]),
];

/** Smallest and largest quote value of an order of this client, in units of the quote asset. */
function quoteLimits(client: Client, product: Product): Bounds {
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

/** The value of a priced order lies within the limits of quote values, of the exchange and of the client. */
export function checkValue(
  client: Client,
  product: Product,
  { price, quantity }: OrderTerms,
): Rejection | null {
  if (price === null || quantity === null) return null;
  const notional = notionalOf(product, price, quantity);
  const passed = passedBy(notional, 1n, quoteLimits(client, product));
  if (passed === null) return null;
  const { which, source } = passed;
  const { scale, symbol: asset } = product.quote;
  const [value, limit] = [formatScaled(notional, scale), formatScaled(passed.value, scale)];
  const [code, than] = words[which];
  const whose = source === "CLIENT" ? "this account" : product.id;
  const message = `Order value ${value} ${asset} is ${than} the ${which} of ${limit} ${asset} for ${whose}`;
  const field = "base_quantity";
  return source === "CLIENT"
    ? { code, message, field, limit, asset, source }
    : exchange("QUOTE_SIZE_OUT_OF_RANGE", message, { field, value, limit, asset });
}

const words = {
  minimum: ["ORDER_SIZE_BELOW_MINIMUM", "below"],
  maximum: ["ORDER_SIZE_ABOVE_MAXIMUM", "above"],
} as const;

type Passed = Bound & { readonly which: keyof typeof words };

/** The limit that a value passes, each of which counts `step`; null when it lies within. */
function passedBy(value: bigint, step: bigint, [lower, upper]: Bounds): Passed | null {
  if (lower !== null && value < lower.value * step) return { ...lower, which: "minimum" };
  return upper !== null && value > upper.value * step ? { ...upper, which: "maximum" } : null;
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

/** Compares at the scale of the limits, or at that of the amount where it has more digits: no rounding decides. */
function outside(
  field: "base_quantity" | "quote_value",
  given: string,
  bounds: Bounds,
  unit: bigint,
  scale: number,
  asset: string,
  productId: string,
): Rejection | null {
  // as: a command's decimals are well spelled.
  const text = given as DecimalText;
  const finest = Math.max(scale, fractionDigits(text));
  const passed = passedBy(scaleDecimal(text, finest), unit * pow10(finest - scale), bounds);
  if (passed === null) return null;
  const { which, value, source } = passed;
  const [code, than] = words[which];
  const limit = formatScaled(value * unit, scale);
  const message = `Order size ${text} is ${than} the ${which} of ${limit} ${asset} for ${productId}`;
  return { code, message, field, limit, asset, source };
}
