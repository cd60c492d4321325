/** Bugs in the order record, in what is listed, and in fills: M-109 to M-126, M-142 to M-147, M-169, M-173, M-190. */
import { randomUUID } from "node:crypto";
import { successText } from "../http/route.ts";
import { orderJson } from "../wire/order-view.ts";
import { handling } from "./changed-call.ts";
import { type BrokenCall, type Decorators, type Defect, defect } from "./defect.ts";
import { type OrderRecord, ordersWith } from "./order-records.ts";

const DECIMALS = [
  "baseQuantity",
  "quoteValue",
  "limitPrice",
  "stopPrice",
  "filledQuantity",
  "filledValue",
  "averageFilledPrice",
  "fees",
];

/** Fields that hold something, changed. */
const changedFields =
  (names: readonly string[], change: (value: string) => unknown) =>
  (order: OrderRecord): OrderRecord => ({
    ...order,
    ...Object.fromEntries(
      names
        .filter((name) => typeof order[name] === "string")
        .map((name) => [name, change(String(order[name]))]),
    ),
  });

const setting =
  (fields: Readonly<Record<string, unknown>>) =>
  (order: OrderRecord): OrderRecord => ({ ...order, ...fields });

const isFilled = (order: OrderRecord): boolean => Number(order["filledQuantity"] ?? 0) > 0;
const whenFilled = (change: (order: OrderRecord) => OrderRecord): Decorators =>
  ordersWith((order) => (isFilled(order) ? change(order) : order));
const scaled = (value: unknown, factor: number): string => (Number(value) * factor).toFixed(8);

/** The open orders, but others than they are. */
const listing = (numbers: (call: BrokenCall) => Iterable<number>): Decorators => ({
  route: handling("listOpenOrders", async (call, handle) => {
    const reply = await handle();
    if (!reply.ok) return reply;
    const orders = [...numbers(call)].map((number) =>
      orderJson(call.state, call.ids, call.state.order(number)),
    );
    return successText(`[${orders.join(",")}]`);
  }),
});

const clientOf = (call: BrokenCall) =>
  call.caller.client === null ? null : call.state.client(call.caller.client);

/** Orders that were cancelled long enough ago for another fill. */
function fillLater(now: () => number) {
  const cancelled = new Map<unknown, number>();
  return (order: OrderRecord): OrderRecord => {
    if (order["status"] !== "CANCELLED") return order;
    const since = cancelled.get(order["id"]) ?? now();
    cancelled.set(order["id"], since);
    if (now() - since < LATER_MS) return order;
    return { ...order, status: "FILLED", filledQuantity: order["baseQuantity"] };
  };
}
const LATER_MS = 200;

/** A cancel of one's own open order is confirmed, and the order stays on offer. */
const neverCancelling = handling("cancelOrder", async (call, handle) => {
  const number = call.ids.order.numberOf(call.params["id"]?.toLowerCase() ?? "");
  if (number === null || clientOf(call)?.openOrders.has(number) !== true) return handle();
  const shown = orderJson(call.state, call.ids, call.state.order(number));
  return successText(shown.replace('"status":"OPEN"', '"status":"CANCELLED"'), "Order cancelled");
});

export const ORDER_DEFECTS: readonly Defect[] = [
  defect("M-109", () => ordersWith(changedFields(DECIMALS, Number))),
  defect("M-110", () =>
    ordersWith(changedFields(DECIMALS, (value) => (value.includes(".") ? value : Number(value)))),
  ),
  defect("M-111", () =>
    ordersWith(
      changedFields(DECIMALS, (value) => (Number(value) < 0.001 ? Number(value).toExponential() : value)),
    ),
  ),
  defect("M-112", () => ordersWith(changedFields(["createdAt", "updatedAt"], (value) => Date.parse(value)))),
  defect("M-113", () =>
    ordersWith(changedFields(["createdAt", "updatedAt"], (value) => value.replace(/-\d\dT/, "-32T"))),
  ),
  defect("M-114", () => ordersWith(changedFields(["status"], (value) => value.toLowerCase()))),
  defect("M-115", () => ordersWith((order) => ({ ...order, synced: String(order["synced"]) }))),
  defect("M-116", () => ordersWith(changedFields(["clientOrderId"], () => randomUUID()))),
  defect("M-117", () => ordersWith(setting({ side: "BUY", type: "LIMIT", limitPrice: "0" }))),
  defect("M-118", () => ordersWith(setting({ createdAt: null }))),
  defect("M-119", () => {
    const first = new Map<unknown, unknown>();
    return ordersWith((order) => {
      const id = first.get(order["productId"]) ?? order["id"];
      first.set(order["productId"], id);
      return { ...order, id };
    });
  }),
  defect("M-120", () =>
    ordersWith(({ totalUserRecieveAmount, ...order }) => ({
      ...order,
      totalUserReceiveAmount: totalUserRecieveAmount,
    })),
  ),
  defect("M-121", () => ordersWith(setting({ orderEditHistory: "none" }))),
  defect("M-122", () => ordersWith((order) => ({ ...order, postOnly: String(order["postOnly"]) }))),
  defect("M-123", () =>
    ordersWith((order) =>
      order["limitPrice"] === null ? order : { ...order, quoteValue: scaled(order["quoteValue"], 0.5) },
    ),
  ),
  defect("M-124", () =>
    listing((call) => call.state.clients.flatMap(({ openOrders }) => [...openOrders]).slice(-200)),
  ),
  defect("M-125", () => listing(() => [])),
  defect("M-126", () => listing((call) => clientOf(call)?.orders.slice(-200) ?? [])),
  defect("M-142", () =>
    whenFilled((order) => ({ ...order, filledQuantity: scaled(order["filledQuantity"], 2) })),
  ),
  defect("M-143", () =>
    whenFilled((order) => ({ ...order, averageFilledPrice: scaled(order["averageFilledPrice"], 1.02) })),
  ),
  defect("M-144", () =>
    whenFilled((order) => ({
      ...order,
      totalUserRecieveAmount: order["side"] === "BUY" ? order["filledValue"] : order["filledQuantity"],
    })),
  ),
  defect("M-169", () =>
    whenFilled((order) => {
      if (order["type"] !== "MARKET") return order;
      return {
        ...order,
        averageFilledPrice: scaled(order["averageFilledPrice"], 3),
        filledQuantity: scaled(order["filledQuantity"], 1 / 3),
      };
    }),
  ),
  defect("M-145", () =>
    whenFilled((order) => {
      if (order["type"] !== "LIMIT" || order["side"] !== "BUY") return order;
      const price = scaled(order["limitPrice"], 1.01);
      return {
        ...order,
        averageFilledPrice: price,
        filledValue: scaled(order["filledQuantity"], Number(price)),
      };
    }),
  ),
  defect("M-146", () => ordersWith(setting({ synced: false }))),
  defect("M-173", () => ordersWith((order) => ({ ...order, synced: order["synced"] !== true }))),
  defect("M-147", ({ now }) => ordersWith(fillLater(now))),
  defect("M-190", () => ({ route: neverCancelling })),
];
