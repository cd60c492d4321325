/**
 * The synthetic market: the commands for a step of market time that give clients a counterparty.
 * Pure and without memory: the result depends on the arguments only.
 *
 * At a step the levels come first and the prints after them, so that a stop that a print triggers meets the
 * new levels.
 */
import type { Command, SyntheticLevel } from "../../domain/command.ts";
import { invariant } from "../../domain/invariant.ts";
import { keyedBelow, keyedDraw } from "../../domain/keyed-hash.ts";
import type { Product } from "../../domain/market.ts";
import type { Side } from "../../domain/order.ts";
import type { LiquidityPlan } from "../../domain/world.ts";
import { levelsAround, plannedLots, priceText, quantityText, type SizeOf } from "./levels.ts";
import { middleAt } from "./walk.ts";

/**
 * The step that is current `elapsedMs` after the market began; null for a product without a synthetic market.
 */
export function stepAt(plan: LiquidityPlan, elapsedMs: number): number | null {
  return plan.everyMs === 0 ? null : (elapsedMs - (elapsedMs % plan.everyMs)) / plan.everyMs;
}

/**
 * Whether every step gives the same commands, so that a refresh changes nothing while the levels are
 * untouched.
 */
export const isStill = (plan: LiquidityPlan): boolean => plan.mode === "pinned" || plan.mode === "ladder";

/** The commands of step `step` for one product, in any mode but `trades`: a recorded market has moments and no steps. */
export function liquidityAt(
  plan: LiquidityPlan,
  product: Product,
  seed: number,
  step: number,
): readonly Command[] {
  invariant(plan.product === product.id, `the plan of ${plan.product} was used for ${product.id}`);
  switch (plan.mode) {
    case "empty":
    case "trades":
      return [];
    case "pinned":
      return [
        refresh(
          product,
          levelsAround(product.referencePrice, plan, product, () => plannedLots(plan, product)),
        ),
      ];
    case "ladder":
      return [
        refresh(
          product,
          levelsAround(product.referencePrice, plan, product, variedSizes(plan, product, seed, 0)),
        ),
      ];
    case "walk":
      return walkCommands(plan, product, seed, step);
    default:
      return plan.mode satisfies never;
  }
}

/** The levels alone, at a step. */
export function syntheticLevels(
  plan: LiquidityPlan,
  product: Product,
  seed: number,
  step: number,
): readonly SyntheticLevel[] {
  const laid = liquidityAt(plan, product, seed, step).find((command) => command.kind === "RefreshLiquidity");
  return laid === undefined ? [] : laid.levels;
}

export const refresh = (product: Product, levels: readonly SyntheticLevel[]): Command => ({
  kind: "RefreshLiquidity",
  product: product.id,
  levels,
});

/**
 * From half to one and a half times the planned quantity, and a fifth more at each level away from the
 * middle.
 */
function variedSizes(plan: LiquidityPlan, product: Product, seed: number, step: number): SizeOf {
  const first = plannedLots(plan, product);
  return (side: Side, rank: number) => {
    const percent = 50n + keyedBelow(101n, seed, `size/${side}/${rank}`, product.id, step);
    return (first * percent * BigInt(4 + rank)) / 500n;
  };
}

/**
 * A wandering market prints one trade a step at its new best price, so that the last price and candles move
 * with it.
 */
function walkCommands(plan: LiquidityPlan, product: Product, seed: number, step: number): readonly Command[] {
  const middle = middleAt(product.referencePrice, seed, product.id, step);
  const laid = refresh(product, levelsAround(middle, plan, product, variedSizes(plan, product, seed, step)));
  const up = keyedDraw(seed, "print-side", product.id, step) % 2 === 0;
  const price = BigInt(middle) + (up ? 1n : -1n) * BigInt(plan.spacingTicks);
  const percent = 1n + keyedBelow(50n, seed, "print-size", product.id, step);
  const lots = (plannedLots(plan, product) * percent) / 100n;
  const print = { price: priceText(price, product), quantity: quantityText(lots, product) };
  return [laid, { kind: "PrintTrade", product: product.id, ...print }];
}
