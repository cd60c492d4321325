/**
 * The order book in its shortest form: each side is a sorted array of levels, each level an array of orders. Right and
 * easy to read; slow when a side has thousands of levels or a level thousands of orders. See `order-book.ts`.
 */
import { type Lots, lots, type Ticks } from "../../domain/amount.ts";
import { InvariantViolation } from "../../domain/invariant.ts";
import type { OrderNumber, Side } from "../../domain/order.ts";
import { type DepthLevel, noSlot, type OrderBook, syntheticOrder } from "./order-book.ts";

interface Resting {
  readonly slot: number;
  readonly side: Side;
  readonly price: Ticks;
  readonly owner: number;
  readonly order: OrderNumber;
  remaining: Lots;
}

interface Level {
  readonly price: Ticks;
  /** Oldest first. */
  readonly orders: Resting[];
}

const totalOf = (orders: readonly Resting[]): number =>
  orders.reduce((sum, { remaining }) => sum + remaining, 0);

export class PlainBook implements OrderBook {
  /** Best price first. */
  readonly #levels = { BUY: [] as Level[], SELL: [] as Level[] };
  readonly #resting = new Map<number, Resting>();
  #slotsTaken = 0;

  add(side: Side, price: Ticks, quantity: Lots, owner: number, order: OrderNumber): number {
    const resting = { slot: this.#slotsTaken++, side, price, owner, order, remaining: quantity };
    this.#levelAt(side, price).orders.push(resting);
    this.#resting.set(resting.slot, resting);
    return resting.slot;
  }

  reduce(slot: number, quantity: Lots): boolean {
    const resting = this.#at(slot);
    resting.remaining = lots(resting.remaining - quantity);
    if (resting.remaining > 0) return false;
    this.remove(slot);
    return true;
  }

  remove(slot: number): void {
    const resting = this.#at(slot);
    const { orders } = this.#levelAt(resting.side, resting.price);
    orders.splice(orders.indexOf(resting), 1);
    const levels = this.#levels[resting.side];
    if (orders.length === 0)
      levels.splice(
        levels.findIndex(({ price }) => price === resting.price),
        1,
      );
    this.#resting.delete(slot);
  }

  price(slot: number): Ticks {
    return this.#at(slot).price;
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
    return this.#levels[side][0]?.orders[0]?.slot ?? noSlot;
  }

  next(slot: number): number {
    const all = [...this.slots(this.#at(slot).side)];
    return all[all.indexOf(slot) + 1] ?? noSlot;
  }

  *slots(side: Side): IterableIterator<number> {
    for (const { orders } of this.#levels[side]) for (const { slot } of orders) yield slot;
  }

  syntheticAt(side: Side, price: Ticks): number {
    const level = this.#levels[side].find((one) => one.price === price);
    return level?.orders.find(({ order }) => order === syntheticOrder)?.slot ?? noSlot;
  }

  bestPrice(side: Side): Ticks | null {
    return this.#levels[side][0]?.price ?? null;
  }

  quantityAt(side: Side, price: number): number {
    return totalOf(this.#levels[side].find((level) => level.price === price)?.orders ?? []);
  }

  depth(side: Side, limit: number): DepthLevel[] {
    return this.#levels[side]
      .slice(0, Math.max(0, limit))
      .map(({ price, orders }) => ({ price, quantity: lots(totalOf(orders)) }));
  }

  #at(slot: number): Resting {
    const resting = this.#resting.get(slot);
    if (resting === undefined) throw new InvariantViolation(`there is nothing at slot ${slot} of the book`);
    return resting;
  }

  /** The level at a price, made where there is none. */
  #levelAt(side: Side, price: Ticks): Level {
    const levels = this.#levels[side];
    const at = levels.findIndex((level) => (side === "BUY" ? level.price <= price : level.price >= price));
    const found = levels[at];
    if (found?.price === price) return found;
    const level = { price, orders: [] };
    levels.splice(at < 0 ? levels.length : at, 0, level);
    return level;
  }
}
