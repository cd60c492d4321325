/**
 * Matching, planned and not applied: `planMatch` walks the book without touching it and returns the events that follow.
 *
 * **Rules.** Price-time priority; every fill at the resting order's price; limit or better (PLC-31). A MARKET order
 * walks the whole book, or as far as the collar lets it. A MARKET BUY stops where its budget cannot pay for one more
 * lot, and at the largest size of the client in force when it matches (F-market-buy-size-check). Meeting an order of the same client is self-trade prevention (F-self-trade).
 *
 * **Invariants.** A maker stands in a plan at most once, so its fees are summed from its record; the taker's are
 * carried along in the plan. Nothing is rounded here but fees (fees.ts) and the collar, towards the best price.
 *
 * **Known limits.** Under `decrement` a MARKET BUY is treated as `cancel-newest`: it has no quantity to decrement.
 */
import { type Lots, lots, type Ticks, type Units, units } from "../domain/amount.ts";
import type { Charge, Event } from "../domain/event.ts";
import { invariant } from "../domain/invariant.ts";
import type { Order, OrderTerms, Side } from "../domain/order.ts";
import { NO_SLOT, SYNTHETIC } from "./book/order-book.ts";
import { addFill, type FeeTally } from "./fees.ts";
import { affordableLots, notionalOf } from "./market-buy-sizing.ts";
import { largestSize } from "./size-limits.ts";
import { type Market, remainingLots, rulesOf, type VenueState } from "./state.ts";

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
  readonly filled: Lots;
  /** Lots that self-trade prevention took from the taker. */
  readonly removed: Lots;
  readonly lastPrice: Ticks | null;
}

/** The incoming side of a match: the order of a client. */
export interface Taker {
  readonly number: number;
  readonly owner: number;
  readonly side: Side;
  readonly limit: Ticks | null;
  readonly quantity: Lots | null;
  readonly budget: Units | null;
  readonly terms: OrderTerms;
  readonly tally: FeeTally;
}

const oppositeOf = (side: Side): Side => (side === "BUY" ? "SELL" : "BUY");

export function takerOf(order: Order): Taker {
  const { terms } = order;
  const remaining = remainingLots(order);
  return {
    number: terms.number,
    owner: terms.client,
    side: terms.side,
    limit: terms.type === "MARKET" ? null : terms.price,
    quantity: remaining === null ? null : lots(remaining),
    budget: terms.budget,
    terms,
    tally: tallyOf(order),
  };
}

export function tallyOf(order: Order): FeeTally {
  return {
    value: order.filledValue,
    commissionExact: order.commissionExact,
    exchangeFeeExact: order.exchangeFeeExact,
    commission: order.commission,
    exchangeFee: order.exchangeFee,
  };
}

export function planMatch(state: VenueState, market: Market, taker: Taker): MatchPlan {
  return new Walk(state, market, taker).run();
}

/** One walk through the opposite side. Its fields are the plan under construction; the state is only read. */
class Walk {
  private readonly state: VenueState;
  private readonly market: Market;
  private readonly taker: Taker;
  private readonly events: Event[] = [];
  private readonly worst: number | null;
  /** Lots that a MARKET BUY may take at the most. */
  private readonly largest: number;
  private remaining: number | null;
  private tally: FeeTally;
  private filled = 0;
  private removed = 0;
  private lastPrice: Ticks | null = null;
  private trade: number;

  constructor(state: VenueState, market: Market, taker: Taker) {
    this.state = state;
    this.market = market;
    this.taker = taker;
    this.remaining = taker.quantity;
    this.tally = taker.tally;
    this.trade = state.trades;
    this.worst = worstPrice(state, market, taker);
    this.largest = largestBuy(state, market, taker);
  }

  run(): MatchPlan {
    const { book } = this.market;
    let slot = book.first(oppositeOf(this.taker.side));
    while (slot !== NO_SLOT) {
      const complete = this.complete();
      if (complete !== null) return this.plan(complete);
      const beyond = this.priceCheck(book.price(slot));
      if (beyond !== null) return this.plan(beyond);
      // The plan leaves the book untouched, so the next slot is known before anything happens to this one.
      const next = book.next(slot);
      const end = this.meets(slot);
      if (end !== null) return this.plan(end);
      slot = next;
    }
    return this.plan(this.complete() ?? "book-empty");
  }

  private complete(): MatchEnd | null {
    if (this.remaining === 0) return "filled";
    return this.filled === this.largest ? "largest-size" : null;
  }

  private priceCheck(price: Ticks): MatchEnd | null {
    const { side, limit } = this.taker;
    const beyond = (bound: number): boolean => (side === "BUY" ? price > bound : price < bound);
    if (limit !== null && beyond(limit)) return "limit";
    return this.worst !== null && beyond(this.worst) ? "collar" : null;
  }

  private meets(slot: number): MatchEnd | null {
    const { book } = this.market;
    const own = book.owner(slot) === this.taker.owner && book.order(slot) !== SYNTHETIC;
    if (!own || this.state.settings.stp === "none") return this.fill(slot);
    // A MARKET BUY that cannot pay for one lot here meets nobody: its budget is what ends it.
    return this.wanted(book.price(slot), lots(1)) === 0 ? "budget" : this.preventSelfTrade(slot);
  }

  private fill(slot: number): MatchEnd | null {
    const { book, product } = this.market;
    const { taker } = this;
    const price = book.price(slot);
    const available = book.remaining(slot);
    const quantity = this.wanted(price, available);
    if (quantity === 0) return "budget";
    const notional = notionalOf(product, price, quantity);
    const makerOrder = book.order(slot) === SYNTHETIC ? null : this.state.order(book.order(slot));
    this.trade++;
    this.events.push({
      kind: "Traded",
      trade: this.trade,
      product: product.index,
      price,
      quantity,
      takerSide: taker.side,
      taker: taker.number,
      maker: book.order(slot),
      takerCharge: this.chargeTaker(notional),
      makerCharge: makerOrder === null ? NO_CHARGE : chargeMaker(makerOrder, notional, this.market),
    });
    this.filled += quantity;
    this.lastPrice = price;
    if (this.remaining !== null) this.remaining -= quantity;
    if (makerOrder !== null && quantity === available) this.events.push(closeCompleted(makerOrder));
    const stops = this.remaining === null && quantity < available && this.filled < this.largest;
    return stops ? "budget" : null;
  }

  private wanted(price: Ticks, available: Lots): Lots {
    const { taker, tally } = this;
    if (this.remaining !== null) return lots(Math.min(this.remaining, available));
    invariant(taker.budget !== null, "an order without a quantity has a budget");
    const most = lots(Math.min(available, this.largest - this.filled));
    return affordableLots(this.market.product, taker.terms.rates, tally, taker.budget, price, most);
  }

  private chargeTaker(notional: Units): Charge {
    const { terms, side } = this.taker;
    const before = this.tally;
    this.tally = addFill(before, notional, terms.rates, "taker", side, this.market.product.quote);
    return increase(before, this.tally);
  }

  private preventSelfTrade(slot: number): MatchEnd | null {
    const { book } = this.market;
    const maker = book.order(slot);
    switch (this.state.settings.stp) {
      case "cancel-oldest":
        this.events.push(closeForSelfTrade(maker));
        return null;
      case "cancel-both":
        this.events.push(closeForSelfTrade(maker));
        return "self-trade";
      case "decrement":
        return this.remaining === null ? "self-trade" : this.decrement(slot, maker);
      case "cancel-newest":
      case "none":
        return "self-trade";
    }
  }

  private decrement(slot: number, maker: number): MatchEnd | null {
    const wanted = this.remaining ?? 0;
    const available = this.market.book.remaining(slot);
    const less = lots(Math.min(wanted, available));
    this.events.push({ kind: "OrderReduced", order: maker, quantity: less });
    this.events.push({ kind: "OrderReduced", order: this.taker.number, quantity: less });
    if (less === available) this.events.push(closeForSelfTrade(maker));
    this.removed += less;
    this.remaining = wanted - less;
    return this.remaining === 0 ? "self-trade" : null;
  }

  private plan(end: MatchEnd): MatchPlan {
    return {
      events: this.events,
      end,
      remaining: this.remaining === null ? null : lots(this.remaining),
      tally: this.tally,
      filled: lots(this.filled),
      removed: lots(this.removed),
      lastPrice: this.lastPrice,
    };
  }
}

export const SELF_TRADE_REASON = "Self-trade prevention";

const NO_CHARGE: Charge = { commission: units(0n), exchangeFee: units(0n) };

const increase = (before: FeeTally, after: FeeTally): Charge => ({
  commission: units(after.commission - before.commission),
  exchangeFee: units(after.exchangeFee - before.exchangeFee),
});

function chargeMaker(maker: Order, notional: Units, market: Market): Charge {
  const before = tallyOf(maker);
  const { rates, side } = maker.terms;
  return increase(before, addFill(before, notional, rates, "maker", side, market.product.quote));
}

/** A maker with nothing left is FILLED, unless self-trade prevention took a part of it. */
export function closeCompleted(maker: Order): Event {
  return maker.removed === 0
    ? { kind: "OrderClosed", order: maker.terms.number, status: "FILLED", reason: null }
    : closeForSelfTrade(maker.terms.number);
}

const closeForSelfTrade = (order: number): Event => ({
  kind: "OrderClosed",
  order,
  status: "CANCELLED",
  reason: SELF_TRADE_REASON,
});

/** F-price-collar: the price a MARKET order may not pass, counted from the best price when it arrives. */
function worstPrice(state: VenueState, market: Market, taker: Taker): number | null {
  const bps = state.settings.slippageCollarBps;
  if (bps === null || taker.limit !== null) return null;
  const best = market.book.bestPrice(oppositeOf(taker.side));
  if (best === null) return null;
  const distance = (BigInt(best) * BigInt(bps)) / 10_000n;
  return taker.side === "BUY" ? best + Number(distance) : best - Number(distance);
}

/** F-market-buy-size-check: the most lots that an order without a quantity may take. */
function largestBuy(state: VenueState, market: Market, taker: Taker): number {
  if (taker.quantity !== null || state.settings.marketBuySizeCheck !== "estimate")
    return Number.POSITIVE_INFINITY;
  const { product } = market;
  const largest = largestSize(product, rulesOf(state.client(taker.owner), product.index));
  return largest === null ? Number.POSITIVE_INFINITY : Number(largest.value);
}
