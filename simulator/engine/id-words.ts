// tidy-allow-file no-non-null: every place is within the words and positions that this file counts out
/**
 * A `client_order_id` as four 32-bit words, and back. Letter case is no part of an id and part of its spelling: 32 bits
 * beside the words say which digits are capital letters, the first digit lowest.
 */
import { hexWord } from "../domain/hex.ts";
import { InvariantViolation } from "../domain/invariant.ts";

export const ID_WORDS = 4;

const ID_LENGTH = 36;
const DASHES: readonly number[] = [8, 13, 18, 23];
const DASH = 0x2d;
const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Letter case aside. Whoever made the text has checked that it is a UUID. */
export function readIdWords(text: string, into: Int32Array, at: number): void {
  into[at] = hexWord(text, 0, 4) * 65536 + hexWord(text, 4, 8);
  into[at + 1] = hexWord(text, 9, 13) * 65536 + hexWord(text, 14, 18);
  into[at + 2] = hexWord(text, 19, 23) * 65536 + hexWord(text, 24, 28);
  into[at + 3] = hexWord(text, 28, 32) * 65536 + hexWord(text, 32, 36);
}

/** Which digits are capital letters. Refuses a text that its words would not give back. */
export function capitalsOf(text: string): number {
  let capitals = 0;
  let digit = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DASH && DASHES.includes(at)) continue;
    const isCapital = code >= 0x41 && code <= 0x46;
    if (!isCapital && !(code >= 0x30 && code <= 0x39) && !(code >= 0x61 && code <= 0x66)) break;
    if (isCapital) capitals |= 1 << digit;
    digit++;
  }
  if (digit !== 32 || text.length !== ID_LENGTH)
    throw new InvariantViolation(`"${text}" is no client_order_id`);
  return capitals;
}

/** The text of the words from `at` on. */
export function idText(words: Int32Array, at: number, capitals: number): string {
  const [a, b, c, d] = [
    hexOf(words[at]!),
    hexOf(words[at + 1]!),
    hexOf(words[at + 2]!),
    hexOf(words[at + 3]!),
  ];
  const digits = capitals === 0 ? a + b + c + d : capitalized(a + b + c + d, capitals);
  return (
    `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-` +
    `${digits.slice(16, 20)}-${digits.slice(20)}`
  );
}

const hexOf = (word: number): string =>
  PAIRS[word >>> 24]! + PAIRS[(word >>> 16) & 255]! + PAIRS[(word >>> 8) & 255]! + PAIRS[word & 255]!;

const capitalized = (digits: string, capitals: number): string =>
  Array.from(digits, (digit, at) => ((capitals >>> at) & 1 ? digit.toUpperCase() : digit)).join("");
