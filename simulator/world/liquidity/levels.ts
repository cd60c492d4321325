/** Price levels around a middle, always on the product's grid, with every bid below every ask. */
import type { SyntheticLevel } from "../../domain/command.ts";
import { type DecimalText, formatScaled, scaleDecimal } from "../../domain/decimal-text.ts";
import type { Product } from "../../domain/market.ts";
import type { Side } from "../../domain/order.ts";
import type { LiquidityPlan } from "../../domain/world.ts";

/** Lots of the level `rank` (1 is the best) of one side. */
export type SizeOf = (side: Side, rank: number) => bigint;

const most = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Best prices first, bids before asks. Levels that would fall below one tick or pass 2^53 - 1 are left out.
 */
export function levelsAround(
  middle: number,
  plan: LiquidityPlan,
  product: Product,
  sizeOf: SizeOf,
): readonly SyntheticLevel[] {
  const side = (name: Side, direction: 1 | -1) =>
    Array.from({ length: plan.levels }, (_, index) => index + 1).flatMap((rank) => {
      const ticks = BigInt(middle) + BigInt(direction * rank) * BigInt(plan.spacingTicks);
      if (ticks < 1n || ticks > most) return [];
      return [
        { side: name, price: priceText(ticks, product), quantity: quantityText(sizeOf(name, rank), product) },
      ];
    });
  return [...side("BUY", -1), ...side("SELL", 1)];
}

export const priceText = (ticks: bigint, product: Product): string =>
  formatScaled(ticks * BigInt(product.tickUnit), product.priceScale);

export function quantityText(lots: bigint, product: Product): string {
  const bounded = lots < 1n ? 1n : lots > most ? most : lots;
  return formatScaled(bounded * BigInt(product.lotUnit), product.lotScale);
}

/** Lots of the first level as the plan states them. */
export const plannedLots = (plan: LiquidityPlan, product: Product): bigint =>
  scaleDecimal(plan.quantity as DecimalText, product.lotScale) / BigInt(product.lotUnit);

/** Ticks of a price that is known to lie on the grid. */
export const ticksOf = (price: string, product: Product): number =>
  Number(scaleDecimal(price as DecimalText, product.priceScale) / BigInt(product.tickUnit));
