/**
 * Size limits (PLC-26..28, LIM-01): exchange, product and client limits intersect; bounds are inclusive (F-size-limit-bounds).
 * `base_quantity` is measured in base units, the `quote_value` of a MARKET BUY in quote units (F-size-limit-unit); what that
 * buys is measured in market-buy.ts.
 */

import type { Client, ProductRules } from "../domain/account.ts";
import { type Lots, pow10 } from "../domain/amount.ts";
import type { PlaceOrder } from "../domain/command.ts";
import { type DecimalText, formatScaled, fractionDigits, scaleDecimal } from "../domain/decimal-text.ts";
import type { Product } from "../domain/market.ts";
import type { OrderTerms } from "../domain/order.ts";
import type { LimitSource, Rejection } from "../domain/rejection.ts";
import { refusedByExchange } from "./decision.ts";
import { notionalOf } from "./fees.ts";
import { rulesOf } from "./state.ts";

export interface Bound {
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
    : refusedByExchange("QUOTE_SIZE_OUT_OF_RANGE", message, { field, value, limit, asset });
}

const words = {
  minimum: ["ORDER_SIZE_BELOW_MINIMUM", "below"],
  maximum: ["ORDER_SIZE_ABOVE_MAXIMUM", "above"],
} as const;

type Passed = Bound & { readonly which: keyof typeof words };

/** The limit that the value violates, or null. Limits are in units of `step`. */
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
