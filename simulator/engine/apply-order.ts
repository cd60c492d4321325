/** Changes of one order: its status, phase, hold, place in the book, and what is due next. */
import { lots, noUnits } from "../domain/amount.ts";
import type { Event } from "../domain/event.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import { type DueAction, type Order, type OrderStatus, transitions } from "../domain/order.ts";
import { levelAt, touchBook } from "./changes.ts";
import { holdAsset, setHold, stillCosts } from "./holds.ts";
import { openOrder } from "./match-order.ts";
import type { Appliers, VenueState } from "./state.ts";

export const orderEvents: Appliers<
  | "OrderAccepted"
  | "OrderHeld"
  | "CourseTaken"
  | "OrderConfirmed"
  | "OrderRested"
  | "StopArmed"
  | "StopTriggered"
  | "OrderReduced"
  | "OrderClosed"
  | "CancelRequested"
  | "OrdersSynced"
> = {
  OrderAccepted: (state, event, at) => {
    const order = openOrder(event, at);
    if (order.willSync !== false && order.phase !== "unconfirmed")
      order.syncAt = at + syncDelay(state, order);
    state.enter(order);
    state.ledger.hold(order.terms.client, holdAsset(state, order), order.hold, at);
  },
  OrdersSynced: (state, { orders }, at) => {
    for (const number of orders) {
      const order = state.order(number);
      order.synced = true;
      order.syncAt = null;
      order.updatedAt = at;
      order.revision++;
    }
  },
  OrderHeld: (state, { order }) => {
    state.order(order).due = null;
  },
  CourseTaken: (state, { order: number, due }) => {
    state.order(number).due = due;
    if (due !== null) state.agenda.addAction(number, due.at);
  },
  OrderConfirmed: (state, { order: number, matchAt }, at) => {
    const order = state.order(number);
    setStatus(order, "OPEN");
    order.phase = "queued";
    order.accepted = true;
    // A cancel that is under way stays what is due next.
    if (order.due?.action !== "FinishCancel") setDue(state, order, "MatchOrder", matchAt);
    touchOrder(state, order, at);
  },
  CancelRequested: (state, { order: number, finishAt }, at) => {
    const order = state.order(number);
    if (finishAt !== null) setDue(state, order, "FinishCancel", finishAt);
    order.synced = false;
    // A refusal shows as an order that is synced again, as it was.
    order.syncAt = typeof order.willCancel === "number" ? at + order.willCancel : null;
    if (order.syncAt !== null) state.agenda.addSync(number, order.syncAt);
    order.updatedAt = at;
    order.revision++;
  },
  OrderRested: (state, { order: number, quantity }, at) => {
    const order = state.order(number);
    const { price, side, client } = order.terms;
    if (price === null) throw new InvariantViolation(`order ${number} rests without a price`);
    const market = state.market(order.terms.product);
    order.slot = market.book.add(side, price, quantity, client, number);
    order.phase = "resting";
    dropMatch(order);
    touchBook(state, market, [levelAt(market, side, price)], at);
  },
  StopArmed: (state, { order: number }) => {
    const order = state.order(number);
    const { stopPrice, side, product } = order.terms;
    if (stopPrice === null) throw new InvariantViolation(`order ${number} waits without a stop price`);
    state.market(product).stops.add(side, stopPrice, number);
    order.phase = "waiting-for-stop";
    dropMatch(order);
  },
  StopTriggered: (state, { order: number }, at) => {
    const order = state.order(number);
    dropTriggered(state, order);
    order.phase = "queued";
    dropMatch(order);
    touchOrder(state, order, at);
  },
  OrderReduced: (state, { order: number, quantity }, at) => {
    const order = state.order(number);
    const before = stillCosts(state, order);
    order.removed = lots(order.removed + quantity);
    setHold(state, order, order.hold - (before - stillCosts(state, order)), at);
    if (order.slot >= 0) {
      const market = state.market(order.terms.product);
      const price = market.book.price(order.slot);
      if (market.book.reduce(order.slot, quantity)) order.slot = -1;
      touchBook(state, market, [levelAt(market, order.terms.side, price)], at);
    }
    touchOrder(state, order, at);
  },
  OrderClosed: close,
};

/** Every visible change. */
export function touchOrder(state: VenueState, order: Order, at: number): void {
  order.revision++;
  renew(state, order, at);
}

/** A new time, and a reconciliation to come (F-sync-delay). */
function renew(state: VenueState, order: Order, at: number): void {
  order.updatedAt = at;
  order.synced = false;
  if (order.willSync !== false && order.phase !== "unconfirmed") {
    order.syncAt = at + syncDelay(state, order);
    state.agenda.addSync(order.terms.number, order.syncAt);
  }
}

const syncDelay = ({ settings }: VenueState, { willSync }: Order): number =>
  typeof willSync === "number" ? willSync : settings.syncDelayMs;

export function setStatus(order: Order, status: OrderStatus): void {
  const allowed = transitions[order.status].includes(status);
  if (!allowed)
    throw new InvariantViolation(`order ${order.terms.number} cannot go from ${order.status} to ${status}`);
  order.status = status;
}

function setDue(state: VenueState, order: Order, action: DueAction, at: number): void {
  order.due = { at, action };
  state.agenda.addAction(order.terms.number, at);
}

function dropMatch(order: Order): void {
  if (order.due?.action === "MatchOrder") order.due = null;
}

function close(state: VenueState, { order: number, status, reason }: Event<"OrderClosed">, at: number): void {
  const order = state.order(number);
  const market = state.market(order.terms.product);
  if (order.slot >= 0) {
    const price = market.book.price(order.slot);
    market.book.remove(order.slot);
    order.slot = -1;
    touchBook(state, market, [levelAt(market, order.terms.side, price)], at);
  }
  if (order.phase === "waiting-for-stop") {
    market.stops.remove(order.terms.side, order.terms.number);
    dropTriggered(state, order);
  }
  setStatus(order, status);
  order.phase = "done";
  order.due = null;
  order.reason = reason;
  setHold(state, order, noUnits, at);
  state.client(order.terms.client).openOrders.delete(order.terms.number);
  // The fill that completes an order and its end are one change, which the fill has counted.
  if (status === "FILLED") renew(state, order, at);
  else touchOrder(state, order, at);
}

function dropTriggered(state: VenueState, order: Order): void {
  const at = state.triggered.indexOf(order.terms.number);
  if (at >= 0) state.triggered.splice(at, 1);
}
