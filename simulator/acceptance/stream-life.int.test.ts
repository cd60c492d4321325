/** Rules for every message, and the stream after a restart of the venue. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import type { InternalOptions } from "../internal-options.ts";
import { orderEvents } from "../stream/channels.ts";
import { serverMessages } from "../stream/messages.ts";
import { asObject, type JsonObject } from "../testing/client.ts";
import { type Faults, through } from "../testing/failing-journal.ts";
import { connectStream } from "../testing/stream-client.ts";
import { followAll, playAll } from "../testing/stream-script.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, limitSell, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";
import { compile } from "../wire/testing/ajv.ts";

const withWorld = useWorlds();

const dataOf = (message: JsonObject): JsonObject => asObject(message["data"] ?? {});

/** The message of the table that this one claims to be. */
function schemaOf(message: JsonObject): (typeof serverMessages)[number] | undefined {
  const { type, channel } = message;
  return serverMessages.find(
    ({ channel: own, schema }) => own === (channel ?? null) && schema.properties?.["type"]?.const === type,
  );
}

test("every message fits its schema, and every kind of message and of event is heard", async () => {
  await withWorld({}, async (venue) => {
    const stream = await followAll(venue);
    stream.send({ type: "nonsense" });
    stream.subscribe("heartbeat");
    await playAll(venue);
    await stream.nextOf("heartbeat");
    await stream.caughtUp();
    const kinds = new Set<string>();
    const checks = new Map(serverMessages.map(({ name, schema }) => [name, compile(schema)]));
    for (const message of stream.messages) {
      const found = schemaOf(message);
      const fits = checks.get(found?.name ?? "");
      expect([fits?.(message), fits?.errors], JSON.stringify(message)).toEqual([true, null]);
      kinds.add(found?.name ?? "");
    }
    expect([...kinds].sort()).toEqual(serverMessages.map(({ name }) => name).sort());
    const events = stream.messages.flatMap((message) => dataOf(message)["event"] ?? []);
    expect(new Set<unknown>(events)).toEqual(new Set(orderEvents));
    const closed = stream.messages.filter((message) => dataOf(message)["closed"] === true);
    expect(closed.length).toBeGreaterThan(0);
    await stream.close();
  });
});

test("the same commands give the same messages, byte for byte", async () => {
  const run = (): Promise<string> =>
    withVenue({ seed: 5 }, async (venue) => {
      const stream = await followAll(venue);
      await playAll(venue);
      const seen = JSON.stringify(await stream.caughtUp());
      await stream.close();
      return seen;
    });
  const first = await run();
  expect(first.length).toBeGreaterThan(20_000);
  expect(await run()).toBe(first);
});

test("books and revisions go on where they were after a restart", async () => {
  await inFolder(async (db) => {
    let kept: JsonObject = {};
    const before = await withVenue({ db }, async (venue) => {
      const stream = await followAll(venue);
      await playAll(venue);
      kept = await venue.placed(limitBuy({ price: "20000" }));
      await venue.settle();
      await stream.caughtUp();
      await stream.close();
      return (await venue.trader.get("/order-book/BTC-USD")).data;
    });
    await withVenue({ db }, async (venue) => {
      expect((await venue.trader.get("/order-book/BTC-USD")).data).toEqual(before);
      const stream = await followAll(venue);
      const snapshot = stream.messages.find(
        ({ channel, type }) => channel === "orderBook" && type === "snapshot",
      );
      expect(dataOf(snapshot ?? {})["bookSequence"]).toBe(before["bookSequence"]);
      await venue.trader.delete(`/order/${String(kept["id"])}`);
      // Accepted, reconciled, and now cancelled.
      expect(dataOf(await stream.nextOf("update", "orders"))).toMatchObject({
        event: "CANCELLED",
        revision: 3,
      });
      const update = await stream.nextOf("update", "orderBook");
      expect(dataOf(update)["prevBookSequence"]).toBe(before["bookSequence"]);
      await stream.close();
    });
  });
});

async function inFolder<T>(work: (db: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-stream-"));
  try {
    return await work(path.join(folder, "venue.db"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const options = (commit: Faults): InternalOptions => ({
  clock: "manual",
  world: quietWorld(),
  retryMs: 5,
  throughJournal: through(commit),
});

test("what was committed although the commit failed ends the stream: the next snapshot has it", async () => {
  await inFolder(async (db) => {
    const disk: Faults = { commit: "works", times: 0, snapshotFails: false, isGone: false };
    await withVenue({ ...options(disk), db }, async (venue) => {
      const stream = await followAll(venue);
      Object.assign(disk, { commit: "stores and fails", times: 1 });
      expect((await venue.trader.place(limitBuy({ price: "22000" }))).code).toBe("OUTCOME_UNKNOWN");
      expect(await stream.closed).toMatchObject({ code: 1001 });
      expect(stream.messages.filter(({ type }) => type === "update")).toEqual([]);
      await expect.poll(async () => (await venue.open("/health/ready")).status).toBe(200);
      const again = await followAll(venue);
      const snapshot = again.messages.find(({ channel }) => channel === "orders");
      expect(dataOf(snapshot ?? {})["orders"]).toMatchObject([{ limitPrice: "22000" }]);
      await again.close();
    });
  });
});

test("what was not committed is not told, and the stream goes on", async () => {
  await inFolder(async (db) => {
    const disk: Faults = { commit: "works", times: 0, snapshotFails: false, isGone: false };
    await withVenue({ ...options(disk), db }, async (venue) => {
      const stream = await followAll(venue);
      await venue.placed(limitBuy({ price: "20000" }));
      Object.assign(disk, { commit: "loses", times: 1 });
      expect((await venue.trader.place(limitBuy({ price: "21000" }))).code).toBe("OUTCOME_UNKNOWN");
      await expect.poll(async () => (await venue.open("/health/ready")).status).toBe(200);
      await venue.placed(limitSell({ price: "99000" }));
      const prices = (await stream.caughtUp())
        .filter(({ type, channel }) => type === "update" && channel === "orders")
        .map((message) => asObject(dataOf(message)["order"] ?? null)["limitPrice"]);
      expect(prices).toEqual(["20000", "99000"]);
      await stream.close();
    });
  });
});

test("each client hears of its own account alone, and only with the claim", async () => {
  await withWorld({}, async (venue) => {
    const streams = await Promise.all(["trader", "other"].map((key) => connectStream(venue.as(key))));
    for (const stream of streams) {
      stream.send({ type: "subscribe", channels: ["orders", "wallets", "deposits"] });
      await stream.nextOf("snapshot", "deposits");
    }
    await playAll(venue);
    await venue.placed(limitBuy(), "other");
    const [mine = [], others = []] = await Promise.all(streams.map((stream) => stream.caughtUp()));
    const owners = (messages: readonly JsonObject[]): unknown[] => [
      ...new Set(
        messages.flatMap((message) => {
          const { order } = dataOf(message);
          return order === undefined ? [] : [asObject(order)["userId"]];
        }),
      ),
    ];
    expect(owners(mine)).toHaveLength(1);
    expect(owners(others)).toHaveLength(1);
    expect(owners(mine)).not.toEqual(owners(others));
    expect(others.filter(({ channel, type }) => channel === "deposits" && type === "update")).toEqual([]);
    const writer = await connectStream(venue.as("write-orders"));
    writer.subscribe("orders", { requestId: "r" });
    expect(await writer.next()).toMatchObject({ code: "MISSING_CLAIM", requestId: "r" });
    const orphan = await connectStream(venue.as("orphan"));
    orphan.subscribe("orders");
    expect(await orphan.next()).toMatchObject({ code: "FORBIDDEN" });
    orphan.subscribe("trades", { products: ["BTC-USD"] });
    expect(await orphan.next()).toMatchObject({ type: "subscriptions" });
    await Promise.all([...streams, writer, orphan].map((stream) => stream.close()));
  });
});

test("orders can be narrowed to products, and widened again", async () => {
  await withWorld({}, async (venue) => {
    const stream = await connectStream(venue.trader);
    stream.subscribe("orders", { products: ["ETH-USD"] });
    expect(await stream.nextOf("subscriptions")).toMatchObject({
      subscriptions: [{ channel: "orders", products: ["ETH-USD"] }],
    });
    await venue.placed(limitBuy());
    await venue.placed(limitBuy({ product: "ETH-USD", price: "2000", base_quantity: "0.1" }));
    const heard = (await stream.caughtUp()).filter(({ type }) => type === "update");
    expect(heard.map((message) => asObject(dataOf(message)["order"] ?? null)["productId"])).toEqual([
      "ETH-USD",
    ]);
    stream.subscribe("orders");
    expect(
      await stream.next(({ subscriptions }) => JSON.stringify(subscriptions) === '[{"channel":"orders"}]'),
    ).toBeDefined();
    await venue.placed(limitBuy());
    await venue.placed(limitBuy({ product: "ETH-USD", price: "2000", base_quantity: "0.1" }));
    expect((await stream.caughtUp()).filter(({ type }) => type === "update")).toHaveLength(3);
    stream.send({ type: "unsubscribe", channel: "orders" });
    expect(await stream.next(({ subscriptions }) => JSON.stringify(subscriptions) === "[]")).toBeDefined();
    await stream.close();
  });
});

test("the last subscribe for orders decides which products it is about", async () => {
  await withWorld({}, async (venue) => {
    const stream = await connectStream(venue.trader);
    const updates = async (): Promise<readonly JsonObject[]> =>
      (await stream.caughtUp()).filter(({ type }) => type === "update");
    const heardWith = async (filter: JsonObject): Promise<readonly unknown[]> => {
      const before = (await updates()).length;
      stream.subscribe("orders", filter);
      await venue.placed(limitBuy());
      await venue.placed(limitBuy({ product: "ETH-USD", price: "2000", base_quantity: "0.1" }));
      const heard = (await updates()).slice(before);
      return heard.map((message) => asObject(dataOf(message)["order"] ?? null)["productId"]);
    };
    expect(await heardWith({})).toEqual(["BTC-USD", "ETH-USD"]);
    expect(await heardWith({ products: ["ETH-USD"] })).toEqual(["ETH-USD"]);
    expect(await heardWith({ products: ["BTC-USD"] })).toEqual(["BTC-USD"]);
    await stream.close();
  });
});

test("a wallet that is as full as before, but later, is told as well", async () => {
  await withWorld({ world: quietWorld({ matchDelayMs: 0 }) }, async (venue) => {
    const stream = await followAll(venue);
    await venue.placed(limitSell({ price: "60000" }));
    await venue.advance(10);
    // Self-trade prevention cancels it at once: its hold is free again within the same entry.
    const { status } = await venue.order(String((await venue.placed(limitBuy({ price: "60000" })))["id"]));
    expect(status).toBe("CANCELLED");
    const told = (await stream.caughtUp())
      .filter(({ channel, type }) => channel === "wallets" && type === "update")
      .map((message) => asObject(dataOf(message)["wallet"] ?? null));
    expect(told.findLast(({ asset }) => asset === "USD")).toEqual(await venue.wallet("USD"));
    await stream.close();
  });
});
