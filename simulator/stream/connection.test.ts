/** The last message of a connection. */
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { ok } from "../domain/result.ts";
import { Connection } from "./connection.ts";
import type { ConnectionHub } from "./connection-hub.ts";
import { bodyOf } from "./frame.ts";
import { FakeSocket } from "./testing/fake-socket.ts";

class FakeWebSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  readonly closes: unknown[][] = [];
  readonly pings: number[] = [];
  isCut = false;
  close(...args: unknown[]): void {
    this.closes.push(args);
  }
  ping(): void {
    this.pings.push(1);
  }
  terminate(): void {
    this.isCut = true;
  }
}

const caller = { key: 0, keyId: "k", name: "k", client: 0, claims: [] };

function setUp(more: Partial<ConnectionHub> = {}) {
  const socket = new FakeWebSocket();
  const raw = new FakeSocket();
  raw.isFull = true;
  const clock = { now: 0 };
  const failures: unknown[] = [];
  const hub: ConnectionHub = {
    underWay: null,
    limits: {
      connectionsPerKey: 1,
      messagesPerSecond: 10,
      messageBytes: 1000,
      subscriptions: 10,
      queueBytes: 1_000_000,
      queueMessages: 5,
      subscribeTimeoutMs: 30_000,
      pingEveryMs: 20_000,
      silenceMs: 60_000,
    },
    get now() {
      return clock.now;
    },
    marketNow: 0,
    wake: () => undefined,
    forget: () => undefined,
    grant: () => ok([]),
    join: () => [],
    leave: () => undefined,
    faultFor: () => null,
    failed: (error) => failures.push(error),
    outgoing: (text) => [bodyOf(text)],
  };
  Object.defineProperties(hub, Object.getOwnPropertyDescriptors(more));
  // as: the parts of both sockets that a connection uses.
  const connection = new Connection(hub, caller, socket as unknown as WebSocket, raw as unknown as Socket);
  const hear = (message: object): boolean =>
    socket.emit("message", Buffer.from(JSON.stringify(message)), false);
  return { socket, raw, clock, connection, hear, failures };
}

const update = bodyOf(',"type":"update"}');

test("a slow reader gets everything that waited, the reason, and the code, in this order", () => {
  const { socket, raw, clock, connection } = setUp();
  for (let sent = 0; sent < 8; sent++) {
    connection.hear(update, { product: null });
    connection.flush();
  }
  clock.now = 1000;
  connection.attend();
  connection.hear(update, { product: null });
  connection.flush();
  expect(socket.closes).toEqual([]);
  raw.drain();
  connection.flush();
  expect(socket.closes).toEqual([[4429, "slow consumer"]]);
  expect(raw.text.match(/"sequence":\d+/g)).toHaveLength(9);
  expect(raw.text).toMatch(
    /"sequence":8,"type":"update"}.{4}{"sequence":9,"type":"error".*"code":"SLOW_CONSUMER"/s,
  );
});

/** A connection that was told SLOW_CONSUMER at 1000 ms, with what waits still on its way. */
function stalled() {
  const all = setUp();
  const { clock, connection } = all;
  for (let sent = 0; sent < 8; sent++) connection.hear(update, { product: null });
  connection.flush();
  clock.now = 1000;
  for (let sent = 0; sent < 8; sent++) connection.hear(update, { product: null });
  connection.attend();
  return all;
}

test.each([2900, 4000, 30_000, 61_000])(
  "one that reads again after %i ms hears the reason and the code",
  (ms) => {
    const { socket, raw, clock, connection } = stalled();
    for (; clock.now < ms; clock.now += 1000) connection.attend();
    expect([socket.isCut, socket.closes]).toEqual([false, []]);
    raw.drain();
    connection.flush();
    expect(socket.closes).toEqual([[4429, "slow consumer"]]);
    expect(raw.text.match(/"sequence":\d+/g)).toHaveLength(17);
    expect(raw.text).toMatch(/"sequence":17,"type":"error".*"code":"SLOW_CONSUMER"/);
  },
);

test("one that takes nothing for as long as a client may be silent is cut", () => {
  const { socket, clock, connection } = stalled();
  clock.now = 61_001;
  connection.attend();
  expect([socket.isCut, socket.closes]).toEqual([true, []]);
});

test.each<[string, (all: ReturnType<typeof setUp>) => void]>([
  ["a shutdown", ({ connection }) => connection.end(1001)],
  [
    "a flood",
    ({ socket }) => {
      for (let sent = 0; sent < 40; sent++) socket.emit("ping", Buffer.alloc(0));
    },
  ],
])("%s cuts it sooner", (_name, act) => {
  const all = stalled();
  act(all);
  all.clock.now = 2900;
  all.connection.attend();
  expect(all.socket.isCut).toBe(false);
  all.clock.now = 3100;
  all.connection.attend();
  expect(all.socket.isCut).toBe(true);
});

test("a connection is pinged, and ends after a silence", () => {
  const { socket, clock, connection, hear, raw } = setUp();
  raw.drain();
  hear({ type: "subscribe", channel: "heartbeat" });
  for (clock.now = 0; clock.now <= 60_000; clock.now += 1000) connection.attend();
  expect(socket.pings).toHaveLength(3);
  socket.emit("pong", Buffer.alloc(0));
  for (; clock.now <= 120_000; clock.now += 1000) connection.attend();
  connection.flush();
  expect(socket.closes).toEqual([]);
  clock.now += 2000;
  connection.attend();
  connection.flush();
  expect(socket.closes).toEqual([[4408, "No answer to pings."]]);
});

test("twice a second's messages are read at once; ten refusals in a row end it, and one that is read starts the count again", () => {
  const { socket, raw, clock, connection, hear } = setUp();
  raw.drain();
  const flood = (count: number): number => {
    const before = raw.text.length;
    for (let sent = 0; sent < count; sent++) hear({ type: "ping" });
    connection.flush();
    return raw.text.slice(before).match(/"type":"pong"/g)?.length ?? 0;
  };
  expect(flood(20 + 9)).toBe(20);
  clock.now = 100;
  expect([flood(1 + 9), socket.closes]).toEqual([1, []]);
  expect([flood(1), socket.closes]).toEqual([0, [[4429, "The client sends too much."]]]);
});

test("one that never subscribes ends", () => {
  const { socket, raw, clock, connection, hear } = setUp();
  raw.drain();
  hear({ type: "ping" });
  clock.now = 30_001;
  connection.attend();
  connection.flush();
  expect(socket.closes).toEqual([[4408, "No subscription arrived in time."]]);
});

describe("an exception of ours ends the connection with 1011, and goes no further", () => {
  const boom = (): never => {
    throw new RangeError("injected");
  };

  test.each<[string, Partial<ConnectionHub>, (each: ReturnType<typeof setUp>) => void]>([
    ["a request", { grant: boom }, ({ hear }) => hear({ type: "subscribe", channel: "heartbeat" })],
    ["a ping", { outgoing: boom }, ({ hear }) => hear({ type: "ping" })],
    [
      "an event of the venue",
      { faultFor: boom },
      ({ connection }) => connection.hear(update, { product: null }),
    ],
    [
      "the timer",
      {},
      ({ socket, clock, connection }) => {
        socket.ping = boom;
        clock.now = 20_000;
        connection.attend();
      },
    ],
  ])("in the handler of %s", (_name, more, act) => {
    const all = setUp(more);
    all.raw.drain();
    act(all);
    all.connection.flush();
    expect(all.failures).toEqual([new RangeError("injected")]);
    expect(all.socket.closes).toEqual([[1011, expect.any(String)]]);
  });

  test("and one that happens again while it ends cuts the connection", () => {
    const { socket, raw, connection, failures } = setUp({ faultFor: boom });
    raw.drain();
    socket.close = boom;
    connection.hear(update, { product: null });
    connection.flush();
    expect([failures.length, socket.isCut]).toEqual([2, true]);
  });
});

test("the acknowledgement and the snapshots of a request have one time", () => {
  let ticks = 0;
  const subscription = {
    key: "orders",
    topic: "orders",
    channel: "orders",
    product: null,
    market: null,
    client: 0,
  };
  const { raw, connection, hear } = setUp({
    get marketNow() {
      return (ticks += 1);
    },
    // as: what a connection reads of a subscription.
    grant: () => ok([subscription as never]),
    join: (_connection, _subscription, now) => [
      `,"type":"snapshot","timestamp":"${new Date(now).toISOString()}"}`,
    ],
  });
  hear({ type: "subscribe", channels: ["orders"] });
  connection.flush();
  raw.drain();
  const times = [...raw.text.matchAll(/"timestamp":"([^"]*)"/g)].map(([, time]) => time);
  expect(times).toHaveLength(2);
  expect(new Set(times).size).toBe(1);
});
