import type { ValueMap } from "../model/value.ts";
import { call, key, settle } from "./templates.ts";

/**
 * MARKET BUYs, what they are sized against, and what became of them. Amounts are written as calculations from what
 * the profile says may be spent, so that a file that fails here runs on another target with other prices.
 */
export const book: ValueMap = {
  product: { $product: "liquid" },
  quantity: { $qty: "typical" },
  least: { $spend: "min" },
  bid: { $price: { side: "BUY", away: "near", product: "${product}" } },
  ask: { $price: { side: "SELL", away: "near", product: "${product}" } },
  middle: { $calc: "(bid + ask) / 2 @ 2" },
};

/** An offer of our own inside the spread: what a buy meets first is then known. */
export function offer(id: string, price: string, quantity: string): ValueMap {
  return call(id, "placeOrder", {
    as: "counterparty",
    body: {
      side: "SELL",
      type: "LIMIT",
      base_quantity: quantity,
      price,
      client_order_id: key(id),
      product: "${product}",
    },
  });
}

/** Places a MARKET BUY and waits until it has ended; `judged` speaks about the order then. */
export function buy(slot: string, fields: ValueMap, judged: ValueMap): ValueMap[] {
  const body = { side: "BUY", type: "MARKET", ...fields, client_order_id: key(slot), product: "${product}" };
  return [
    call(`${slot}Placed`, "placeOrder", { body }, { capture: { [`${slot}Order`]: "#/data/order/id" } }),
    settle,
    {
      id: slot,
      poll: {
        call: { op: "readOrder", params: { id: `\${${slot}Order}` } },
        until: ended,
        every: "50ms",
        within: "5s",
      },
      ...judged,
    },
  ];
}

const ended: ValueMap = { order: { status: { $in: ["FILLED", "CANCELLED", "FAILED", "EXPIRED"] } } };
export const trading = { capabilities: ["liquidity.cross"], operations: ["readOrder"] };
