import { describe, expect, it } from "vitest";
import type { Permit, SentRequest } from "../model/exchange.ts";
import type { Profile } from "../model/profile.ts";
import { plainProfile } from "../parse/profile.ts";
import { orderProblem } from "./order-guard.ts";
import { rawProblem } from "./raw-guard.ts";

const made = plainProfile("https://gw.example/api/v1/trading", "kid", "secret");
if (typeof made === "string") throw new Error(made);
const products = { "BTC-USD": { buyFar: "1000", sellFar: "990000", qty: "0.001" } };
const remote: Profile = {
  ...made,
  loopback: false,
  kind: "staging",
  safety: { ...made.safety, products, notionalPerOrder: { USD: "15" } },
};
const ours: Profile = { ...remote, loopback: true, kind: "local", safety: made.safety };
const rules = {
  listed: new Set(["BTC-USD", "ETH-USD"]),
  far: (product: string, side: string) =>
    product === "BTC-USD" ? products["BTC-USD"][side === "BUY" ? "buyFar" : "sellFar"] : undefined,
};
const permit: Permit = { caseId: "case", safety: "rests", malformed: false };

function problem(body: string | Uint8Array, changes: Partial<SentRequest> = {}, profile = remote) {
  const request: SentRequest = {
    method: "POST",
    path: "/api/v1/trading/order",
    headers: [],
    body: Buffer.from(body),
    role: "trader",
    permit,
    ...changes,
  };
  return orderProblem(request, profile, rules);
}

const order = (changes: Record<string, string | undefined> = {}): string =>
  JSON.stringify({
    side: "BUY",
    type: "LIMIT",
    base_quantity: "0.001",
    price: "1000",
    client_order_id: "3b241101-e2bb-4255-8caf-4136c566a962",
    product: "BTC-USD",
    ...changes,
  });

const trades = { permit: { ...permit, safety: "trades" as const } };
const malformed = { permit: { ...permit, malformed: true } };

describe("an order that leaves this machine", () => {
  it("is for a product that the profile allows, or for none that exists", () => {
    expect(problem(order())).toBeUndefined();
    expect(problem(order({ product: "NO-SUCH" }))).toBeUndefined();
    expect(problem(order({ product: "ETH-USD" }))).toContain("ETH-USD is not among safety.products");
  });

  it("costs no more than the cap, whichever way it is sized", () => {
    expect(problem(order({ base_quantity: "0.015" }))).toBeUndefined();
    expect(problem(order({ base_quantity: "0.01500001" }))).toContain("15.00001 USD is above the 15");
    expect(problem('{"product":"BTC-USD","quote_value":"15.01"}')).toContain("is above the 15");
    expect(problem('{"product":"BTC-USD","quote_value":1e9}')).toContain("is above the 15");
  });

  it("stands where nobody trades, on either side, unless the case is about trading", () => {
    expect(problem(order({ price: "1000.01" }))).toContain("not on the far side of 1000");
    expect(problem(order({ side: "SELL", price: "989999", base_quantity: "0.00001" }))).toContain(
      "far side of 990000",
    );
    expect(problem(order({ price: "1000.01" }), trades)).toBeUndefined();
    // A target that forgets to refuse it would trade it.
    expect(problem(order({ price: "1000.01", base_quantity: undefined }))).toContain("far side of 1000");
  });

  it("is MARKET only where trading is allowed, and then small", () => {
    const market = { type: "MARKET", price: undefined };
    expect(problem(order(market))).toContain("MARKET");
    expect(problem(order({ ...market, side: "SELL" }), trades)).toBeUndefined();
    expect(problem(order({ ...market, side: "SELL", base_quantity: "0.003" }), trades)).toContain(
      "more than twice",
    );
  });

  it("is looked at whatever the path looks like and whatever the step was called", () => {
    for (const path of ["/api/v1/trading/order?x=1", "/api/v1/trading/order/", "/x/ORDER"])
      expect(problem(order({ product: "ETH-USD" }), { path })).toContain("ETH-USD");
    expect(problem(order({ product: "ETH-USD" }), { path: "/elsewhere", operation: "placeOrder" })).toContain(
      "ETH-USD",
    );
    expect(problem(order({ product: "ETH-USD" }), { method: "post" })).toContain("ETH-USD");
  });

  it("has the strictest reading when nobody says what the case may do", () => {
    const { permit: _, ...bare } = { permit };
    expect(
      orderProblem(
        {
          method: "POST",
          path: "/order",
          headers: [],
          body: Buffer.from(order({ price: "2000" })),
          role: "t",
          ...bare,
        },
        remote,
        rules,
      ),
    ).toContain("may only rest");
  });
});

describe("a body with more than one reading", () => {
  const twice = order().replace('"price":"1000"', '"price":"1000","price":"9000"');

  it("is sent only from cases that are marked malformed", () => {
    expect(problem('{"side":')).toContain("tag malformed");
    expect(problem('{"side":', malformed)).toBeUndefined();
    expect(problem("[]")).toContain("tag malformed");
    expect(problem("")).toBeUndefined();
  });

  it.each([
    ["a key that stands twice", twice],
    ["a comma too many", order().replace("}", ",}")],
    ["no closing brace", order().slice(0, -1)],
    ["single quotes", order().replaceAll('"', "'")],
    ["no quotes around keys", order().replace(/"(\w+)":/g, "$1:")],
    ["UTF-16", Buffer.from(order(), "utf16le")],
    ["a wrapper", `[${order()}]`],
    ["a byte order mark", `\ufeff${order()}`],
    ["a form", "side=BUY&type=LIMIT&base_quantity=1&price=1&client_order_id=x&product=BTC-USD"],
  ])("is not sent at all when a target that mends it finds an order: %s", (_, body) => {
    expect(problem(body, malformed)).toMatch(/keep a required field out|is above/);
  });

  it("is judged by its worst reading", () => {
    expect(problem(order().replace('"0.001"', '"0.001","base_quantity":"9"'), malformed)).toContain(
      "9000 USD is above",
    );
  });

  it("cannot hide in a coding", () => {
    expect(problem(order(), { headers: [["Content-Encoding", "gzip"]] })).toContain("content coding");
  });
});

describe("on this machine", () => {
  it("everything may be tried, unless the profile itself sets a cap", () => {
    expect(problem('{"side":', {}, ours)).toBeUndefined();
    expect(problem(order({ product: "ETH-USD", price: "9999999" }), {}, ours)).toBeUndefined();
    const capped = { ...ours, safety: { ...ours.safety, notionalPerOrder: { USD: "15" } } };
    expect(problem(order({ price: "99999" }), {}, capped)).toContain("is above the 15");
  });

  it("a gateway behind a tunnel is guarded like any other", () => {
    expect(problem(order({ product: "ETH-USD" }), {}, { ...remote, loopback: true })).toContain("ETH-USD");
  });
});

describe("raw bytes that leave this machine", () => {
  const head = "POST /api/v1/trading/order HTTP/1.1\r\nHost: gw\r\n";
  const raw = (text: string, chunks: { pauseMs: number }[] = [], profile = remote) =>
    rawProblem(Buffer.from(text, "latin1"), chunks, profile);

  it("are one request that everybody reads alike", () => {
    expect(raw(`${head}Content-Length: 2\r\n\r\n{}`)).toBeUndefined();
    expect(raw("GET /x HTTP/1.1\r\nHost: gw\r\n\r\n")).toBeUndefined();
  });

  it.each([
    ["a second request behind the first", `${head}Content-Length: 2\r\n\r\n{}GET / HTTP/1.1\r\n\r\n`],
    ["a wrong length", `${head}Content-Length: 3\r\n\r\n{}`],
    ["two lengths", `${head}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    ["chunks and a length", `${head}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}`],
    ["a control character", `${head}X: a\u0000b\r\n\r\n`],
    ["a folded header", `${head}X: a\r\n b: c\r\n\r\n`],
    ["a space before the colon", `${head}Content-Length : 0\r\n\r\n`],
    ["no end", head],
    ["HTTP/1.0", "GET /x HTTP/1.0\r\nHost: gw\r\n\r\n"],
    ["two hosts", `${head}Host: other\r\n\r\n`],
    ["70 KB", `${head}X: ${"a".repeat(70_000)}\r\n\r\n`],
  ])("are never %s", (_, text) => {
    expect(raw(text)).toContain("this machine only");
    expect(raw(text, [], ours)).toBeUndefined();
  });

  it("never trickle", () => {
    expect(raw("GET /x HTTP/1.1\r\nHost: gw\r\n\r\n", [{ pauseMs: 1 }])).toContain("trickle");
  });
});
