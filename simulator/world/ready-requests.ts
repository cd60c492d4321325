/** The requests of the list of outcomes. */
import type { ReadyRequest } from "./outcome.ts";

/** A LIMIT order that rests far from the market. `prefix`: the first group of its `client_order_id`. */
export const placing = (prefix: string, change: object = {}): ReadyRequest => ({
  method: "POST",
  path: "/order",
  body: {
    product: "BTC-USD",
    side: "BUY",
    type: "LIMIT",
    base_quantity: "0.001",
    price: "50000",
    client_order_id: `${prefix}-0000-4000-8000-000000000001`,
    ...change,
  },
});

export const cancelIt: ReadyRequest = { method: "DELETE", path: "/order/{order}" };

export const openOrders: ReadyRequest = { method: "GET", path: "/order/open" };
