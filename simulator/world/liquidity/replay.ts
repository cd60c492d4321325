/**
 * A recorded market (mode `trades`): its trades at their own times, and levels around the last of them. Pure, as the other modes;
 * times are counted from the beginning of the market.
 */
import type { Command } from "../../domain/command.ts";
import type { Product } from "../../domain/market.ts";
import type { LiquidityPlan } from "../../domain/world.ts";
import { levelsAround, plannedLots, ticksOf } from "./levels.ts";
import { refresh } from "./liquidity-at.ts";

/** How many trades have happened at `elapsedMs`. */
export function tradesUntil({ trades }: LiquidityPlan, elapsedMs: number): number {
  let low = 0;
  let high = trades.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((trades[middle]?.afterMs ?? Infinity) <= elapsedMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Price of the last of the first `count` trades; null before the first. */
export const priceAfter = ({ trades }: LiquidityPlan, count: number): string | null =>
  trades[count - 1]?.price ?? null;

/** Levels around that price. */
export function levelsAfter(plan: LiquidityPlan, product: Product, count: number): Command {
  const price = priceAfter(plan, count);
  const middle = price === null ? product.referencePrice : ticksOf(price, product);
  return refresh(
    product,
    levelsAround(middle, plan, product, () => plannedLots(plan, product)),
  );
}

/** The trades from number `from` to before number `to`, counted from zero. */
export const printsBetween = (plan: LiquidityPlan, from: number, to: number): readonly Command[] =>
  plan.trades
    .slice(from, to)
    .map(({ price, quantity }) => ({ kind: "PrintTrade", product: plan.product, price, quantity }));
