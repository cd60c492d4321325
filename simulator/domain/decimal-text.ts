/**
 * Decimal strings at the edge (freedom F-decimal-input): one scanner in, one formatter out, no floats between.
 *
 * Accepted: `0` or digits without a leading zero, at most twenty, then optionally a point and one to twenty digits.
 * Refused: signs, exponents, blanks, bare points, leading zeros, other scripts' digits, JSON numbers.
 * Written: plain notation, no trailing zeros, never an exponent, `0` for zero.
 */
import type { Brand } from "./brand.ts";

/** A well-spelled, non-negative decimal string. Only `spellDecimal` makes one. */
export type DecimalText = Brand<string, "DecimalText">;

const maxDigits = 20;
const zero = 48;
const nine = 57;
const pointCode = 46;

const isDigit = (code: number): boolean => code >= zero && code <= nine;

/** `text` as a decimal string, or null when it does not follow the grammar. */
export function spellDecimal(text: string): DecimalText | null {
  const length = text.length;
  let at = 0;
  while (at < length && isDigit(text.charCodeAt(at))) at++;
  if (at === 0 || at > maxDigits) return null;
  if (at > 1 && text.charCodeAt(0) === zero) return null;
  if (at === length) return text as DecimalText;
  if (text.charCodeAt(at) !== pointCode) return null;
  const point = at++;
  while (at < length && isDigit(text.charCodeAt(at))) at++;
  const fraction = at - point - 1;
  return at === length && fraction >= 1 && fraction <= maxDigits ? (text as DecimalText) : null;
}

/** Digits after the point that carry value: `"1.50"` has one. */
export function fractionDigits(text: DecimalText): number {
  const point = text.indexOf(".");
  if (point < 0) return 0;
  let end = text.length;
  while (text.charCodeAt(end - 1) === zero) end--;
  return Math.max(0, end - point - 1);
}

/** The value times 10^scale. The caller has checked that `fractionDigits(text) <= scale`. */
export function scaleDecimal(text: DecimalText, scale: number): bigint {
  const safe = scaleToNumber(text, scale);
  if (safe !== null) return BigInt(safe);
  const point = text.indexOf(".");
  if (point < 0) return BigInt(text) * 10n ** BigInt(scale);
  const fraction = text.slice(point + 1, point + 1 + scale).padEnd(scale, "0");
  return BigInt(text.slice(0, point) + fraction);
}

/** The value times 10^scale as a machine number, or null when it passes 2^53 - 1. */
export function scaleToNumber(text: DecimalText, scale: number): number | null {
  let value = 0;
  let point = -1;
  const length = text.length;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === pointCode) {
      point = at;
      continue;
    }
    if (point >= 0 && at - point > scale) break;
    value = value * 10 + (code - zero);
    if (value > Number.MAX_SAFE_INTEGER) return null;
  }
  const given = point < 0 ? 0 : Math.min(scale, length - point - 1);
  for (let missing = scale - given; missing > 0; missing--) {
    value *= 10;
    if (value > Number.MAX_SAFE_INTEGER) return null;
  }
  return value;
}

/** `value / 10^scale` in plain notation. */
export function formatScaled(value: bigint | number, scale: number): string {
  if (value === 0 || value === 0n) return "0";
  const negative = value < 0;
  const digits = (negative ? -value : value).toString();
  const plain = scale === 0 ? digits : placePoint(digits, scale);
  return negative ? `-${plain}` : plain;
}

function placePoint(digits: string, scale: number): string {
  const whole = digits.length > scale ? digits.slice(0, digits.length - scale) : "0";
  const fraction = digits.length > scale ? digits.slice(digits.length - scale) : digits.padStart(scale, "0");
  let end = fraction.length;
  while (end > 0 && fraction.charCodeAt(end - 1) === zero) end--;
  return end === 0 ? whole : `${whole}.${fraction.slice(0, end)}`;
}
