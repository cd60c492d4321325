/**
 * Public identifiers as a function of (seed, purpose, number): nothing is stored, and two runs with one seed hand out
 * the same ids. They look like UUID v4. The first 32 bits are a keyed permutation of the number, so an id can be turned
 * back; the rest is a keyed hash that makes a guessed id fail the check.
 */
import { hashText, mix, unmix } from "./bijection.ts";

export class Identity {
  readonly #key: number;

  constructor(seed: number, purpose: string) {
    this.#key = mix(seed ^ hashText(purpose));
  }

  /** The id of a number from 1 to 2^32 - 1. */
  idOf(number: number): string {
    const first = mix(number ^ this.#key);
    const second = mix(first ^ Math.imul(this.#key, 0x9e3779b1));
    const third = mix(second ^ 0x2545f491);
    const fourth = mix(third ^ this.#key);
    writeHex(first, 0, 4);
    writeHex((second & 0xffff0fff) | 0x4000, 9, 14);
    writeHex((third & 0x0fffffff) | ((8 | (third >>> 30)) << 28), 19, 24);
    writeHex(fourth, 28, 32);
    return text.toString("latin1");
  }

  /** The number behind an id, or null when this venue never hands that id out. Letter case does not matter. */
  numberOf(id: string): number | null {
    const first = Number.parseInt(id.slice(0, 8), 16) | 0;
    const number = (unmix(first) ^ this.#key) >>> 0;
    return number !== 0 && this.idOf(number) === id.toLowerCase() ? number : null;
  }
}

/** Filled anew for each id. Every answer about an order holds two ids, and building them from parts made garbage. */
const text = Buffer.from("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx");
const digitsPattern = Buffer.from("0123456789abcdef");

/** Four digits of the word's upper half, and four of its lower half. */
function writeHex(word: number, upperAt: number, lowerAt: number): void {
  for (let digit = 0; digit < 4; digit++) {
    text[upperAt + digit] = digitsPattern[(word >>> (28 - 4 * digit)) & 15] ?? 0;
    text[lowerAt + digit] = digitsPattern[(word >>> (12 - 4 * digit)) & 15] ?? 0;
  }
}
