/* oxlint-disable typescript/no-non-null-assertion -- every position is below its block's count, every rank below the number of blocks */
/**
 * The levels of one side of the book, sorted by price. The ladder changes when a price appears or goes.
 *
 * **Layout.** Most orders only need the level at a price; the price index finds it without the order
 * of prices. For that order, a price is held as a *key*, larger the better the price. Keys are kept in ascending blocks of at most
 * `blockSize`, the best key at the end of the last block: opening or closing a level moves the better keys of one block, and
 * next to nothing near the touch. Each block has a *floor*: it holds the keys from its own floor
 * up to, not including, the next one. A search halves the floors, then one block.
 *
 * **Invariants.** Keys ascend strictly; no block is empty but the only one of an empty ladder; the first block also
 * holds what lies below its floor. A floor is a separator, not a minimum: a split sets it and it never moves.
 *
 * **Known limits.** Blocks are dropped when empty and never merged: a ladder that thins out to a few scattered prices
 * keeps a block for each.
 */
import type { Side } from "../../domain/order.ts";
import { noLevel, PriceIndex, priceField } from "./price-index.ts";
import type { RecordPool } from "./record-pool.ts";

/** Prices in a full block: large enough for few blocks, small enough that moving half of one costs about a search. */
const blockSize = 128;

class Block {
  readonly keys = new Float64Array(blockSize);
  readonly levels = new Int32Array(blockSize);
  count = 0;
}

export class PriceLadder {
  /** Levels in the ladder. */
  size = 0;
  readonly #sign: 1 | -1;
  readonly #pool: RecordPool;
  readonly #index: PriceIndex;
  readonly #blocks = [new Block()];
  readonly #floors = [Number.NEGATIVE_INFINITY];
  /** The last block: the touch is here. */
  #best: Block;

  /** `pool` holds the records of the levels; only their prices are read. */
  constructor(side: Side, pool: RecordPool) {
    this.#sign = side === "BUY" ? 1 : -1;
    this.#pool = pool;
    this.#index = new PriceIndex(pool);
    this.#best = this.#blocks[0]!;
  }

  /** The level at exactly this price, or `noLevel`. */
  find(price: number): number {
    return this.#index.find(price);
  }

  /** Puts in a level whose price is not there. */
  insert(level: number): void {
    this.#index.insert(level);
    const key = this.#keyOf(level);
    let rank = this.#rankOf(key);
    if (this.#blocks[rank]!.count === blockSize) {
      this.#split(rank);
      rank = this.#rankOf(key);
    }
    const block = this.#blocks[rank]!;
    const position = lowerBound(block, key);
    const { keys, levels } = block;
    for (let at = block.count++; at > position; at--) {
      keys[at] = keys[at - 1]!;
      levels[at] = levels[at - 1]!;
    }
    keys[position] = key;
    levels[position] = level;
    this.size++;
  }

  /** Takes out a level that is there. */
  delete(level: number): void {
    this.#index.delete(level);
    const key = this.#keyOf(level);
    const rank = this.#rankOf(key);
    const block = this.#blocks[rank]!;
    const { keys, levels } = block;
    block.count--;
    for (let at = lowerBound(block, key); at < block.count; at++) {
      keys[at] = keys[at + 1]!;
      levels[at] = levels[at + 1]!;
    }
    this.size--;
    if (block.count === 0 && this.size > 0) this.#drop(rank);
  }

  /** The level at the best price, or `noLevel`. */
  bestLevel(): number {
    const best = this.#best;
    return this.size === 0 ? noLevel : best.levels[best.count - 1]!;
  }

  /** The level at the next price behind a level that is there, or `noLevel`. */
  behind(level: number): number {
    const key = this.#keyOf(level);
    const rank = this.#rankOf(key);
    const block = this.#blocks[rank]!;
    const position = lowerBound(block, key);
    if (position > 0) return block.levels[position - 1]!;
    if (rank === 0) return noLevel;
    const worse = this.#blocks[rank - 1]!;
    return worse.levels[worse.count - 1]!;
  }

  /** Every level, best price first. The ladder must not change meanwhile. */
  *levels(): IterableIterator<number> {
    for (let rank = this.#blocks.length - 1; rank >= 0; rank--) {
      const { levels, count } = this.#blocks[rank]!;
      for (let at = count - 1; at >= 0; at--) yield levels[at]!;
    }
  }

  #keyOf(level: number): number {
    return this.#pool.double(level, priceField) * this.#sign;
  }

  /** Rank of the block that holds `key`, or would. */
  #rankOf(key: number): number {
    const floors = this.#floors;
    let high = floors.length - 1;
    if (key >= floors[high]!) return high;
    let low = 0;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (floors[middle]! <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Moves the better half of a full block into a block of its own. */
  #split(rank: number): void {
    const block = this.#blocks[rank]!;
    const better = new Block();
    const half = blockSize / 2;
    better.keys.set(block.keys.subarray(half));
    better.levels.set(block.levels.subarray(half));
    better.count = half;
    block.count = half;
    this.#blocks.splice(rank + 1, 0, better);
    this.#floors.splice(rank + 1, 0, better.keys[0]!);
    this.#best = this.#blocks.at(-1)!;
  }

  /** Drops an empty block: the one behind it takes over its range, or the next one if it was the first. */
  #drop(rank: number): void {
    this.#blocks.splice(rank, 1);
    this.#floors.splice(rank, 1);
    this.#best = this.#blocks.at(-1)!;
  }
}

/** First position of a block whose key is not below `key`. */
function lowerBound({ keys, count }: Block, key: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
