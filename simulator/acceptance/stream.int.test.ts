/** The stream as a client meets it: handshake, channels, sequence, and how both join the reads. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { JsonObject } from "../testing/client.ts";
import { asObject } from "../testing/client.ts";
import { connectStream, refusedStream, type StreamClient } from "../testing/stream-client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, limitSell, marketBuy } from "../testing/venue.ts";

const venue = useVenue();
const trader = (): Promise<StreamClient> => connectStream(venue().trader);

test("a heartbeat tells a quiet market from a dead stream", async () => {
  const stream = await trader();
  stream.subscribe("heartbeat", { requestId: "r1" });
  expect(await stream.next()).toMatchObject({
    type: "subscriptions",
    sequence: 1,
    requestId: "r1",
    subscriptions: [{ channel: "heartbeat" }],
  });
  expect(await stream.next()).toMatchObject({ type: "heartbeat", sequence: 2, data: { counter: 1 } });
  expect(await stream.close()).toMatchObject({ code: 1005 });
});

test("an order book comes as a snapshot and goes on with what changes", async () => {
  const stream = await trader();
  stream.subscribe("orderBook", { products: ["BTC-USD"] });
  await stream.nextOf("subscriptions");
  const snapshot = await stream.nextOf("snapshot", "orderBook");
  const { bookSequence } = asObject(snapshot["data"] ?? null);
  const placed = await venue().placed(limitBuy({ price: "31000" }));
  await venue().settle();
  const update = await stream.nextOf("update", "orderBook");
  expect(update["data"]).toMatchObject({
    prevBookSequence: bookSequence,
    bids: [{ price: "31000", quantity: "0.01" }],
    asks: [],
  });
  await venue().trader.delete(`/order/${String(placed["id"])}`);
  const gone = await stream.nextOf("update", "orderBook");
  expect(gone["data"]).toMatchObject({ bids: [{ price: "31000", quantity: "0" }] });
  const read = await venue().trader.get("/order-book/BTC-USD");
  expect(read.data["bookSequence"]).toBe(asObject(gone["data"] ?? null)["bookSequence"]);
  await stream.close();
});

test("orders tell every change of the client's own, each revision once", async () => {
  const stream = await trader();
  stream.subscribe("orders");
  expect(await stream.nextOf("snapshot", "orders")).toMatchObject({ data: { orders: [], final: true } });
  const other = await venue().placed(limitSell({ price: "60000" }), "counterparty");
  const mine = await venue().placed(marketBuy({ quote_value: "601.5" }));
  await venue().settle();
  const seen = (await stream.caughtUp()).filter((message) => message["channel"] === "orders").slice(1);
  // An earlier test's order may still be reconciled.
  const data = seen
    .map((message) => asObject(message["data"] ?? null))
    .filter(({ order }) => asObject(order ?? null)["id"] === mine["id"]);
  expect(data.map(({ event, revision }) => `${String(event)} ${String(revision)}`)).toEqual([
    "ACCEPTED 1",
    "FILL 2",
    "SYNCED 3",
  ]);
  const orders = data.map(({ order }) => asObject(order ?? null));
  expect(orders.map(({ status }) => status)).toEqual(["OPEN", "FILLED", "FILLED"]);
  expect(orders[2]).toEqual(await venue().order(String(mine["id"])));
  expect(JSON.stringify(stream.messages)).not.toContain(String(other["id"]));
  expect(asObject(data[1]?.["fill"] ?? null)).toMatchObject({ price: "60000", liquidity: "TAKER" });
  await stream.close();
});

test("the handshake is refused with the status and body of any request", async () => {
  const client = venue().trader;
  const statusAndCode = async (work: Promise<{ status: number; body: JsonObject }>): Promise<unknown> => {
    const { status, body } = await work;
    return [status, body["code"]];
  };
  const unsigned = { "X-API-KEY": undefined, "X-API-SIGNATURE": undefined };
  expect(await statusAndCode(refusedStream(client, { headers: unsigned }))).toEqual([
    401,
    "MISSING_CREDENTIALS",
  ]);
  expect(await statusAndCode(refusedStream(client, { secret: "another" }))).toEqual([
    401,
    "INVALID_SIGNATURE",
  ]);
  const nonce = randomUUID();
  expect((await client.get("/product", { sign: { nonce } })).status).toBe(200);
  expect(await statusAndCode(refusedStream(client, { sign: { nonce } }))).toEqual([401, "NONCE_REUSED"]);
  const old = String(Date.now() - 3_600_000);
  expect(await statusAndCode(refusedStream(client, { sign: { timestamp: old } }))).toEqual([
    401,
    "TIMESTAMP_OUT_OF_WINDOW",
  ]);
});

test("an event may come before the answer to its request, and shows the same order", async () => {
  const stream = await trader();
  stream.subscribe("orders");
  await stream.nextOf("snapshot", "orders");
  const rule = {
    id: "late",
    route: "POST /order",
    key: "trader",
    fault: { kind: "delayResponse", ms: 500 },
  };
  await venue().control("/faults", { rules: [rule] });
  const order = limitBuy();
  let answered = false;
  const answer = venue()
    .trader.place(order)
    .finally(() => {
      answered = true;
    });
  const event = await stream.nextOf("update", "orders");
  expect(answered).toBe(false);
  const heard = asObject(asObject(event["data"] ?? null)["order"] ?? null);
  expect(heard["clientOrderId"]).toBe(order["client_order_id"]);
  expect(asObject((await answer).data["order"] ?? null)).toEqual(heard);
  await venue().control("/faults", { rules: [] });
  await stream.close();
});
