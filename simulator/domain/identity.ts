/**
 * Public identifiers as a function of (seed, purpose, number): nothing is stored, and two runs with one seed hand out
 * the same ids. They look like UUID v4. The first 32 bits are a keyed permutation of the number, so an id can be turned
 * back; the rest is a keyed hash that makes a guessed id fail the check.
 */
import { hashText, mix, unmix } from "./bijection.ts";

export class Identity {
  private readonly key: number;

  constructor(seed: number, purpose: string) {
    this.key = mix(seed ^ hashText(purpose));
  }

  /** The id of a number from 1 to 2^32 - 1. */
  idOf(number: number): string {
    const first = mix(number ^ this.key);
    const second = mix(first ^ Math.imul(this.key, 0x9e3779b1));
    const third = mix(second ^ 0x2545f491);
    const fourth = mix(third ^ this.key);
    const middle = hex(second);
    const variant = "89ab"[third >>> 30] ?? "8";
    const tail = hex(third);
    return `${hex(first)}-${middle.slice(0, 4)}-4${middle.slice(5)}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}${hex(fourth)}`;
  }

  /** The number behind an id, or null when this venue never hands that id out. Letter case does not matter. */
  numberOf(id: string): number | null {
    const first = Number.parseInt(id.slice(0, 8), 16) | 0;
    const number = (unmix(first) ^ this.key) >>> 0;
    return number !== 0 && this.idOf(number) === id.toLowerCase() ? number : null;
  }
}

const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Eight digits of a word, byte by byte from a table: two ids stand in every answer about an order. */
const hex = (word: number): string =>
  `${BYTES[word >>> 24]}${BYTES[(word >>> 16) & 255]}${BYTES[(word >>> 8) & 255]}${BYTES[word & 255]}`;
