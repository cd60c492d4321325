/* oxlint-disable typescript/no-non-null-assertion -- the table is read at masked positions, the pool at levels that stand in the table */
/**
 * Finds the level of one side at a price, the first question of every order, in about one cache miss.
 *
 * **Layout.** Open addressing with linear probing over level ids; the price of an entry is read from the level's own
 * record, which the caller needs next anyway. Sixteen neighbouring prices share a line of the cache. Fibonacci hashing
 * chooses the line: evenly spaced prices, which is what a ladder has, land in evenly spaced lines.
 *
 * **Invariants.** At most a quarter of the table is taken; no free place is between a level and the place its price
 * hashes to, and deleting keeps it so by moving followers back: there are no tombstones to clean up.
 *
 * **Known limits.** Prices that differ by a multiple of 2^32 ticks share a place. The table doubles, which places all levels
 * again, and never shrinks.
 */
import type { RecordPool } from "./record-pool.ts";

export const noLevel = -1;

/** Double of a level's record that is its price. */
export const priceField = 0;

export class PriceIndex {
  #table = new Int32Array(64).fill(noLevel);
  /** 32 less the bits of a line's number. */
  #shift = 30;
  #used = 0;
  readonly #pool: RecordPool;

  constructor(pool: RecordPool) {
    this.#pool = pool;
  }

  /** The level at exactly this price, or `noLevel`. */
  find(price: number): number {
    const pool = this.#pool;
    const table = this.#table;
    const mask = table.length - 1;
    for (let at = home(price, this.#shift); ; at = (at + 1) & mask) {
      const level = table[at]!;
      if (level === noLevel || pool.double(level, priceField) === price) return level;
    }
  }

  /** Puts in a level whose price is not there. */
  insert(level: number): void {
    if (++this.#used * 4 > this.#table.length) this.#grow();
    this.#place(level);
  }

  /** Takes out a level that is there. */
  delete(level: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let hole = home(this.#priceOf(level), this.#shift);
    while (table[hole] !== level) hole = (hole + 1) & mask;
    for (let at = (hole + 1) & mask; table[at] !== noLevel; at = (at + 1) & mask) {
      const wanted = home(this.#priceOf(table[at]!), this.#shift);
      // A follower may move back into the hole unless that would put it before its home.
      if (((at - wanted) & mask) < ((at - hole) & mask)) continue;
      table[hole] = table[at]!;
      hole = at;
    }
    table[hole] = noLevel;
    this.#used--;
  }

  #place(level: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let at = home(this.#priceOf(level), this.#shift);
    while (table[at] !== noLevel) at = (at + 1) & mask;
    table[at] = level;
  }

  #priceOf(level: number): number {
    return this.#pool.double(level, priceField);
  }

  #grow(): void {
    const old = this.#table;
    this.#table = new Int32Array(old.length * 2).fill(noLevel);
    this.#shift--;
    for (const level of old) if (level !== noLevel) this.#place(level);
  }
}

/** 2^32 divided by the golden ratio. */
const golden = 0x9e3779b1;

/** The upper bits of the product choose the line, the low bits of the price the place in it. */
const home = (price: number, shift: number): number =>
  ((Math.imul(price >>> 4, golden) >>> shift) << 4) | (price & 15);
