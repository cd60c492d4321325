/** Files of other programs: what is read of them, and which are refused. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { UsageError } from "../model/position.ts";
import { readCapsule } from "./read-capsule.ts";
import { isHar, readHar } from "./read-har.ts";

const signature = "ab".repeat(32);
const headers = [
  { name: ":authority", value: "gw.example" },
  { name: "X-API-KEY", value: "kid-of-a-client" },
  { name: "X-API-SIGNATURE", value: signature },
];
const entry = {
  startedDateTime: "2026-11-24T10:00:00.250+01:00",
  time: 12.5,
  request: {
    method: "POST",
    url: "https://gw.example/api/v1/trading/order?key=kid-of-a-client#x",
    headers,
    postData: { mimeType: "application/json", text: `{"note":"${signature}"}` },
  },
  response: {
    status: 200,
    headers: [{ name: "content-type", value: "application/json" }],
    content: { size: 2, text: "e30=", encoding: "base64" },
  },
};
const har = (...entries: unknown[]): string => JSON.stringify({ log: { version: "1.2", entries } });

/** The class and the sentence in one, because some of the files take a while to be refused. */
const refusal = (sentence: RegExp): Error =>
  expect.objectContaining({
    constructor: UsageError,
    message: expect.stringMatching(sentence) as string,
  }) as Error;

describe("a HAR file", () => {
  it("is read, without its secrets", () => {
    const text = har({ ...entry, startedDateTime: "2026-11-24T09:00:01Z" }, entry);
    expect(isHar(text)).toBe(true);
    const { exchanges, startedAt, isOfClient } = readHar("a.har", text);
    expect([startedAt, isOfClient]).toEqual([Date.parse("2026-11-24T09:00:00.250Z"), true]);
    expect(exchanges.map(({ id, at }) => [id, at])).toEqual([
      [2, 0],
      [1, 750],
    ]);
    const [first] = exchanges;
    expect(first).toMatchObject({
      durationMs: 12.5,
      key: "key-1",
      request: { method: "POST", target: "/api/v1/trading/order?key=%C2%ABkey-1%C2%BB" },
      answer: { status: 200, body: { length: 2, text: "{}" } },
    });
    for (const hidden of ["kid-of-a-client", signature, ":authority"])
      expect(JSON.stringify(exchanges)).not.toContain(hidden);
  });

  it("may have requests without an answer, and streams", () => {
    const { exchanges, remarks } = readHar(
      "a.har",
      har({ ...entry, response: { status: 0 } }, { ...entry, _webSocketMessages: [] }),
    );
    expect(exchanges[0]?.answer).toBeUndefined();
    expect(remarks).toEqual([expect.stringContaining("WebSocket")]);
  });

  it.each([
    ["a file that is cut", har(entry).slice(0, 300), /^a\.har:1: cannot be read: not JSON/],
    ["no entries", '{"log":{}}', /^a\.har:1: .*log\.entries/],
    [
      "an entry without a URL",
      har({ ...entry, request: { method: "GET" } }),
      /log\.entries\[0\] has no text request\.url/,
    ],
    ["an entry without a time", har({ ...entry, startedDateTime: "soon" }), /startedDateTime is no time/],
    ["endless nesting", `{"log":${"[".repeat(100_000)}`, /^a\.har:1: cannot be read: /],
    ["endless values", `{"log":{"entries":[${"0,".repeat(1_100_000)}0]}}`, /^a\.har:1: cannot be read: /],
  ])("is refused in one sentence: %s", (_, text, sentence) => {
    expect(() => readHar("a.har", text)).toThrow(refusal(sentence));
  });
});

describe("a capsule", () => {
  const header = '{"kind":"capsule","version":1}\n';
  const exchange = '{"kind":"exchange","at":1,"ms":1,"method":"GET","target":"/a"}\n';
  const read = (text: string): unknown => readCapsule("a.capsule", gzipSync(text), 8_000_000);

  it("is read, whatever its other lines are", () => {
    expect(read(`${header}[[[\n\n${exchange}`)).toMatchObject({ exchanges: [{ request: { target: "/a" } }] });
  });

  it.each([
    ["is no gzip at all", () => readCapsule("a.capsule", Buffer.from("x")), /^a\.capsule: .* cut or damaged/],
    ["is empty", () => read(""), /^a\.capsule:1: the line is damaged: it is empty/],
    ["unfolds without end", () => read("x".repeat(9_000_000)), /unfolds to more than 8000000 bytes/],
    [
      "has a huge line",
      () => read(header + "x".repeat(5_000_000)),
      /^a\.capsule:2: a line has at most 4194304/,
    ],
    [
      "has endless lines",
      () => read(header + "\n".repeat(1_200_000)),
      /^a\.capsule:1100001: .* 1100000 lines/,
    ],
    [
      "has endless exchanges",
      () => read(header + exchange.repeat(10_001)),
      /^a\.capsule:10002: .* 10000 exch/,
    ],
    [
      "nests without end",
      () => read(`${header}{"kind":"exchange","at":${"[".repeat(100_000)}`),
      /^a\.capsule:2: the line is damaged: nested deeper/,
    ],
    [
      "has endless values",
      () => read(`${header}{"kind":"exchange","at":[${"0,".repeat(40_000)}0]}`),
      /^a\.capsule:2: the line is damaged: more than 30000 values/,
    ],
    [
      "has a text for a time",
      () => read(header + exchange.replace('"at":1', '"at":"1"')),
      /2: .* not an exch/,
    ],
    [
      "has a number for a body",
      () => read(header + exchange.replace("}", ',"body":7}')),
      /2: .* a body of no/,
    ],
  ])("is refused in one sentence when it %s", (_, reading, sentence) => {
    expect(reading).toThrow(refusal(sentence));
  });

  it("reaches no prototype", () => {
    const text = exchange.replace("}", ',"__proto__":{"polluted":true},"constructor":{"prototype":{}}}');
    expect(read(header + text)).toMatchObject({ exchanges: [{}] });
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});
