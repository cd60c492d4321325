/**
 * The order book in use: price-time priority. See `order-book.ts`.
 *
 * **Layout.** A side is its levels sorted by price, and a map that finds the level of a price, the first question of every order.
 * The best level is the last of the array, so a price that appears or goes at the touch moves nothing. A level is a doubly linked
 * queue of the orders that rest there, oldest first: cancelling looks at three records.
 *
 * **Invariants.** A level is there as long as an order rests at it; its total is the sum of its orders.
 *
 * **Known limits.** A price that appears far from the touch moves the better levels by one place: the cost grows with
 * the number of levels.
 */
import type { Lots, Ticks } from "../../domain/amount.ts";
import { InvariantViolation } from "../../domain/invariant.ts";
import type { OrderNumber, Side } from "../../domain/order.ts";
import { type DepthLevel, noSlot, type OrderBook, syntheticOrder } from "./order-book.ts";

interface Resting {
  readonly slot: number;
  readonly level: Level;
  readonly owner: number;
  readonly order: OrderNumber;
  remaining: Lots;
  older: Resting | null;
  newer: Resting | null;
}

interface Level {
  readonly levels: Levels;
  readonly price: Ticks;
  total: number;
  oldest: Resting | null;
  newest: Resting | null;
}

/** The levels of one side. */
class Levels {
  readonly #byPrice = new Map<number, Level>();
  /** The worst first. */
  readonly #sorted: Level[] = [];
  readonly #sign: 1 | -1;

  constructor(side: Side) {
    this.#sign = side === "BUY" ? 1 : -1;
  }

  at(price: number): Level | undefined {
    return this.#byPrice.get(price);
  }

  get best(): Level | undefined {
    return this.#sorted.at(-1);
  }

  /** The next worse level. */
  behind(level: Level): Level | undefined {
    return this.#sorted[this.#placeOf(level.price) - 1];
  }

  open(price: Ticks): Level {
    const level: Level = { levels: this, price, total: 0, oldest: null, newest: null };
    this.#byPrice.set(price, level);
    this.#sorted.splice(this.#placeOf(price), 0, level);
    return level;
  }

  close({ price }: Level): void {
    this.#byPrice.delete(price);
    this.#sorted.splice(this.#placeOf(price), 1);
  }

  /** The best first. */
  *[Symbol.iterator](): IterableIterator<Level> {
    for (let at = this.#sorted.length - 1; at >= 0; at--) {
      const level = this.#sorted[at];
      if (level !== undefined) yield level;
    }
  }

  /** How many levels are worse than this price. */
  #placeOf(price: number): number {
    const key = price * this.#sign;
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle]?.price ?? 0) * this.#sign < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class LevelBook implements OrderBook {
  readonly #sides = { BUY: new Levels("BUY"), SELL: new Levels("SELL") };
  readonly #slots: (Resting | undefined)[] = [];
  /** Slots that orders have left, to be handed out again. */
  readonly #free: number[] = [];

  add(side: Side, price: Ticks, quantity: Lots, owner: number, order: OrderNumber): number {
    const levels = this.#sides[side];
    const level = levels.at(price) ?? levels.open(price);
    const slot = this.#free.pop() ?? this.#slots.length;
    const resting: Resting = {
      slot,
      level,
      owner,
      order,
      remaining: quantity,
      older: level.newest,
      newer: null,
    };
    if (level.newest === null) level.oldest = resting;
    else level.newest.newer = resting;
    level.newest = resting;
    level.total += quantity;
    this.#slots[slot] = resting;
    return slot;
  }

  reduce(slot: number, quantity: Lots): boolean {
    const resting = this.#at(slot);
    if (resting.remaining === quantity) {
      this.remove(slot);
      return true;
    }
    // as: a whole number of lots less another, which is smaller.
    resting.remaining = (resting.remaining - quantity) as Lots;
    resting.level.total -= quantity;
    return false;
  }

  remove(slot: number): void {
    const { level, remaining, older, newer } = this.#at(slot);
    if (older === null) level.oldest = newer;
    else older.newer = newer;
    if (newer === null) level.newest = older;
    else newer.older = older;
    level.total -= remaining;
    if (level.oldest === null) level.levels.close(level);
    this.#slots[slot] = undefined;
    this.#free.push(slot);
  }

  price(slot: number): Ticks {
    return this.#at(slot).level.price;
  }

  remaining(slot: number): Lots {
    return this.#at(slot).remaining;
  }

  order(slot: number): OrderNumber {
    return this.#at(slot).order;
  }

  owner(slot: number): number {
    return this.#at(slot).owner;
  }

  first(side: Side): number {
    return this.#sides[side].best?.oldest?.slot ?? noSlot;
  }

  next(slot: number): number {
    const { newer, level } = this.#at(slot);
    return (newer ?? level.levels.behind(level)?.oldest)?.slot ?? noSlot;
  }

  *slots(side: Side): IterableIterator<number> {
    for (const { oldest } of this.#sides[side])
      for (let resting = oldest; resting !== null; resting = resting.newer) yield resting.slot;
  }

  syntheticAt(side: Side, price: Ticks): number {
    let resting = this.#sides[side].at(price)?.oldest ?? null;
    while (resting !== null && resting.order !== syntheticOrder) resting = resting.newer;
    return resting?.slot ?? noSlot;
  }

  bestPrice(side: Side): Ticks | null {
    return this.#sides[side].best?.price ?? null;
  }

  quantityAt(side: Side, price: number): number {
    return this.#sides[side].at(price)?.total ?? 0;
  }

  depth(side: Side, limit: number): DepthLevel[] {
    const found: DepthLevel[] = [];
    for (const { price, total } of this.#sides[side]) {
      if (found.length >= limit) break;
      // as: the sum of whole numbers of lots.
      found.push({ price, quantity: total as Lots });
    }
    return found;
  }

  #at(slot: number): Resting {
    const resting = this.#slots[slot];
    if (resting === undefined) throw new InvariantViolation(`there is nothing at slot ${slot} of the book`);
    return resting;
  }
}
