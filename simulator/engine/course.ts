/**
 * The course of an order (fault `course`): the acts that happen to it, one by one, while the market leaves it alone. The acts wait
 * in its `due`, so a snapshot holds them and a replay needs no rule.
 */
import { lots, type Ticks } from "../domain/amount.ts";
import type { Event } from "../domain/event.ts";
import type { CourseStep } from "../domain/fault.ts";
import type { Act, Due, Order, OrderTerms } from "../domain/order.ts";
import { type Deciders, done, rejected } from "./decision.ts";
import { matchShare } from "./match-order.ts";
import { closing, fill, noRecord, notFound } from "./order-actions.ts";
import { remainingLots, type VenueState } from "./state.ts";
import { enterMarket } from "./stops.ts";

export const courseDeciders: Deciders<"TakeCourse"> = {
  TakeCourse: (state, { order: number }, { at }) => {
    const order = state.orders.get(number);
    if (order === undefined) return rejected(notFound);
    const [act, ...rest] = order.due?.acts ?? [];
    if (act === undefined) return done([], number);
    const events = eventsOf(state, order, act, at);
    const ended = events.some((event) => event.kind === "OrderClosed" && event.order === number);
    // A confirmed order without a further act is matched like any other.
    if (ended || (act.does === "confirm" && rest.length === 0)) return done(events, number);
    return done([...events, { kind: "CourseTaken", order: number, due: dueAfter(rest, at) }], number);
  },
};

function eventsOf(state: VenueState, order: Order, act: Act, at: number): readonly Event[] {
  const { number } = order.terms;
  const market = state.market(order.terms.product);
  switch (act.does) {
    case "confirm":
      return [{ kind: "OrderConfirmed", order: number, matchAt: at + state.settings.matchDelayMs }];
    case "fail":
      return [closing(number, "FAILED", noRecord)];
    case "match":
      return order.phase === "queued" ? enterMarket(state, market, order) : [];
    case "cancel":
      return [closing(number, "CANCELLED", "Cancelled by the exchange")];
    case "expire":
      return [closing(number, "EXPIRED", "Order expired")];
    case "fill": {
      if (act.upTo !== undefined) return matchShare(state, market, order, act.upTo);
      const quantity = lots(Math.min(act.quantity ?? 0, remainingLots(order) ?? 0));
      return quantity === 0 || act.price === undefined ? [] : fill(state, order, quantity, act.price);
    }
  }
}

/** When the first of the acts is due; null: none is left, and the order stays as it is. */
function dueAfter(acts: readonly Act[], at: number): Due | null {
  const [first] = acts;
  return first === undefined ? null : { at: at + first.afterMs, action: "TakeCourse", acts };
}

/** The state in which an order with a course begins, and what is due then. */
export function beginCourse(
  steps: readonly CourseStep[],
  terms: OrderTerms,
  at: number,
): { readonly status: "OPEN" | "PENDING"; readonly due: Due | null } {
  const first = steps[0]?.do;
  return {
    status: first === "confirm" || first === "fail" ? "PENDING" : "OPEN",
    due: dueAfter(actsOf(steps, terms), at),
  };
}

/** Shares become lots so that they add up: a hundred percent in all are the whole order. */
function actsOf(steps: readonly CourseStep[], { side, quantity, price }: OrderTerms): Act[] {
  let share = 0;
  let before = 0;
  return steps.map(({ do: does, afterMs, percent = 100, betterBy = 0 }) => {
    if (does !== "fill") return { does, afterMs };
    share = Math.min(100, share + percent);
    if (quantity === null || price === null) return { does, afterMs, upTo: share };
    const upTo = Number((BigInt(quantity) * BigInt(share)) / 100n);
    const act: Act = { does, afterMs, quantity: lots(upTo - before), price: better(price, side, betterBy) };
    before = upTo;
    return act;
  });
}

const better = (price: Ticks, side: "BUY" | "SELL", by: number): Ticks =>
  // as: still a whole number of ticks, above zero and safe.
  (side === "BUY" ? Math.max(1, price - by) : Math.min(Number.MAX_SAFE_INTEGER, price + by)) as Ticks;
