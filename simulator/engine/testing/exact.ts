/**
 * Decimals for tests: one private clone of decimal.js that cannot round an intermediate result. Nothing of the engine's
 * arithmetic is used here, so that what agrees with it agrees for a reason.
 */
import { Decimal as Base } from "decimal.js";

/** Inputs have 40 digits at most and products of three of them 120; 300 leaves nothing to chance. */
export const Decimal = Base.clone({
  precision: 300,
  rounding: Base.ROUND_HALF_UP,
  toExpNeg: -9e15,
  toExpPos: 9e15,
});
export type Decimal = Base;

export const decimal = (value: string | number): Decimal => new Decimal(value);
export const zero: Decimal = decimal(0);

/** Rounded toward plus infinity at `scale` digits. */
export const ceilAt = (value: Decimal, scale: number): Decimal =>
  value.toDecimalPlaces(scale, Base.ROUND_CEIL);

/** `value` as a whole number of 10^-scale; anything else is a mistake of the caller. */
export function wholeAt(value: Decimal, scale: number): bigint {
  const scaled = value.times(new Decimal(10).pow(scale));
  if (!scaled.isInteger()) throw new RangeError(`${value.toFixed()} has more than ${scale} decimals`);
  return BigInt(scaled.toFixed());
}

export const smaller = (a: Decimal, b: Decimal): Decimal => (a.lt(b) ? a : b);
export const larger = (a: Decimal, b: Decimal): Decimal => (a.gt(b) ? a : b);

/** Whether a decimal has more digits after the point than `scale`; trailing zeros do not count. */
export const decimalsBeyond = (text: string, scale: number): boolean => decimal(text).decimalPlaces() > scale;
