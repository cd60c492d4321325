/** The stream clients of this folder, in both languages, on streams that lose, repeat and break off. */
import { spawnSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { type Follower, follow, type Language } from "../testing/follower.ts";
import { lossyGateway } from "../testing/lossy-gateway.ts";

const languages: readonly Language[] = ["TypeScript", "Python"];
const withoutPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).error !== undefined;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const watched = "3f0c2a52-7a3e-4c58-9a6e-0d5d3c1b7e11";

function followed(language: Language, baseUrl: string): Follower {
  const follower = follow(language, { baseUrl, keyId: "key", secret: "secret", order: watched });
  closing.push(() => follower.stop());
  return follower;
}

const order = (status: string): object => ({ id: "o-1", clientOrderId: watched, status });
const level = (price: string, quantity = "1"): object => ({ price, quantity });
const snapshot = (bookSequence: number, ...bids: object[]): object => ({
  type: "snapshot",
  channel: "orderBook",
  data: { bookSequence, bids, asks: [] },
});
const update = (prevBookSequence: number, bookSequence: number, ...bids: object[]): object => ({
  type: "update",
  channel: "orderBook",
  data: { prevBookSequence, bookSequence, bids, asks: [] },
});
const orders = (final: boolean, ...open: object[]): object => ({
  type: "snapshot",
  channel: "orders",
  data: { orders: open, final },
});
const event = (revision: number, status: string): object => ({
  type: "update",
  channel: "orders",
  data: { event: "FILL", revision, order: order(status) },
});

const page = (...items: object[]): object => ({ items, pagination: { hasNext: false, nextCursor: null } });

/** Messages to send after the nth subscription to a channel; they are numbered, unless a number is given. */
type Script = (channel: string, nth: number) => readonly object[];

async function scripted(script: Script, reads?: Readonly<Record<string, unknown>>) {
  const asked = new Map<string, number>();
  const sent = new WeakMap<WebSocket, number>();
  const gateway = await lossyGateway(
    (socket, { channel }) => {
      const nth = (asked.get(channel) ?? 0) + 1;
      asked.set(channel, nth);
      for (const message of [{ type: "subscriptions", subscriptions: [] }, ...script(channel, nth)]) {
        const step = "lost" in message ? 2 : "echo" in message ? 0 : 1;
        const sequence = (sent.get(socket) ?? 0) + step;
        sent.set(socket, sequence);
        if ("close" in message) return socket.close(4429, "too slow");
        const timestamp = `2026-01-01T00:00:${String(sequence).padStart(2, "0")}.000Z`;
        socket.send(JSON.stringify({ ...message, sequence, timestamp }));
      }
    },
    { "/order": page(), ...reads },
  );
  closing.push(() => gateway.close());
  return { gateway, asked };
}

/** Notes of a Python client come through another pipe than its states, and may be read after them. */
const noted = (follower: Follower, note: RegExp): Promise<void> =>
  expect.poll(() => follower.notes.join("\n")).toMatch(note);

describe.each(languages)("The %s client of the stream", (language) => {
  const test = it.skipIf(language === "Python" && withoutPython);

  test("applies updates in their order, drops old ones, and takes a level away at zero", async () => {
    const { gateway } = await scripted((channel) => {
      if (channel !== "orderBook") return [];
      return [
        snapshot(10, level("100"), level("99")),
        update(9, 10, level("99", "7")),
        update(10, 11, level("100", "0"), level("98", "2"), level("99.5", "3")),
        { type: "something new" },
        update(11, 14, level("99", "4")),
      ];
    });
    const { bids } = await followed(language, gateway.baseUrl).state(({ sequence }) => sequence === 14);
    expect(bids).toEqual([level("99.5", "3"), level("99", "4"), level("98", "2")]);
  });

  test("signs its handshake as a GET without a body", async () => {
    const { gateway } = await scripted((channel) => (channel === "orderBook" ? [snapshot(1)] : []));
    await followed(language, gateway.baseUrl).state(() => true);
    const headers = gateway.handshakes[0]?.headers;
    expect(headers?.["x-api-signature"]).toMatch(/^[0-9a-f]{64}$/);
    expect(headers).toMatchObject({ "x-api-key": "key", "sec-websocket-version": "13" });
  });

  test("asks for a new snapshot where the book has a gap, and applies nothing until it comes", async () => {
    const { gateway, asked } = await scripted((channel, nth) => {
      if (channel !== "orderBook") return [];
      if (nth > 1) return [snapshot(13, level("101")), update(13, 14, level("102"))];
      return [snapshot(10, level("100")), update(11, 12, level("99")), update(12, 13, level("98"))];
    });
    const follower = followed(language, gateway.baseUrl);
    const { bids } = await follower.state(({ sequence }) => sequence === 14);
    expect(bids).toEqual([level("102"), level("101")]);
    await noted(follower, /the book has a gap/);
    expect(asked.get("orderBook")).toBe(2);
  });

  test("asks for everything again where a message is missing", async () => {
    const { gateway, asked } = await scripted((channel, nth) => {
      if (channel === "orders") return [orders(true, ...(nth === 1 ? [] : [order("OPEN")]))];
      if (channel !== "orderBook") return [];
      return nth === 1 ? [snapshot(10), { type: "heartbeat", lost: true }] : [snapshot(20)];
    });
    const follower = followed(language, gateway.baseUrl);
    expect(await follower.state((state) => state.sequence === 20)).toMatchObject({ order: "OPEN" });
    await noted(follower, /a message is missing/);
    expect([asked.get("orderBook"), asked.get("orders")]).toEqual([2, 2]);
  });

  test("drops what has a number that was there already", async () => {
    const { gateway, asked } = await scripted((channel) => {
      if (channel !== "orderBook") return [];
      const echo = { ...update(10, 12, level("99", "7")), echo: true };
      return [snapshot(10, level("100")), echo, update(10, 11, level("99", "2"))];
    });
    const { bids } = await followed(language, gateway.baseUrl).state(({ sequence }) => sequence > 10);
    expect(bids).toEqual([level("100"), level("99", "2")]);
    expect(asked.get("orderBook")).toBe(1);
  });

  test("connects again where the venue wants a pause, and gives up where it refuses", async () => {
    const { gateway } = await scripted((channel, nth) => {
      if (channel !== "orderBook") return [];
      const error = { type: "error", message: "because" };
      if (nth === 1) return [{ ...error, code: "RATE_LIMITED" }];
      return [snapshot(20), { ...error, code: "MISSING_CLAIM" }];
    });
    const follower = followed(language, gateway.baseUrl);
    await follower.state(({ sequence }) => sequence === 20);
    await noted(follower, /MISSING_CLAIM: because/);
    expect(gateway.handshakes).toHaveLength(2);
  });

  test("takes no event twice, and none that is older than what it knows", async () => {
    const { gateway } = await scripted((channel) => {
      if (channel === "orders") return [orders(false, order("PENDING")), orders(true)];
      if (channel !== "orderBook") return [];
      return [snapshot(1), event(3, "FILLED"), event(2, "OPEN"), event(3, "OPEN"), update(1, 2)];
    });
    const follower = followed(language, gateway.baseUrl);
    expect(await follower.state(({ sequence }) => sequence === 2)).toMatchObject({ order: "FILLED" });
    expect(await follower.state(({ sequence }) => sequence === 1)).toMatchObject({ order: "PENDING" });
  });

  test("connects again, and reads what ended while it was away", async () => {
    const { gateway } = await scripted(
      (channel, nth) => {
        if (channel === "orders") return [orders(true, ...(nth === 1 ? [order("OPEN")] : []))];
        if (channel !== "orderBook") return [];
        return nth === 1 ? [snapshot(10), { close: true }] : [snapshot(11)];
      },
      { "/order/o-1": order("CANCELLED") },
    );
    const follower = followed(language, gateway.baseUrl);
    expect(await follower.state(({ order: known }) => known === "CANCELLED")).toMatchObject({ sequence: 11 });
    await noted(follower, /disconnected \(code 4429.*connecting again in/);
    expect(gateway.handshakes).toHaveLength(2);
  });

  test("finds an order that came and ended while it was away", async () => {
    const { gateway } = await scripted(
      (channel, nth) => {
        if (channel === "orders") return [orders(true)];
        if (channel !== "orderBook") return [];
        return nth === 1 ? [snapshot(10), { close: true }] : [snapshot(11)];
      },
      { "/order": page(order("FILLED")) },
    );
    const follower = followed(language, gateway.baseUrl);
    expect(await follower.state(({ sequence }) => sequence === 11)).toMatchObject({ order: "FILLED" });
    // The fifth message was the last before the loss; a client that was still recovering asks from an earlier time.
    const since = new URLSearchParams(gateway.asked.at(-1)?.split("?")[1]).get("startTime");
    expect(since).toMatch(/^2026-01-01T00:00:0[1-5]\.000Z$/);
  });

  test("connects again when an answer that it needs is refused for the moment", async () => {
    let tries = 0;
    const { gateway } = await scripted(
      (channel) => (channel === "orderBook" ? [snapshot(7)] : channel === "orders" ? [orders(true)] : []),
      { "/order": () => (++tries === 1 ? undefined : page(order("FILLED"))) },
    );
    expect(
      await followed(language, gateway.baseUrl).state((state) => state.order === "FILLED"),
    ).toMatchObject({ order: "FILLED", sequence: 7 });
    expect(gateway.handshakes.length).toBeGreaterThan(1);
  });
});
