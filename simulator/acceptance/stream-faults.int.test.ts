/** Promised failures of the stream, as a client meets them. */
import { afterEach, expect, test } from "vitest";
import { asObject, type JsonObject } from "../testing/client.ts";
import { connectStream, type StreamClient } from "../testing/stream-client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy } from "../testing/venue.ts";

const venue = useVenue();
const rules = (...list: readonly JsonObject[]): Promise<JsonObject> =>
  venue().control("/faults", { rules: list.map((rule, index) => ({ id: `rule-${index}`, ...rule })) });
afterEach(() => venue().control("/faults", {}, "DELETE"));

async function orders(key = "trader"): Promise<StreamClient> {
  const stream = await connectStream(venue().as(key));
  stream.subscribe("orders");
  await stream.nextOf("snapshot");
  return stream;
}

/** Number and price of each update, in the order in which they came. */
const heard = (messages: readonly JsonObject[]): unknown[] =>
  messages
    .filter(({ type }) => type === "update")
    .map(({ sequence, data }) => [sequence, asObject(asObject(data ?? null)["order"] ?? null)["limitPrice"]]);

async function place(...prices: readonly string[]): Promise<void> {
  for (const price of prices) await venue().placed(limitBuy({ price }));
}

test.each<[string, unknown[]]>([
  [
    "streamDrop",
    [
      [3, "1001"],
      [5, "1003"],
      [6, "1004"],
    ],
  ],
  [
    "streamDuplicate",
    [
      [3, "1001"],
      [4, "1002"],
      [4, "1002"],
      [5, "1003"],
      [6, "1004"],
    ],
  ],
  [
    "streamReorder",
    [
      [3, "1001"],
      [5, "1003"],
      [4, "1002"],
      [6, "1004"],
    ],
  ],
])("%s strikes the message that is meant, and numbers show it", async (kind, expected) => {
  const stream = await orders();
  await rules({ fault: { kind }, key: "trader", nth: 2 });
  await place("1001", "1002", "1003", "1004");
  const messages = await stream.caughtUp();
  expect(heard(messages)).toEqual(expected);
  expect((await stream.nextOf("pong"))["sequence"]).toBe(7);
  await stream.close();
});

test("streamStall: nothing comes for that long, and then everything", async () => {
  const stream = await orders();
  await rules({ fault: { kind: "streamStall", ms: 1500 }, count: 1 });
  await place("1001", "1002");
  await venue().trader.get("/product");
  expect(heard(stream.messages)).toEqual([]);
  await stream.next(({ sequence }) => sequence === 4);
  expect(heard(stream.messages)).toEqual([
    [3, "1001"],
    [4, "1002"],
  ]);
  await stream.close();
});

test("streamSlow: each message comes, in its order and late", async () => {
  const stream = await orders();
  await rules({ fault: { kind: "streamSlow", ms: 400 } });
  const began = performance.now();
  await place("1001", "1002");
  await stream.next(({ sequence }) => sequence === 4);
  // Far later than without the fault; the timer of the fault and this clock need not agree to the millisecond.
  expect(performance.now() - began).toBeGreaterThan(300);
  expect(heard(stream.messages)).toEqual([
    [3, "1001"],
    [4, "1002"],
  ]);
  await place("1003");
  await stream.next(({ sequence }) => sequence === 5);
  expect(performance.now() - began).toBeGreaterThan(780);
  await stream.close();
});

test("streamClose: cut without a close frame", async () => {
  const stream = await orders();
  await rules({ fault: { kind: "streamClose" }, product: "BTC-USD" });
  await venue().placed(limitBuy({ product: "ETH-USD", price: "2000", base_quantity: "0.1" }));
  await stream.nextOf("update");
  await place("1001");
  expect(await stream.closed).toEqual({ code: 1006, reason: "" });
});

test("others are not struck, and neither is what no channel says", async () => {
  const [struck, spared] = await Promise.all([orders("trader"), orders("trader")]);
  const stranger = await orders("other");
  await rules({ fault: { kind: "streamDrop" }, key: "other" });
  await place("1001");
  await venue().placed(limitBuy({ price: "1002" }), "other");
  for (const stream of [struck, spared]) {
    expect(heard(await stream.caughtUp())).toEqual([[3, "1001"]]);
    await stream.close();
  }
  const messages = await stranger.caughtUp();
  expect(heard(messages)).toEqual([]);
  expect((await stranger.nextOf("pong"))["sequence"]).toBe(4);
  await stranger.close();
});

test("a fault of the stream takes no conditions of requests", async () => {
  const reply = await venue().controlReply("/faults", {
    rules: [{ id: "x", route: "GET /product", clientOrderIdPrefix: "0", fault: { kind: "streamDrop" } }],
  });
  expect(reply.status).toBe(400);
  expect(reply.text).toMatch(/route does not go with streamDrop.*clientOrderIdPrefix/);
});
