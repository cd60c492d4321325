/**
 * The quantity that a MARKET BUY may take at one price (PLC-04, PLC-06, freedom F-market-buy-budget).
 *
 * `quote_value` is the most the client pays, fees included. The largest whole number of lots whose *total* cost so far
 * stays within the budget is found by bisection: cost grows with quantity, so no division, no rounding guess and no
 * stepping down. Flooring `budget / (1 + rate) / price` and then stepping down can take hundreds of thousands of steps
 * when one cent of fee outweighs a lot.
 */
import { type Lots, lots, type Ticks, ticksTimesLots, type Units, units } from "../domain/amount.ts";
import type { Product } from "../domain/market.ts";
import type { FeeRates } from "../domain/order.ts";
import { addFill, type FeeTally } from "./fees.ts";

/** Total cost of the order so far, notional and fees. */
export const costOf = (tally: FeeTally): Units =>
  units(tally.filledValue + tally.commission + tally.exchangeFee);

export function notionalOf(product: Product, price: Ticks, quantity: Lots): Units {
  return units(ticksTimesLots(price, quantity) * product.unitsPerTickLot);
}

/** Whether the whole order stays within `budget` after one more fill of `quantity` at `price`. */
export function canAfford(
  product: Product,
  rates: FeeRates,
  tally: FeeTally,
  budget: Units,
  price: Ticks,
  quantity: Lots,
): boolean {
  const notional = notionalOf(product, price, quantity);
  return costOf(addFill(tally, notional, rates, "taker", "BUY", product.quote)) <= budget;
}

/** Largest quantity, at most `available`, that keeps the whole order within `budget`. */
export function affordableLots(
  product: Product,
  rates: FeeRates,
  tally: FeeTally,
  budget: Units,
  price: Ticks,
  available: Lots,
): Lots {
  const fits = (quantity: number): boolean => canAfford(product, rates, tally, budget, price, lots(quantity));
  if (fits(available)) return available;
  let fitting = 0;
  let tooMuch = available as number;
  while (tooMuch - fitting > 1) {
    const middle = fitting + Math.floor((tooMuch - fitting) / 2);
    if (fits(middle)) fitting = middle;
    else tooMuch = middle;
  }
  return lots(fitting);
}
