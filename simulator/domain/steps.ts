/** Lots, ticks and units as decimals and back: machine numbers while they are exact, `bigint` beyond 2^53. */
import { type Lots, type Ticks, type Units, units } from "./amount.ts";
import { formatScaled, fractionDigits, scaleDecimal, scaleToNumber, spellDecimal } from "./decimal-text.ts";
import type { Product } from "./market.ts";

export const lotsText = (product: Product, lots: number | bigint): string =>
  stepsText(lots, product.lotUnit, product.lotScale);

export const ticksText = (product: Product, ticks: number | bigint): string =>
  stepsText(ticks, product.tickUnit, product.priceScale);

function stepsText(steps: number | bigint, unit: number, scale: number): string {
  if (typeof steps === "number") {
    const value = steps * unit;
    if (value <= Number.MAX_SAFE_INTEGER) return formatScaled(value, scale);
  }
  return formatScaled(BigInt(steps) * BigInt(unit), scale);
}

/** Null if the text is not a decimal, is zero, is not a whole number of lots, or exceeds 2^53 lots. */
export const lotsOf = (product: Product, text: string): Lots | null =>
  stepsOf(text, product.lotUnit, product.lotScale) as Lots | null;

/** The same for a price. */
export const ticksOf = (product: Product, text: string): Ticks | null =>
  stepsOf(text, product.tickUnit, product.priceScale) as Ticks | null;

function stepsOf(text: string, unit: number, scale: number): number | null {
  const spelled = spellDecimal(text);
  if (spelled === null || fractionDigits(spelled) > scale) return null;
  const scaled = scaleToNumber(spelled, scale);
  return scaled === null || scaled === 0 || scaled % unit !== 0 ? null : scaled / unit;
}

/** Null if the text is not a decimal, or has more than `scale` digits after the point. */
export function unitsOf(text: string, scale: number): Units | null {
  const spelled = spellDecimal(text);
  return spelled === null || fractionDigits(spelled) > scale ? null : units(scaleDecimal(spelled, scale));
}
