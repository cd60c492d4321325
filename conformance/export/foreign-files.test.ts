/** Files of other programs with parts that are hidden, missing or of no use: named, and never taken for values. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { exportFile } from "../export-file.ts";
import { suiteFrom } from "../load-suite.ts";
import { renderProblem, UsageError } from "../model/position.ts";
import { YamlReader } from "../parse/yaml-reader.ts";

const reader = new YamlReader();
afterAll(() => reader[Symbol.dispose]());

let folder = "";
let out = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "foreign-"));
  out = path.join(folder, "a-case.yaml");
});
afterEach(() => rmSync(folder, { recursive: true }));

const base = "/api/v1/trading";
const clientId = "7d0f6f5e-94a7-4a50-9c36-b3f3b0a5f0c1";
const orderId = "0d9c1e52-5f0a-4c60-8f5e-0a2d8f1b7c3d";
const sent = {
  side: "SELL",
  type: "LIMIT",
  base_quantity: "2.50",
  price: "3100.5",
  client_order_id: clientId,
  product: "ETH-USD",
};
const order = {
  id: orderId,
  clientOrderId: clientId,
  side: "SELL",
  type: "LIMIT",
  productId: "ETH-USD",
  status: "OPEN",
  baseQuantity: "2.50",
  quoteValue: "7751.25",
  limitPrice: "3100.5",
  stopPrice: null,
  filledQuantity: "0",
};
type Json = Readonly<Record<string, unknown>>;
const placed = (type: string, more: Json = {}): Json => ({
  statusCode: 200,
  success: true,
  data: { type, order: { ...order, ...more } },
});

interface Said {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly size?: number;
  readonly status?: number;
  readonly answer?: unknown;
}
const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const start = Date.parse("2026-11-24T09:00:00Z");

function har(said: readonly Said[]): string {
  const entries = said.map((one, index) => {
    const headers = {
      "X-API-KEY": "kid-1",
      "X-API-TIMESTAMP": String(start + index * 1000),
      "X-API-NONCE": `7d0f6f5e-94a7-4a50-9c36-00000000000${index}`,
      "X-API-SIGNATURE": String(index).repeat(64),
      ...one.headers,
    };
    return {
      startedDateTime: new Date(start + index * 1000).toISOString(),
      time: 3,
      request: {
        method: one.method ?? "GET",
        url: `https://gw.example${one.target ?? `${base}/order/open`}`,
        headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
        ...(one.body === undefined ? {} : { postData: { text: text(one.body) } }),
        bodySize: one.size ?? 0,
      },
      response: {
        status: one.status ?? 200,
        headers: [],
        content: one.answer === undefined ? { size: 90 } : { size: 9, text: text(one.answer) },
      },
    };
  });
  return JSON.stringify({ log: { version: "1.2", entries } });
}

async function exported(content: string) {
  const file = path.join(folder, "session.har");
  writeFileSync(file, content);
  const result = await exportFile({ file, out, roles: ["key-1=trader"] });
  writeFileSync(out, result.text);
  const { problems } = await suiteFrom([out], reader);
  expect(problems.map(renderProblem)).toEqual([]);
  return { ...result, yaml: result.text.slice(result.text.indexOf("steps:")) };
}
const refusal = (content: string): Promise<string> =>
  exported(content).then(
    () => "it was exported",
    (error: unknown) => (error instanceof UsageError ? error.message : `no usage error: ${String(error)}`),
  );

const place: Said = { method: "POST", target: `${base}/order`, body: sent, answer: placed("NEW_ORDER") };
const again: Said = { ...place, answer: placed("DUPLICATE_REPLAY") };
const cancel: Said = {
  method: "DELETE",
  target: `${base}/order/${orderId}`,
  answer: { success: true, data: { ...order, status: "CANCELLED" } },
};

const masks = [
  "***",
  "XX",
  "xxxx-xxxx",
  "[REDACTED]",
  "<redacted>",
  "REDACTED",
  "{{value}}",
  "ab****yz",
  "…",
  "████",
];

describe("a file with hidden values", () => {
  it.each(masks)("%s in all headers of credentials is no value", async (mask) => {
    const headers = Object.fromEntries(
      ["X-API-KEY", "X-API-TIMESTAMP", "X-API-NONCE", "X-API-SIGNATURE"].map((name) => [name, mask]),
    );
    const { yaml, remarks } = await exported(
      har([
        { ...place, headers },
        { ...cancel, headers },
      ]),
    );
    expect(yaml).not.toMatch(/reuse|sign:|as:/);
    expect(yaml).not.toContain(mask);
    expect(remarks).toEqual([
      "2 requests (1, 2): X-API-KEY, X-API-TIMESTAMP, X-API-NONCE, X-API-SIGNATURE hidden; they count as rightly signed, all of them with one key",
    ]);
  });

  it("of one header does not count another as left out by the client", async () => {
    const headers = { "X-API-SIGNATURE": "[removed]", "X-API-KEY": "" };
    expect((await exported(har([{ ...place, headers }]))).yaml).not.toContain("omit");
  });

  it.each(masks)("%s in an order is what its answer shows", async (mask) => {
    const hidden = { ...sent, base_quantity: mask, price: mask, client_order_id: mask };
    const { yaml, remarks } = await exported(
      har([{ ...place, body: hidden }, { ...again, body: hidden }, cancel]),
    );
    expect(yaml).not.toContain(mask);
    expect(yaml).toContain("base_quantity: '2.50'");
    expect(yaml).toContain("price: '3100.5'");
    expect(yaml).toContain("$macro: placed");
    expect(yaml).toContain("$macro: replayed(order1)");
    expect(yaml.match(/client_order_id: '?\$\{key1\}/g)).toHaveLength(2);
    expect(remarks).toEqual([expect.stringMatching(/^2 requests \(1, 2\): the body .* made of the answer/)]);
  });

  it.each(masks)("%s in an order and its answer leaves what cannot be known out", async (mask) => {
    const ids = { id: mask, clientOrderId: mask };
    const hidden = { ...sent, client_order_id: mask };
    const session = [
      { ...place, body: hidden, answer: placed("NEW_ORDER", ids) },
      { ...again, body: hidden, answer: placed("DUPLICATE_REPLAY", ids) },
      { ...cancel, target: `${base}/order/${encodeURIComponent(mask)}` },
    ];
    const { yaml, remarks, steps } = await exported(har(session));
    expect([steps, yaml.includes(mask)]).toEqual([1, false]);
    expect(remarks).toEqual([
      expect.stringMatching(/request 1: the body .* made of the answer/),
      expect.stringMatching(/requests \(1, 2\): values of the answer were hidden/),
      expect.stringMatching(/^request 2 .* left out: the value of client_order_id was hidden/),
      expect.stringMatching(/^request 3 .* left out: the value of id was hidden/),
    ]);
  });

  it("that a client may have meant is what it is", async () => {
    const { yaml } = await exported(
      har([{ ...place, body: { ...sent, note: "x", memo: "$5", code: "EUR" } }]),
    );
    for (const part of ["note: x", "memo: $5", "code: EUR"]) expect(yaml).toContain(part);
  });
});

describe("a file with missing parts", () => {
  it.each<[string, Said]>([
    ["its size alone", { ...place, body: undefined, size: 150 }],
    ["its Content-Length alone", { ...place, body: undefined, headers: { "Content-Length": "150" } }],
    ["nothing of it", { ...place, body: undefined }],
  ])("makes the body of an order with %s", async (_, one) => {
    const { yaml, remarks } = await exported(har([one]));
    expect(yaml).toContain(
      "base_quantity: '2.50', price: '3100.5', client_order_id: '${key1}'".split(", ")[0],
    );
    expect(yaml).toContain("$macro: placed");
    expect(yaml).not.toContain("quote_value");
    expect(remarks).toEqual([expect.stringContaining("request 1: the body is not in this file")]);
  });

  it("leaves out a request whose body nothing shows, and refuses a file that has nothing else", async () => {
    const lost: Said = { ...place, body: undefined, size: 150, answer: undefined };
    const { remarks, steps } = await exported(har([lost, { answer: { data: [] } }]));
    expect([steps, remarks.at(-1)]).toEqual([
      1,
      expect.stringMatching(/left out: it has no body in this file/),
    ]);
    expect(await refusal(har([lost]))).toMatch(/^there is nothing to write: .*it has no body in this file/);
  });

  it("says which answers have no body", async () => {
    const { yaml, remarks } = await exported(
      har([
        { ...place, answer: undefined },
        { ...cancel, answer: undefined },
      ]),
    );
    expect(yaml).toContain(`params: { id: ${orderId} }`);
    expect(remarks).toEqual([
      expect.stringMatching(/^2 requests \(1, 2\): the body of the answer is not in this file/),
      expect.stringMatching(/^request 2: no answer before it shows the id/),
    ]);
  });

  it("says of an order that was there before", async () => {
    const list: Said = { answer: { success: true, data: [{ ...order, id: "other" }, order] } };
    const { remarks } = await exported(har([list, cancel]));
    expect(remarks).toEqual([expect.stringMatching(/^request 2 is about an order .* the answer of open1/)]);
  });

  it("leaves out the preflights of a browser", async () => {
    const preflight: Said = { method: "OPTIONS", target: `${base}/order`, status: 204 };
    const { yaml, remarks, steps } = await exported(har([preflight, place]));
    expect([steps, yaml.includes("OPTIONS")]).toEqual([1, false]);
    expect(remarks).toEqual(["1 preflight of a browser (OPTIONS): left out"]);
    expect(await refusal(har([preflight]))).toMatch(/^there is nothing to write/);
  });

  it("finds the requests of a gateway below another path", async () => {
    const moved = (one: Said): Said => ({ ...one, target: (one.target ?? "").replace(base, "/gw/v7") });
    const { yaml, remarks } = await exported(har([moved(place), moved(cancel)]));
    for (const op of ["op: placeOrder", "op: cancelOrder"]) expect(yaml).toContain(op);
    expect(remarks).toEqual([
      "no request is below /api/v1/trading: those below /gw/v7 are taken for its own",
    ]);
    expect(await refusal(har([{ target: "/somewhere/else" }]))).toMatch(/is below \/api\/v1\/trading/);
  });
});

const asLine = ({ method, target, body, status = 200, answer }: Said, more: Json = {}): string =>
  JSON.stringify({
    time: "2026-11-24T09:00:00Z",
    method,
    path: target,
    body,
    status,
    response: answer,
    ...more,
  });

describe("other formats", () => {
  it("a log of JSON lines is read", async () => {
    const lines = [
      asLine(place),
      '{"level":"info","message":"started"}',
      asLine({ ...cancel, body: undefined }),
    ];
    const { yaml, remarks, steps } = await exported(lines.join("\n"));
    expect([steps, remarks]).toEqual([2, ["1 line without a method and a path left out"]]);
    expect(yaml).toContain("$macro: placed");
    const spelled = { http_method: "get", url: `https://gw.example${base}/order/open`, status_code: "200" };
    expect((await exported(JSON.stringify(spelled))).yaml).toContain("op: openOrders");
    expect(await refusal(`${asLine(place)}\n{"method":`)).toMatch(/session\.har:2: the line is damaged/);
  });

  it("a collection of Postman is read, with its saved examples", async () => {
    const raw = JSON.stringify({ ...sent, client_order_id: "{{$guid}}" });
    const request = (method: string, url: unknown, body?: string): Json => ({
      method,
      header: [{ key: "X-API-KEY", value: "{{apiKey}}" }],
      url,
      ...(body === undefined ? {} : { body: { mode: "raw", raw: body } }),
    });
    const collection = {
      info: { name: "c", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
      variable: [{ key: "product", value: "ETH-USD" }],
      item: [
        {
          name: "orders",
          item: [
            {
              name: "place",
              request: request("POST", { raw: `{{baseUrl}}${base}/order` }, raw),
              response: [{ code: 200, header: [], body: text(placed("NEW_ORDER")) }],
            },
            { name: "list", request: request("GET", `{{baseUrl}}${base}/order/open?product={{product}}`) },
          ],
        },
      ],
    };
    const { yaml, remarks, steps } = await exported(text(collection));
    expect(steps).toBe(2);
    expect(yaml).toContain("client_order_id: '${key1}'");
    expect(yaml).toMatch(/op: openOrders, params: \{ product: ETH-USD \} \} \}/);
    expect(yaml).not.toMatch(/abandon|expect: \{ status: 0/);
    expect(remarks).toContainEqual(
      expect.stringMatching(/^1 request of the collection without a saved example/),
    );
  });

  it.each<[string, string | Buffer, RegExp]>([
    ["mitmproxy", "3046:9:websocket;0:~8:response;491:6:reason;8:OK,", /mitmdump -nr .* --set hardump=/],
    ["pcap", Buffer.from("d4c3b2a102000400", "hex"), /capture of packets .* HAR/],
    ["pcapng", Buffer.from("0a0d0d0a1c000000", "hex"), /capture of packets/],
    [
      "an access log",
      '10.0.0.1 - - [24/Nov/2026:09:00:00 +0000] "POST /order HTTP/1.1" 200 512 "-" "c/1"\n',
      /access log/,
    ],
    [
      "another log",
      "2026-11-24 09:00:00,123 INFO c.a.Client - order placed\n",
      /JSON lines with method and path/,
    ],
    ["an archive", Buffer.from("504b030414000000", "hex"), /ZIP archive/],
  ])("%s is called what it is, with the way", async (_, content, sentence) => {
    writeFileSync(path.join(folder, "session.har"), content);
    await expect(exportFile({ file: path.join(folder, "session.har"), out })).rejects.toThrow(sentence);
  });
});
