/** Lots and ticks as decimals: machine numbers while they are exact, `bigint` beyond 2^53. */
import { formatScaled } from "../domain/decimal-text.ts";
import type { Product } from "../domain/market.ts";

export const lotsText = (product: Product, lots: number | bigint): string =>
  stepsText(lots, product.lotUnit, product.lotScale);

export const ticksText = (product: Product, ticks: number): string =>
  stepsText(ticks, product.tickUnit, product.priceScale);

function stepsText(steps: number | bigint, unit: number, scale: number): string {
  if (typeof steps === "number") {
    const value = steps * unit;
    if (value <= Number.MAX_SAFE_INTEGER) return formatScaled(value, scale);
  }
  return formatScaled(BigInt(steps) * BigInt(unit), scale);
}
