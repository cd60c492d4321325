// tidy-allow-file no-non-null: the columns of a side are equally long
/**
 * The order book of one product: price-time priority over plain machine numbers.
 *
 * **Layout.** A side is a ladder of price levels (price-ladder.ts). A level is a doubly linked FIFO of slots; a slot
 * is one resting order. Slots and levels are records of 32 bytes in two pools (record-pool.ts): nothing is allocated
 * per order, and cancelling is O(1) and touches four half cache lines: the order, its neighbours and its level.
 *
 * **Invariants.** A level stands in its ladder as long as it holds a slot; its total is the sum of its slots; within a
 * level slots stand in order of arrival.
 *
 * **Ordering.** `first` and `next` walk a side best price first, oldest first. Reducing a slot keeps its place.
 *
 * **Known limits.** Level totals are machine numbers; the world reader refuses products whose sizes could pass 2^53
 * lots.
 */
import type { Lots, Ticks } from "../domain/amount.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import type { OrderNumber, Side } from "../domain/order.ts";
import { NO_LEVEL, PRICE } from "./price-index.ts";
import { PriceLadder } from "./price-ladder.ts";
import { NO_RECORD, RecordPool } from "./record-pool.ts";
import type { NumberColumn } from "./snapshot-bytes.ts";

export const NO_SLOT = NO_RECORD;
/** Owner of the synthetic market's liquidity. It is no client, so self-trade prevention never sees it. */
export const MARKET_OWNER = -1;
/** Order number of the synthetic market's liquidity. */
export const SYNTHETIC: OrderNumber = 0;

export interface DepthLevel {
  readonly price: Ticks;
  readonly quantity: Lots;
}

export interface SideList {
  readonly slots: Int32Array;
  readonly orders: Float64Array;
  readonly lots: Float64Array;
}

/** Orders of one side as columns. */
export interface Resting {
  readonly prices: NumberColumn;
  readonly quantities: NumberColumn;
  readonly owners: Int32Array;
  readonly numbers: Float64Array;
}

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

export class OrderBook {
  private readonly slotPool = new RecordPool();
  private readonly levelPool = new RecordPool();
  private readonly buys = new PriceLadder("BUY", this.levelPool);
  private readonly sells = new PriceLadder("SELL", this.levelPool);

  /** Every slot handed out so far is below it. */
  get slotLimit(): number {
    return this.slotPool.limit;
  }

  private ladder(side: Side): PriceLadder {
    return side === "BUY" ? this.buys : this.sells;
  }

  /** Puts an order behind all others at its price. Returns its slot, valid until it is removed. */
  add(side: Side, price: Ticks, quantity: Lots, owner: number, order: OrderNumber): number {
    const { slotPool, levelPool } = this;
    const found = this.ladder(side).find(price);
    const level = found === NO_LEVEL ? this.openLevel(side, price) : found;
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
    this.addToTotal(level, quantity);
    return slot;
  }

  /**
   * Puts all orders of a side into it, which must be empty: best price first, oldest first at a price. Returns the slot of
   * each. Searches nothing: levels are opened from the worst on, so each is the new best.
   */
  fill(side: Side, orders: Resting): Int32Array {
    const { prices } = orders;
    const slots = new Int32Array(prices.length);
    if (this.levelCount(side) > 0) throw new InvariantViolation(`the ${side} side is not empty`);
    for (let end = prices.length; end > 0; ) {
      let start = end - 1;
      while (start > 0 && prices[start - 1] === prices[start]) start--;
      this.fillLevel(side, orders, slots, start, end);
      end = start;
    }
    return slots;
  }

  /** The orders from `start` up to `end` are those of a level that is better than all others. */
  private fillLevel(side: Side, orders: Resting, slots: Int32Array, start: number, end: number): void {
    const { slotPool, levelPool } = this;
    const { prices, quantities, owners: seventh, numbers: first } = orders;
    const price = prices[start]!;
    const best = this.bestPrice(side);
    if (best !== null && (side === "BUY" ? price <= best : price >= best))
      throw new RangeError(`the ${side} side is not sorted at ${price}`);
    const level = this.openLevel(side, price as Ticks);
    slotPool.takeChain({ first, second: quantities, seventh, into: slots }, start, end, level);
    levelPool.setWord(level, HEAD, slots[start]!);
    levelPool.setWord(level, TAIL, slots[end - 1]!);
    let total = 0;
    for (let row = start; row < end; row++) total += quantities[row]!;
    levelPool.setDouble(level, TOTAL, total);
  }

  /** Takes `quantity` from a slot; the slot leaves the book when nothing remains. True when it left. */
  reduce(slot: number, quantity: Lots): boolean {
    const remaining = this.remaining(slot) - quantity;
    if (remaining === 0) {
      this.remove(slot);
      return true;
    }
    this.slotPool.setDouble(slot, LOTS, remaining);
    this.addToTotal(this.slotPool.word(slot, LEVEL), -quantity);
    return false;
  }

  remove(slot: number): void {
    const { slotPool, levelPool } = this;
    const level = slotPool.word(slot, LEVEL);
    const next = slotPool.word(slot, NEXT);
    const previous = slotPool.word(slot, PREVIOUS);
    if (previous === NO_SLOT) levelPool.setWord(level, HEAD, next);
    else slotPool.setWord(previous, NEXT, next);
    if (next === NO_SLOT) levelPool.setWord(level, TAIL, previous);
    else slotPool.setWord(next, PREVIOUS, previous);
    this.addToTotal(level, -this.remaining(slot));
    if (previous === NO_SLOT && next === NO_SLOT) this.closeLevel(level);
    slotPool.give(slot);
  }

  /** Best slot of a side, or `NO_SLOT`. */
  first(side: Side): number {
    return this.headOf(this.ladder(side).bestLevel());
  }

  /** The slot after this one in price-time priority, or `NO_SLOT`. */
  next(slot: number): number {
    const behind = this.nextAtPrice(slot);
    if (behind !== NO_SLOT) return behind;
    const level = this.slotPool.word(slot, LEVEL);
    return this.headOf(this.ladderOf(level).behind(level));
  }

  price(slot: number): Ticks {
    return this.priceOf(this.slotPool.word(slot, LEVEL));
  }

  remaining(slot: number): Lots {
    return this.slotPool.double(slot, LOTS) as Lots;
  }

  order(slot: number): OrderNumber {
    return this.slotPool.double(slot, ORDER);
  }

  owner(slot: number): number {
    return this.slotPool.word(slot, OWNER);
  }

  bestPrice(side: Side): Ticks | null {
    const level = this.ladder(side).bestLevel();
    return level === NO_LEVEL ? null : this.priceOf(level);
  }

  levelCount(side: Side): number {
    return this.ladder(side).size;
  }

  /** The synthetic slot at a price, or `NO_SLOT`; the synthetic market has at most one slot a level. */
  syntheticAt(side: Side, price: Ticks): number {
    let slot = this.headOf(this.ladder(side).find(price));
    while (slot !== NO_SLOT && this.order(slot) !== SYNTHETIC) slot = this.nextAtPrice(slot);
    return slot;
  }

  /** Aggregated levels, best first, at most `limit`. */
  depth(side: Side, limit: number): DepthLevel[] {
    const levels: DepthLevel[] = [];
    if (limit < 1) return levels;
    for (const level of this.ladder(side).levels()) {
      const quantity = this.levelPool.double(level, TOTAL) as Lots;
      if (levels.push({ price: this.priceOf(level), quantity }) >= limit) break;
    }
    return levels;
  }

  /** Every slot of a side in price-time priority. */
  *slots(side: Side): IterableIterator<number> {
    for (const level of this.ladder(side).levels()) {
      for (let slot = this.headOf(level); slot !== NO_SLOT; slot = this.nextAtPrice(slot)) yield slot;
    }
  }

  /** The slots of a side in price-time priority, their orders and what remains of each. */
  list(side: Side): SideList {
    const { slotPool } = this;
    const room = new Int32Array(slotPool.limit);
    let count = 0;
    for (const level of this.ladder(side).levels())
      count = slotPool.listChain(this.headOf(level), room, count);
    const slots = room.subarray(0, count);
    return { slots, orders: slotPool.gather(slots, ORDER), lots: slotPool.gather(slots, LOTS) };
  }

  private nextAtPrice(slot: number): number {
    return this.slotPool.word(slot, NEXT);
  }

  private headOf(level: number): number {
    return level === NO_LEVEL ? NO_SLOT : this.levelPool.word(level, HEAD);
  }

  private priceOf(level: number): Ticks {
    return this.levelPool.double(level, PRICE) as Ticks;
  }

  private ladderOf(level: number): PriceLadder {
    return this.levelPool.word(level, SIDE) === BUY ? this.buys : this.sells;
  }

  private addToTotal(level: number, quantity: number): void {
    this.levelPool.setDouble(level, TOTAL, this.levelPool.double(level, TOTAL) + quantity);
  }

  private openLevel(side: Side, price: Ticks): number {
    const { levelPool } = this;
    const level = levelPool.take();
    levelPool.setDouble(level, PRICE, price);
    levelPool.setDouble(level, TOTAL, 0);
    levelPool.setWord(level, HEAD, NO_SLOT);
    levelPool.setWord(level, TAIL, NO_SLOT);
    levelPool.setWord(level, SIDE, side === "BUY" ? BUY : SELL);
    this.ladder(side).insert(level);
    return level;
  }

  private closeLevel(level: number): void {
    this.ladderOf(level).delete(level);
    this.levelPool.give(level);
  }
}
