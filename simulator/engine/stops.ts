/**
 * What a stop does. A STOP_LIMIT order waits outside the book until the last trade price reaches its stop price, a BUY from below
 * and a SELL from above; then it enters the market as a LIMIT order (F-stop-trigger-source). A quote that moves through a stop
 * without a trade does not trigger it.
 *
 * 1. Refused, if the last price has reached its stop already, unless the settings let it trigger at once (`checkStop`).
 * 2. Armed when its turn to be matched comes, or triggered at once (`enterMarket`). It holds its funds meanwhile.
 * 3. A trade takes the stops that it triggers out of the stop book (`wakeStops`). They stand in `state.triggered` in order of
 *    acceptance, and nothing else happens before each has entered the market by an entry of its own (`nextStop`, `triggerStop`):
 *    its trades may trigger more.
 */
import type { Ticks } from "../domain/amount.ts";
import type { Command } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import type { Order, OrderTerms, Side } from "../domain/order.ts";
import type { Rejection } from "../domain/rejection.ts";
import { ticksText } from "../domain/steps.ts";
import { refusedByExchange } from "./decision.ts";
import { matchNow } from "./match-order.ts";
import type { Market, VenueState } from "./state.ts";

const isReached = (last: Ticks, side: Side, stop: Ticks): boolean =>
  side === "BUY" ? last >= stop : last <= stop;

export function checkStop(
  { settings }: VenueState,
  market: Market,
  { stopPrice, side }: OrderTerms,
): Rejection | null {
  if (stopPrice === null || settings.stopOnCrossed === "trigger") return null;
  if (!isReached(market.tape.last, side, stopPrice)) return null;
  const { product, tape } = market;
  const [value, limit] = [ticksText(product, stopPrice), ticksText(product, tape.last)];
  const where = side === "BUY" ? "above" : "below";
  const last = tape.traded
    ? `the last price ${limit}`
    : `${limit}, the reference price before the first trade`;
  const message = `stop_price ${value} must be ${where} ${last}: it would trigger at once`;
  const facts = { field: "stop_price", value, limit, asset: product.quote.symbol };
  return refusedByExchange("STOP_PRICE_WOULD_TRIGGER", message, facts);
}

/** The events that take an accepted order into the market: it waits as a stop, or it is matched. */
export function enterMarket(state: VenueState, market: Market, order: Order): readonly Event[] {
  const { stopPrice, side, number } = order.terms;
  if (stopPrice === null || order.phase !== "queued") return matchNow(state, market, order);
  if (!isReached(market.tape.last, side, stopPrice)) return [{ kind: "StopArmed", order: number }];
  return triggerStop(state, market, order);
}

export const triggerStop = (state: VenueState, market: Market, order: Order): readonly Event[] => [
  { kind: "StopTriggered", order: order.terms.number },
  ...matchNow(state, market, order),
];

/** After a trade at `last`. */
export function wakeStops({ triggered }: VenueState, { stops }: Market, last: Ticks): void {
  triggered.push(...stops.takeReached((side, stop) => isReached(last, side, stop)));
}

/** The stop that enters the market before anything else happens. */
export function nextStop({ triggered: [order] }: VenueState): Command<"TriggerStop"> | null {
  return order === undefined ? null : { kind: "TriggerStop", order };
}
