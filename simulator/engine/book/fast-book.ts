/**
 * The order book for any size: price-time priority over plain machine numbers. See `order-book.ts`.
 *
 * **Layout.** A side is a ladder of price levels (price-ladder.ts). A level is a doubly linked FIFO of slots; a slot
 * is one resting order. Slots and levels are records of 32 bytes in two pools (record-pool.ts): nothing is allocated
 * per order, and cancelling is O(1) and touches four half cache lines: the order, its neighbours and its level.
 *
 * **Invariants.** A level is in its ladder as long as it holds a slot; its total is the sum of its slots; within a
 * level slots are in order of arrival.
 */
import type { Lots, Ticks } from "../../domain/amount.ts";
import type { OrderNumber, Side } from "../../domain/order.ts";
import { type DepthLevel, noSlot, type OrderBook, syntheticOrder } from "./order-book.ts";
import { noLevel, priceField } from "./price-index.ts";
import { PriceLadder } from "./price-ladder.ts";
import { RecordPool } from "./record-pool.ts";

// Fields of a slot (record-pool.ts). `nextField` doubles as the link of free slots.
const orderField = 0;
const lotsField = 1;
const nextField = 4;
const previousField = 5;
const levelField = 6;
const ownerField = 7;

// Fields of a level.
const totalField = 1;
const headField = 4;
const tailField = 5;
const sideField = 6;
const buy = 0;
const sell = 1;

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
    const level = found === noLevel ? this.#openLevel(side, price) : found;
    const slot = slotPool.take();
    const tail = levelPool.word(level, tailField);
    slotPool.setDouble(slot, orderField, order);
    slotPool.setDouble(slot, lotsField, quantity);
    slotPool.setWord(slot, nextField, noSlot);
    slotPool.setWord(slot, previousField, tail);
    slotPool.setWord(slot, levelField, level);
    slotPool.setWord(slot, ownerField, owner);
    if (tail === noSlot) levelPool.setWord(level, headField, slot);
    else slotPool.setWord(tail, nextField, slot);
    levelPool.setWord(level, tailField, slot);
    this.#addToTotal(level, quantity);
    return slot;
  }

  reduce(slot: number, quantity: Lots): boolean {
    const remaining = this.remaining(slot) - quantity;
    if (remaining === 0) {
      this.remove(slot);
      return true;
    }
    this.#slotPool.setDouble(slot, lotsField, remaining);
    this.#addToTotal(this.#slotPool.word(slot, levelField), -quantity);
    return false;
  }

  remove(slot: number): void {
    const slotPool = this.#slotPool;
    const levelPool = this.#levelPool;
    const level = slotPool.word(slot, levelField);
    const next = slotPool.word(slot, nextField);
    const previous = slotPool.word(slot, previousField);
    if (previous === noSlot) levelPool.setWord(level, headField, next);
    else slotPool.setWord(previous, nextField, next);
    if (next === noSlot) levelPool.setWord(level, tailField, previous);
    else slotPool.setWord(next, previousField, previous);
    this.#addToTotal(level, -this.remaining(slot));
    if (previous === noSlot && next === noSlot) this.#closeLevel(level);
    slotPool.give(slot);
  }

  first(side: Side): number {
    return this.#headOf(this.#ladder(side).bestLevel());
  }

  next(slot: number): number {
    const behind = this.#nextAtPrice(slot);
    if (behind !== noSlot) return behind;
    const level = this.#slotPool.word(slot, levelField);
    return this.#headOf(this.#ladderOf(level).behind(level));
  }

  price(slot: number): Ticks {
    return this.#priceOf(this.#slotPool.word(slot, levelField));
  }

  remaining(slot: number): Lots {
    return this.#slotPool.double(slot, lotsField) as Lots;
  }

  order(slot: number): OrderNumber {
    return this.#slotPool.double(slot, orderField);
  }

  owner(slot: number): number {
    return this.#slotPool.word(slot, ownerField);
  }

  bestPrice(side: Side): Ticks | null {
    const level = this.#ladder(side).bestLevel();
    return level === noLevel ? null : this.#priceOf(level);
  }

  quantityAt(side: Side, price: number): number {
    const level = this.#ladder(side).find(price);
    return level === noLevel ? 0 : this.#levelPool.double(level, totalField);
  }

  syntheticAt(side: Side, price: Ticks): number {
    let slot = this.#headOf(this.#ladder(side).find(price));
    while (slot !== noSlot && this.order(slot) !== syntheticOrder) slot = this.#nextAtPrice(slot);
    return slot;
  }

  depth(side: Side, limit: number): DepthLevel[] {
    const levels: DepthLevel[] = [];
    if (limit < 1) return levels;
    for (const level of this.#ladder(side).levels()) {
      const quantity = this.#levelPool.double(level, totalField) as Lots;
      if (levels.push({ price: this.#priceOf(level), quantity }) >= limit) break;
    }
    return levels;
  }

  *slots(side: Side): IterableIterator<number> {
    for (const level of this.#ladder(side).levels()) {
      for (let slot = this.#headOf(level); slot !== noSlot; slot = this.#nextAtPrice(slot)) yield slot;
    }
  }

  #nextAtPrice(slot: number): number {
    return this.#slotPool.word(slot, nextField);
  }

  #headOf(level: number): number {
    return level === noLevel ? noSlot : this.#levelPool.word(level, headField);
  }

  #priceOf(level: number): Ticks {
    return this.#levelPool.double(level, priceField) as Ticks;
  }

  #ladderOf(level: number): PriceLadder {
    return this.#levelPool.word(level, sideField) === buy ? this.#buys : this.#sells;
  }

  #addToTotal(level: number, quantity: number): void {
    this.#levelPool.setDouble(level, totalField, this.#levelPool.double(level, totalField) + quantity);
  }

  #openLevel(side: Side, price: Ticks): number {
    const levelPool = this.#levelPool;
    const level = levelPool.take();
    levelPool.setDouble(level, priceField, price);
    levelPool.setDouble(level, totalField, 0);
    levelPool.setWord(level, headField, noSlot);
    levelPool.setWord(level, tailField, noSlot);
    levelPool.setWord(level, sideField, side === "BUY" ? buy : sell);
    this.#ladder(side).insert(level);
    return level;
  }

  #closeLevel(level: number): void {
    this.#ladderOf(level).delete(level);
    this.#levelPool.give(level);
  }
}
