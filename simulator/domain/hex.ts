/** Hex digits as numbers, letter case aside. Read in place: ids, nonces and hashes stand in every request. */

const NO_DIGIT = -1;
const VALUES = new Int8Array(128).fill(NO_DIGIT);
for (const [value, digit] of Array.from("0123456789abcdef").entries()) {
  VALUES[digit.charCodeAt(0)] = value;
  VALUES[digit.toUpperCase().charCodeAt(0)] = value;
}

/** What a digit is worth, or -1 for a character that is none. */
export const hexDigit = (code: number): number => VALUES[code] ?? NO_DIGIT;

/** Value of the hex digits in [from, to), at most seven of them. Whoever made the text has checked that they are such. */
export function hexWord(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    // Bit 6 tells a letter from a digit: a branch would be guessed wrong every third time.
    value = value * 16 + (code & 15) + 9 * (code >> 6);
  }
  return value;
}
