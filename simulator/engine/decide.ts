/**
 * The decider: `decide(state, stamp, command)` reads the state and returns an outcome and the events that follow. It
 * changes nothing; `apply` is the only thing that does.
 *
 * A command without events leaves no trace: no journal entry and no sequence number. Refusals and replays are such.
 */
import type { Command, CommandKind } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import { isTerminal, type Order, type OrderNumber } from "../domain/order.ts";
import { courseDeciders } from "./course.ts";
import { type Deciders, type Decision, done, rejected, type Stamp } from "./decision.ts";
import { depositDeciders } from "./deposits.ts";
import { decidePrint, decideRefresh } from "./liquidity.ts";
import { closing, noRecord, notFound, orderActions } from "./order-actions.ts";
import { decidePlaceOrder } from "./place-order.ts";
import type { Market, VenueState } from "./state.ts";
import { enterMarket, triggerStop } from "./stops.ts";
import { venueRules } from "./venue-rules.ts";

export function decide(state: VenueState, stamp: Stamp, command: Command): Decision {
  // as: the decider of a kind takes commands of that kind.
  const decider = deciders[command.kind] as Deciders<CommandKind>[CommandKind];
  return decider(state, command as never, stamp);
}

export const cancelledByClient = "User initiated cancellation";

const deciders: Deciders<CommandKind> = {
  PlaceOrder: decidePlaceOrder,
  CancelOrder: decideCancel,
  MatchOrder: (state, { order: number }) =>
    onOpenOrder(state, number, (order, market) =>
      order.phase === "queued" ? enterMarket(state, market, order) : [],
    ),
  ConfirmOrder: (state, { order: number, to }, { at }) =>
    onOpenOrder(state, number, (order) => {
      if (order.status !== "PENDING") return [];
      if (to === "FAILED") return [closing(number, "FAILED", noRecord)];
      return [{ kind: "OrderConfirmed", order: number, matchAt: at + state.settings.matchDelayMs }];
    }),
  FinishCancel: (state, { order }) =>
    onOpenOrder(state, order, () => [closing(order, "CANCELLED", cancelledByClient)]),
  TriggerStop: (state, { order: number }) =>
    onOpenOrder(state, number, (order, market) =>
      order.phase === "waiting-for-stop" ? triggerStop(state, market, order) : [],
    ),
  SyncOrders: (state, { orders: numbers }) => {
    const orders = numbers.filter((number) => state.orders.get(number)?.syncAt !== null);
    return done(orders.length === 0 ? [] : [{ kind: "OrdersSynced", orders }]);
  },
  ExpireOrder: (state, { order }) =>
    onOpenOrder(state, order, () => [closing(order, "EXPIRED", "Order expired")]),
  CancelByExchange: (state, { order }) =>
    onOpenOrder(state, order, () => [closing(order, "CANCELLED", "Cancelled by the exchange")]),
  ...orderActions,
  ...courseDeciders,
  RefreshLiquidity: decideRefresh,
  PrintTrade: decidePrint,
  ...depositDeciders,
  ...venueRules,
};

function decideCancel(
  state: VenueState,
  { client, order: number }: Command<"CancelOrder">,
  { at }: Stamp,
): Decision {
  const order = state.orders.get(number);
  if (order === undefined || order.terms.client !== client) return rejected(notFound);
  if (isTerminal(order.status)) {
    const message = `The order is ${order.status} and can no longer be cancelled`;
    return rejected({ code: "ORDER_NOT_CANCELLABLE", message, status: order.status });
  }
  if (order.due?.action === "FinishCancel") return done([], number);
  if (order.willCancel !== true)
    return done([{ kind: "CancelRequested", order: number, finishAt: null }], number);
  const { cancelMode, confirmDelayMs } = state.settings;
  const event: Event =
    cancelMode === "async"
      ? { kind: "CancelRequested", order: number, finishAt: at + confirmDelayMs }
      : closing(number, "CANCELLED", cancelledByClient);
  return done([event], number);
}

/** Commands of the agenda. One that has become moot in the meantime has no events. */
function onOpenOrder(
  state: VenueState,
  number: OrderNumber,
  eventsOf: (order: Order, market: Market) => readonly Event[],
): Decision {
  const order = state.orders.get(number);
  if (order === undefined) return rejected(notFound);
  if (!isTerminal(order.status)) return done(eventsOf(order, state.market(order.terms.product)), number);
  const message = `The order is ${order.status} already`;
  return rejected({ code: "ORDER_NOT_CANCELLABLE", message, status: order.status });
}
