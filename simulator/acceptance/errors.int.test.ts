/** Every error code that a client can provoke is provoked once, and every error has the one closed shape. */
import { describe, expect, test } from "vitest";
import {
  asObject,
  type Json,
  type JsonObject,
  listIn,
  parseRaw,
  type Reply,
  rawText,
  sendRaw,
} from "../testing/client.ts";
import { documentedErrorCodes, problemsIn } from "../testing/records.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, limitSell, startVenue, stopBuy, uuid, type Venue, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const venue = useVenue();

/** The shape of every error, whatever it is about. */
function expectError(reply: Reply, status: number, code: string): void {
  expect([reply.status, reply.code]).toEqual([status, code]);
  expect(problemsIn("ErrorBody", reply.body)).toEqual([]);
  expect(Object.keys(reply.body).slice(0, 3)).toEqual(["statusCode", "success", "message"]);
  expect(reply.body["statusCode"]).toBe(status);
  expect(reply.body["success"]).toBe(false);
  expect(String(reply.body["message"])).toMatch(/\S+ \S+|^Unauthorized$/);
  expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(reply.headers["x-request-id"]).toBe(reply.body["requestId"]);
  const isControl = String(reply.body["path"]).startsWith("/__gatewright");
  const challenge = isControl ? 'Bearer realm="control"' : 'HMAC-SHA256 realm="trading"';
  if (status === 401) expect(reply.headers["www-authenticate"]).toBe(challenge);
  if (status === 429 || status === 503) expect(String(reply.headers["retry-after"])).toMatch(/^[1-9][0-9]*$/);
}

const raw = async (
  running: Venue,
  change: (text: string) => string,
  route = "/order/open",
): Promise<Reply> => {
  const prepared = running.trader.prepare("GET", route);
  return parseRaw(await sendRaw(running.baseUrl, change(rawText(running.baseUrl, prepared))));
};

type Provoke = (running: Venue) => Promise<Reply>;
const get =
  (route: string, query?: string): Provoke =>
  ({ trader }) =>
    trader.get(route, query === undefined ? {} : { query });
const place =
  (change: JsonObject): Provoke =>
  ({ trader }) =>
    trader.place(limitBuy(change));
const header =
  (headers: Record<string, string | undefined>): Provoke =>
  ({ trader }) =>
    trader.get("/order/open", { headers });

const nested = (levels: number): Json => (levels === 0 ? [] : [nested(levels - 1)]);

const cases: readonly (readonly [status: number, code: string, what: string, provoke: Provoke])[] = [
  [400, "VALIDATION_FAILED", "a bad field", place({ side: "x" })],
  [400, "VALIDATION_FAILED", "a malformed id", get("/order/no-uuid")],
  [400, "VALIDATION_FAILED", "a malformed id of a deposit", get("/wallet/deposits/no-uuid")],
  [400, "MALFORMED_JSON", "half a body", ({ trader }) => trader.place("{")],
  [400, "JSON_NOT_ACCEPTED", "a deep body", ({ trader }) => trader.place(limitBuy({ note: nested(16) }))],
  [400, "INVALID_QUERY", "a bad limit", get("/order", "limit=0")],
  [400, "INVALID_QUERY", "an unreadable escape", get("/order", "product=%ff")],
  [400, "INVALID_QUERY", "no granularity", get("/product/BTC-USD/candles")],
  [400, "INVALID_CURSOR", "a made-up cursor", get("/order", "cursor=abc")],
  [400, "INVALID_CURSOR", "a made-up cursor of deposits", get("/wallet/deposits", "cursor=abc")],
  [400, "PRODUCT_NOT_FOUND", "an order for an unknown product", place({ product: "NO-SUCH" })],
  [400, "PRODUCT_NOT_ENABLED", "an order for a disabled product", place({ product: "DOGE-USD" })],
  [400, "ORDER_SIZE_BELOW_MINIMUM", "a tiny order", place({ base_quantity: "0.00000001" })],
  [400, "ORDER_SIZE_ABOVE_MAXIMUM", "a huge order", place({ base_quantity: "1000000000000" })],
  [400, "EXCHANGE_REJECTED", "a price off the grid", place({ price: "30000.001" })],
  [
    400,
    "ASSET_NOT_SUPPORTED",
    "an address for money",
    ({ trader }) => trader.post("/wallet/deposit-address", { asset: "USD" }),
  ],
  [
    400,
    "NETWORK_NOT_SUPPORTED",
    "an unknown network",
    ({ trader }) => trader.post("/wallet/deposit-address", { asset: "BTC", network: "no-such" }),
  ],
  [
    400,
    "INVALID_TARGET",
    "an escape in the path",
    (running) => raw(running, (text) => text.replace("/open", "/%6fpen")),
  ],
  [
    400,
    "DUPLICATE_HEADER",
    "Content-Type twice",
    (running) =>
      raw(running, (text) => text.replace("Content-Type", "Content-Type: text/plain\r\nContent-Type")),
  ],
  [
    400,
    "UNEXPECTED_BODY",
    "a body on DELETE",
    ({ trader }) => trader.delete(`/order/${uuid()}`, { body: { reason: "none" } }),
  ],
  [
    400,
    "UNEXPECTED_BODY",
    "a body on a cancel by POST",
    ({ trader }) => trader.post(`/order/${uuid()}/cancel`, { reason: "none" }),
  ],
  [
    400,
    "MALFORMED_REQUEST",
    "no HTTP",
    (running) => sendRaw(running.baseUrl, "hello\r\n\r\n").then(parseRaw),
  ],
  [
    400,
    "INVALID_COMMAND",
    "a control on an unknown product",
    (running) => running.controlReply("/products/NO-SUCH/halted", { halted: true }),
  ],
  [401, "MISSING_CREDENTIALS", "no headers at all", (running) => running.open("/order/open")],
  [401, "INVALID_API_KEY", "an unknown key", header({ "X-API-KEY": "no-such-key" })],
  [401, "INVALID_TIMESTAMP", "ISO text", header({ "X-API-TIMESTAMP": "2026-01-01T00:00:00Z" })],
  [401, "TIMESTAMP_OUT_OF_WINDOW", "seconds", header({ "X-API-TIMESTAMP": "1767225600" })],
  [401, "INVALID_NONCE", "no UUID", header({ "X-API-NONCE": "abc" })],
  [
    401,
    "INVALID_SIGNATURE",
    "another secret",
    ({ trader }) => trader.get("/order/open", { secret: "another-secret-0" }),
  ],
  [
    403,
    "FORBIDDEN",
    "a wrong control token",
    (running) => running.controlReply("/clock", {}, "GET", "wrong"),
  ],
  [403, "MISSING_CLAIM", "a key that cannot write", (running) => running.as("reader").place(limitBuy())],
  [403, "FORBIDDEN", "a key without a client", (running) => running.as("orphan").get("/wallet")],
  [403, "FOREIGN_ORIGIN", "a web page", header({ Origin: "https://evil.example" })],
  [404, "ROUTE_NOT_FOUND", "an unknown path", get("/nothing")],
  [
    405,
    "METHOD_NOT_ALLOWED",
    "a method that a path does not have",
    (running) => running.trader.request("PUT", "/order"),
  ],
  [404, "ORDER_NOT_FOUND", "a random id", get(`/order/${uuid()}`)],
  [404, "PRODUCT_NOT_FOUND", "reading an unknown product", get("/product/NO-SUCH")],
  [404, "PRODUCT_NOT_FOUND", "the book of an unknown product", get("/order-book/NO-SUCH")],
  [
    404,
    "PRODUCT_NOT_FOUND",
    "candles of an unknown product",
    get("/product/NO-SUCH/candles", "granularity=ONE_DAY"),
  ],
  [404, "PRODUCT_NOT_FOUND", "the fee for an unknown product", get("/account/fee", "product=NO-SUCH")],
  [404, "ASSET_NOT_FOUND", "an unknown asset", get("/asset/NOSUCH")],
  [404, "DEPOSIT_NOT_FOUND", "a random deposit", get(`/wallet/deposits/${uuid()}`)],
  [
    404,
    "NOT_FOUND",
    "a control on an unknown client",
    (running) => running.controlReply("/clients/nobody/trading", { enabled: true }),
  ],
  [413, "PAYLOAD_TOO_LARGE", "a body over 100 KiB", ({ trader }) => trader.place("x".repeat(102_401))],
  [414, "URI_TOO_LONG", "a long query", get("/order", `product=${"A".repeat(8200)}`)],
  [
    415,
    "UNSUPPORTED_MEDIA_TYPE",
    "a form",
    ({ trader }) => trader.place(limitBuy(), { headers: { "Content-Type": "text/plain" } }),
  ],
  [
    415,
    "UNSUPPORTED_MEDIA_TYPE",
    "no media type",
    ({ trader }) => trader.place(limitBuy(), { headers: { "Content-Type": undefined } }),
  ],
  [
    417,
    "EXPECTATION_FAILED",
    "an odd expectation",
    (running) => raw(running, (text) => text.replace("Content-Type", "Expect: miracle\r\nContent-Type")),
  ],
  [421, "MISDIRECTED_REQUEST", "another host", header({ Host: "evil.example" })],
  [
    431,
    "HEADERS_TOO_LARGE",
    "two hundred headers",
    (running) =>
      raw(running, (text) =>
        text.replace(
          "Content-Type",
          `${Array.from({ length: 200 }, (_, at) => `X-${at}: 1\r\n`).join("")}Content-Type`,
        ),
      ),
  ],
  [
    505,
    "HTTP_VERSION_NOT_SUPPORTED",
    "HTTP/3 by hand",
    (running) => raw(running, (text) => text.replace("HTTP/1.1", "HTTP/3.0")),
  ],
];

describe("each code once", () => {
  test.each(cases.map(([status, code, what, provoke]) => ({ status, code, what, provoke })))(
    "$status $code: $what",
    async ({ status, code, provoke }) => {
      expectError(await provoke(venue()), status, code);
    },
  );

  test("401 NONCE_REUSED: the same request twice", async () => {
    const request = venue().trader.prepare("GET", "/order/open");
    await venue().trader.send(request);
    expectError(await venue().trader.send(request), 401, "NONCE_REUSED");
  });

  test("409 ORDER_NOT_CANCELLABLE: an order that is over; its status is told", async () => {
    const { id } = await venue().placed(limitBuy());
    await venue().trader.delete(`/order/${String(id)}`);
    const reply = await venue().trader.delete(`/order/${String(id)}`);
    expectError(reply, 409, "ORDER_NOT_CANCELLABLE");
    expect(listIn(reply.body["details"])[0]?.["status"]).toBe("CANCELLED");
  });

  test("409 CLOCK_IS_REAL: a clock that cannot be moved", async () => {
    await withVenue({ clock: "real" }, async (running) => {
      expectError(await running.controlReply("/clock", { advanceMs: 1 }), 409, "CLOCK_IS_REAL");
    });
  });

  test("409 CONDITION_NOT_MET: a move of the clock that waited in vain", async () => {
    await withVenue({}, async (running) => {
      const until = { product: "BTC-USD", price: "1" };
      expectError(await running.controlReply("/clock", { until, withinMs: 5 }), 409, "CONDITION_NOT_MET");
    });
  });

  test.each([
    [429, "RATE_LIMITED"],
    [500, "INTERNAL_ERROR"],
    [503, "MAINTENANCE"],
  ])("%i %s: a fault that was asked for", async (status, code) => {
    await withVenue({}, async (running) => {
      await running.control("/faults", { rules: [{ id: "wire", fault: { kind: "status", status } }] });
      expectError(await running.trader.get("/product"), status, code);
      expectError(await running.trader.place(limitBuy()), status, code);
    });
  });

  test("408 REQUEST_TIMEOUT: a request that never ends", async () => {
    const world = quietWorld({ limits: { headersTimeoutMs: 100, requestTimeoutMs: 200 } });
    await withVenue({ world }, async (running) => {
      const text = await sendRaw(
        running.baseUrl,
        "GET /api/v1/trading/product HTTP/1.1\r\nHost: localhost\r\n",
      );
      expectError(parseRaw(text), 408, "REQUEST_TIMEOUT");
    });
  });

  test("a venue that is shutting down answers what is in flight; what follows is 503 or never looked at", async () => {
    const running = await startVenue();
    const fault = { kind: "delay", ms: 400 };
    await running.control("/faults", { rules: [{ id: "slow", route: "GET /product", fault }] });
    const { baseUrl, trader } = running;
    const first = rawText(baseUrl, trader.prepare("GET", "/product")).replace("Connection: close\r\n", "");
    const second = rawText(baseUrl, trader.prepare("GET", "/order/open"));
    let closed: Promise<void> | undefined;
    const text = await sendRaw(baseUrl, first, async (write) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      closed = running.close();
      write(second);
    });
    await closed;
    const [one = "", other = ""] = text.split(/(?=HTTP\/1\.1 )/);
    expect(parseRaw(one).status).toBe(200);
    // The answer in flight may already have said that the connection ends; then nothing follows it.
    if (other !== "") expectError(parseRaw(other), 503, "NOT_READY");
    else expect(parseRaw(one).headers["connection"]).toBe("close");
  });

  test("diagnostics off: every 401 is the same UNAUTHORIZED", async () => {
    await withVenue({ world: quietWorld({ diagnostics: false }) }, async (running) => {
      const replies = [
        await running.open("/order/open"),
        await running.trader.get("/order/open", { headers: { "X-API-KEY": "no-such-key" } }),
        await running.trader.get("/order/open", { headers: { "X-API-TIMESTAMP": "0" } }),
        await running.trader.get("/order/open", { headers: { "X-API-NONCE": "x" } }),
        await running.trader.get("/order/open", { secret: "another-secret-0" }),
      ];
      for (const reply of replies) {
        expectError(reply, 401, "UNAUTHORIZED");
        expect([reply.body["message"], reply.body["details"]]).toEqual(["Unauthorized", []]);
      }
    });
  });

  test("no documented code is left out", () => {
    const alone = [
      "UNAUTHORIZED",
      "NONCE_REUSED",
      "ORDER_NOT_CANCELLABLE",
      "RATE_LIMITED",
      "INTERNAL_ERROR",
      "NOT_READY",
      "MAINTENANCE",
    ];
    const provoked = new Set(cases.map(([status, code]) => `${status} ${code}`));
    const missing = Object.entries(documentedErrorCodes).flatMap(([status, codes]) =>
      codes.filter((code) => !provoked.has(`${status} ${code}`) && !alone.includes(code)),
    );
    expect(missing).toEqual([]);
  });
});

describe("what an error says", () => {
  test("path is the path without the query; the secret and a right signature are never told", async () => {
    const { trader } = venue();
    const path = trader.pathOf("/order/open?product=BTC-USD");
    const reply = await trader.get("/order/open", { query: "product=BTC-USD", sign: { path } });
    expect(reply.body["path"]).toBe("/api/v1/trading/order/open");
    const detail = asObject(listIn(reply.body["details"])[0]);
    expect(Object.keys(detail)).toEqual([
      "check",
      "expectedCanonical",
      "hint",
      "mistakes",
      "signedCanonical",
      "firstDifference",
    ]);
    expect(String(detail["expectedCanonical"])).toContain(
      "\nGET\n/api/v1/trading/order/open\napplication/json\n",
    );
    expect(reply.text).not.toContain(trader.credentials.secret);
  });

  test("text of the client never reaches a header or breaks the JSON", async () => {
    const nasty = 'a"b\\c<script>\u{1f600}\u0000';
    const reply = await venue().trader.place(limitBuy({ side: nasty }));
    expectError(reply, 400, "VALIDATION_FAILED");
    expect(listIn(reply.body["details"])[0]?.["value"]).toBe(nasty);
  });

  test("a refused cancel of each form and a refused order agree in shape", async () => {
    const filled = await venue().placed(limitSell({ price: "60000" }), "counterparty");
    await venue().settle();
    await venue().placed(limitBuy({ price: "60000" }));
    await venue().settle();
    const reply = await venue()
      .as("counterparty")
      .post(`/order/${String(filled["id"])}/cancel`, "");
    expectError(reply, 409, "ORDER_NOT_CANCELLABLE");
    expect(listIn(reply.body["details"])[0]?.["status"]).toBe("FILLED");
  });

  test("the reasons of EXCHANGE_REJECTED carry field and expectation where there is one", async () => {
    const reply = await venue().trader.place(stopBuy({ base_quantity: "0.010000001" }));
    expect(listIn(reply.body["details"])[0]).toEqual({
      reason: "INVALID_SIZE_INCREMENT",
      field: "base_quantity",
      expected: "0.00000001",
    });
  });
});
