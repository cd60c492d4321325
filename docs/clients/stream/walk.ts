/** Follows the book and two orders of one's own through a lost connection: docs/clients/stream/README.md says what it shows. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Gateway } from "./gateway.ts";
import type { LocalBook } from "./local-book.ts";
import type { Order } from "./own-orders.ts";
import { Stream } from "./stream.ts";

const gateway = new Gateway(
  process.env["GATEWRIGHT_BASE_URL"] ?? "http://127.0.0.1:8080/api/v1/trading",
  process.env["GATEWRIGHT_KEY_ID"] ?? "gw_demo_trader",
  process.env["GATEWRIGHT_SECRET"] ?? "sandbox-only-secret-of-gw_demo_trader",
);
const product = "BTC-USD";
const stream = new Stream(gateway, product);
stream.on("note", (sentence: string) => console.error(sentence));

/** The order is found in the stream by its client_order_id, whichever comes first: its event or this answer. */
async function place(request: Record<string, string>): Promise<Order> {
  const body = { side: "BUY", product, client_order_id: randomUUID(), ...request };
  return stream.orders.ask(body.client_order_id, async () => {
    const { type, order, message } = await gateway.call<{ type: string; order?: Order; message?: string }>(
      "POST",
      "/order",
      body,
    );
    assert.ok(order, `${type}: ${message}`);
    return order;
  });
}

const status = ({ clientOrderId }: Order) => stream.orders.get(clientOrderId)?.status;

void stream.connect();
await stream.until(() => stream.book.sequence !== undefined);
const { bids, asks } = stream.book.levels();
console.log(`book: ${bids.length} bids, ${asks.length} asks, best ${bids[0]?.price} and ${asks[0]?.price}`);

const resting = await place({ type: "LIMIT", base_quantity: "0.001", price: "30000" });
console.log(`limit order: ${resting.status}`);
stream.disconnect();
await gateway.call("DELETE", `/order/${resting.id}`);
console.log("disconnected; the limit order is cancelled behind our back");
void stream.connect();
await stream.until(() => status(resting) === "CANCELLED");
console.log("connected again; limit order: CANCELLED");

const market = await place({ type: "MARKET", quote_value: "100" });
await stream.until(() => status(market) === "FILLED");
const { filledQuantity, averageFilledPrice } = stream.orders.get(market.clientOrderId) ?? market;
console.log(`market order: FILLED, ${filledQuantity} BTC at ${averageFilledPrice}`);

/** Reads the book, and waits until ours has come as far. It may have skipped that number: then read again. */
async function compare(book: LocalBook): Promise<number> {
  for (;;) {
    const read = await gateway.call<{ bookSequence: number; bids: object[]; asks: object[] }>(
      "GET",
      `/order-book/${product}?depth=100`,
    );
    const { bookSequence } = read;
    await stream.until(() => (book.sequence ?? 0) >= bookSequence);
    if (book.sequence !== bookSequence) continue;
    assert.deepEqual(book.levels(), { bids: read.bids, asks: read.asks });
    return bookSequence;
  }
}
await compare(stream.book);
console.log("local book: the same as the gateway's");
stream.disconnect();
