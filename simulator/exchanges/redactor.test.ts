/** Every place of an exchange where a secret can stand, and every spelling of it that the page promises. */
import { describe, expect, it } from "vitest";
import type { Exchange } from "./exchange.ts";
import { isIncomplete, Redactor } from "./redactor.ts";
import { exchange } from "./testing/exchange.ts";

const secret = "Geheim-42_of/the+trader~ü";
const token = "Xq-7ControlTokenOfThisStart_9";
const redactor = new Redactor([{ secret }, { secret: "other-secret-of-gw_other" }], [{ secret: token }]);

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const escaped = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const spellings: readonly (readonly [string, string])[] = [
  ["as it is", secret],
  ["in small letters", secret.toLowerCase()],
  ["in capitals", secret.toUpperCase()],
  ["as bytes of HTTP", Buffer.from(secret).toString("latin1")],
  ["in hex", Buffer.from(secret).toString("hex")],
  ["in hex, in capitals", Buffer.from(secret).toString("hex").toUpperCase()],
  ["in base64", base64(secret)],
  ["in base64 of an address", Buffer.from(secret).toString("base64url")],
  ["in base64, one byte later", base64(`:${secret}`)],
  ["in base64, two bytes later", base64(`a:${secret}`)],
  ["in base64, three bytes later", base64(`ab:${secret}`)],
  ["in base64, with more behind it", base64(`gw_trader:${secret}:more`)],
  ["percent-encoded", encodeURIComponent(secret)],
  ["percent-encoded whole", percent(secret)],
  ["percent-encoded twice", percent(percent(secret))],
  ["percent-encoded three times", percent(percent(percent(secret)))],
  ["in base64, percent-encoded", encodeURIComponent(base64(`gw_trader:${secret}`))],
  ["escaped in JSON", escaped(secret)],
  ["escaped in JSON within JSON", JSON.stringify(escaped(secret))],
  ["escaped solidus", secret.replace("/", "\\/")],
  ["escaped and percent-encoded", percent(escaped(secret))],
  ["another secret of the world", "other-secret-of-gw_other"],
  ["the control token", token],
  ["the control token in base64", base64(`Bearer ${token}`)],
];

const header = (name: string, value = "1") => ({ headers: [{ name, value }] });
const { request, answer } = exchange("x");
const places: readonly (readonly [string, (text: string) => Partial<Exchange>])[] = [
  ["request id", (id) => ({ id })],
  ["target", (target) => ({ request: { ...request, target } })],
  ["name of a header", (name) => ({ request: { ...request, ...header(name) } })],
  ["value of a header", (value) => ({ request: { ...request, ...header("user-agent", value) } })],
  ["body", (text) => ({ request: { ...request, body: { length: text.length, text } } })],
  [
    "bytes of a body",
    (text) => ({
      request: {
        ...request,
        body: { length: 900, base64: Buffer.from(`\u00ff${text}`, "latin1").toString("base64") },
      },
    }),
  ],
  ["header of the answer", (value) => ({ answer: { ...answer, ...header("x-request-id", value) } })],
  ["answer", (text) => ({ answer: { ...answer, body: { length: text.length, text } } })],
  [
    "reason of a close",
    (reason) => ({ stream: { code: 1000, reason, received: 0, sent: 0, subscriptions: [] } }),
  ],
];

describe.each(places)("in the %s", (_, put) => {
  it.each(spellings)("a secret is left out %s", (_spelling, text) => {
    for (const around of [text, `before ${text} behind`]) {
      const redacted = JSON.stringify(redactor.redacted(exchange("x", put(around))));
      expect(redacted).not.toContain(text);
      expect(redacted).not.toContain(JSON.stringify(text).slice(1, -1));
      expect(redacted).not.toContain(Buffer.from(text, "latin1").toString("base64").slice(4, -4));
    }
  });

  it("nothing else is left out", () => {
    for (const text of [
      "",
      "x",
      "/api/v1/trading/order?limit=5%20",
      "Geheim-42",
      "a\\u0062c",
      "ü".repeat(400),
    ]) {
      const whole = exchange("x", put(text));
      expect(redactor.redacted(whole)).toBe(whole);
    }
  });
});

describe("a text that was cut", () => {
  it.each([8, 12, 20])("ends with no beginning of a secret of %i characters", (length) => {
    const text = "x".repeat(1024 - length) + secret.slice(0, length);
    expect(redactor.isIn(text)).toBe(true);
    expect(redactor.isIn("x".repeat(1024 - length) + secret.slice(0, 7))).toBe(false);
    expect(redactor.isIn(secret.slice(0, length))).toBe(false);
  });
});

describe("a signature", () => {
  const digits = "0F".repeat(32);
  it.each([
    ["request id", { id: digits }],
    ["target", { request: { ...request, target: `/order?signature=${digits}` } }],
    ["value of a header", { request: { ...request, ...header("user-agent", `v1=${digits}`) } }],
    ["header of the answer", { answer: { ...answer, ...header("x-request-id", digits) } }],
  ] as const)("in the %s is left out, and where it is repeated", (_, more) => {
    const text = JSON.stringify({ requestId: digits });
    const body = {
      answer: { ...answer, body: { length: text.length, text }, ...("answer" in more ? more.answer : {}) },
    };
    const redacted = redactor.redacted(exchange("x", { ...body, ...more }));
    const shown = JSON.stringify("answer" in more ? redacted.answer.headers : redacted);
    expect(shown.toLowerCase()).not.toContain(digits.toLowerCase());
  });
});

it("of an exchange tells whether more than headers was left out", () => {
  const whole = exchange("x", { request: { ...request, body: { length: 2, text: "{}" } } });
  expect(isIncomplete(redactor.redacted(whole))).toBe(false);
  for (const [place, put] of places) {
    const isTold = place.includes("header") || place.includes("close");
    expect([place, isIncomplete(redactor.redacted(exchange("x", put(secret))))]).toEqual([place, !isTold]);
  }
});
