import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { connectorTo } from "../client/connect.ts";
import { Egress } from "../client/egress.ts";
import { StreamAllowance, StreamSocket, streamLimits } from "../client/stream-socket.ts";
import { runConformance } from "../conform.ts";
import { plainProfile } from "../parse/profile.ts";
import { writeReports } from "../report/write-reports.ts";
import { frame, opened, streamBehaviours } from "./faulty-gateway/hostile-frames.ts";
import {
  type HostileGateway,
  type StreamBehaviour,
  startHostileGateway,
} from "./faulty-gateway/hostile-gateway.ts";
import { poison } from "./faulty-gateway/hostile-replies.ts";
import { readOnce } from "./read-once.ts";

let target: HostileGateway | undefined;
afterEach(async () => {
  await target?.close();
  target = undefined;
});

const deadlineMs = 300;
/** For who is to get on, on a machine that does other things at once. */
const timeoutMs = 10_000;

async function open(
  behaviour: Pick<StreamBehaviour, "upgrade">,
  { allowance = new StreamAllowance(), waitMs = deadlineMs } = {},
) {
  target = await startHostileGateway(behaviour);
  return StreamSocket.open({
    url: new URL(target.wsUrl),
    headers: [],
    deadlineMs: waitMs,
    connect: connectorTo(new URL(target.wsUrl)),
    allowance,
  });
}

/** Until the connection has ended, by whomever, or nothing has happened for a while. */
async function whatBecameOf(socket: StreamSocket, quietMs = deadlineMs): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  while (socket.ended === undefined && !timeout.aborted) {
    const quiet = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(true), quietMs);
      socket.onChange = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
    if (quiet) break;
  }
  return socket.ended?.problem ?? (socket.ended === undefined ? "open" : `closed ${socket.ended.code}`);
}

const named = (name: string): StreamBehaviour => {
  const found = streamBehaviours.find((behaviour) => behaviour.name === name);
  if (found === undefined) throw new Error(`there is no behaviour ${name}`);
  return found;
};

describe("one connection to a stream that means harm", () => {
  it.each(streamBehaviours)("ends, and keeps no more than it may: $name", async (behaviour) => {
    const { socket, transport } = await open(behaviour);
    if (socket === undefined) {
      expect(["timeout", "malformed", "closed", "reset", "tooLarge", "response"]).toContain(transport);
      return;
    }
    const became = await whatBecameOf(socket);
    expect(became).not.toBe("");
    const kept = socket.received.reduce((total, { body }) => total + body.length, 0);
    expect(kept).toBeLessThanOrEqual(streamLimits.bytes);
    expect(socket.received.length).toBeLessThanOrEqual(streamLimits.messages);
    socket.release();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it.each([
    ["never answers the handshake", "timeout"],
    ["a head now and then", "timeout"],
    ["a wrong accept key", "malformed"],
    ["an upgrade to something else", "malformed"],
    ["a compression without a request", "malformed"],
    ["a protocol without a request", "malformed"],
    ["an endless refusal", "tooLarge"],
    ["no HTTP at all", "malformed"],
    ["200 in place of an upgrade", "response"],
    ["a redirect", "response"],
  ])("has no handshake, and says why: %s", async (name, outcome) => {
    const waitMs = outcome === "timeout" ? deadlineMs : timeoutMs;
    const { socket, transport, reply, problem } = await open(named(name), { waitMs });
    expect([socket, transport]).toEqual([undefined, outcome]);
    expect(outcome === "response" ? reply?.status : (problem ?? "")).not.toBe("");
  });

  it.each([
    ["endless messages", /hung up: more than \d+ bytes/],
    ["endless empty messages", /hung up: more than \d+ messages/],
    ["fragments for ever", /Too many message fragments/],
    ["large fragments for ever", /Max payload size exceeded/],
    ["a flood of pings", /hung up: more than \d+ pings/],
    ["invalid UTF-8", /UTF-8/],
    ["a length of 2^40", /Max payload size exceeded/],
    ["masked frames", /MASK/],
    ["a close in the middle of a frame", /closed 1006/],
    ["a byte of a frame now and then", /open/],
  ])("is cut off, and says why: %s", async (name, why) => {
    const { socket } = await open(named(name), { waitMs: timeoutMs });
    if (socket === undefined) throw new Error("the handshake did not succeed");
    const quietMs = why.test("open") ? deadlineMs : timeoutMs;
    expect(await whatBecameOf(socket, quietMs)).toMatch(why);
    socket.release();
  });

  it("does not wait for a close that is never answered", async () => {
    const { socket } = await open(named("never answers a close"), { waitMs: timeoutMs });
    if (socket === undefined) throw new Error("the handshake did not succeed");
    socket.close(1000, "");
    await new Promise<void>((resolve) => (socket.onChange = resolve));
    expect(socket.ended?.problem).toContain("its close was not answered");
  });

  it("shares what all connections may keep, and gives it back", async () => {
    const allowance = new StreamAllowance(1500);
    const long = {
      upgrade: (socket: Parameters<StreamBehaviour["upgrade"]>[0], key: string) =>
        void socket.write(
          Buffer.concat([Buffer.from(opened(key)), frame(1, "x".repeat(1000)), frame(1, "y".repeat(1000))]),
        ),
    };
    const { socket } = await open(long, { allowance, waitMs: timeoutMs });
    if (socket === undefined) throw new Error("the handshake did not succeed");
    expect(await whatBecameOf(socket, timeoutMs)).toContain("all connections");
    expect(socket.received.length).toBe(1);
    socket.release();
    expect(allowance.take(1500)).toBe(true);
  });
});

describe("a whole run against such a stream", () => {
  const secret = "the secret of a trader, 31 chars";
  const lies: StreamBehaviour["upgrade"] = (socket, key) => {
    const message = JSON.stringify({
      type: "update",
      channel: "orders",
      sequence: 1,
      data: { order: { [poison]: poison, clientOrderId: poison, productId: secret } },
    });
    socket.write(Buffer.concat([Buffer.from(opened(key)), frame(1, message), frame(1, poison.slice(0, 40))]));
  };

  it.each([
    ...[
      "never answers the handshake",
      "endless messages",
      "fragments for ever",
      "a flood of pings",
      "invalid UTF-8",
    ].map(named),
    { name: "lies and secrets in messages", upgrade: lies },
  ])("ends with a report that holds no secret: $name", async ({ upgrade }) => {
    target = await startHostileGateway({ upgrade });
    const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
    const profile = join(folder, "hostile.yaml");
    await writeFile(
      profile,
      `kit: 1
name: hostile
baseUrl: ${target.baseUrl}
safety: { products: { BTC-USD: { buyFar: '1000', qty: '0.01' } } }
credentials: { trader: { keyId: kid-of-a-trader, secret: '\${env:SECRET}' } }
timeouts: { request: ${deadlineMs}ms }
ws: { url: '${target.wsUrl}', dialect: gatewright }
`,
    );
    const scenario = join(folder, "case.yaml");
    await writeFile(
      scenario,
      `kit: 1
id: hostile-case
title: A connection that listens for a while
spec: [EVT-07]
safety: read
steps:
  - { id: open, ws: { connect: { settle: 200ms } }, expect: { status: { $cite: EVT-02, is: 101 } } }
  - { id: joined, ws: { subscribe: { channel: orders, within: 200ms } }, onFail: continue }
  - { id: heard, ws: { expect: { match: { event: { is: order, order: { id: x } } }, within: 200ms, from: connect } } }
`,
    );
    const run = await runConformance(
      await readOnce({
        profile,
        environment: { SECRET: secret },
        scenarios: [scenario],
        level: "full",
        properties: "off",
      }),
    );
    expect(run.report.cases.map(({ outcome }) => outcome)).not.toContain("passed");
    expect(run.report.summary.cases.error).toBe(0);
    const html = join(folder, "report.html");
    await writeReports(
      [
        { format: "html", file: html },
        { format: "json", file: join(folder, "report.json") },
      ],
      run.report,
      run.redactor,
    );
    expect(await readFile(html, "utf8")).not.toContain(secret);
  });
});

describe("a run that is interrupted", () => {
  it("does not wait for a message to its end, and leaves no connection", async () => {
    target = await startHostileGateway(named("never answers a close"));
    const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
    const [profile, scenario] = [join(folder, "silent.yaml"), join(folder, "case.yaml")];
    await writeFile(
      profile,
      `kit: 1
name: silent
baseUrl: ${target.baseUrl}
credentials: { trader: { keyId: k, secret: '\${env:SECRET}' } }
ws: { url: '${target.wsUrl}', dialect: gatewright }
`,
    );
    await writeFile(
      scenario,
      `kit: 1
id: silent-case
title: A connection that listens for an hour
spec: [EVT-07]
safety: read
timeout: 1h
steps:
  - { ws: { connect: {} } }
  - { id: heard, ws: { expect: { match: { event: { is: order } }, within: 1h } } }
`,
    );
    const stop = new AbortController();
    const run = await runConformance({
      profile,
      environment: { SECRET: "a secret of some length" },
      scenarios: [scenario],
      level: "full",
      properties: "off",
      signal: stop.signal,
      onExchange: ({ request }) => {
        if (request.path.endsWith("/ws")) setImmediate(() => stop.abort("SIGINT"));
      },
    });
    expect(run.report.cases.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ["blocked", "the run was interrupted"],
    ]);
    expect(run.report.exitCode).toBe(130);
    expect(await target.connections()).toBe(0);
  });
});

describe("where a stream may be", () => {
  const base = plainProfile("http://127.0.0.1:1/api/v1/trading", "kid", "a secret");
  if (typeof base === "string") throw new Error(base);
  const at = (url: string, more = {}) => ({
    ...base,
    ...more,
    stream: {
      connections: 8,
      url: new URL(url),
      message: { sequenceScope: "connection" as const },
      channels: {},
      events: {},
    },
  });
  const remote = {
    baseUrl: new URL("https://gw.acme.example/api/v1/trading"),
    loopback: false,
    allowHosts: ["gw.acme.example", "feed.acme.example"],
  };

  it.each([
    [at("ws://gw.acme.example/ws"), /base address is this machine/],
    [at("ws://gw.acme.example/ws", remote), /without TLS: use wss/],
    [at("wss://other.example/ws", remote), /not in allowHosts/],
    [
      at("wss://live.acme.example/ws", { ...remote, allowHosts: ["gw.acme.example", "live.acme.example"] }),
      /looks like production/,
    ],
  ])("refuses an address before anything is sent", (profile, why) => {
    expect(() => new Egress(profile)).toThrow(why);
  });

  it("takes a host that the owner allows, over TLS, and this machine", () => {
    expect(() => new Egress(at("wss://feed.acme.example/ws", remote))).not.toThrow();
    expect(() => new Egress(at("ws://127.0.0.1:2/ws"))).not.toThrow();
  });
});
