/**
 * `apply(state, event, at)`: the only thing that changes the state of the venue. It decides nothing; what it cannot
 * carry out is a bug and throws an `InvariantViolation`.
 */
import type { Event } from "../domain/event.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import { applyAccount } from "./apply-account.ts";
import { applyOrder } from "./apply-order.ts";
import { applyTrade } from "./apply-trade.ts";
import { MARKET_OWNER, SYNTHETIC } from "./book/order-book.ts";
import { touchBook } from "./book-change.ts";
import type { Market, VenueState } from "./state.ts";

export function apply(state: VenueState, event: Event, at: number): void {
  switch (event.kind) {
    case "OrderAccepted":
    case "OrderConfirmed":
    case "OrderRested":
    case "StopArmed":
    case "StopTriggered":
    case "OrderReduced":
    case "OrderClosed":
    case "CancelRequested":
    case "OrdersSynced":
      return applyOrder(state, event, at);
    case "Traded":
    case "TradePrinted":
      return applyTrade(state, event, at);
    case "LiquidityCleared":
      return clearLiquidity(state.market(event.product), at);
    case "LiquidityRested": {
      const market = state.market(event.product);
      market.book.add(event.side, event.price, event.quantity, MARKET_OWNER, SYNTHETIC);
      return touchBook(market, at);
    }
    default:
      return applyAccount(state, event, at);
  }
}

/** A stamped entry begins: the market clock never goes back and the sequence has no gap. */
export function beginEntry(state: VenueState, seq: number, at: number): void {
  if (seq !== state.seq + 1) throw new InvariantViolation(`entry ${seq} does not follow entry ${state.seq}`);
  if (at < state.now)
    throw new InvariantViolation(`entry ${seq} goes back in time from ${state.now} to ${at}`);
  state.seq = seq;
  state.now = at;
}

function clearLiquidity(market: Market, at: number): void {
  for (const side of ["BUY", "SELL"] as const) {
    const slots = [...market.book.slots(side)].filter((slot) => market.book.order(slot) === SYNTHETIC);
    for (const slot of slots) market.book.remove(slot);
  }
  market.refreshedAt = at;
  market.liquidityTouched = false;
  touchBook(market, at);
}
