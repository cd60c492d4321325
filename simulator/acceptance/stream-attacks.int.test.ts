/**
 * Hostile and broken clients of the stream: each is closed with the right code, costs a bounded amount of memory,
 * and neither requests nor other subscribers notice.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { asObject, type JsonObject } from "../testing/client.ts";
import { connectStream, refusedStream, type StreamClient } from "../testing/stream-client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, startVenue, type Venue, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";
import { demoWorld } from "../world/demo-world.ts";

const venue = useVenue();
const trader = (): Promise<StreamClient> => connectStream(venue().trader);

/** A masked frame as a client sends it. The mask is zero, so the payload stays readable. */
function frame(
  opcode: number,
  payload: Buffer | string,
  more: { fin?: boolean; masked?: boolean } = {},
): Buffer {
  const bytes = Buffer.from(payload);
  const masked = more.masked === false ? 0 : 0x80;
  const first = (more.fin === false ? 0 : 0x80) | opcode;
  const length =
    bytes.length < 126
      ? Buffer.from([first, masked | bytes.length])
      : Buffer.from([first, masked | 126, bytes.length >> 8, bytes.length & 255]);
  return Buffer.concat([length, masked === 0 ? Buffer.alloc(0) : Buffer.alloc(4), bytes]);
}

const continuation = 0;
const text = 1;
const binary = 2;
const ping = 9;

async function codeAfter(bytes: Buffer): Promise<number> {
  const stream = await trader();
  stream.raw.write(bytes);
  const { code } = await stream.closed;
  return code;
}

describe("what is no message of the protocol ends the connection", () => {
  test.each<[string, number, () => Buffer]>([
    ["a frame that is too large", 1009, () => frame(text, "x".repeat(20_000))],
    [
      "a frame that says it has 2^40 bytes",
      1009,
      () => Buffer.from([0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ],
    ["binary", 1003, () => frame(binary, "{}")],
    ["text that is not UTF-8", 1007, () => frame(text, Buffer.from([0xc3, 0x28]))],
    [
      "UTF-8 that breaks in its second fragment",
      1007,
      () =>
        Buffer.concat([
          frame(text, Buffer.from([0xe2, 0x82]), { fin: false }),
          frame(continuation, Buffer.from([0x28])),
        ]),
    ],
    [
      "fragments without end",
      1008,
      () =>
        Buffer.concat([
          frame(text, "{", { fin: false }),
          ...Array.from({ length: 5000 }, () => frame(continuation, "", { fin: false })),
        ]),
    ],
    ["a continuation of nothing", 1002, () => frame(continuation, "{}")],
    ["a frame without a mask", 1002, () => frame(text, "{}", { masked: false })],
    ["a reserved bit", 1002, () => Buffer.from([0xc1, 0x80, 0, 0, 0, 0])],
    ["a ping of 126 bytes", 1002, () => frame(ping, Buffer.alloc(126))],
  ])("%s: %i", async (_name, code, bytes) => {
    expect(await codeAfter(bytes())).toBe(code);
  });
});

describe("what is no message of the stream is answered, and ten in a row end the connection", () => {
  test.each<[string, string, string]>([
    ["nothing", "", "INVALID_JSON"],
    ["no JSON", "{", "INVALID_JSON"],
    ["deep nesting", "[".repeat(16_000), "INVALID_JSON"],
    ["a list", "[]", "INVALID_MESSAGE"],
    ["null", "null", "INVALID_MESSAGE"],
    ["no type", "{}", "INVALID_MESSAGE"],
    ["a type of another kind", '{"type":"__proto__"}', "INVALID_MESSAGE"],
    ["a long requestId", JSON.stringify({ type: "ping", requestId: "x".repeat(65) }), "INVALID_MESSAGE"],
    ["no channel", '{"type":"subscribe"}', "INVALID_MESSAGE"],
    [
      "channel and channels",
      '{"type":"subscribe","channel":"orders","channels":["orders"]}',
      "INVALID_MESSAGE",
    ],
    ["an unknown channel", '{"type":"subscribe","channel":"constructor"}', "UNKNOWN_CHANNEL"],
    ["no channel at all", '{"type":"subscribe","channels":[]}', "UNKNOWN_CHANNEL"],
    ["products that are none", '{"type":"subscribe","channel":"trades","products":[1]}', "INVALID_MESSAGE"],
    ["no products", '{"type":"subscribe","channel":"trades"}', "PRODUCTS_REQUIRED"],
    ["an unknown product", '{"type":"subscribe","channel":"trades","products":["X-Y"]}', "UNKNOWN_PRODUCT"],
    [
      "no granularity",
      '{"type":"subscribe","channel":"candles","products":["BTC-USD"]}',
      "INVALID_GRANULARITY",
    ],
    [
      "an unknown granularity",
      '{"type":"subscribe","channel":"candles","products":["BTC-USD"],"granularity":"toString"}',
      "INVALID_GRANULARITY",
    ],
  ])("%s", async (_name, message, code) => {
    const stream = await trader();
    stream.send(message);
    expect(await stream.next()).toMatchObject({ type: "error", sequence: 1, code });
    stream.subscribe("heartbeat");
    expect(await stream.next()).toMatchObject({ type: "subscriptions", sequence: 2 });
    await stream.close();
  });

  test("the tenth in a row is the last", async () => {
    const stream = await trader();
    for (let sent = 0; sent < 10; sent++) stream.send("?");
    expect((await stream.closed).code).toBe(4400);
    expect(stream.messages.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("a good one in between starts the count again", async () => {
    const stream = await trader();
    for (let sent = 0; sent < 9; sent++) stream.send("?");
    stream.send({ type: "ping" });
    for (let sent = 0; sent < 9; sent++) stream.send("?");
    await stream.next(({ sequence }) => sequence === 19);
    await stream.close();
  });
});

describe("no value of any field of any message does harm", () => {
  const smallObject = '{"a":1}';
  const nested = (open: string, close: string, depth: number): string =>
    open.repeat(depth) + smallObject + close.repeat(depth);
  const values: readonly (readonly [string, string])[] = [
    ["lists in lists", nested("[", "]", 6000)],
    ["lists in lists, as deep as a message may be", nested("[", "]", 8180)],
    ["objects in objects", nested('{"a":', "}", 2000)],
    ["nesting just above the limit", nested("[", "]", 16)],
    ["an object with a key twice", '{"a":1,"a":2}'],
    ["an object with __proto__", '{"__proto__":{"type":"ping"}}'],
    ["an object with a constructor's prototype", '{"constructor":{"prototype":{}}}'],
    ["a long text", `"${"x".repeat(16_000)}"`],
    ["a text of the longest length", `"${"x".repeat(4096)}"`],
    ["a long number", "9".repeat(16_000)],
    ["a number beyond all", "1e999"],
    ["half a surrogate pair", '"\\ud800"'],
    ["a NUL and an escape", '"\\u0000\\u001b[2J"'],
    ["a long list", `[${"1,".repeat(8000)}1]`],
    ["an object", smallObject],
    ["true", "true"],
  ];
  const places: readonly (readonly [string, (value: string) => string])[] = [
    ["the message", (value) => value],
    ["type", (value) => `{"type":${value}}`],
    ["type, the second time", (value) => `{"type":"ping","type":${value}}`],
    ["requestId of a ping", (value) => `{"type":"ping","requestId":${value}}`],
    ["channel", (value) => `{"type":"subscribe","channel":${value}}`],
    ["channels", (value) => `{"type":"subscribe","channels":${value}}`],
    ["a name of channels", (value) => `{"type":"subscribe","channels":["heartbeat",${value}]}`],
    ["products", (value) => `{"type":"subscribe","channel":"trades","products":${value}}`],
    ["a name of products", (value) => `{"type":"subscribe","channel":"trades","products":[${value}]}`],
    [
      "granularity",
      (value) => `{"type":"subscribe","channel":"candles","products":["BTC-USD"],"granularity":${value}}`,
    ],
    ["requestId of a wish", (value) => `{"type":"subscribe","channel":"nonsense","requestId":${value}}`],
    ["channel to leave", (value) => `{"type":"unsubscribe","channel":${value}}`],
    ["products to leave", (value) => `{"type":"unsubscribe","channel":"trades","products":${value}}`],
    ["__proto__", (value) => `{"type":"nonsense","__proto__":${value}}`],
  ];

  test.each(places)("%s", async (_name, messageOf) => {
    let stream = await trader();
    for (const [name, value] of values) {
      const message = messageOf(value);
      if (message.length > 16_384) continue;
      stream.send(message);
      const { type, message: sentence } = await stream.next();
      // A short text is a requestId, whatever its content.
      expect(type, name).toBe(
        name.match(/^half|^a NUL/) && message.includes('"ping","req') ? "pong" : "error",
      );
      if (type === "error") expect(sentence).toMatch(/^[\x20-\x7e]{1,600}$/);
      await stream.close();
      stream = await trader();
    }
    await stream.close();
    expect((await venue().trader.place(limitBuy())).status).toBe(200);
  });

  test("a member that occurs twice is refused, with any first value", async () => {
    const stream = await trader();
    stream.send('{"type":"subscribe","channel":"heartbeat","channel":"wallets"}');
    expect(await stream.next()).toMatchObject({ type: "error", code: "INVALID_JSON" });
    expect(String(stream.messages[0]?.["message"])).toContain('the key "channel" comes twice');
    await stream.close();
  });
});

describe("a flood ends the connection", () => {
  const flood = async (bytes: Buffer): Promise<{ code: number; messages: readonly JsonObject[] }> => {
    const stream = await trader();
    stream.raw.write(bytes);
    const { code } = await stream.closed;
    return { code, messages: stream.messages };
  };
  const many = (count: number, one: Buffer): Buffer =>
    Buffer.concat(Array.from({ length: count }, () => one));

  test("of pings", async () => {
    const before = process.memoryUsage().rss;
    expect((await flood(many(100_000, frame(ping, "?")))).code).toBe(4429);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
  });

  test("of subscriptions: at most one refusal for each of the last ten", async () => {
    const wish = frame(text, '{"type":"subscribe","channel":"orderBook","products":["BTC-USD"]}');
    const { code, messages } = await flood(many(10_000, wish));
    expect(code).toBe(4429);
    const refused = messages.filter(({ code: refusal }) => refusal === "RATE_LIMITED");
    expect(refused).toHaveLength(9);
    expect(messages.length).toBeLessThan(60);
  });

  test("and too many subscriptions are refused one wish at a time", async () => {
    await withVenue({ world: quietWorld({ limits: { streamSubscriptions: 3 } }) }, async (small) => {
      const stream = await connectStream(small.trader);
      stream.send({ type: "subscribe", channels: ["trades", "ticker"], products: ["BTC-USD", "ETH-USD"] });
      expect(await stream.next()).toMatchObject({ code: "TOO_MANY_SUBSCRIPTIONS" });
      stream.send({ type: "subscribe", channels: ["trades", "ticker", "heartbeat"], products: ["BTC-USD"] });
      expect(await stream.next()).toMatchObject({ type: "subscriptions" });
      stream.subscribe("wallets");
      expect(await stream.nextOf("error")).toMatchObject({ code: "TOO_MANY_SUBSCRIPTIONS" });
      stream.subscribe("trades", { products: ["BTC-USD"] });
      expect(await stream.nextOf("subscriptions")).toBeDefined();
      await stream.close();
    });
  });
});

describe("a handshake", () => {
  test("beyond the connections of a key is refused, and has its place when one closes", async () => {
    const open = await Promise.all(Array.from({ length: 5 }, () => connectStream(venue().as("other"))));
    const refused = await refusedStream(venue().as("other"));
    expect([refused.status, refused.body["code"]]).toEqual([429, "RATE_LIMITED"]);
    await open[0]?.close();
    const again = await connectStream(venue().as("other"));
    await Promise.all([...open.slice(1), again].map((stream) => stream.close()));
  });

  test("of a web page, to another path, or of no WebSocket is refused", async () => {
    const from = async (headers: Record<string, string>): Promise<unknown[]> => {
      const { status, body } = await refusedStream(venue().trader, { headers });
      return [status, body["code"]];
    };
    expect(await from({ Origin: "http://evil.example" })).toEqual([403, "FOREIGN_ORIGIN"]);
    expect(await rawAnswer(venue(), "8")).toMatch(
      /^HTTP\/1.1 426 .*sec-websocket-version: 13.*UPGRADE_REQUIRED/s,
    );
    const { target, headers } = venue().trader.prepare("GET", "/ws");
    expect(await venue().trader.send({ method: "GET", target, headers, body: "" })).toMatchObject({
      status: 426,
      code: "UPGRADE_REQUIRED",
    });
  });

  test("of a disabled key is refused, and its connections end", async () => {
    const key = "counterparty";
    const stream = await connectStream(venue().as(key));
    stream.subscribe("heartbeat");
    await stream.nextOf("subscriptions");
    await venue().control(`/keys/${key}`, { enabled: false });
    expect((await stream.closed).code).toBe(4401);
    expect((await refusedStream(venue().as(key))).status).toBe(401);
  });

  test.each(["x", "x, y", "x,x", ",;"])(
    "does not compress, and accepts no subprotocol: %s",
    async (offered) => {
      const socket = connect(Number(new URL(venue().baseUrl).port), "127.0.0.1");
      const more = `Sec-WebSocket-Protocol: ${offered}\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n`;
      socket.write(handshakeText(venue()).replace(/\r\n$/, more));
      const [first] = (await once(socket, "data")) as [Buffer];
      expect(first.toString()).toMatch(/^HTTP\/1.1 101 /);
      expect(first.toString()).not.toMatch(/sec-websocket-(?:protocol|extensions)/i);
      socket.destroy();
    },
  );
});

/** The answer to a handshake of this version, until the venue closes. */
async function rawAnswer(some: Venue, version: string): Promise<string> {
  const socket = connect(Number(new URL(some.baseUrl).port), "127.0.0.1");
  socket.write(handshakeText(some, version));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function handshakeText(some: Venue, version = "13"): string {
  const { target, headers } = some.trader.prepare("GET", "/ws");
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return (
    `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: ${version}\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n${lines.join("")}\r\n`
  );
}

describe("a client that is not there", () => {
  const limits = { streamSubscribeTimeoutMs: 50, streamPingEveryMs: 50, streamSilenceMs: 200 };

  test("subscribes in time or goes", async () => {
    await withVenue({ world: quietWorld({ limits }) }, async (hasty) => {
      const stream = await connectStream(hasty.trader);
      expect((await stream.closed).code).toBe(4408);
    });
  });

  test("answers pings or goes, even if it never closes", async () => {
    await withVenue({ world: quietWorld({ limits }) }, async (hasty) => {
      const stream = await connectStream(hasty.trader);
      stream.subscribe("heartbeat");
      await stream.nextOf("subscriptions");
      stream.socket.pause();
      stream.raw.pause();
      await expect.poll(() => roomFor(hasty), { interval: 200 }).toBe(5);
      stream.socket.terminate();
    });
  });
});

/** How many connections the key may still open. */
async function roomFor(some: Venue): Promise<number> {
  const open: StreamClient[] = [];
  for (let tried = 0; tried < 12; tried++) {
    try {
      open.push(await connectStream(some.trader));
    } catch {
      break;
    }
  }
  await Promise.all(open.map((stream) => stream.close()));
  return open.length;
}

describe("a reader that stops", () => {
  const limits = {
    streamQueueMessages: 50,
    streamQueueBytes: 100_000,
    streamConnectionsPerKey: 10,
    streamMessagesPerSecond: 1000,
    streamPingEveryMs: 1000,
    streamSilenceMs: 3000,
  };

  test("and reads again much later is told so behind everything that waited, and sees why it is closed", async () => {
    await withVenue({ world: demoWorld, clock: "manual" }, async (some) => {
      const stream = await connectStream(some.trader);
      stream.send({
        type: "subscribe",
        channels: ["orderBook", "trades", "ticker"],
        products: ["BTC-USD", "ETH-USD", "SOL-USD"],
      });
      await stream.nextOf("snapshot", "ticker");
      stream.raw.pause();
      for (let hours = 0; hours < 7; hours++) await some.control("/clock", { advanceMs: 3_600_000 });
      await new Promise((resolve) => setTimeout(resolve, 3500));
      stream.raw.resume();
      expect(await stream.closed).toEqual({ code: 4429, reason: "slow consumer" });
      expect(stream.messages.at(-1)).toMatchObject({ type: "error", code: "SLOW_CONSUMER" });
      const sequences = stream.messages.map(({ sequence }) => sequence);
      expect(sequences).toEqual(Array.from({ length: sequences.length }, (_, index) => index + 1));
    });
  });

  test("is told so and closed, with nothing left out before; others hear everything", async () => {
    // The one that reads is not cut when this process stands still for seconds. The other is, after the silence.
    const patient = {
      ...limits,
      streamQueueMessages: 2000,
      streamQueueBytes: 4_000_000,
      streamSilenceMs: 10_000,
    };
    await withVenue({ world: quietWorld({ limits: patient, maxOpenOrders: 100_000 }) }, async (some) => {
      const [stalled, reading] = await Promise.all([connectStream(some.trader), connectStream(some.trader)]);
      for (const stream of [stalled, reading]) {
        stream.send({ type: "subscribe", channels: ["orders", "orderBook"], products: ["BTC-USD"] });
        await stream.nextOf("snapshot", "orderBook");
      }
      let placed = 0;
      const placeSome = async (): Promise<void> => {
        await Promise.all(
          Array.from({ length: 200 }, () => some.placed(limitBuy({ base_quantity: "0.0001" }))),
        );
        placed += 200;
      };
      await placeSome();
      // Kernel buffers come first: unread snapshots fill them. Behind them the queue of the venue fills.
      stalled.socket.pause();
      for (let asked = 0; asked < 60; asked++) stalled.subscribe("orders");
      do {
        await placeSome();
        expect(placed).toBeLessThan(20_000);
      } while ((await roomFor(some)) < 9);
      const accepted = (): number =>
        reading.messages.filter((one) => asObject(one["data"] ?? {})["event"] === "ACCEPTED").length;
      await reading.caughtUp();
      expect(accepted()).toBe(placed);
      stalled.socket.resume();
      await stalled.closed;
      const sequences = stalled.messages.map(({ sequence }) => sequence);
      expect(sequences).toEqual(Array.from({ length: sequences.length }, (_, index) => index + 1));
    });
  });
});

test("hundreds of sockets that never speak, or vanish in the middle, leave the venue as it was", async () => {
  const some = await startVenue();
  try {
    const { hostname, port } = new URL(some.baseUrl);
    const sockets = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const socket = connect(Number(port), hostname);
        socket.on("error", () => undefined);
        await new Promise((resolve) => socket.once("connect", resolve));
        const upgrade = handshakeText(some);
        socket.write(index % 3 === 0 ? upgrade.slice(0, 100) : upgrade);
        if (index % 3 === 1) socket.resetAndDestroy();
        return socket;
      }),
    );
    expect((await some.trader.place(limitBuy())).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => roomFor(some)).toBe(5);
  } finally {
    await some.close();
  }
});

test("a venue that shuts down tells all subscribers and ends", async () => {
  const some = await startVenue();
  const streams = await Promise.all(Array.from({ length: 5 }, () => connectStream(some.trader)));
  const halfOpen = await connectStream(some.as("other"));
  halfOpen.raw.pause();
  await some.close();
  for (const stream of streams) expect(await stream.closed).toMatchObject({ code: 1001 });
  halfOpen.socket.terminate();
});
