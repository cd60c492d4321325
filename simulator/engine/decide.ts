/**
 * The decider: `decide(state, stamp, command)` reads the state and returns an outcome and the events that follow. It
 * changes nothing; `apply` is the only thing that does.
 *
 * A command without events leaves no trace: no journal entry and no sequence number. Refusals and replays are such.
 */
import type { CancelOrder, Command } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import { isTerminal } from "../domain/order.ts";
import { type Decision, done, rejected, type Stamp } from "./decision.ts";
import { decideDeposit } from "./deposits.ts";
import { decidePrint, decideRefresh } from "./liquidity.ts";
import { decidePlaceOrder } from "./place-order.ts";
import { matchNow, matchOrder } from "./settle.ts";
import type { VenueState } from "./state.ts";
import { decideVenueRule } from "./venue-rules.ts";

export function decide(state: VenueState, stamp: Stamp, command: Command): Decision {
  switch (command.kind) {
    case "PlaceOrder":
      return decidePlaceOrder(state, stamp, command);
    case "CancelOrder":
      return decideCancel(state, stamp, command);
    case "MatchOrder":
    case "ConfirmOrder":
    case "FinishCancel":
    case "TriggerStop":
    case "SyncOrders":
    case "ExpireOrder":
      return decideFollowUp(state, stamp, command);
    case "RefreshLiquidity":
      return decideRefresh(state, command);
    case "PrintTrade":
      return decidePrint(state, command);
    case "CreateDepositAddress":
    case "CreateDeposit":
    case "AdvanceDeposit":
    case "FailDeposit":
    case "AdjustBalance":
      return decideDeposit(state, command);
    default:
      return decideVenueRule(state, command);
  }
}

export const CANCELLED_BY_CLIENT = "User initiated cancellation";

function decideCancel(state: VenueState, stamp: Stamp, command: CancelOrder): Decision {
  const order = state.orders.get(command.order);
  if (order === undefined || order.terms.client !== command.client) {
    return rejected({ code: "ORDER_NOT_FOUND", message: "There is no such order" });
  }
  if (isTerminal(order.status)) {
    const message = `The order is ${order.status} and can no longer be cancelled`;
    return rejected({ code: "ORDER_NOT_CANCELLABLE", message, status: order.status });
  }
  if (order.due?.action === "FinishCancel") return done([], command.order);
  const events: Event[] =
    state.settings.cancelMode === "async"
      ? [
          {
            kind: "CancelRequested",
            order: command.order,
            finishAt: stamp.at + state.settings.confirmDelayMs,
          },
        ]
      : [{ kind: "OrderClosed", order: command.order, status: "CANCELLED", reason: CANCELLED_BY_CLIENT }];
  return done(events, command.order);
}

type FollowUp = Extract<
  Command,
  { kind: "MatchOrder" | "ConfirmOrder" | "FinishCancel" | "TriggerStop" | "SyncOrders" | "ExpireOrder" }
>;

/** Commands that the agenda asks for. What has become moot in the meantime has no events. */
function decideFollowUp(state: VenueState, stamp: Stamp, command: FollowUp): Decision {
  if (command.kind === "SyncOrders") {
    const orders = command.orders.filter((number) => state.orders.get(number)?.syncAt !== null);
    return done(orders.length === 0 ? [] : [{ kind: "OrdersSynced", orders }]);
  }
  const order = state.orders.get(command.order);
  if (order === undefined) return rejected({ code: "ORDER_NOT_FOUND", message: "There is no such order" });
  if (isTerminal(order.status)) {
    return rejected({
      code: "ORDER_NOT_CANCELLABLE",
      message: `The order is ${order.status} already`,
      status: order.status,
    });
  }
  const market = state.market(order.terms.product);
  const close = (status: "CANCELLED" | "EXPIRED" | "FAILED", reason: string): Decision =>
    done([{ kind: "OrderClosed", order: command.order, status, reason }], command.order);
  switch (command.kind) {
    case "MatchOrder":
      return done(order.phase === "queued" ? matchOrder(state, market, order) : [], command.order);
    case "ConfirmOrder":
      if (order.status !== "PENDING") return done([], command.order);
      if (command.to === "FAILED") return close("FAILED", "The exchange has no record of the order");
      return done([
        { kind: "OrderConfirmed", order: command.order, matchAt: stamp.at + state.settings.matchDelayMs },
      ]);
    case "FinishCancel":
      return close("CANCELLED", CANCELLED_BY_CLIENT);
    case "TriggerStop":
      if (order.phase !== "waiting-for-stop") return done([], command.order);
      return done(
        [{ kind: "StopTriggered", order: command.order }, ...matchNow(state, market, order)],
        command.order,
      );
    case "ExpireOrder":
      return close("EXPIRED", "Order expired");
  }
}
