/** Bugs in the order record, in what is listed, and in fills. */
import { randomUUID } from "node:crypto";
import { successText } from "../http/route.ts";
import { handling } from "../variations/changed-call.ts";
import { type BrokenCall, bug, type Decorators, type Defect } from "../variations/defect.ts";
import { type OrderRecord, ordersWith } from "../variations/order-records.ts";
import { orderJson } from "../wire/order-view.ts";

const decimals = [
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
    if (now() - since < laterMs) return order;
    return { ...order, status: "FILLED", filledQuantity: order["baseQuantity"] };
  };
}
const laterMs = 200;

/** A cancel of one's own open order is confirmed, and the order stays on offer. */
const neverCancelling = handling("cancelOrder", async (call, handle) => {
  const number = call.ids.order.numberOf(call.params["id"]?.toLowerCase() ?? "");
  if (number === null || clientOf(call)?.openOrders.has(number) !== true) return handle();
  const shown = orderJson(call.state, call.ids, call.state.order(number));
  return successText(shown.replace('"status":"OPEN"', '"status":"CANCELLED"'), "Order cancelled");
});

export const orderDefects: readonly Defect[] = [
  bug("M-109", "Decimals are JSON numbers", ["GEN-04", "ORD-13"], () =>
    ordersWith(changedFields(decimals, Number)),
  ),
  bug("M-110", "Whole decimals are JSON numbers", ["GEN-04", "ORD-13", "ORD-19"], () =>
    ordersWith(changedFields(decimals, (value) => (value.includes(".") ? value : Number(value)))),
  ),
  bug("M-111", "Small decimals have an exponent", ["ORD-13", "ORD-19", "ORD-20", "ORD-36", "GEN-04"], () =>
    ordersWith(
      changedFields(decimals, (value) => (Number(value) < 0.001 ? Number(value).toExponential() : value)),
    ),
  ),
  bug("M-112", "Times are numbers", ["GEN-06", "ORD-08", "ORD-09"], () =>
    ordersWith(changedFields(["createdAt", "updatedAt"], (value) => Date.parse(value))),
  ),
  bug("M-113", "Times name a day that does not exist", ["GEN-06", "ORD-08", "ORD-09"], () =>
    ordersWith(changedFields(["createdAt", "updatedAt"], (value) => value.replace(/-\d\dT/, "-32T"))),
  ),
  bug("M-114", "status is in lower case", ["ORD-06", "STA-01"], () =>
    ordersWith(changedFields(["status"], (value) => value.toLowerCase())),
  ),
  bug("M-115", "synced is a string", ["ORD-07"], () =>
    ordersWith((order) => ({ ...order, synced: String(order["synced"]) })),
  ),
  bug("M-116", "clientOrderId is another than was sent", ["ORD-40", "ORD-04"], () =>
    ordersWith(changedFields(["clientOrderId"], () => randomUUID())),
  ),
  bug("M-117", "Side, type and price are always the same", ["ORD-41", "ORD-45"], () =>
    ordersWith(setting({ side: "BUY", type: "LIMIT", limitPrice: "0" })),
  ),
  bug("M-118", "createdAt is null", ["ORD-08"], () => ordersWith(setting({ createdAt: null }))),
  bug("M-119", "Orders of a product share one id", ["ORD-38"], () => {
    const first = new Map<unknown, unknown>();
    return ordersWith((order) => {
      const id = first.get(order["productId"]) ?? order["id"];
      first.set(order["productId"], id);
      return { ...order, id };
    });
  }),
  bug("M-120", "totalUserRecieveAmount is spelled otherwise", { recommended: ["ORD-37"] }, () =>
    ordersWith(({ totalUserRecieveAmount, ...order }) => ({
      ...order,
      totalUserReceiveAmount: totalUserRecieveAmount,
    })),
  ),
  bug("M-121", "orderEditHistory is a string", ["ORD-30"], () =>
    ordersWith(setting({ orderEditHistory: "none" })),
  ),
  bug("M-122", "postOnly is a string", ["ORD-29"], () =>
    ordersWith((order) => ({ ...order, postOnly: String(order["postOnly"]) })),
  ),
  bug("M-123", "quoteValue is half of what it should be", ["ORD-47"], () =>
    ordersWith((order) =>
      order["limitPrice"] === null ? order : { ...order, quoteValue: scaled(order["quoteValue"], 0.5) },
    ),
  ),
  bug("M-124", "Open orders shows those of other clients", ["OWN-02"], () =>
    listing((call) => call.state.clients.flatMap(({ openOrders }) => [...openOrders]).slice(-200)),
  ),
  bug("M-125", "Open orders is always empty", ["EPT-07"], () => listing(() => [])),
  bug("M-126", "Orders that are over stay among the open ones", ["EPT-09"], () =>
    listing((call) => clientOf(call)?.orders.slice(-200) ?? []),
  ),
  bug("M-142", "More is filled than was ordered", ["ORD-53"], () =>
    whenFilled((order) => ({ ...order, filledQuantity: scaled(order["filledQuantity"], 2) })),
  ),
  bug("M-143", "The average price is not the average", ["ORD-54"], () =>
    whenFilled((order) => ({ ...order, averageFilledPrice: scaled(order["averageFilledPrice"], 1.02) })),
  ),
  bug("M-144", "The amount received is in the other asset", ["ORD-56"], () =>
    whenFilled((order) => ({
      ...order,
      totalUserRecieveAmount: order["side"] === "BUY" ? order["filledValue"] : order["filledQuantity"],
    })),
  ),
  bug("M-169", "A MARKET order trades far from the book", ["PLC-30"], () =>
    whenFilled((order) => {
      if (order["type"] !== "MARKET") return order;
      return {
        ...order,
        averageFilledPrice: scaled(order["averageFilledPrice"], 3),
        filledQuantity: scaled(order["filledQuantity"], 1 / 3),
      };
    }),
  ),
  bug("M-145", "A LIMIT BUY fills above its limit", ["PLC-31"], () =>
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
  bug("M-146", "synced never becomes true", ["ORD-51"], () => ordersWith(setting({ synced: false }))),
  bug("M-173", "synced says the opposite", { recommended: ["ORD-50", "ORD-51"] }, () =>
    ordersWith((order) => ({ ...order, synced: order["synced"] !== true })),
  ),
  bug("M-147", "A cancelled order fills later", ["STA-04"], ({ now }) => ordersWith(fillLater(now))),
  bug("M-190", "A cancel is confirmed, and the order stays on offer", ["EPT-11", "STA-04"], () => ({
    route: neverCancelling,
  })),
];
