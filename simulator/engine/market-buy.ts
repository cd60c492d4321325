/**
 * MARKET BUY: an order with a value to spend (`quote_value`, the budget) in place of a quantity (PLC-04, PLC-06). The whole rule:
 *
 * 1. The budget is the most that the client pays, fees included (F-market-buy-budget). The size limits of a `quote_value` itself
 *    are limits like any other (size-limits.ts).
 * 2. Refused, if what it buys at the best ask lies outside the limits of base sizes (`checkEstimatedSize`,
 *    F-market-buy-size-check), or if it does not pay for one lot there (`checkBudget`). An empty book has no best ask.
 * 3. Matched level by level: at each price `affordableLots`, and never more than `largestBuy`. Cost grows with quantity, so the
 *    largest number of lots is found by bisection: no division, no rounding guess, no stepping down.
 * 4. FILLED, if the rest of the budget does not pay for one lot at the next price that it meets, or for one more at the last
 *    (`isSpent`); otherwise CANCELLED with the reason. The rest is released (match-order.ts, `ending`).
 *
 * match.ts asks for these numbers at each level, and match-order.ts for the budget of a partial match (`matchShare`).
 */
import { type Lots, lots, type Ticks, type Units, units } from "../domain/amount.ts";
import type { PlaceOrder } from "../domain/command.ts";
import { type DecimalText, formatScaled, scaleDecimal } from "../domain/decimal-text.ts";
import type { Product } from "../domain/market.ts";
import type { FeeRates, OrderTerms } from "../domain/order.ts";
import type { Rejection } from "../domain/rejection.ts";
import { lotsText, ticksText } from "../domain/steps.ts";
import { refusedByExchange } from "./decision.ts";
import { addFill, type FeeTally, noFees, notionalOf } from "./fees.ts";
import { type Bound, sizeLimits } from "./size-limits.ts";
import { type Market, rulesOf, type VenueState } from "./state.ts";

/** An order with a budget, and what it has cost so far. */
export interface Purchase {
  readonly product: Product;
  readonly rates: FeeRates;
  readonly tally: FeeTally;
  readonly budget: Units;
}

/** Notional and fees of the order after one more fill. */
function costAfter({ product, rates, tally }: Purchase, price: Ticks, quantity: Lots): Units {
  const after = addFill(tally, notionalOf(product, price, quantity), rates, "taker", "BUY", product.quote);
  return units(after.filledValue + after.commission + after.exchangeFee);
}

const canAfford = (purchase: Purchase, price: Ticks, quantity: Lots): boolean =>
  costAfter(purchase, price, quantity) <= purchase.budget;

/** Largest quantity, at most `available`, that keeps the whole order within its budget. */
export function affordableLots(purchase: Purchase, price: Ticks, available: Lots): Lots {
  if (canAfford(purchase, price, available)) return available;
  let fitting = 0;
  let tooMuch = available as number;
  while (tooMuch - fitting > 1) {
    const middle = fitting + Math.floor((tooMuch - fitting) / 2);
    if (canAfford(purchase, price, lots(middle))) fitting = middle;
    else tooMuch = middle;
  }
  return lots(fitting);
}

/** F-market-buy-size-check: the most lots that one order may take. */
export function largestBuy(state: VenueState, { product }: Market, client: number): number {
  if (state.settings.marketBuySizeCheck !== "estimate") return Infinity;
  const [, largest] = sizeLimits(product, rulesOf(state.client(client), product.index));
  return largest === null ? Infinity : Number(largest.value);
}

/** Whether nothing more can be bought at the last price: then the order is complete. */
export const isSpent = (purchase: Purchase, lastPrice: Ticks): boolean =>
  !canAfford(purchase, lastPrice, lots(1));

export function checkBudget(market: Market, { budget, rates }: OrderTerms): Rejection | null {
  const ask = market.book.bestPrice("SELL");
  if (budget === null || ask === null) return null;
  const { product } = market;
  const purchase = { product, rates, tally: noFees, budget };
  if (!isSpent(purchase, ask)) return null;
  const { scale, symbol } = product.quote;
  const value = formatScaled(budget, scale);
  const limit = formatScaled(costAfter(purchase, ask, lots(1)), scale);
  const message =
    `quote_value ${value} ${symbol}, fees included, buys less than one increment of ` +
    `${lotsText(product, 1)} ${product.base.symbol}, which costs ${limit} ${symbol} at the best ask`;
  return refusedByExchange("QUOTE_SIZE_OUT_OF_RANGE", message, {
    field: "quote_value",
    value,
    limit,
    asset: symbol,
  });
}

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
  const purchase = { product, rates: client.rates, tally: noFees, budget };
  const pays = (size: bigint): boolean => canAfford(purchase, ask, lots(Number(size)));
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
