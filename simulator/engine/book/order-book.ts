/**
 * The contract of the order book of one product. `plain-book.ts` is the shortest implementation and serves as a
 * definition; `level-book.ts` is the one in use. One suite of tests runs on both.
 *
 * - Price, then time: the best price first, and the older order first at one price.
 * - A resting order is known by its slot, from `add` until it leaves. Then the slot may be handed out again.
 * - Reducing an order keeps its place. One of which nothing remains leaves the book.
 * - Prices are whole ticks and quantities whole lots; the sum of a level stays below 2^53, which the reader of the world
 *   checks.
 * - The book does not match: it may be crossed for a moment, and its caller has to end that.
 */
import type { Lots, Ticks } from "../../domain/amount.ts";
import type { OrderNumber, Side } from "../../domain/order.ts";

export const noSlot = -1;
/** Owner of the synthetic market's liquidity. It is no client, so self-trade prevention never sees it. */
export const marketOwner = -1;
/** Order number of the synthetic market's liquidity. */
export const syntheticOrder: OrderNumber = 0;

export interface DepthLevel {
  readonly price: Ticks;
  readonly quantity: Lots;
}

export interface OrderBook {
  /** Puts an order behind all others at its price. Returns its slot. */
  add(side: Side, price: Ticks, quantity: Lots, owner: number, order: OrderNumber): number;
  /** Takes `quantity`, at most what remains, from an order. True when the order left the book. */
  reduce(slot: number, quantity: Lots): boolean;
  remove(slot: number): void;

  price(slot: number): Ticks;
  remaining(slot: number): Lots;
  order(slot: number): OrderNumber;
  owner(slot: number): number;

  /** Best slot of a side, or `noSlot`. */
  first(side: Side): number;
  /** The slot behind this one, or `noSlot`. */
  next(slot: number): number;
  /** All slots of a side from the first to the last. The book must not change meanwhile. */
  slots(side: Side): IterableIterator<number>;
  /** The slot of the synthetic market at a price, or `noSlot`; it has at most one at each. */
  syntheticAt(side: Side, price: Ticks): number;

  bestPrice(side: Side): Ticks | null;
  /** All that rests at a price; zero where nothing does. */
  quantityAt(side: Side, price: number): number;
  /** Sums of the levels of a side, best first, at most `limit`. */
  depth(side: Side, limit: number): DepthLevel[];
}
