/**
 * A set of 16-byte values in two typed arrays: open addressing with linear probing, grown by doubling at two
 * thirds. Members are never removed one by one; a whole set is dropped instead, so there are no tombstones
 * and the garbage collector sees three objects, not a million.
 */
import { randomInt } from "node:crypto";
import { hexWord } from "../domain/hex.ts";

const WORDS = 4;
const FIRST_CAPACITY = 64;

/**
 * Clients choose nonces; without a secret in the hash they could choose ones that collide. It changes no
 * result.
 */
const HASH_KEY = randomInt(2 ** 32) | 0;

export type Words = readonly [number, number, number, number];

/** From 32 hex digits. */
export const wordsOf = (hex: string): Words => [
  wordAt(hex, 0),
  wordAt(hex, 8),
  wordAt(hex, 16),
  wordAt(hex, 24),
];

const wordAt = (hex: string, at: number): number =>
  (hexWord(hex, at, at + 4) << 16) | hexWord(hex, at + 4, at + 8);

export class NonceSet {
  #words = new Int32Array(FIRST_CAPACITY * WORDS);
  #used = new Uint8Array(FIRST_CAPACITY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(value: Words): boolean {
    return this.#used[this.#slotOf(value)] === 1;
  }

  /** Adding a member again changes nothing. */
  add(value: Words): void {
    if (this.#size * 3 >= this.#used.length * 2) this.#grow();
    const slot = this.#slotOf(value);
    if (this.#used[slot] === 1) return;
    this.#put(slot, value);
    this.#size += 1;
  }

  /** Where the value is, or the free place where it belongs. */
  #slotOf([a, b, c, d]: Words): number {
    const words = this.#words;
    const mask = this.#used.length - 1;
    let slot = mix(a, b, c, d) & mask;
    while (this.#used[slot] === 1) {
      const at = slot * WORDS;
      if (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const words = this.#words;
    const used = this.#used;
    this.#words = new Int32Array(words.length * 2);
    this.#used = new Uint8Array(used.length * 2);
    for (let slot = 0; slot < used.length; slot += 1) {
      if (used[slot] !== 1) continue;
      const at = slot * WORDS;
      const value: Words = [words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0];
      this.#put(this.#slotOf(value), value);
    }
  }

  #put(slot: number, [a, b, c, d]: Words): void {
    const words = this.#words;
    const at = slot * WORDS;
    words[at] = a;
    words[at + 1] = b;
    words[at + 2] = c;
    words[at + 3] = d;
    this.#used[slot] = 1;
  }
}

function mix(a: number, b: number, c: number, d: number): number {
  let hash = Math.imul(a ^ HASH_KEY, 0x9e3779b1);
  hash = Math.imul(hash ^ b ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ c ^ (hash >>> 13), 0xc2b2ae35);
  hash = Math.imul(hash ^ d ^ (hash >>> 16), 0x27d4eb2f);
  return hash ^ (hash >>> 15);
}
