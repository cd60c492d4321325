import { describe, expect, it } from "vitest";
import type { Exchange } from "../model/exchange.ts";
import { EndedOrders } from "./ended-orders.ts";
import { readJson } from "./lossless-json.ts";

/** A single read with the times of its request and answer, and the order that it showed. */
function seen(from: number, to: number, shown: object, operation = "readOrder"): Exchange {
  const order = { id: "order-1", clientOrderId: "a", productId: "BTC-USD", ...shown };
  const bytes = Buffer.from(JSON.stringify({ data: order }));
  const reading = readJson(bytes);
  return {
    request: { method: "GET", path: "/order/order-1", headers: [], body: bytes, role: "trader", operation },
    transport: "response",
    reply: { status: 200, headers: [], body: bytes },
    ...(reading.ok ? { json: reading.json } : {}),
    startedAt: from,
    endedAt: to,
  };
}

const said = (...exchanges: readonly Exchange[]): string[] => {
  const ended = new EndedOrders();
  return exchanges.flatMap((exchange) =>
    ended.read(exchange).map(({ clause, pointer, actual }) => `${clause} ${pointer} ${actual}`),
  );
};

const cancelled = {
  status: "CANCELLED",
  synced: true,
  filledQuantity: "1.0",
  fees: "0.25",
  commission: null,
};

describe("an order that has ended", () => {
  it("keeps its value, in any number of digits", () => {
    const again = { ...cancelled, filledQuantity: "1", fees: null, commission: "0.25", updatedAt: "later" };
    expect(said(seen(0, 1, cancelled), seen(2, 3, again))).toEqual([]);
  });

  it.each([
    ["STA-04 /data/status FILLED", { status: "FILLED" }],
    ["STA-06 /data/filledQuantity 2", { filledQuantity: "2" }],
    ["STA-06 /data/fees 0.5", { fees: "0.50" }],
  ])("is charged with %s", (line, shown) => {
    expect(said(seen(0, 1, cancelled), seen(2, 3, { ...cancelled, ...shown }))).toEqual([line]);
  });

  it("may still change while it does not agree with the exchange", () => {
    const early = { ...cancelled, synced: false };
    expect(said(seen(0, 1, early), seen(2, 3, { ...cancelled, fees: "0.5" }))).toEqual([]);
    expect(said(seen(0, 1, { ...early, status: "OPEN" }), seen(2, 3, cancelled))).toEqual([]);
  });

  it("is not held against an earlier question, a list or a repeat", () => {
    const open = { ...cancelled, status: "OPEN", filledQuantity: "0.5" };
    expect(said(seen(0, 5, cancelled), seen(4, 6, open))).toEqual([]);
    expect(said(seen(0, 1, cancelled), seen(2, 3, open, "openOrders"))).toEqual([]);
    expect(said(seen(0, 1, cancelled), seen(2, 3, open, "placeOrder"))).toEqual([]);
  });
});
