import { Decimal } from "decimal.js";

/**
 * The kit's only decimal arithmetic. It has 80 digits, so that a product of two wire decimals is never rounded (the
 * library's default of 20 would round it). The grammar is checked before the library reads a text, because the library
 * would accept `0x1F`, `1_000` and `Infinity`.
 */
const Exact = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_DOWN, toExpNeg: -80, toExpPos: 80 });
export type ExactDecimal = InstanceType<typeof Exact>;

/** More than every amount. */
export const infinite: ExactDecimal = new Exact(Infinity);

export const strictGrammar = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
export const laxGrammar = /^[+-]?\d*\.?\d+(?:[eE][+-]?\d{1,4})?$/;
const maxDigits = 400;

export type DecimalGrammar = "strict" | "lax";

export function parseDecimal(text: string, grammar: DecimalGrammar = "strict"): ExactDecimal | undefined {
  if (text.length > maxDigits) return undefined;
  const pattern = grammar === "strict" ? strictGrammar : laxGrammar;
  return pattern.test(text) ? new Exact(text) : undefined;
}

export function plain(value: ExactDecimal): string {
  return value.toFixed();
}

export const roundingModes = {
  up: Decimal.ROUND_UP,
  down: Decimal.ROUND_DOWN,
  ceil: Decimal.ROUND_CEIL,
  floor: Decimal.ROUND_FLOOR,
  halfUp: Decimal.ROUND_HALF_UP,
  halfEven: Decimal.ROUND_HALF_EVEN,
} as const;
export type RoundingMode = keyof typeof roundingModes;

export function rounded(value: ExactDecimal, places: number, mode: RoundingMode): ExactDecimal {
  return value.toDecimalPlaces(places, roundingModes[mode]);
}

/** A quotient has no exact decimal in general, so its scale is always stated; further digits are cut off. */
export function quotient(left: ExactDecimal, right: ExactDecimal, scale: number): ExactDecimal {
  return rounded(left.div(right), scale, "down");
}

export function isMultipleOf(value: ExactDecimal, step: ExactDecimal): boolean {
  return !step.isZero() && value.mod(step).isZero();
}

export function scaleOf(text: string): number {
  return text.split(".")[1]?.length ?? 0;
}

/** One unit of the last of so many decimals. */
export function unitOfScale(scale: number): ExactDecimal {
  return new Exact(10).pow(-scale);
}

/**
 * The largest multiple of `step` that is not above `value`; the step determines the number of decimals that are sent.
 */
export function floorTo(value: ExactDecimal, step: ExactDecimal): ExactDecimal {
  return value.div(step).floor().mul(step);
}
