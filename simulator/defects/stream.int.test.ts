/** Each defect of the stream does what its title says, and a venue with it goes on streaming. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { asObject, type JsonObject } from "../testing/client.ts";
import { connectStream, refusedStream, type StreamClient } from "../testing/stream-client.ts";
import { limitBuy, type Venue, withVenue } from "../testing/venue.ts";

const unsigned = { headers: { "X-API-KEY": undefined, "X-API-SIGNATURE": undefined } };
const wrong = { secret: "another" };
const stale = (): { readonly sign: { readonly timestamp: string } } => ({
  sign: { timestamp: String(Date.now() - 3_600_000) },
});

const withDefect = (id: string, work: (venue: Venue) => Promise<void>): Promise<void> =>
  withVenue({ defects: [id] }, work);

async function ordersOf(venue: Venue, key: string): Promise<StreamClient> {
  const stream = await connectStream(venue.as(key));
  stream.subscribe("orders");
  await stream.nextOf("snapshot");
  return stream;
}

const dataOf = (message: JsonObject): JsonObject => asObject(message["data"] ?? null);

test("M-134 accepts any handshake", async () => {
  await withDefect("M-134", async (venue) => {
    for (const options of [unsigned, wrong, stale()]) {
      const stream = await connectStream(venue.trader, options);
      stream.subscribe("orderBook", { products: ["BTC-USD"] });
      await stream.nextOf("snapshot");
      await stream.close();
    }
  });
});

test("M-135 looks at the signature alone", async () => {
  await withDefect("M-135", async (venue) => {
    const nonce = randomUUID();
    expect((await venue.trader.get("/product", { sign: { nonce } })).status).toBe(200);
    await (await connectStream(venue.trader, { sign: { nonce } })).close();
    await (await connectStream(venue.trader, stale())).close();
    expect((await refusedStream(venue.trader, wrong)).status).toBe(401);
    expect((await venue.trader.get("/product", { sign: { nonce } })).code).toBe("NONCE_REUSED");
  });
});

test("M-136 tells a client about the orders of another", async () => {
  await withDefect("M-136", async (venue) => {
    const stranger = await ordersOf(venue, "other");
    const { id } = await venue.placed(limitBuy());
    expect(dataOf(await stranger.nextOf("update", "orders"))).toMatchObject({ order: { id } });
    await stranger.close();
  });
});

test("M-137 says nothing of an order", async () => {
  await withDefect("M-137", async (venue) => {
    const stream = await ordersOf(venue, "trader");
    await venue.placed(limitBuy());
    await venue.settle();
    expect((await stream.caughtUp()).map(({ type }) => type)).toEqual(["subscriptions", "snapshot"]);
    await stream.close();
  });
});

async function bookOf(venue: Venue): Promise<StreamClient> {
  const stream = await connectStream(venue.trader);
  stream.subscribe("orderBook", { products: ["BTC-USD"] });
  await stream.nextOf("snapshot");
  return stream;
}

test("M-175 loses the updates of a book, and their numbers show it", async () => {
  await withDefect("M-175", async (venue) => {
    const stream = await bookOf(venue);
    await venue.placed(limitBuy());
    await venue.settle();
    const heard = await stream.caughtUp();
    expect(heard.map(({ type }) => type)).toEqual(["subscriptions", "snapshot"]);
    stream.subscribe("orders");
    const { sequence } = await stream.nextOf("snapshot", "orders");
    expect(sequence).toBeGreaterThan(heard.length + 2);
    await stream.close();
  });
});

test("M-176 gives the sides of a change the wrong way round", async () => {
  await withDefect("M-176", async (venue) => {
    const stream = await bookOf(venue);
    await venue.placed(limitBuy());
    await venue.settle();
    const { bids, asks } = dataOf(await stream.nextOf("update", "orderBook"));
    expect([bids, asks]).toEqual([[], [expect.objectContaining({ price: "30000" })]]);
    await stream.close();
  });
});

test("M-178 gives the sides of the first book the wrong way round", async () => {
  await withDefect("M-178", async (venue) => {
    await venue.placed(limitBuy());
    await venue.settle();
    const stream = await connectStream(venue.trader);
    stream.subscribe("orderBook", { products: ["BTC-USD"] });
    const { bids, asks } = dataOf(await stream.nextOf("snapshot"));
    expect([bids, asks]).toEqual([[], [expect.objectContaining({ price: "30000" })]]);
    await stream.close();
  });
});

test("M-179 loses the first picture of a channel, and its number shows it", async () => {
  await withDefect("M-179", async (venue) => {
    const stream = await connectStream(venue.trader);
    stream.subscribe("orders");
    stream.subscribe("wallets");
    const numbers = [await stream.nextOf("subscriptions"), await stream.nextOf("subscriptions")];
    expect(numbers.map(({ sequence }) => sequence)).toEqual([1, 3]);
    await stream.close();
  });
});

test("M-177 confirms no subscription", async () => {
  await withDefect("M-177", async (venue) => {
    const stream = await bookOf(venue);
    expect((await stream.caughtUp()).map(({ type }) => type)).toEqual(["snapshot"]);
    await stream.close();
  });
});

test("M-138 spells decimals as numbers", async () => {
  await withDefect("M-138", async (venue) => {
    const stream = await ordersOf(venue, "trader");
    await venue.placed(limitBuy());
    const { order } = dataOf(await stream.nextOf("update", "orders"));
    expect(order).toMatchObject({ baseQuantity: 0.01, limitPrice: 30_000, status: "OPEN" });
    await stream.close();
  });
});

test("M-163 refuses a right handshake, and takes requests", async () => {
  await withDefect("M-163", async (venue) => {
    expect((await refusedStream(venue.trader)).body["code"]).toBe("INVALID_SIGNATURE");
    expect((await venue.trader.get("/order/open")).status).toBe(200);
  });
});

test("V-50 sends more than was requested, and counts it", async () => {
  await withDefect("V-50", async (venue) => {
    const stream = await ordersOf(venue, "trader");
    await venue.placed(limitBuy());
    const seen = await stream.caughtUp();
    expect(seen.map(({ type }) => type)).toEqual([
      "subscriptions",
      "notice",
      "marketStatus",
      "snapshot",
      "marketStatus",
      "update",
    ]);
    expect(seen.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    await stream.close();
  });
});

test("V-51 refuses by closing right after the upgrade", async () => {
  await withDefect("V-51", async (venue) => {
    const stream = await connectStream(venue.trader, wrong);
    expect(await stream.closed).toMatchObject({ code: 1008 });
    expect(stream.messages).toEqual([]);
    await (await ordersOf(venue, "trader")).close();
  });
});
