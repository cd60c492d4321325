/** Made-up recordings and the scenarios that they become. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { exportFile } from "../export-file.ts";
import { suiteFrom } from "../load-suite.ts";
import { renderProblem, UsageError } from "../model/position.ts";
import { scenarioText } from "../parse/write-scenario.ts";
import { YamlReader } from "../parse/yaml-reader.ts";
import { readRecordingText } from "../recording/read-recording.ts";
import { profileOf } from "../run-input.ts";
import { exportScenario } from "./export-scenario.ts";

const base = "/api/v1/trading";
const started = "2026-11-24T02:14:11.000Z";
const header = { kind: "recording", version: 1, target: `http://127.0.0.1:1${base}`, started };
const uuid = "1b652b77-610e-487c-af9b-1e2af5ad6cf3";
const orderId = "136e104f-d68c-4a4a-b3c9-14ccd0882c71";

const reader = new YamlReader();
afterAll(() => reader[Symbol.dispose]());
let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "export-"));
  file = path.join(folder, "a.recording");
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Said {
  readonly method?: string;
  readonly target?: string;
  readonly body?: unknown;
  readonly status?: number;
  readonly answer?: unknown;
  readonly at?: number;
  readonly durationMs?: number;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  readonly signature?: "right" | "wrong";
}

const bytes = (value: unknown): { length: number; text?: string } => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return value === undefined ? { length: 0 } : { length: Buffer.byteLength(text), text };
};

function exchange(said: Said, index: number): object {
  const at = said.at ?? index * 100;
  const headers = {
    "X-API-KEY": "trader",
    "X-API-TIMESTAMP": String(Date.parse(started) + at),
    "X-API-NONCE": `nonce-${index}`,
    "X-API-SIGNATURE": `sha256:${index}`,
    ...said.headers,
  };
  const { method = "GET", target = "/order/open", status = 200, answer } = said;
  return {
    kind: "exchange",
    id: index + 1,
    at,
    durationMs: said.durationMs ?? 5,
    key: said.key ?? "trader",
    ...(said.signature === undefined ? {} : { signature: said.signature }),
    request: { method, target: base + target, headers: Object.entries(headers), body: bytes(said.body) },
    ...(status === 0
      ? {}
      : { answer: { status, headers: Object.entries(said.answerHeaders ?? {}), body: bytes(answer) } }),
  };
}

interface Frame {
  readonly at: number;
  readonly from: string;
  readonly type?: string;
  readonly body: unknown;
}

/** A frame of the stream whose handshake is the first exchange. */
const frameOf = ({ at, from, type = "text", body }: Frame): object => ({
  kind: "frame",
  stream: 1,
  at,
  from,
  type,
  body: bytes(body),
});

const handshake: Said = { at: 0, target: "/ws", status: 101, headers: { Upgrade: "websocket" } };

const linesOf = (said: readonly Said[], frames: readonly Frame[] = []): string =>
  [
    header,
    ...said.map(exchange),
    ...frames.map(frameOf),
    { kind: "end", at: 9999, exchanges: said.length, frames: frames.length, leftOut: 0 },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

async function exported(
  said: readonly Said[],
  options: Partial<Parameters<typeof exportFile>[0]> = {},
  frames: readonly Frame[] = [],
) {
  writeFileSync(file, linesOf(said, frames));
  const out = path.join(folder, "a-case.yaml");
  const { text, remarks } = await exportFile({ file, out, ...options });
  writeFileSync(out, text);
  const { problems } = await suiteFrom([out], reader);
  expect(problems.map(renderProblem)).toEqual([]);
  return { text, remarks, steps: text.slice(text.indexOf("steps:")) };
}

const body = {
  side: "BUY",
  type: "LIMIT",
  base_quantity: "1",
  price: "30000",
  client_order_id: uuid,
  product: "BTC-USD",
};
const order = {
  id: orderId,
  clientOrderId: uuid,
  side: "BUY",
  type: "LIMIT",
  productId: "BTC-USD",
  status: "OPEN",
  baseQuantity: "1",
  limitPrice: "30000",
  filledQuantity: "0",
};
const result = (type: string, more = {}): object => ({
  statusCode: 200,
  success: true,
  data: { type, order: { ...order, ...more } },
});
const place: Said = { method: "POST", target: "/order", body, answer: result("NEW_ORDER") };
const read = (more: object): Said => ({
  target: `/order/${orderId}`,
  answer: { success: true, data: { ...order, ...more } },
});

describe("a recording becomes a scenario", () => {
  it("in which ids are captured or generated, and an order is what it was", async () => {
    const { text, steps, remarks } = await exported([
      place,
      { ...place, answer: result("DUPLICATE_REPLAY") },
    ]);
    expect(text).toContain("id: a-case\n");
    expect(text).toContain("vars: { key1: { $uuid4: key1 } }\n");
    expect(text).toMatch(/^spec: \[ PLC-10, PLC-11, PLC-12, PLC-21 \]$/m);
    expect(steps).not.toContain(orderId);
    expect(steps).not.toContain(uuid);
    expect(steps).toContain("$macro: placed");
    expect(steps).toContain("capture: { order1: '#order/id' }");
    expect(steps).toContain("call: { op: placeOrder, body: '${place1.request.body}' }");
    expect(steps).toContain("$macro: replayed(order1)");
    expect(
      [...steps.matchAll(/id: (\w+),?\s+spec: (\[.*?\])/g)].map(([, id, spec]) => `${id} ${spec}`),
    ).toEqual(["place1 [ PLC-21 ]", "place2 [ PLC-10, PLC-11, PLC-12 ]"]);
    expect(remarks).toEqual([]);
  });

  it("in which a client that waits is one step, and news of an order are waited for", async () => {
    const done = read({
      status: "FILLED",
      filledQuantity: "1",
      averageFilledPrice: "29990.5",
      filledValue: "29990.5",
    });
    const waited = await exported([place, read({}), read({}), done]);
    expect(waited.steps.match(/poll:/g)).toHaveLength(1);
    expect(waited.steps).toContain("call: { op: readOrder, params: { id: '${order1}' } }");
    expect(waited.steps).toContain("filledQuantity: { $dec: '1' }");
    expect(waited.steps).toContain("averageFilledPrice: { $dec: { gt: '0', lte: '30000' } }");
    const once = await exported([place, done]);
    expect(once.steps).toContain("poll:");
    const same = await exported([place, read({})]);
    expect(same.steps).not.toContain("poll:");
  });

  it("in which a list has the orders of the recording, whatever else it has", async () => {
    const list = (...listed: object[]): Said => ({ answer: { success: true, data: listed } });
    const other = { ...order, id: "of-somebody", clientOrderId: "x" };
    const cancelled = read({ status: "CANCELLED" });
    const { steps } = await exported([
      place,
      list(order, other),
      cancelled,
      list(other),
      cancelled,
      list(other),
    ]);
    expect(steps).toContain("items: { $some: { id: { $eqVar: order1 }, status: OPEN } }");
    expect(steps.match(/items: \{ \$none: \{ id: \{ \$eqVar: order1 \} \} \}/g)).toHaveLength(1);
    expect(steps).not.toContain("of-somebody");
  });

  it("in which a price from the book is the price of the next book", async () => {
    const levels = (price: string): object[] => [{ price, quantity: "30000" }];
    const book: Said = {
      target: "/order-book/BTC-USD",
      answer: { success: true, data: { bids: levels("29999"), asks: levels("30000.00"), bookSequence: 1 } },
    };
    const filled = read({ status: "FILLED", filledQuantity: "1", averageFilledPrice: "29999.5" });
    const { steps } = await exported([book, place, filled]);
    expect(steps).toContain("capture: { ask: '#/data/asks/0/price' }");
    expect(steps).toContain("price: '${ask}'");
    expect(steps).toContain("base_quantity: '1'");
    expect(steps).toContain("limitPrice: { $dec: '${ask}' }");
    expect(steps).toContain("averageFilledPrice: { $dec: { gt: '0', lte: '${ask}' } }");
    expect((await exported([place, book, filled])).steps).toContain("price: '30000'");
  });

  it("in which requests at once are concurrent, and one after another are not", async () => {
    const together = [0, 1, 2].map((at): Said => ({ ...place, at, durationMs: 50 }));
    const { steps } = await exported([...together, { at: 60 }]);
    expect(steps).toContain("release: barrier");
    expect(steps.match(/op: placeOrder/g)).toHaveLength(3);
    expect((await exported([place, place])).steps).not.toContain("concurrent");
  });

  it("in which wrong signatures are written as what was wrong with them", async () => {
    const refused: Said = { status: 401, answer: { code: "UNAUTHORIZED" } };
    const hourAgo = String(Date.parse(started) - 3_600_000);
    const { steps, remarks } = await exported([
      { ...refused, headers: { "X-API-NONCE": "" } },
      { ...refused, headers: { "X-API-TIMESTAMP": hourAgo } },
      { ...refused, headers: { "X-API-NONCE": "nonce-1" } },
      {
        ...refused,
        headers: { "X-API-KEY": "", "X-API-NONCE": "", "X-API-TIMESTAMP": "", "X-API-SIGNATURE": "" },
      },
      { ...refused, signature: "wrong" },
    ]);
    for (const sign of [
      "omit: [ X-API-NONCE ]",
      "atClock: { offset: '-3600s' }",
      "override: { nonce: '${open2.request.nonce}' }",
      "as: anonymous",
      "transform: [ flipBit(0) ]",
    ])
      expect(steps.replaceAll("offset: -3600s", "offset: '-3600s'")).toContain(sign);
    expect(remarks).toEqual([expect.stringContaining("open5: its signature was not that of its key")]);
  });

  it("in which a 401 that the file does not explain is signed rightly, with its bytes", async () => {
    const spaced = `{ "side": "BUY", "client_order_id": "${uuid}" }`;
    const refused: Said = { method: "POST", target: "/order", body: spaced, status: 401 };
    const { steps, remarks, text } = await exported([refused, { ...refused, signature: "right" }]);
    expect(steps).not.toContain("flipBit");
    expect(steps.split(`bodyText: '{ "side": "BUY", "client_order_id": "\${key1}" }'`)).toHaveLength(3);
    expect(steps.match(/expect: \{ status: 401 \}/g)).toHaveLength(2);
    expect(text).toContain("vars: { key1: { $uuid4: key1 } }");
    expect(remarks).toEqual([
      expect.stringMatching(/^place1: .*does not show why.*signed rightly/),
      expect.stringMatching(/^place2: .*although its signature is right/),
    ]);
  });

  it("in which a client's clock is compared with the Date of the answer", async () => {
    const late = { Date: new Date(Date.parse(started) + 60_000).toUTCString() };
    const refused: Said = { status: 401, answer: { code: "UNAUTHORIZED" }, answerHeaders: late };
    expect((await exported([refused])).steps).toContain("atClock: { offset: -60s }");
    const right = String(Date.parse(started) + 60_000);
    const recorderIsLate: Said = { answerHeaders: late, headers: { "X-API-TIMESTAMP": right } };
    expect((await exported([recorderIsLate])).steps).not.toContain("atClock");
  });

  it("in which nothing of a client or a target is read as a part of the language", async () => {
    const marked = { ...body, note: "cost ${5} or $$", path: "a/${b}/c" };
    const { steps, text } = await exported([
      { ...place, body: marked },
      { ...place, body: { ...body, note: "${env:SECRET}", $json: "1" }, answer: result("DUPLICATE_REPLAY") },
      { method: "POST", target: "/order", body: '{"a":1,"a":2}', status: 400, answer: { code: "${x}" } },
      { target: "/odd/${x}".replace("${x}", "%7Bx%7D"), status: 404 },
    ]);
    expect(text).toContain("dollar: $");
    expect(steps).toContain("note: cost ${dollar}{5} or $$");
    expect(steps).toContain("path: a/${dollar}{b}/c");
    expect(steps).toContain('"client_order_id":"${key1}","product":"BTC-USD","note":"${dollar}{env:SECRET}"');
    expect(steps).not.toContain("bodyBase64");
    expect(steps).not.toContain(uuid);
    expect(steps).toContain('bodyText: \'{"a":1,"a":2}\'');
    expect(steps).toContain("method: GET, path: /odd/%7Bx%7D");
  });

  it("in which a stream is one, with what every session says on it", async () => {
    const client = (at: number, body: unknown): Frame => ({ at, from: "client", body });
    const gateway = (at: number, body: unknown): Frame => ({ at, from: "gateway", body });
    const orderEvent = (status: string): object => ({
      type: "update",
      channel: "orders",
      data: { order: { ...order, status } },
    });
    const session: Said[] = [handshake, { ...place, at: 100, durationMs: 50 }, { ...read({}), at: 300 }];
    const { steps, text, remarks } = await exported(
      session,
      {},
      [
        client(10, { type: "subscribe", channel: "orders", requestId: "r1" }),
        gateway(20, { type: "subscriptions", requestId: "r1" }),
        gateway(21, { type: "snapshot", channel: "orders", data: { orders: [], final: true } }),
        client(30, { type: "subscribe", channel: "nothing" }),
        gateway(31, { type: "error", code: "UNKNOWN_CHANNEL" }),
        client(32, { type: "ping", requestId: orderId }),
        // While the order is placed: its message comes before its answer.
        gateway(120, orderEvent("OPEN")),
        gateway(121, { ...orderEvent("OPEN"), sequence: 7 }),
        gateway(200, orderEvent("FILLED")),
        // A product that the language would read as a name.
        gateway(210, { type: "snapshot", channel: "trades", product: "${x}" }),
        gateway(400, Buffer.from([0x13, 0x24]).toString("latin1")),
      ].map((one) => (one.at === 400 ? { ...one, type: "close" } : one)),
    );
    const actions = [...steps.matchAll(/^ {2}- \{? ?(?:id: )(\w+)|^ {2}- id: (\w+)/gm)].map(
      (one) => one[1] ?? one[2],
    );
    expect(actions).toEqual([
      "connect1",
      "subscribe1",
      "send1",
      "heard1",
      "send2",
      "place1",
      "heard2",
      "heard3",
      "heard4",
      "read1",
      "closed1",
    ]);
    expect(text).toContain("spec: [ EVT-02, GEN-07, PLC-21 ]");
    expect(text).toContain("capabilities: [ ws, ws.orders ]");
    expect(steps).toContain("connect1, spec: [ EVT-02 ], ws: { connect: {} }, expect: { status: 101 }");
    expect(steps).toContain("subscribe: { channel: orders }");
    expect(steps).toContain("event: { is: error, code: UNKNOWN_CHANNEL }");
    expect(steps).toContain("order: { clientOrderId: '${key1}', status: FILLED } } }, within: 5s }");
    expect(steps).toContain("event: { is: closed, code: 4900 }");
    expect(remarks).toEqual([expect.stringMatching(/^1 message of streams/)]);
  });

  it("that says what it leaves out", async () => {
    const long = {
      ...exchange(place, 1),
      request: { ...Object(exchange(place, 1)).request, body: { length: 9, text: "{", cut: true } },
    };
    writeFileSync(
      file,
      linesOf([place, { status: 0 }]).replace(/\n(?=\{"kind":"end")/, `\n${JSON.stringify(long)}\n`),
    );
    const { remarks, text } = await exportFile({ file, out: "x.yaml" });
    expect(remarks).toEqual([
      expect.stringMatching(/got no answer/),
      expect.stringMatching(/left out: its body was not kept whole/),
    ]);
    for (const remark of remarks) expect(text).toContain(`# ${remark}`);
    expect(text).toContain("abandon: sent");
  });

  it("of the part that is chosen", async () => {
    const session: Said[] = [place, { key: "reader" }, { at: 5000 }];
    expect((await exported(session, { only: ["POST */order"] })).steps.match(/call:/g)).toHaveLength(1);
    expect((await exported(session, { from: "1s" })).steps.match(/call:/g)).toHaveLength(1);
    expect((await exported(session, { to: "2026-11-24T02:14:11.050Z" })).steps.match(/call:/g)).toHaveLength(
      1,
    );
    expect((await exported(session, { keys: ["reader"] })).steps).toContain("as: reader");
    expect((await exported(session, { roles: ["reader=noClaim"] })).steps).toContain("as: noClaim");
    expect((await exported(session, { spec: ["PLC-11"], title: "T" })).text).toContain("spec: [ PLC-11 ]");
    for (const wrong of [
      { keys: ["raeder"] },
      { from: "soon" },
      { from: "2026-11-24T02:14:11" },
      { to: "2026-11-24" },
      { only: ["PUT *"] },
      { roles: ["reader=redaer"] },
    ])
      await expect(exported(session, wrong)).rejects.toBeInstanceOf(UsageError);
  });

  it("that lint accepts, whatever was said", async () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    const text = fc.oneof(fc.constantFrom("${x}", "$any", "#/a", "1.50", "", "\u202e", orderId), fc.string());
    const fields = fc.record(
      {
        id: text,
        status: text,
        clientOrderId: text,
        filledQuantity: text,
        averageFilledPrice: text,
        side: text,
        extra: json,
      },
      { requiredKeys: [] },
    );
    const said: fc.Arbitrary<Said> = fc.record({
      method: fc.constantFrom("GET", "POST", "DELETE", "PUT"),
      target: fc.constantFrom(
        "/order",
        "/order/open",
        `/order/${orderId}`,
        "/product",
        "/else?a=1&b",
        "/order?cursor=x%zz",
      ),
      body: fc.oneof(json, fields, fc.string()),
      status: fc.constantFrom(200, 201, 400, 401, 403, 409, 429, 500, 0),
      answer: fc.oneof(
        json,
        fc.record({ data: fc.oneof(fields, fc.array(fields), fc.record({ type: text, order: fields })) }),
      ),
      at: fc.integer({ min: 0, max: 300 }),
      durationMs: fc.integer({ min: 0, max: 100 }),
      key: fc.constantFrom("trader", "key-1", "key-2"),
    });
    const word = fc.oneof(
      text,
      fc.constantFrom("subscribe", "subscriptions", "update", "snapshot", "error", "orders", "trades"),
    );
    const message = fc.record(
      {
        type: word,
        channel: word,
        product: text,
        products: fc.array(text),
        requestId: text,
        code: text,
        data: fc.record({ order: fields }),
      },
      { requiredKeys: ["type"] },
    );
    const frame: fc.Arbitrary<Frame> = fc.record({
      at: fc.integer({ min: 0, max: 400 }),
      from: fc.constantFrom("client", "gateway"),
      type: fc.constantFrom("text", "text", "text", "binary", "ping", "close"),
      body: fc.oneof(message, message, json, fc.string()),
    });
    const session = fc.record({
      said: fc.array(said, { minLength: 1, maxLength: 8 }),
      frames: fc.array(frame, { maxLength: 8 }),
    });
    const sessions = sampled(6, fc.sample(session, { numRuns: 150, seed: 1 }));
    const environment = {
      GATEWRIGHT_BASE_URL: header.target,
      GATEWRIGHT_TRADER_KEY_ID: "k",
      GATEWRIGHT_TRADER_SECRET: "s",
    };
    const profile = path.resolve(import.meta.dirname, "../../fixtures/profiles/simulator.yaml");
    const { operations, stream } = await profileOf({ profile, environment });
    const all = path.join(folder, "all");
    mkdirSync(all);
    for (const [index, { said, frames }] of sessions.entries()) {
      const requests = said.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
      const lines = linesOf([...(frames.length > 0 ? [handshake] : []), ...requests], frames);
      const recording = readRecordingText("a", lines);
      const id = `case-${index}`;
      const { document } = exportScenario(recording, {
        id,
        basePath: base,
        operations,
        stream,
        kitVersion: "0",
      });
      writeFileSync(path.join(all, `${id}.yaml`), scenarioText(document));
    }
    const { suite, problems } = await suiteFrom([all], reader);
    expect(problems.map(renderProblem)).toEqual([]);
    expect(suite.scenarios).toHaveLength(sessions.length);
  });
});

describe("a file that is no whole recording", () => {
  const whole = linesOf([place, place]);
  it.each([
    ["is empty", ""],
    ["is something else", "kit: 1\n"],
    ["is cut within a line", whole.slice(0, 700)],
    ["is cut within its first line", '{"kind":"recording","ver'],
    ["is damaged", whole.replace('"request"', '"requ')],
    ["is of a newer version", whole.replace('"version":1', '"version":2')],
    ["has a line of another kind", whole.replace('"kind":"exchange"', '"kind":"exchanges"')],
    ["has a wrong member", whole.replace('"at":0', '"at":"0"')],
    ["has a target that ends the line", whole.replace(`${base}/order"`, `${base}/order\\r\\nX: y"`)],
    ["holds two recordings", whole + whole],
    ["nests without end", `${JSON.stringify(header)}\n${"[".repeat(1_000_000)}\n`],
    ["has endless values", `${JSON.stringify(header)}\n[${"0,".repeat(500_000)}0]\n`],
    ["has an endless line", `${JSON.stringify(header)}\n"${"x".repeat(3_000_000)}"\n`],
    ["has nothing to write", linesOf([])],
  ])("is refused with its place when it %s", async (_, text) => {
    writeFileSync(file, text);
    const failed = exportFile({ file, out: "x.yaml" });
    await expect(failed).rejects.toBeInstanceOf(UsageError);
    const message = await failed.then(String, ({ message: said }: UsageError) => said);
    expect(message).not.toContain("\n");
    if (text !== linesOf([])) expect(message).toMatch(/a\.recording:\d+: /);
    expect(message.length).toBeLessThan(400);
  });
});
