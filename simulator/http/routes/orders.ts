/** Reading and cancelling orders. Orders belong to the client: every key of it with the claim sees them. */
import type { Client } from "../../domain/account.ts";
import type { Order } from "../../domain/order.ts";
import { isTerminal } from "../../domain/order.ts";
import { ORDER_STATUSES } from "../../wire/order-components.ts";
import { orderJson } from "../../wire/order-view.ts";
import { choice, choices, instant, integer, oneText, products, uuids } from "../../wire/query-fields.ts";
import {
  type Call,
  clientOf,
  INVALID_CURSOR,
  idOf,
  isRefusal,
  type Refused,
  type Reply,
  type Route,
  refuse,
  successText,
} from "../route.ts";
import { refuseOrder } from "./place-order.ts";

const PLACEABLE = ["LIMIT", "MARKET", "STOP_LIMIT"] as const;
const SIDES = ["BUY", "SELL"] as const;

const OPEN_QUERY = {
  product: products("Trading pair."),
  side: choices("Order side.", SIDES),
  type: choices("Order type.", PLACEABLE),
  limit: integer("Most orders to return.", 1, 1000, 1000),
  sort: choice("Newest (DESC) or oldest (ASC) first; DESC when absent.", ["ASC", "DESC"]),
};

const LIST_QUERY = {
  product: products("Trading pair."),
  status: choices("Order status.", ORDER_STATUSES),
  side: choices("Order side.", SIDES),
  type: choices("Order type.", PLACEABLE),
  clientOrderId: uuids("Idempotency key."),
  startTime: instant("Created at or after this time."),
  endTime: instant("Created before this time."),
  sort: choice("Newest (DESC) or oldest (ASC) first; DESC when absent.", ["ASC", "DESC"]),
  limit: integer("Orders of a page.", 1, 1000, 100),
  cursor: oneText("`nextCursor` of the page before, with the same filters."),
};

const OPEN_ORDERS: Route<typeof OPEN_QUERY> = {
  method: "GET",
  path: "/order/open",
  operationId: "listOpenOrders",
  tag: "Orders",
  summary: "Read open orders",
  description:
    "All orders that are OPEN or PENDING. Beyond 1000, page through `GET /order?status=OPEN,PENDING`.",
  query: OPEN_QUERY,
  response: { status: 200, schema: "Order", list: true },
  refusals: ["FORBIDDEN"],
  handle: async (call) => {
    await call.settled();
    const client = clientOf(call);
    if (isRefusal(client)) return client;
    const { sort, limit, ...filter } = call.query;
    const numbers = [...client.openOrders];
    if (sort !== "ASC") numbers.reverse();
    const orders: Order[] = [];
    for (const number of numbers) {
      if (orders.length === limit) break;
      const order = call.state.order(number);
      if (passes(call, order, filter)) orders.push(order);
    }
    return successText(listJson(call, orders));
  },
};

const LIST_ORDERS: Route<typeof LIST_QUERY> = {
  method: "GET",
  path: "/order",
  operationId: "listOrders",
  tag: "Orders",
  summary: "Read orders, page by page",
  description: "Orders of every status. Orders placed while you page neither shift nor repeat a page.",
  query: LIST_QUERY,
  response: { status: 200, schema: "OrderPage" },
  refusals: ["INVALID_CURSOR", "FORBIDDEN"],
  handle: async (call) => {
    await call.settled();
    const client = clientOf(call);
    return isRefusal(client) ? client : page(call, client);
  },
};

function page(call: Call<typeof LIST_QUERY>, client: Client): Reply {
  const { cursor, limit, ...filter } = call.query;
  const direction = filter.sort === "ASC" ? "ASC" : "DESC";
  const scope = { ...filter, client: client.index, sort: direction };
  const after = cursor === null ? null : call.ids.orderCursors.decode(cursor, scope);
  if (cursor !== null && after === null) return INVALID_CURSOR;
  const orders: Order[] = [];
  for (const number of ordersAfter(client.orders, direction, after)) {
    if (orders.length > limit) break;
    const order = call.state.order(number);
    if (passes(call, order, filter)) orders.push(order);
  }
  const hasNext = orders.length > limit;
  if (hasNext) orders.pop();
  const last = orders.at(-1);
  const nextCursor =
    hasNext && last !== undefined ? `"${call.ids.orderCursors.encode(last.terms.number, scope)}"` : "null";
  const pagination = `{"nextCursor":${nextCursor},"hasNext":${hasNext},"sortDirection":"${direction}"}`;
  return successText(`{"items":${listJson(call, orders)},"pagination":${pagination}}`);
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
  readonly startTime?: number | null;
  readonly endTime?: number | null;
}

function passes(call: Pick<Call, "state">, order: Order, filter: Filter): boolean {
  const { terms } = order;
  const within = (allowed: readonly string[] | undefined, value: string): boolean =>
    allowed === undefined || allowed.length === 0 || allowed.includes(value);
  const ids = filter.clientOrderId?.map((id) => id.toLowerCase());
  return (
    within(filter.product, call.state.market(terms.product).product.id) &&
    within(filter.side, terms.side) &&
    within(filter.type, terms.type) &&
    within(filter.status, order.status) &&
    within(ids, terms.clientOrderId.toLowerCase()) &&
    terms.createdAt >= (filter.startTime ?? Number.NEGATIVE_INFINITY) &&
    terms.createdAt < (filter.endTime ?? Number.POSITIVE_INFINITY)
  );
}

const listJson = (call: Pick<Call, "state" | "ids">, orders: readonly Order[]): string =>
  `[${orders.map((order) => orderJson(call.state, call.ids, order)).join(",")}]`;

const READ_ORDER: Route = {
  method: "GET",
  path: "/order/{id}",
  operationId: "readOrder",
  tag: "Orders",
  summary: "Read one order",
  response: { status: 200, schema: "Order" },
  refusals: ["VALIDATION_FAILED", "FORBIDDEN", "ORDER_NOT_FOUND"],
  handle: async (call) => {
    await call.settled();
    const order = ownOrder(call);
    return "ok" in order ? order : successText(orderJson(call.state, call.ids, order));
  },
};

/** The caller's order of that id. Another client's order is as unknown as a random id (F-foreign-order-answer). */
function ownOrder(call: Call): Order | Refused {
  const id = idOf(call);
  if (typeof id !== "string") return id;
  const client = clientOf(call);
  if (isRefusal(client)) return client;
  const number = call.ids.order.numberOf(id);
  const order = number === null ? undefined : call.state.orders.get(number);
  return order !== undefined && order.terms.client === client.index
    ? order
    : refuse("ORDER_NOT_FOUND", `There is no order ${id.toLowerCase()} in this account`, [{ field: "id" }]);
}

async function cancel(call: Call): Promise<Reply> {
  const found = ownOrder(call);
  if ("ok" in found) {
    await call.settled();
    return found;
  }
  const outcome = await call.submit({
    kind: "CancelOrder",
    client: found.terms.client,
    order: found.terms.number,
  });
  if (outcome.kind === "rejected") return refuseOrder(outcome.rejection);
  const order = call.state.order(found.terms.number);
  return successText(
    orderJson(call.state, call.ids, order),
    isTerminal(order.status) ? "Order cancelled" : "Cancellation requested",
  );
}

const cancelRoute = (method: "DELETE" | "POST", path: string, operationId: string): Route => ({
  method,
  path,
  operationId,
  tag: "Orders",
  summary: method === "DELETE" ? "Cancel an order" : "Cancel an order (alias)",
  description: "Fills so far are kept. An order that is over answers 409.",
  response: { status: 200, schema: "Order" },
  refusals: ["VALIDATION_FAILED", "FORBIDDEN", "ORDER_NOT_FOUND", "ORDER_NOT_CANCELLABLE"],
  handle: cancel,
});

/** `/order/open` stands before `/order/{id}`: it is never read as the id `open`. */
export const ORDER_ROUTES: readonly Route[] = [
  OPEN_ORDERS,
  LIST_ORDERS,
  READ_ORDER,
  cancelRoute("DELETE", "/order/{id}", "cancelOrder"),
  cancelRoute("POST", "/order/{id}/cancel", "cancelOrderByPost"),
];
