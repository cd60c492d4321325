/** Changes of one order: its status, phase, hold, place in the book, and what is due next. */
import { lots, NO_UNITS } from "../domain/amount.ts";
import type { Event, OrderAccepted } from "../domain/event.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import { type DueAction, type Order, type OrderStatus, TRANSITIONS } from "../domain/order.ts";
import { touchBook } from "./book-change.ts";
import { holdAsset, setHold, stillCosts } from "./holds.ts";
import { openOrder } from "./settle.ts";
import type { VenueState } from "./state.ts";

type OrderEvent = Extract<
  Event,
  {
    kind:
      | "OrderAccepted"
      | "OrderConfirmed"
      | "OrderRested"
      | "StopArmed"
      | "StopTriggered"
      | "OrderReduced"
      | "OrderClosed"
      | "CancelRequested"
      | "OrdersSynced";
  }
>;

export function applyOrder(state: VenueState, event: OrderEvent, at: number): void {
  switch (event.kind) {
    case "OrderAccepted":
      return accept(state, event, at);
    case "OrdersSynced":
      for (const number of event.orders) sync(state.order(number), at);
      return;
    case "OrderConfirmed": {
      const order = state.order(event.order);
      setStatus(order, "OPEN");
      order.phase = "queued";
      order.accepted = true;
      // A cancel that is under way stays what is due next.
      if (order.due?.action !== "FinishCancel") setDue(state, order, "MatchOrder", event.matchAt);
      return touchOrder(state, order, at);
    }
    case "CancelRequested": {
      const order = state.order(event.order);
      setDue(state, order, "FinishCancel", event.finishAt);
      order.synced = false;
      order.syncAt = null;
      order.updatedAt = at;
      order.revision++;
      return;
    }
    case "OrderRested":
      return rest(state, state.order(event.order), event.quantity, at);
    case "StopArmed":
      return armStop(state, state.order(event.order));
    case "StopTriggered": {
      const order = state.order(event.order);
      dropTriggered(state, order);
      order.phase = "queued";
      if (order.due?.action === "MatchOrder") order.due = null;
      return touchOrder(state, order, at);
    }
    case "OrderReduced":
      return reduce(state, state.order(event.order), event.quantity, at);
    case "OrderClosed":
      return close(state, state.order(event.order), event.status, event.reason, at);
  }
}

/** Every visible change. */
export function touchOrder(state: VenueState, order: Order, at: number): void {
  order.revision++;
  renew(state, order, at);
}

/** A new time, and a reconciliation to come (F-sync-delay). */
function renew(state: VenueState, order: Order, at: number): void {
  order.updatedAt = at;
  order.synced = false;
  if (order.willSync && order.phase !== "unconfirmed") {
    order.syncAt = at + state.settings.syncDelayMs;
    state.agenda.addSync(order.terms.number, order.syncAt);
  }
}

function accept(state: VenueState, event: OrderAccepted, at: number): void {
  const order = openOrder(event, at);
  if (order.willSync && order.phase !== "unconfirmed") order.syncAt = at + state.settings.syncDelayMs;
  state.enter(order);
  state.ledger.hold(order.terms.client, holdAsset(state, order), order.hold, at);
}

export function setStatus(order: Order, status: OrderStatus): void {
  const allowed = TRANSITIONS[order.status].includes(status);
  if (!allowed)
    throw new InvariantViolation(`order ${order.terms.number} cannot go from ${order.status} to ${status}`);
  order.status = status;
}

function setDue(state: VenueState, order: Order, action: DueAction, at: number): void {
  order.due = { at, action };
  state.agenda.addAction(order.terms.number, at);
}

function sync(order: Order, at: number): void {
  order.synced = true;
  order.syncAt = null;
  order.updatedAt = at;
  order.revision++;
}

function rest(state: VenueState, order: Order, quantity: number, at: number): void {
  const { price, side, client, number } = order.terms;
  if (price === null) throw new InvariantViolation(`order ${number} rests without a price`);
  const market = state.market(order.terms.product);
  order.slot = market.book.add(side, price, lots(quantity), client, number);
  order.phase = "resting";
  if (order.due?.action === "MatchOrder") order.due = null;
  touchBook(market, at);
}

function armStop(state: VenueState, order: Order): void {
  const { stopPrice, side, number } = order.terms;
  if (stopPrice === null) throw new InvariantViolation(`order ${number} waits without a stop price`);
  state.market(order.terms.product).stops.add(side, stopPrice, number);
  order.phase = "waiting-for-stop";
  if (order.due?.action === "MatchOrder") order.due = null;
}

function reduce(state: VenueState, order: Order, quantity: number, at: number): void {
  const before = stillCosts(state, order);
  order.removed = lots(order.removed + quantity);
  setHold(state, order, order.hold - (before - stillCosts(state, order)), at);
  if (order.slot >= 0) {
    const market = state.market(order.terms.product);
    if (market.book.reduce(order.slot, lots(quantity))) order.slot = -1;
    touchBook(market, at);
  }
  touchOrder(state, order, at);
}

function close(
  state: VenueState,
  order: Order,
  status: OrderStatus,
  reason: string | null,
  at: number,
): void {
  const market = state.market(order.terms.product);
  if (order.slot >= 0) {
    market.book.remove(order.slot);
    order.slot = -1;
    touchBook(market, at);
  }
  if (order.phase === "waiting-for-stop") {
    market.stops.remove(order.terms.side, order.terms.number);
    dropTriggered(state, order);
  }
  setStatus(order, status);
  order.phase = "done";
  order.due = null;
  order.reason = reason;
  setHold(state, order, NO_UNITS, at);
  state.client(order.terms.client).openOrders.delete(order.terms.number);
  // The fill that completes an order and its end are one change, which the fill has counted.
  if (status === "FILLED") renew(state, order, at);
  else touchOrder(state, order, at);
}

function dropTriggered(state: VenueState, order: Order): void {
  const at = state.triggered.indexOf(order.terms.number);
  if (at >= 0) state.triggered.splice(at, 1);
}
