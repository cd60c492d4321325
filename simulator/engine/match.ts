/**
 * Matching, planned and not applied: a `Walk` goes through the book without touching it and gives the events that follow.
 *
 * **Rules.** Price-time priority; every fill at the resting order's price; limit or better (PLC-31). A MARKET order
 * walks the whole book, or as far as the collar lets it; how much a MARKET BUY takes says market-buy.ts. Meeting an order of
 * the same client is self-trade prevention (F-self-trade).
 *
 * **Invariants.** Fees of both sides are summed from their records and carried along in the plan. Nothing is rounded here
 * but fees (fees.ts) and the collar, towards the best price.
 *
 * **Known limits.** Under `decrement` a MARKET BUY is treated as `cancel-newest`: it has no quantity to decrement.
 */
import { type Lots, lots, noUnits, subUnits, type Ticks, type Units } from "../domain/amount.ts";
import type { Charge, Event } from "../domain/event.ts";
import { invariant } from "../domain/invariant.ts";
import type { FeeRates, Order, OrderNumber, Side } from "../domain/order.ts";
import { marketOwner, noSlot, syntheticOrder } from "./book/order-book.ts";
import { addFill, type FeeTally, notionalOf } from "./fees.ts";
import { affordableLots, largestBuy } from "./market-buy.ts";
import { type Market, remainingLots, type VenueState } from "./state.ts";

/** Why a walk through the book ended. */
export type MatchEnd =
  | "filled"
  | "limit"
  | "book-empty"
  | "budget"
  | "largest-size"
  | "self-trade"
  | "collar";

export interface MatchPlan {
  readonly events: readonly Event[];
  readonly end: MatchEnd;
  /** Lots still wanted; null for a MARKET BUY. */
  readonly remaining: Lots | null;
  readonly tally: FeeTally;
  /** Lots that self-trade prevention took from the taker. */
  readonly removed: Lots;
  readonly lastPrice: Ticks | null;
}

/** The incoming side of a match: the order of a client, or the synthetic market. */
export interface Taker {
  readonly number: OrderNumber;
  readonly owner: number;
  readonly side: Side;
  readonly budget: Units | null;
  readonly rates: FeeRates;
  readonly tally: FeeTally;
}

/** All that is left of the order, or less of it. */
export function planMatch(
  state: VenueState,
  market: Market,
  order: Order,
  quantity: Lots | null = remainingLots(order),
  budget: Units | null = order.terms.budget,
): MatchPlan {
  const { number, client, side, price, rates } = order.terms;
  const walk = new Walk(state, market, { number, owner: client, side, budget, rates, tally: order });
  return walk.run(price, quantity);
}

/**
 * One walk through the opposite side. Its fields are the plan under construction; the state is only read. The synthetic
 * market continues with the remainder of each of its levels.
 */
export class Walk {
  readonly #state: VenueState;
  readonly #market: Market;
  readonly #taker: Taker;
  readonly events: Event[] = [];
  /** The order that it meets next, what the plan leaves of it, and its fees once the plan has filled a part of it. */
  #slot = noSlot;
  #left = 0;
  #makerTally: FeeTally | null = null;
  #remaining: number | null = null;
  #tally: FeeTally;
  #filled = 0;
  #removed = 0;
  /** Lots that a MARKET BUY may take at the most. */
  #largest = Infinity;
  #lastPrice: Ticks | null = null;
  #trade: number;

  constructor(state: VenueState, market: Market, taker: Taker) {
    this.#state = state;
    this.#market = market;
    this.#taker = taker;
    this.#tally = taker.tally;
    this.#trade = state.trades;
    this.#goTo(market.book.first(oppositeOf(taker.side)));
  }

  /** Takes what it can at `limit` or better; without a limit at any price, without a quantity as much as the budget buys. */
  run(limit: Ticks | null, quantity: Lots | null): MatchPlan {
    this.#remaining = quantity;
    const worst = limit ?? this.#collar();
    if (quantity === null) this.#largest = largestBuy(this.#state, this.#market, this.#taker.owner);
    let end: MatchEnd | null = null;
    while (end === null) {
      if (this.#remaining === 0) end = "filled";
      else if (this.#filled === this.#largest) end = "largest-size";
      else if (this.#slot === noSlot) end = "book-empty";
      else if (worst !== null && this.#isBeyond(worst)) end = limit === null ? "collar" : "limit";
      else end = this.#meet();
    }
    return {
      events: this.events,
      end,
      remaining: this.#remaining === null ? null : lots(this.#remaining),
      tally: this.#tally,
      removed: lots(this.#removed),
      lastPrice: this.#lastPrice,
    };
  }

  /** The synthetic market passes over its own orders, which it takes back. */
  #goTo(slot: number): void {
    const { book } = this.#market;
    let next = slot;
    while (next !== noSlot && book.owner(next) === marketOwner && this.#taker.owner === marketOwner)
      next = book.next(next);
    this.#slot = next;
    this.#left = next === noSlot ? 0 : book.remaining(next);
    this.#makerTally = null;
  }

  #isBeyond(bound: number): boolean {
    const price = this.#market.book.price(this.#slot);
    return this.#taker.side === "BUY" ? price > bound : price < bound;
  }

  #meet(): MatchEnd | null {
    const { book } = this.#market;
    const own = book.owner(this.#slot) === this.#taker.owner;
    if (!own || this.#state.settings.stp === "none") return this.#fill();
    // A MARKET BUY that cannot pay for one lot here does not trade: it ends because of its budget.
    return this.#wanted(book.price(this.#slot), lots(1)) === 0 ? "budget" : this.#preventSelfTrade();
  }

  #fill(): MatchEnd | null {
    const { book, product } = this.#market;
    const taker = this.#taker;
    const price = book.price(this.#slot);
    const quantity = this.#wanted(price, lots(this.#left));
    if (quantity === 0) return "budget";
    const notional = notionalOf(product, price, quantity);
    const number = book.order(this.#slot);
    const maker = number === syntheticOrder ? null : this.#state.order(number);
    this.#trade++;
    this.events.push({
      kind: "Traded",
      trade: this.#trade,
      product: product.index,
      price,
      quantity,
      takerSide: taker.side,
      taker: taker.number,
      maker: number,
      takerCharge: this.#chargeTaker(notional),
      makerCharge: maker === null ? noCharge : this.#chargeMaker(maker, notional),
    });
    this.#filled += quantity;
    this.#lastPrice = price;
    this.#left -= quantity;
    if (this.#remaining !== null) this.#remaining -= quantity;
    else if (this.#left > 0 && this.#filled < this.#largest) return "budget";
    if (this.#left > 0) return null;
    if (maker !== null) this.events.push(closeCompleted(maker));
    this.#goTo(book.next(this.#slot));
    return null;
  }

  #wanted(price: Ticks, available: Lots): Lots {
    if (this.#remaining !== null) return lots(Math.min(this.#remaining, available));
    const { rates, budget } = this.#taker;
    invariant(budget !== null, "an order without a quantity has a budget");
    const most = lots(Math.min(available, this.#largest - this.#filled));
    return affordableLots({ product: this.#market.product, rates, tally: this.#tally, budget }, price, most);
  }

  #chargeTaker(notional: Units): Charge {
    const { rates, side } = this.#taker;
    const before = this.#tally;
    this.#tally = addFill(before, notional, rates, "taker", side, this.#market.product.quote);
    return increase(before, this.#tally);
  }

  #chargeMaker(maker: Order, notional: Units): Charge {
    const { rates, side } = maker.terms;
    const before = this.#makerTally ?? maker;
    this.#makerTally = addFill(before, notional, rates, "maker", side, this.#market.product.quote);
    return increase(before, this.#makerTally);
  }

  #preventSelfTrade(): MatchEnd | null {
    const { book } = this.#market;
    const maker = book.order(this.#slot);
    switch (this.#state.settings.stp) {
      case "cancel-oldest":
        this.events.push(closeForSelfTrade(maker));
        this.#goTo(book.next(this.#slot));
        return null;
      case "cancel-both":
        this.events.push(closeForSelfTrade(maker));
        return "self-trade";
      case "decrement":
        return this.#remaining === null ? "self-trade" : this.#decrement(maker, this.#remaining);
      case "cancel-newest":
      case "none":
        return "self-trade";
    }
  }

  #decrement(maker: OrderNumber, wanted: number): MatchEnd | null {
    const less = lots(Math.min(wanted, this.#left));
    this.events.push({ kind: "OrderReduced", order: maker, quantity: less });
    this.events.push({ kind: "OrderReduced", order: this.#taker.number, quantity: less });
    this.#left -= less;
    this.#removed += less;
    this.#remaining = wanted - less;
    if (this.#left === 0) {
      this.events.push(closeForSelfTrade(maker));
      this.#goTo(this.#market.book.next(this.#slot));
    }
    return this.#remaining === 0 ? "self-trade" : null;
  }

  /** F-price-collar: the price a MARKET order may not pass, counted from the best price when it arrives. */
  #collar(): number | null {
    const bps = this.#state.settings.slippageCollarBps;
    const best = this.#market.book.bestPrice(oppositeOf(this.#taker.side));
    if (bps === null || best === null) return null;
    const distance = Number((BigInt(best) * BigInt(bps)) / 10_000n);
    return this.#taker.side === "BUY" ? best + distance : best - distance;
  }
}

export const selfTradeReason = "Self-trade prevention";

const oppositeOf = (side: Side): Side => (side === "BUY" ? "SELL" : "BUY");

export const noCharge: Charge = { commission: noUnits, exchangeFee: noUnits };

export const increase = (before: FeeTally, after: FeeTally): Charge => ({
  commission: subUnits(after.commission, before.commission),
  exchangeFee: subUnits(after.exchangeFee, before.exchangeFee),
});

/** A maker with nothing left is FILLED, unless self-trade prevention took a part of it. */
export const closeCompleted = ({ removed, terms: { number } }: Order): Event =>
  removed === 0
    ? { kind: "OrderClosed", order: number, status: "FILLED", reason: null }
    : closeForSelfTrade(number);

const closeForSelfTrade = (order: OrderNumber): Event => ({
  kind: "OrderClosed",
  order,
  status: "CANCELLED",
  reason: selfTradeReason,
});
