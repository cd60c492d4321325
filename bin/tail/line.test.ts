/** The line of an exchange. */
import { expect, it } from "vitest";
import { type ListedExchange, lineOf } from "./line.ts";

const exchange: ListedExchange = {
  number: 12,
  requestId: "req-00000012",
  kind: "request",
  receivedAt: "2026-01-01T12:00:01.204Z",
  durationMs: 3.14,
  key: "trader",
  method: "POST",
  target: "/api/order",
  status: 200,
  code: null,
  sent: true,
  refusedBy: null,
  entries: { first: 7, last: 7 },
  faults: [],
  stream: null,
};
const line = (more: Partial<ListedExchange> = {}): string =>
  lineOf({ ...exchange, ...more }, "/api", (style, text) => (style === "dim" ? text : `<${style}>${text}`));

it.each<[Partial<ListedExchange>, string]>([
  [{}, "12:00:01.204Z  <green>200  trader        POST /order  3.1 ms  entry 7  req-00000012"],
  [
    { status: 401, code: "INVALID_SIGNATURE", key: null, entries: null },
    "12:00:01.204Z  <yellow>401  ?             POST /order  3.1 ms  INVALID_SIGNATURE  req-00000012",
  ],
  [
    { status: 0, sent: false, entries: { first: 7, last: 9 } },
    "12:00:01.204Z  <red>---  trader        POST /order  3.1 ms  no answer was sent  entries 7 to 9  req-00000012",
  ],
  [
    { status: 503, code: "MAINTENANCE", entries: null, faults: [{ rule: "down", kind: "status" }] },
    "12:00:01.204Z  <red>503  trader        POST /order  3.1 ms  MAINTENANCE  fault down (status)  req-00000012",
  ],
  [
    { sent: false, entries: null },
    "12:00:01.204Z  <green>200  trader        POST /order  3.1 ms  the answer was not taken  req-00000012",
  ],
  [
    {
      kind: "stream",
      status: 101,
      entries: null,
      stream: { code: 1005, received: 1, sent: 9, subscriptions: ["trades BTC-USD"] },
    },
    "12:00:01.204Z  <green>101  trader        POST /order  3.1 ms  WebSocket closed with 1005 (trades BTC-USD; 1 messages in, 9 out)  req-00000012",
  ],
])("shows %o", (more, expected) => {
  expect(line(more)).toBe(expected);
});

it("is cut to the width of a terminal, and keeps the id", () => {
  const long: ListedExchange = {
    ...exchange,
    target: `/api/order?clientOrderId=${"3f2504e0-4f89-41d3-9a0c-0305e82c3301".repeat(3)}`,
    code: "VALIDATION_FAILED",
    faults: [{ rule: "slow", kind: "delay" }],
  };
  const whole = lineOf(long, "/api", (_, text) => text);
  expect(whole.length).toBeGreaterThan(150);
  expect(lineOf(long, "/api", (_, text) => text, 120)).toMatch(
    /^12:00:01\.204Z  200  trader {8}POST \/order\S*…  3\.1 ms  VALIDATION_FAILED  fault slow \(delay\)  entry 7  req-00000012$/,
  );
  for (const columns of [72, 80, 100, 140]) {
    const cut = lineOf(long, "/api", (_, text) => text, columns);
    expect([columns, cut.length <= columns, cut.endsWith("  req-00000012")]).toEqual([columns, true, true]);
  }
  expect(lineOf(exchange, "/api", (_, text) => text, 80)).toBe(lineOf(exchange, "/api", (_, text) => text));
});
