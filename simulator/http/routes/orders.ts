/** Reading and cancelling orders. Orders belong to the client: every key of it with the claim sees them. */
import type { Client } from "../../domain/account.ts";
import type { Order } from "../../domain/order.ts";
import { isTerminal } from "../../domain/order.ts";
import { ok, type Result } from "../../domain/result.ts";
import type { VenueState } from "../../engine/state.ts";
import { type Component, component } from "../../wire/components.ts";
import type { Identities } from "../../wire/identities.ts";
import { orderStatuses } from "../../wire/order-components.ts";
import { orderJson } from "../../wire/order-view.ts";
import { choice, choices, instant, integer, oneText, products, uuids } from "../../wire/query-fields.ts";
import { list } from "../../wire/schema.ts";
import type { Refusal } from "../errors.ts";
import {
  type Call,
  clientOf,
  idOf,
  invalidCursor,
  type Refused,
  type Reply,
  type Route,
  refuse,
  refuseRejected,
  route,
  successText,
} from "../route.ts";

const placeable = ["LIMIT", "MARKET", "STOP_LIMIT"] as const;
const sides = ["BUY", "SELL"] as const;

const openQuery = {
  product: products("Trading pair."),
  side: choices("Order side.", sides),
  type: choices("Order type.", placeable),
  limit: integer("Most orders to return.", 1, 1000, 1000),
  sort: choice("Newest (DESC) or oldest (ASC) first; DESC when absent.", ["ASC", "DESC"]),
};

const listQuery = {
  product: products("Trading pair."),
  status: choices("Order status.", orderStatuses),
  side: choices("Order side.", sides),
  type: choices("Order type.", placeable),
  clientOrderId: uuids("Idempotency key."),
  startTime: instant("Created at or after this time."),
  endTime: instant("Created before this time."),
  sort: choice("Newest (DESC) or oldest (ASC) first; DESC when absent.", ["ASC", "DESC"]),
  limit: integer("Orders of a page.", 1, 1000, 100),
  cursor: oneText("`nextCursor` of the page before, with the same filters."),
};

const openOrders = route({
  method: "GET",
  path: "/order/open",
  operationId: "listOpenOrders",
  tag: "Orders",
  summary: "Read open orders",
  description:
    "All orders that are OPEN or PENDING. Beyond 1000, page through `GET /order?status=OPEN,PENDING`.",
  query: openQuery,
  answer: { schema: list(component("Order")) },
  refusals: ["FORBIDDEN"],
  view: (call, _outcome, state) => {
    const client = clientOf(call);
    if (!client.ok) return client;
    const { sort, limit, ...asked } = call.query;
    const filter = { ...asked, startTime: null, endTime: null };
    const numbers = call.past.openOf(client.value, state.client(client.value).openOrders);
    if (sort !== "ASC") numbers.reverse();
    const orders: Order[] = [];
    for (const number of numbers) {
      if (orders.length === limit) break;
      const order = call.past.shown(state.order(number));
      if (passes(state, order, filter)) orders.push(order);
    }
    return successText(listJson(state, call.ids, orders));
  },
});

const listOrders = route({
  method: "GET",
  path: "/order",
  operationId: "listOrders",
  tag: "Orders",
  summary: "Read orders, page by page",
  description: "Orders of every status. Orders placed while you page neither shift nor repeat a page.",
  query: listQuery,
  answer: { schema: component("OrderPage") },
  refusals: ["INVALID_CURSOR", "FORBIDDEN"],
  view: (call, _outcome, state) => {
    const client = clientOf(call);
    return client.ok ? page(call, state, state.client(client.value)) : client;
  },
});

function page(
  call: Call<typeof listQuery>,
  state: VenueState,
  client: Client,
): Reply<Component<"OrderPage">> {
  const { cursor, limit, ...filter } = call.query;
  const direction = filter.sort === "ASC" ? "ASC" : "DESC";
  const scope = { ...filter, client: client.index, sort: direction };
  const after = cursor === null ? null : call.ids.orderCursors.decode(cursor, scope);
  if (cursor !== null && after === null) return invalidCursor;
  const orders: Order[] = [];
  for (const number of ordersAfter(client.orders, direction, after)) {
    if (orders.length > limit) break;
    const order = call.past.shown(state.order(number));
    if (passes(state, order, filter)) orders.push(order);
  }
  const hasNext = orders.length > limit;
  if (hasNext) orders.pop();
  const last = orders.at(-1);
  const nextCursor =
    hasNext && last !== undefined ? `"${call.ids.orderCursors.encode(last.terms.number, scope)}"` : "null";
  const pagination = `{"nextCursor":${nextCursor},"hasNext":${hasNext},"sortDirection":"${direction}"}`;
  return successText(`{"items":${listJson(state, call.ids, orders)},"pagination":${pagination}}`);
}

/** Order numbers of a client from the cursor on, in the direction of the list. Numbers grow with time of acceptance. */
function* ordersAfter(
  numbers: readonly number[],
  direction: "ASC" | "DESC",
  after: number | null,
): IterableIterator<number> {
  const first =
    after === null ? (direction === "ASC" ? 0 : numbers.length - 1) : beside(numbers, after, direction);
  if (direction === "ASC") for (let at = first; at < numbers.length; at++) yield numbers[at] ?? 0;
  else for (let at = first; at >= 0; at--) yield numbers[at] ?? 0;
}

/** Index of the first number beyond `after`, by bisection. */
function beside(numbers: readonly number[], after: number, direction: "ASC" | "DESC"): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = numbers[middle] ?? 0;
    if (direction === "ASC" ? value <= after : value < after) low = middle + 1;
    else high = middle;
  }
  return direction === "ASC" ? low : low - 1;
}

interface Filter {
  readonly product: readonly string[];
  readonly side: readonly string[];
  readonly type: readonly string[];
  readonly status?: readonly string[];
  readonly clientOrderId?: readonly string[];
  readonly startTime: number | null;
  readonly endTime: number | null;
}

function passes(state: VenueState, order: Order, filter: Filter): boolean {
  const { terms } = order;
  const within = (allowed: readonly string[] | undefined, value: string): boolean =>
    allowed === undefined || allowed.length === 0 || allowed.includes(value);
  const ids = filter.clientOrderId?.map((id) => id.toLowerCase());
  return (
    within(filter.product, state.market(terms.product).product.id) &&
    within(filter.side, terms.side) &&
    within(filter.type, terms.type) &&
    within(filter.status, order.status) &&
    within(ids, terms.clientOrderId.toLowerCase()) &&
    terms.createdAt >= (filter.startTime ?? Number.NEGATIVE_INFINITY) &&
    terms.createdAt < (filter.endTime ?? Number.POSITIVE_INFINITY)
  );
}

const listJson = (state: VenueState, ids: Identities, orders: readonly Order[]): string =>
  `[${orders.map((order) => orderJson(state, ids, order)).join(",")}]`;

const readOrder = route({
  method: "GET",
  path: "/order/{id}",
  operationId: "readOrder",
  tag: "Orders",
  summary: "Read one order",
  answer: { schema: component("Order") },
  refusals: ["VALIDATION_FAILED", "FORBIDDEN", "ORDER_NOT_FOUND"],
  view: (call, _outcome, state) => {
    const own = orderOf(call);
    if (!own.ok) return own;
    const order = state.orders.get(own.value.order ?? 0);
    return order === undefined || order.terms.client !== own.value.client
      ? noOrder(call, state)
      : successText(orderJson(state, call.ids, call.past.shown(order)));
  },
});

/**
 * The number of the order whose id is in the path, and the calling client; the order may not exist, or may be another
 * client's. Null: no order can have this id.
 */
function orderOf(call: Call): Result<{ readonly client: number; readonly order: number | null }, Refusal> {
  const id = idOf(call);
  if (!id.ok) return id;
  const client = clientOf(call);
  if (!client.ok) return client;
  return ok({ client: client.value, order: call.ids.order.numberOf(id.value) });
}

/** Another client's order is as unknown as a random id (F-foreign-order-answer). */
function noOrder(call: Call, state: VenueState): Refused {
  const id = call.params["id"]?.toLowerCase() ?? "";
  const client = clientOf(call);
  const advice =
    client.ok && state.client(client.value).orderIds.has(id)
      ? `: this is the client_order_id of an order. GET /order?clientOrderId=${id} shows it with its id`
      : "";
  return refuse("ORDER_NOT_FOUND", `There is no order ${id} in this account${advice}`, [{ field: "id" }]);
}

const cancel: Pick<Route, "decode" | "view"> = {
  decode: (call) => {
    const own = orderOf(call);
    if (!own.ok) return own;
    const { client, order } = own.value;
    return ok(order === null ? null : { kind: "CancelOrder", client, order });
  },
  view: (call, outcome, state) => {
    if (outcome.kind === "rejected" && outcome.rejection.code !== "ORDER_NOT_FOUND")
      return refuseRejected(outcome.rejection);
    const order = state.orders.get(outcome.kind === "done" ? outcome.number : 0);
    if (order === undefined) return noOrder(call, state);
    return successText(
      orderJson(state, call.ids, order),
      isTerminal(order.status) ? "Order cancelled" : "Cancellation requested",
    );
  },
};

const cancelRoute = (method: "DELETE" | "POST", path: string, operationId: string): Route => ({
  method,
  path,
  operationId,
  tag: "Orders",
  summary: method === "DELETE" ? "Cancel an order" : "Cancel an order (alias)",
  description: "Fills so far are kept. An order that has ended is answered 409.",
  message: "Order cancelled",
  answer: { schema: component("Order") },
  refusals: ["VALIDATION_FAILED", "FORBIDDEN", "ORDER_NOT_FOUND", "ORDER_NOT_CANCELLABLE"],
  ...cancel,
});

/** `/order/open` comes before `/order/{id}`, so it is never read as the id `open`. */
export const orderRoutes: readonly Route[] = [
  openOrders,
  listOrders,
  readOrder,
  cancelRoute("DELETE", "/order/{id}", "cancelOrder"),
  cancelRoute("POST", "/order/{id}/cancel", "cancelOrderByPost"),
];
