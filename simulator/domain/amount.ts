/**
 * The numbers of the venue.
 *
 * Prices are whole **ticks**, quantities are whole **lots**: safe integers, checked at the edge, so the book
 * compares and adds them as plain machine numbers. Money is **units** of an asset's ledger scale, as `bigint`:
 * a notional of ticks x lots passes 2^53 easily (1,000 BTC at 60,000 USD is 6 x 10^17 units at scale 10).
 * `ticksTimesLots` is the one place where the two meet; it multiplies machine numbers while the product is exact
 * and switches to `bigint` above 2^53.
 *
 * The engine rounds in two places: fees up (fees.ts), and the distance of a price collar down (match.ts). Averages are
 * rounded half up where they are shown.
 */
import type { Brand } from "./brand.ts";

/** Whole multiples of a product's price increment. */
export type Ticks = Brand<number, "Ticks">;
/** Whole multiples of a product's base increment. */
export type Lots = Brand<number, "Lots">;
/** Whole units of an asset at its ledger scale. */
export type Units = Brand<bigint, "Units">;

export const ticks = (value: number): Ticks => value as Ticks;
export const lots = (value: number): Lots => value as Lots;
export const units = (value: bigint): Units => value as Units;

export const noUnits: Units = units(0n);

export const addUnits = (a: Units, b: Units): Units => (a + b) as Units;
export const subUnits = (a: Units, b: Units): Units => (a - b) as Units;
export const minUnits = (a: Units, b: Units): Units => (a < b ? a : b);

/** Exact product of a price and a quantity, in tick-lots. */
export function ticksTimesLots(price: Ticks, quantity: Lots): bigint {
  const product = price * quantity;
  return product <= Number.MAX_SAFE_INTEGER ? BigInt(product) : BigInt(price) * BigInt(quantity);
}

/** Division that rounds toward plus infinity: a debt to the venue is never rounded away. */
export function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator > 0n ? quotient + 1n : quotient;
}

/** Division of non-negative numbers that rounds half up; used for averages only, which are never summed again. */
export function halfUpDiv(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

const powers: readonly bigint[] = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent));

/** 10^exponent, from a table, because every computation of fees uses it. */
export const pow10 = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent);
