import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { runConformance } from "../conform.ts";
import type { Report } from "../report/report.ts";
import { writeReports } from "../report/write-reports.ts";
import { readOnce } from "./read-once.ts";

/** Each part of the format of `ws` steps once, against a stream that sends the answers of the test. */
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

type Talk = (said: string, socket: WebSocket, binary: boolean) => void;

/** The stream echoes each message; `{"say":[…]}` is sent as given, and a join is confirmed. */
const echo: Talk = (said, socket, binary) => {
  const parsed = binary
    ? { say: [{ t: "bytes", size: said.length }] }
    : (JSON.parse(said) as { say?: unknown[]; join?: string; ref?: string });
  if ("join" in parsed && parsed.join === "nowhere")
    socket.send(JSON.stringify({ t: "oops", ref: parsed.ref }));
  else if ("join" in parsed)
    socket.send(JSON.stringify({ t: "joined", topic: parsed.join, ref: parsed.ref }));
  for (const item of parsed.say ?? []) socket.send(JSON.stringify(item));
};

interface Ran {
  readonly report: Report;
  readonly html: string;
  readonly said: readonly string[];
}

async function run(
  steps: string,
  { talk = echo, more = "", ids = true }: { talk?: Talk; more?: string; ids?: boolean } = {},
): Promise<Ran> {
  const started = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"statusCode":200,"success":true,"data":[]}');
  });
  server = started;
  const hub = new WebSocketServer({ server: started });
  const said: string[] = [];
  hub.on("connection", (socket) =>
    // Hand-made frames break the rules, and the library reports that.
    socket
      .on("error", () => undefined)
      .on("message", (data: Buffer, binary) => {
        said.push(data.toString(binary ? "hex" : "utf8"));
        talk(data.toString("latin1"), socket, binary);
      }),
  );
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  const { port } = started.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  const ref = ids ? `, ref: '\${requestId}'` : "";
  const [scenario, profile, file] = ["case.yaml", "profile.yml", "report.html"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await writeFile(
    scenario,
    `kit: 1\nid: one-case\ntitle: A case of these tests\nspec: [EVT-07]\nsafety: read\n${more}steps:\n  - { id: open, ws: { connect: {} }, expect: { status: 101, event: { is: opened } } }\n${steps}`,
  );
  await writeFile(
    profile,
    `kit: 1
name: scripted
baseUrl: http://127.0.0.1:${port}/api/v1/trading
credentials: { trader: { keyId: a-key-of-tests, secret: '\${env:SECRET}' } }
ws:
  url: ws://127.0.0.1:${port}/feed?v=2
  message: { type: '#/t' }
  subscribe: { join: '\${channel}', of: '\${product}', depth: '\${depth}'${ref} }
  ack: { t: joined${ref} }
  channels: { orders: mine, orderBook: depth, heartbeat: { name: alive, automatic: true }, trades: absent }
  events:
    order: { when: { t: order }, order: '#/o', partial: true }
    error: { when: { t: oops } }
`,
  );
  const environment = { SECRET: "a secret of some length" };
  const ran = await runConformance(
    await readOnce({
      profile,
      environment,
      scenarios: [scenario],
      level: "full",
      seed: 1,
      properties: "off",
    }),
  );
  await writeReports([{ format: "html", file }], ran.report, ran.redactor);
  return { report: ran.report, html: await readFile(file, "utf8"), said };
}

const outcome = ({ report }: Ran) => report.cases.map((row) => row.outcome);
const actual = ({ report }: Ran) =>
  report.cases.flatMap(({ findings }) => findings.map((found) => found.actual));
const reason = ({ report }: Ran) => report.cases.map((row) => row.reason);
const say = (...items: unknown[]): string =>
  `  - ws: { send: { json: { say: ${JSON.stringify(items)} } } }\n`;
const order = (id: string, status = "OPEN") => ({ t: "order", o: { id, status } });

describe("waiting for messages", () => {
  it("passes others over, goes on behind the last one found, and leaves what it found to later steps", async () => {
    const ran = await run(`${say(order("1"), { t: "noise" }, order("2"), order("1", "CANCELLED"))}
  - { id: first, ws: { expect: { match: { event: { is: order } } } }, capture: { one: '#event/order/id' } }
  - { id: last, ws: { expect: { match: { event: { order: { id: { $eqVar: one } } } } } }, expect: { event: { order: { status: CANCELLED } }, body: { o: { id: '\${first.event.order.id}' } } } }
  - { ws: { none: { match: { event: { is: order } }, for: 50ms } } }
  - { ws: { expect: { match: { event: { order: { id: '2' } } }, from: connect } } }
`);
    expect([outcome(ran), actual(ran)]).toEqual([["passed"], []]);
  });

  it("says which message came nearest, and ends the case as a warning where that is assumed", async () => {
    const ran = await run(`${say({ t: "noise" }, order("7", "FILLED"))}
  - { ws: { expect: { match: { event: { is: order, order: { id: '7', status: OPEN } } }, within: 100ms } } }
  - { ws: { expect: { match: { event: { is: never-reached } }, within: 5s } } }
`);
    expect(outcome(ran)).toEqual(["warned"]);
    expect(actual(ran)).toEqual([
      '2 other messages; the nearest has "FILLED" at event/order/status in place of "OPEN"',
    ]);
  });

  it("finds a message that must not come", async () => {
    const ran = await run(`${say(order("9"))}
  - { ws: { none: { match: { bodyText: { $re: '"9"' } }, for: 500ms, from: connect } } }
`);
    expect(actual(ran)).toEqual(['it came: {"t":"order","o":{"id":"9","status":"OPEN"}}']);
  });

  it("counts and collects the messages, up to the expected one or for a time", async () => {
    const ran = await run(`${say(order("1"), order("2"), { t: "end" })}
  - { ws: { until: { match: { event: { type: end } }, collect: upTo } }, expect: { count: { of: upTo, is: 3 } } }
  - { ws: { collect: { for: 50ms, as: all, from: connect, match: { event: { is: order } } } } }
  - { check: { unique: '#/o/id', in: all } }
`);
    expect([outcome(ran), actual(ran)]).toEqual([["passed"], []]);
  });

  it("sees decimals as they stood", async () => {
    const talk: Talk = (_, socket) => socket.send('{"t":"order","o":{"filledQuantity":1.10}}');
    const ran = await run(
      `  - { ws: { send: { text: go } } }
  - { ws: { expect: { match: { event: { order: { filledQuantity: { $json: '1.10' } } } } } } }
`,
      { talk },
    );
    expect(outcome(ran)).toEqual(["passed"]);
    expect(ran.report.ambient.map(({ clause, actual: shown }) => [clause, shown])).toContainEqual([
      "GEN-04",
      "1.10",
    ]);
  });
});

describe("subscribing", () => {
  it("fills the profile's message, leaves out missing values, and sends one for each product", async () => {
    const ran = await run(`  - { ws: { subscribe: { channel: orders } } }
  - { ws: { subscribe: { channel: orderBook, products: [A-B, C-D], with: { depth: 5 }, ack: none } } }
  - { ws: { subscribe: { channel: heartbeat } } }
`);
    expect(outcome(ran)).toEqual(["passed"]);
    const sent = ran.said.map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(sent.map(({ ref: _, ...rest }) => rest)).toEqual([
      { join: "mine" },
      { join: "depth", of: "A-B", depth: 5 },
      { join: "depth", of: "C-D", depth: 5 },
    ]);
  });

  it("takes an error for the answer, and shows it to a step that asks", async () => {
    const asked = await run(
      "  - { ws: { subscribe: { name: nowhere } }, expect: { event: { is: error } } }\n",
    );
    expect(outcome(asked)).toEqual(["passed"]);
    const unasked = await run("  - { ws: { subscribe: { name: nowhere, within: 2s } } }\n");
    expect(actual(unasked)).toEqual(["an error"]);
    const closed = await run("  - { ws: { subscribe: { channel: orders } } }\n", {
      talk: (_, socket) => socket.close(1001, "moved"),
    });
    expect(actual(closed)).toEqual(["0 other messages; the connection was closed with 1001 moved"]);
  });

  it("without ids takes no late answer to another subscription for its own", async () => {
    const late: Talk = (said, socket, binary) => {
      // The error comes when the next subscription is under way.
      if (said.includes("nowhere")) return;
      socket.send(JSON.stringify({ t: "oops" }));
      echo(said, socket, binary);
    };
    const slip = "  - { ws: { subscribe: { name: nowhere, ack: none } } }\n";
    const right = "  - { ws: { subscribe: { channel: orders } } }\n";
    const once = await run(slip + right, { talk: late, ids: false });
    expect([outcome(once), actual(once)]).toEqual([["passed"], []]);
    const twice = await run(slip + right + right, { talk: late, ids: false });
    expect([outcome(twice), actual(twice)]).toEqual([["warned"], ["an error"]]);
  });

  it("does not apply to a channel that the target does not have, and blocks on one that is not described", async () => {
    const absent = await run("  - { ws: { subscribe: { channel: trades } } }\n");
    expect(outcome(absent)).toEqual(["notApplicable"]);
    const unknown = await run("  - { ws: { subscribe: { channel: wallets } } }\n");
    expect(reason(unknown)).toEqual([
      "the channel wallets is not mapped: add it under ws.channels in the profile",
    ]);
  });
});

describe("connections", () => {
  it("have names, are signed separately, and can be used beside requests", async () => {
    const ran = await run(`  - { id: other, ws: { connect: {}, on: other }, expect: { status: 101 } }
  - { assert: { left: '\${other.request.nonce}', is: { $not: '\${open.request.nonce}' } } }
  - { assert: { left: '\${open.request.path}', is: '/feed?v=2' } }
  - { ws: { send: { json: { say: [{ t: here }] } }, on: other } }
  - { call: { op: openOrders }, expect: { status: 200 } }
  - { ws: { expect: { match: { event: { type: here } } }, on: other } }
  - { ws: { none: { match: { event: { type: here } }, for: 50ms, from: connect } } }
`);
    expect([outcome(ran), actual(ran)]).toEqual([["passed"], []]);
  });

  it("can be closed by either side; what is done afterwards is blocked", async () => {
    const talk: Talk = (_, socket) => socket.close(4400, "enough");
    const ran = await run(
      `  - { ws: { send: { text: x } } }
  - { ws: { closed: { within: 2s } }, expect: { event: { is: closed, code: 4400, reason: enough } } }
  - { ws: { send: { text: y } } }
`,
      { talk },
    );
    expect(reason(ran)).toEqual(["the connection main is not open any more: closed with 4400 enough"]);
    const ours = await run(
      "  - { ws: { close: { code: 4001, reason: bye } }, expect: { event: { is: closed, code: 4001 } } }\n",
    );
    expect(outcome(ours)).toEqual(["passed"]);
    const never = await run("  - { ws: { closed: { within: 50ms } } }\n");
    expect(actual(never)).toEqual(["it is open"]);
    const missing = await run("  - { ws: { send: { text: x }, on: elsewhere } }\n");
    expect(reason(missing)).toEqual([expect.stringContaining("the connection elsewhere was never opened")]);
  });

  it("carry bytes, pings and frames of one's own making", async () => {
    const ran = await run(`  - { ws: { send: { base64: AAEC } } }
  - { ws: { expect: { match: { event: { type: bytes }, body: { size: 3 } } } } }
  - { ws: { send: { ping: hello } } }
  - { ws: { frames: { hex: '81 02 68 69' } } }
  - { ws: { closed: { within: 2s } }, expect: { event: { code: 1002 } } }
`);
    expect([outcome(ran), reason(ran), actual(ran)]).toEqual([["passed"], [undefined], []]);
    expect(ran.said).toEqual(["000102"]);
  });

  it("cannot be led to another host by a path", async () => {
    const ran = await run(
      "  - { id: away, ws: { connect: { path: '//other.example/feed' }, on: away }, expect: { status: 101 } }\n",
    );
    expect(outcome(ran)).toEqual(["passed"]);
  });

  it("are in the trace of a report: handshake, sent and received messages, without secrets", async () => {
    const { html, report } = await run(`${say(order("1", "ODD"))}
  - { id: heard, ws: { expect: { match: { event: { is: order } } } }, expect: { event: { order: { status: OPEN } } } }
`);
    expect(
      report.cases[0]?.trace?.exchanges.map(({ method, transport, status }) => [method, status ?? transport]),
    ).toEqual([
      ["GET", 101],
      ["WS", "message"],
      ["WS", "message"],
    ]);
    expect(html).toContain("ODD");
    expect(html).not.toContain("a secret of some length");
  });
});

describe("a target that is not ours", () => {
  it("gets nothing on its stream that could be an order, and no frames", async () => {
    const { messageProblem } = await import("../client/request-guard.ts");
    const { plainProfile } = await import("../parse/profile.ts");
    const made = plainProfile("http://127.0.0.1:1/api/v1/trading", "k", "a secret");
    if (typeof made === "string") throw new Error(made);
    const staging = { ...made, kind: "staging" as const };
    const join = Buffer.from('{"type":"subscribe","channel":"orders","products":["BTC-USD"]}');
    expect(messageProblem(join, staging)).toBeUndefined();
    const sneaky = Buffer.from('{"op":"place","args":{"side":"BUY","base_quantity":"1","price":"2"}}');
    expect(messageProblem(sneaky, staging)).toContain("could be an order");
    const packed = Buffer.from("\x84\xa4side\xa3BUY\xa5price\xa11", "latin1");
    expect(messageProblem(packed, staging)).toContain("binary messages");
    expect(messageProblem(Buffer.from([0, 1, 2]), staging)).toBeUndefined();
    expect(messageProblem(Buffer.alloc(5000, 32), staging)).toContain("4096 bytes");
    expect(messageProblem(sneaky, made)).toBeUndefined();
  });
});
