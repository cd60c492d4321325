/** Matches an order and decides its state afterwards (F-transitions). */
import { lots, units } from "../domain/amount.ts";
import type { Event } from "../domain/event.ts";
import { invariant } from "../domain/invariant.ts";
import type { Order } from "../domain/order.ts";
import { isSpent } from "./market-buy.ts";
import { type MatchPlan, planMatch, selfTradeReason } from "./match.ts";
import { type Market, remainingLots, type VenueState } from "./state.ts";

/** The record that acceptance creates. */
export function openOrder(event: Event<"OrderAccepted">, at: number): Order {
  const failed = event.status === "FAILED";
  return {
    terms: event.terms,
    status: event.status,
    phase: failed ? "done" : event.status === "PENDING" ? "unconfirmed" : "queued",
    synced: false,
    updatedAt: at,
    revision: 1,
    accepted: event.status === "OPEN",
    removed: lots(0),
    filled: lots(0),
    filledValue: units(0n),
    commissionExact: 0n,
    exchangeFeeExact: 0n,
    commission: units(0n),
    exchangeFee: units(0n),
    hold: event.hold,
    due: event.due,
    syncAt: null,
    willSync: event.willSync,
    willCancel: event.willCancel ?? true,
    slot: -1,
    reason: event.reason,
  };
}

/** Matches an order that is not waiting for anything. */
export function matchNow(state: VenueState, market: Market, order: Order): readonly Event[] {
  const left = remainingLots(order);
  if (left !== null && left > 0 && meetsNobody(market, order))
    return [{ kind: "OrderRested", order: order.terms.number, quantity: left }];
  const plan = planMatch(state, market, order);
  return [...plan.events, ending(market, order, plan)];
}

/** Matches a MARKET order until `upTo` percent of its quantity or budget are filled; at 100 percent it ends. */
export function matchShare(state: VenueState, market: Market, order: Order, upTo: number): readonly Event[] {
  if (upTo >= 100) return matchNow(state, market, order);
  const { quantity, budget } = order.terms;
  const share = (whole: number | bigint): bigint => (BigInt(whole) * BigInt(upTo)) / 100n;
  const wanted = quantity === null ? null : lots(Number(share(quantity)) - order.filled - order.removed);
  if (wanted !== null && wanted <= 0) return [];
  const plan = planMatch(state, market, order, wanted, budget === null ? null : units(share(budget)));
  // Who meets an order of the same client ends as in any other match.
  return plan.end === "self-trade" ? [...plan.events, ending(market, order, plan)] : plan.events;
}

/** Most limit orders stop before the best offer: the result of a walk through the book is known without it. */
function meetsNobody(market: Market, { terms: { side, price } }: Order): boolean {
  if (price === null) return false;
  const best = market.book.bestPrice(side === "BUY" ? "SELL" : "BUY");
  return best === null || (side === "BUY" ? best > price : best < price);
}

function ending(market: Market, order: Order, plan: MatchPlan): Event {
  const { number, type, side } = order.terms;
  const filled = (): Event => ({ kind: "OrderClosed", order: number, status: "FILLED", reason: null });
  const cancelled = (reason: string): Event => ({
    kind: "OrderClosed",
    order: number,
    status: "CANCELLED",
    reason,
  });
  if (plan.end === "self-trade") return cancelled(selfTradeReason);
  if (plan.end === "filled")
    return order.removed + plan.removed === 0 ? filled() : cancelled(selfTradeReason);
  if (type !== "MARKET") {
    invariant(plan.remaining !== null, "a limit order has a quantity");
    return { kind: "OrderRested", order: number, quantity: plan.remaining };
  }
  if (boughtAll(market, order, plan)) return filled();
  if (plan.end === "budget")
    return cancelled("The budget, fees included, does not pay for one increment at the best ask");
  if (plan.end === "largest-size")
    return cancelled("The largest order size was reached: the rest of quote_value was released");
  if (plan.end === "collar") return cancelled("Market order reached the price collar before it was complete");
  const wanted = side === "BUY" ? "asks" : "bids";
  return cancelled(`No more ${wanted} in the book: the unfilled remainder was cancelled`);
}

function boughtAll({ product }: Market, { terms }: Order, { lastPrice, end, tally }: MatchPlan): boolean {
  const { budget, rates } = terms;
  if (budget === null || lastPrice === null) return false;
  return end === "budget" || isSpent({ product, rates, tally, budget }, lastPrice);
}
