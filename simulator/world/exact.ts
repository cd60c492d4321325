/** Exact arithmetic on the decimals of a world file: they become whole numbers, never floats. */
import { pow10 } from "../domain/amount.ts";
import {
  type DecimalText,
  formatScaled,
  fractionDigits,
  scaleDecimal,
  spellDecimal,
} from "../domain/decimal-text.ts";
import { invariant } from "../domain/invariant.ts";
import { rateScale } from "../domain/order.ts";

/** A decimal that the schema has already checked. */
export function spelled(text: string): DecimalText {
  const decimal = spellDecimal(text);
  invariant(
    decimal !== null,
    `${JSON.stringify(text)} is not a decimal; the world was not checked before it was built`,
  );
  return decimal;
}

/** An increment as the whole number `unit` at the fewest digits after the point: 0.050 is 5 at scale 2. */
export interface Increment {
  readonly scale: number;
  readonly unit: bigint;
}

export function incrementOf(text: string): Increment {
  const decimal = spelled(text);
  const scale = fractionDigits(decimal);
  return { scale, unit: scaleDecimal(decimal, scale) };
}

/** The same value without trailing zeros, so that two spellings of one world have one digest. */
export function plainDecimal(text: string): string {
  const { unit, scale } = incrementOf(text);
  return formatScaled(unit, scale);
}

/** How many times the increment goes into the value; null when it does not go without a remainder. */
export function wholeMultiples(text: string, increment: Increment): bigint | null {
  const value = incrementOf(text);
  const scale = Math.max(value.scale, increment.scale);
  const numerator = value.unit * pow10(scale - value.scale);
  const denominator = increment.unit * pow10(scale - increment.scale);
  return numerator % denominator === 0n ? numerator / denominator : null;
}

/** The multiples of the increment below and above a value that is none; nothing is no multiple here. */
export function neighbours(text: string, increment: Increment): readonly string[] {
  const value = incrementOf(text);
  const below = (value.unit * pow10(increment.scale)) / (increment.unit * pow10(value.scale));
  return [below, below + 1n]
    .filter((multiples) => multiples > 0n)
    .map((multiples) => formatScaled(multiples * increment.unit, increment.scale));
}

/** Negative, zero or positive, as the first decimal is below, equal to or above the second. */
export function compareDecimals(a: string, b: string): number {
  const left = incrementOf(a);
  const right = incrementOf(b);
  const scale = Math.max(left.scale, right.scale);
  const difference = left.unit * pow10(scale - left.scale) - right.unit * pow10(scale - right.scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The value in units of 10^-scale, or null when it has more digits after the point than that. */
export function unitsAt(text: string, scale: number): bigint | null {
  const decimal = spelled(text);
  return fractionDigits(decimal) <= scale ? scaleDecimal(decimal, scale) : null;
}

/**
 * A rate at `rateScale`, or null when it has more digits; the only value of a world that may be negative.
 */
export function rateUnits(text: string): bigint | null {
  const negative = text.startsWith("-");
  const size = unitsAt(negative ? text.slice(1) : text, rateScale);
  return size !== null && negative ? -size : size;
}
