/**
 * The order book for any size: price-time priority over plain machine numbers. See `order-book.ts`.
 *
 * **Layout.** A side is a ladder of price levels (price-ladder.ts). A level is a doubly linked FIFO of slots; a slot
 * is one resting order. Slots and levels are records of 32 bytes in two pools (record-pool.ts): nothing is allocated
 * per order, and cancelling is O(1) and touches four half cache lines: the order, its neighbours and its level.
 *
 * **Invariants.** A level stands in its ladder as long as it holds a slot; its total is the sum of its slots; within a
 * level slots stand in order of arrival.
 */
import type { Lots, Ticks } from "../../domain/amount.ts";
import type { OrderNumber, Side } from "../../domain/order.ts";
import { type DepthLevel, NO_SLOT, type OrderBook, SYNTHETIC } from "./order-book.ts";
import { NO_LEVEL, PRICE } from "./price-index.ts";
import { PriceLadder } from "./price-ladder.ts";
import { RecordPool } from "./record-pool.ts";

// Fields of a slot (record-pool.ts). `NEXT` doubles as the link of free slots.
const ORDER = 0;
const LOTS = 1;
const NEXT = 4;
const PREVIOUS = 5;
const LEVEL = 6;
const OWNER = 7;

// Fields of a level.
const TOTAL = 1;
const HEAD = 4;
const TAIL = 5;
const SIDE = 6;
const BUY = 0;
const SELL = 1;

export class FastBook implements OrderBook {
  readonly #slotPool = new RecordPool();
  readonly #levelPool = new RecordPool();
  readonly #buys = new PriceLadder("BUY", this.#levelPool);
  readonly #sells = new PriceLadder("SELL", this.#levelPool);

  #ladder(side: Side): PriceLadder {
    return side === "BUY" ? this.#buys : this.#sells;
  }

  add(side: Side, price: Ticks, quantity: Lots, owner: number, order: OrderNumber): number {
    const slotPool = this.#slotPool;
    const levelPool = this.#levelPool;
    const found = this.#ladder(side).find(price);
    const level = found === NO_LEVEL ? this.#openLevel(side, price) : found;
    const slot = slotPool.take();
    const tail = levelPool.word(level, TAIL);
    slotPool.setDouble(slot, ORDER, order);
    slotPool.setDouble(slot, LOTS, quantity);
    slotPool.setWord(slot, NEXT, NO_SLOT);
    slotPool.setWord(slot, PREVIOUS, tail);
    slotPool.setWord(slot, LEVEL, level);
    slotPool.setWord(slot, OWNER, owner);
    if (tail === NO_SLOT) levelPool.setWord(level, HEAD, slot);
    else slotPool.setWord(tail, NEXT, slot);
    levelPool.setWord(level, TAIL, slot);
    this.#addToTotal(level, quantity);
    return slot;
  }

  reduce(slot: number, quantity: Lots): boolean {
    const remaining = this.remaining(slot) - quantity;
    if (remaining === 0) {
      this.remove(slot);
      return true;
    }
    this.#slotPool.setDouble(slot, LOTS, remaining);
    this.#addToTotal(this.#slotPool.word(slot, LEVEL), -quantity);
    return false;
  }

  remove(slot: number): void {
    const slotPool = this.#slotPool;
    const levelPool = this.#levelPool;
    const level = slotPool.word(slot, LEVEL);
    const next = slotPool.word(slot, NEXT);
    const previous = slotPool.word(slot, PREVIOUS);
    if (previous === NO_SLOT) levelPool.setWord(level, HEAD, next);
    else slotPool.setWord(previous, NEXT, next);
    if (next === NO_SLOT) levelPool.setWord(level, TAIL, previous);
    else slotPool.setWord(next, PREVIOUS, previous);
    this.#addToTotal(level, -this.remaining(slot));
    if (previous === NO_SLOT && next === NO_SLOT) this.#closeLevel(level);
    slotPool.give(slot);
  }

  first(side: Side): number {
    return this.#headOf(this.#ladder(side).bestLevel());
  }

  next(slot: number): number {
    const behind = this.#nextAtPrice(slot);
    if (behind !== NO_SLOT) return behind;
    const level = this.#slotPool.word(slot, LEVEL);
    return this.#headOf(this.#ladderOf(level).behind(level));
  }

  price(slot: number): Ticks {
    return this.#priceOf(this.#slotPool.word(slot, LEVEL));
  }

  remaining(slot: number): Lots {
    return this.#slotPool.double(slot, LOTS) as Lots;
  }

  order(slot: number): OrderNumber {
    return this.#slotPool.double(slot, ORDER);
  }

  owner(slot: number): number {
    return this.#slotPool.word(slot, OWNER);
  }

  bestPrice(side: Side): Ticks | null {
    const level = this.#ladder(side).bestLevel();
    return level === NO_LEVEL ? null : this.#priceOf(level);
  }

  quantityAt(side: Side, price: number): number {
    const level = this.#ladder(side).find(price);
    return level === NO_LEVEL ? 0 : this.#levelPool.double(level, TOTAL);
  }

  syntheticAt(side: Side, price: Ticks): number {
    let slot = this.#headOf(this.#ladder(side).find(price));
    while (slot !== NO_SLOT && this.order(slot) !== SYNTHETIC) slot = this.#nextAtPrice(slot);
    return slot;
  }

  depth(side: Side, limit: number): DepthLevel[] {
    const levels: DepthLevel[] = [];
    if (limit < 1) return levels;
    for (const level of this.#ladder(side).levels()) {
      const quantity = this.#levelPool.double(level, TOTAL) as Lots;
      if (levels.push({ price: this.#priceOf(level), quantity }) >= limit) break;
    }
    return levels;
  }

  *slots(side: Side): IterableIterator<number> {
    for (const level of this.#ladder(side).levels()) {
      for (let slot = this.#headOf(level); slot !== NO_SLOT; slot = this.#nextAtPrice(slot)) yield slot;
    }
  }

  #nextAtPrice(slot: number): number {
    return this.#slotPool.word(slot, NEXT);
  }

  #headOf(level: number): number {
    return level === NO_LEVEL ? NO_SLOT : this.#levelPool.word(level, HEAD);
  }

  #priceOf(level: number): Ticks {
    return this.#levelPool.double(level, PRICE) as Ticks;
  }

  #ladderOf(level: number): PriceLadder {
    return this.#levelPool.word(level, SIDE) === BUY ? this.#buys : this.#sells;
  }

  #addToTotal(level: number, quantity: number): void {
    this.#levelPool.setDouble(level, TOTAL, this.#levelPool.double(level, TOTAL) + quantity);
  }

  #openLevel(side: Side, price: Ticks): number {
    const levelPool = this.#levelPool;
    const level = levelPool.take();
    levelPool.setDouble(level, PRICE, price);
    levelPool.setDouble(level, TOTAL, 0);
    levelPool.setWord(level, HEAD, NO_SLOT);
    levelPool.setWord(level, TAIL, NO_SLOT);
    levelPool.setWord(level, SIDE, side === "BUY" ? BUY : SELL);
    this.#ladder(side).insert(level);
    return level;
  }

  #closeLevel(level: number): void {
    this.#ladderOf(level).delete(level);
    this.#levelPool.give(level);
  }
}
