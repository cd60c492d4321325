/**
 * `apply(state, event, at)`: the only thing that changes the state of the venue. It decides nothing; an event
 * that it cannot carry out is a bug and throws an `InvariantViolation`.
 */
import type { Event, EventKind } from "../domain/event.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import type { Side } from "../domain/order.ts";
import { accountEvents } from "./apply-account.ts";
import { orderEvents } from "./apply-order.ts";
import { applyTrade } from "./apply-trade.ts";
import { marketOwner, syntheticOrder } from "./book/order-book.ts";
import { type LevelChange, levelAt, noChanges, noteRecords, touchBook } from "./changes.ts";
import type { Appliers, VenueState } from "./state.ts";

export function apply(state: VenueState, event: Event, at: number): void {
  // as: the applier of a kind takes events of that kind.
  const applier = appliers[event.kind] as Appliers<EventKind>[EventKind];
  applier(state, event as never, at);
  noteRecords(state, event);
}

const sides: readonly Side[] = ["BUY", "SELL"];

const appliers: Appliers<EventKind> = {
  ...orderEvents,
  ...accountEvents,
  Traded: applyTrade,
  TradePrinted: applyTrade,
  LiquidityCleared: (state, { product }, at) => {
    const market = state.market(product);
    const { book } = market;
    const levels: LevelChange[] = [];
    for (const side of sides) {
      const slots = [...book.slots(side)].filter((slot) => book.order(slot) === syntheticOrder);
      for (const slot of slots) {
        const price = book.price(slot);
        book.remove(slot);
        levels.push(levelAt(market, side, price));
      }
    }
    market.refreshedAt = at;
    market.liquidityTouched = false;
    touchBook(state, market, levels, at);
  },
  LiquidityRested: (state, { product, side, price, quantity }, at) => {
    const market = state.market(product);
    market.book.add(side, price, quantity, marketOwner, syntheticOrder);
    touchBook(state, market, [levelAt(market, side, price)], at);
  },
};

/** A stamped entry begins: the market clock never goes back and the sequence has no gap. */
export function beginEntry(state: VenueState, seq: number, at: number): void {
  if (seq !== state.seq + 1) throw new InvariantViolation(`entry ${seq} does not follow entry ${state.seq}`);
  if (at < state.now)
    throw new InvariantViolation(`entry ${seq} goes back in time from ${state.now} to ${at}`);
  state.seq = seq;
  state.now = at;
  state.changes = noChanges();
}
