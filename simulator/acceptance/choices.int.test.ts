/**
 * What the specification leaves to a gateway that refuses: the status and the code, what the details name, and which of two
 * mistakes is the answer. What has to be refused, and what must not be, is told by the scenarios of the kit.
 */
import { describe, expect, test } from "vitest";
import { tradingRoutes } from "../http/routes/all.ts";
import {
  type Json,
  type JsonObject,
  listIn,
  type Options,
  parseRaw,
  type Reply,
  rawText,
  sendRaw,
  text,
} from "../testing/client.ts";
import { documentedErrorCodes, problemsIn } from "../testing/records.ts";
import { useVenue } from "../testing/use-venue.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, marketBuy, marketSell, stopBuy, uuid } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const venue = useVenue();
const withWorld = useWorlds(venue);

/** An answer as the tables write it: the outcome of an order, or a status with its code and what the details name. */
function told(reply: Reply): string {
  if (reply.status < 300) return text(reply.data, "type");
  const named = listIn(reply.body["details"]).flatMap(({ reason, field, product, status, source }) =>
    [reason, field, product, status, source].filter((word) => typeof word === "string" && word !== ""),
  );
  return [reply.status, reply.code, ...named].join(" ");
}

/** The shape of every error, whatever it is about. */
function expectShape({ status, body, headers }: Reply): void {
  expect(problemsIn("ErrorBody", body)).toEqual([]);
  expect(Object.keys(body).slice(0, 3)).toEqual(["statusCode", "success", "message"]);
  expect(body).toMatchObject({ statusCode: status, success: false, requestId: headers["x-request-id"] });
  expect(String(body["message"])).toMatch(/\S+ \S+|^Unauthorized$/);
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  if (status === 401) expect(headers["www-authenticate"]).toBe('HMAC-SHA256 realm="trading"');
}

/** All answers of the tables. */
const answers = new Set<string>();

/** Rows of what is sent and the answer. No refusal is an entry of the journal. */
function table<Sent extends readonly unknown[]>(
  name: string,
  rows: readonly (readonly [...sent: Sent, answer: string])[],
  ask: (...sent: Sent) => Promise<Reply>,
): void {
  const cases = rows.map((row) => {
    // as: the last of a row is its answer, and the others are what is sent.
    const [sent, answer] = [row.slice(0, -1) as unknown as Sent, row.at(-1) as string];
    answers.add(answer);
    const words = sent.map((word) => (typeof word === "string" ? word : JSON.stringify(word)));
    return [words.join(" ").trim().slice(0, 100), answer, sent] as const;
  });
  describe(name, () => {
    test.each(cases)("%s: %s", async (_title, answer, sent) => {
      const before = await venue().control("/state-hash", {}, "GET");
      const reply = await ask(...sent);
      expect(told(reply), reply.text).toBe(answer);
      if (reply.status < 300) return;
      expectShape(reply);
      expect(await venue().control("/state-hash", {}, "GET")).toEqual(before);
    });
  });
}

const invalid = "400 VALIDATION_FAILED";
const unread = "400 JSON_NOT_ACCEPTED";
const below = "400 ORDER_SIZE_BELOW_MINIMUM";
const above = "400 ORDER_SIZE_ABOVE_MAXIMUM";
const off = "400 EXCHANGE_REJECTED INVALID_SIZE_INCREMENT";
const offPrice = "400 EXCHANGE_REJECTED INVALID_PRICE_INCREMENT";

const long = "12345678901234567890.12345678901234567890";
const shapes = { LIMIT: limitBuy, BUY: marketBuy, SELL: marketSell, STOP: stopBuy };

// Sizes of BTC-USD are 0.0001 to 10 in steps of 0.00000001, prices have steps of 0.01, values of ETH-USD are 1 to 50000000.
table<[keyof typeof shapes, JsonObject]>(
  "an order",
  [
    ["LIMIT", { price: null }, `${invalid} price`],
    ["LIMIT", { base_quantity: null, product: null }, `${invalid} product base_quantity`],
    ["BUY", { quote_value: null }, `${invalid} quote_value`],
    ["SELL", { base_quantity: null }, `${invalid} base_quantity`],
    ["STOP", { stop_price: null }, `${invalid} stop_price`],
    // Without a side it is not known which amounts the order needs.
    ["LIMIT", { side: "x", price: "1e5", product: "x" }, `${invalid} side product`],
    ["LIMIT", { side: "buy" }, `${invalid} side`],
    ["LIMIT", { side: "constructor" }, `${invalid} side`],
    ["LIMIT", { type: "TWAP" }, `${invalid} type`],
    ["LIMIT", { client_order_id: "b2c3d4e5-6f70-11ee-8c99-0242ac120002" }, `${invalid} client_order_id`],
    ["LIMIT", { client_order_id: 7 }, `${invalid} client_order_id`],
    ["LIMIT", { product: "btc-usd" }, `${invalid} product`],
    ["LIMIT", { price: 30_000 }, `${invalid} price`],
    ["LIMIT", { price: "0" }, `${invalid} price`],
    ["LIMIT", { price: "-0" }, `${invalid} price`],
    ["LIMIT", { price: "1e5" }, `${invalid} price`],
    ["LIMIT", { price: "01" }, `${invalid} price`],
    ["LIMIT", { price: "1\n" }, `${invalid} price`],
    ["LIMIT", { price: "٣" }, `${invalid} price`],
    ["LIMIT", { price: "1".repeat(21) }, `${invalid} price`],
    ["LIMIT", { base_quantity: "0.000" }, `${invalid} base_quantity`],
    ["BUY", { quote_value: "1,5" }, `${invalid} quote_value`],
    ["LIMIT", { time_in_force: "GTC" }, "NEW_ORDER"],
    ["LIMIT", { stop_price: "9".repeat(4097) }, unread],
    ["LIMIT", { product: "NO-SUCH" }, "400 PRODUCT_NOT_FOUND NO-SUCH"],
    ["LIMIT", { product: "DOGE-USD" }, "400 PRODUCT_NOT_ENABLED DOGE-USD"],
    ["LIMIT", { base_quantity: "0.00010000000000000000" }, "NEW_ORDER"],
    ["LIMIT", { base_quantity: "10.00000000000000000000" }, "NEW_ORDER"],
    ["LIMIT", { base_quantity: "0.00009999999999999999" }, `${below} base_quantity CLIENT`],
    ["LIMIT", { base_quantity: "10.00000000000000000001" }, `${above} base_quantity CLIENT`],
    ["LIMIT", { base_quantity: long }, `${above} base_quantity CLIENT`],
    ["LIMIT", { base_quantity: "1.000000001" }, `${off} base_quantity`],
    ["LIMIT", { price: "30000.001" }, `${offPrice} price`],
    ["STOP", { stop_price: "65000.001" }, `${offPrice} stop_price`],
    ["LIMIT", { price: "30000.01000000000000" }, "NEW_ORDER"],
    [
      "LIMIT",
      { base_quantity: "9", price: "20000000" },
      "400 EXCHANGE_REJECTED QUOTE_SIZE_OUT_OF_RANGE base_quantity",
    ],
    ["BUY", { product: "ETH-USD", quote_value: "10.00000000000000000001" }, `${off} quote_value`],
    ["BUY", { product: "ETH-USD", quote_value: "1" }, "NEW_ORDER"],
    ["BUY", { product: "ETH-USD", quote_value: "50000000.000" }, "NEW_ORDER"],
    ["BUY", { product: "ETH-USD", quote_value: "0.99999999" }, `${below} quote_value EXCHANGE`],
    ["BUY", { product: "ETH-USD", quote_value: "50000000.00000001" }, `${above} quote_value EXCHANGE`],
  ],
  (shape, change) => venue().trader.place(shapes[shape](change)),
);

table<[string, (body: string) => string | Uint8Array]>(
  "a body",
  [
    ["a list", (body) => `[${body}]`, invalid],
    ["a text", () => '"order"', invalid],
    ["nothing", () => "", "400 MALFORMED_JSON"],
    ["half a document", (body) => body.slice(0, -1), "400 MALFORMED_JSON"],
    ["two documents", (body) => body + body, "400 MALFORMED_JSON"],
    ["a key twice", (body) => body.replace("{", '{"side":"SELL",'), "400 MALFORMED_JSON"],
    ["a byte order mark", (body) => Buffer.from(`\u{feff}${body}`), "400 MALFORMED_JSON"],
    ["no UTF-8", (body) => Buffer.from(body.replace("{", '{"note":"é",'), "latin1"), "400 MALFORMED_JSON"],
    ["a thousand levels", () => "[".repeat(1000) + "]".repeat(1000), unread],
    ["seventeen levels", (body) => body.replace("{", `{"note":${"[".repeat(16)}${"]".repeat(16)},`), unread],
    ["a prototype", (body) => body.replace("{", '{"__proto__":{},'), unread],
    ["102401 bytes", () => "x".repeat(102_401), "413 PAYLOAD_TOO_LARGE"],
  ],
  (_what, change) => venue().trader.place(change(JSON.stringify(limitBuy()))),
);

const nobody = uuid();
const candles = "GET /product/BTC-USD/candles?granularity=";
const back = "startTime=2026-01-02T00:00:00Z&endTime=2026-01-01T00:00:00Z";

/** Sends a request of which the first line is written, without the prefix of the paths. */
const send = (line: string, body?: Json): Promise<Reply> => {
  const [, method = "", route = "", query] = /^(\w+) ([^?]+)(?:\?(.*))?$/.exec(line) ?? [];
  return venue().trader.request(method, route, { body, ...(query === undefined ? {} : { query }) });
};

table<[string]>(
  "a request",
  [
    ["GET /nothing", "404 ROUTE_NOT_FOUND"],
    ["PUT /order", "405 METHOD_NOT_ALLOWED"],
    ["GET /order/no-uuid", `${invalid} id`],
    ["GET /wallet/deposits/no-uuid", `${invalid} id`],
    [`GET /order/${nobody}`, "404 ORDER_NOT_FOUND id"],
    [`GET /wallet/deposits/${nobody}`, "404 DEPOSIT_NOT_FOUND id"],
    ["GET /asset/NOSUCH", "404 ASSET_NOT_FOUND symbol"],
    ["GET /product/btc-usd", "404 PRODUCT_NOT_FOUND product"],
    ["GET /order-book/NO-SUCH", "404 PRODUCT_NOT_FOUND product"],
    ["GET /product/NO-SUCH/candles?granularity=ONE_DAY", "404 PRODUCT_NOT_FOUND product"],
    ["GET /account/fee?product=NO-SUCH", "404 PRODUCT_NOT_FOUND product"],
    ["GET /order?cursor=abc", "400 INVALID_CURSOR cursor"],
    ["GET /wallet/deposits?cursor=abc", "400 INVALID_CURSOR cursor"],
    ["GET /order?product=%ff", "400 INVALID_QUERY"],
    [`GET /order?product=${"A".repeat(8200)}`, "414 URI_TOO_LONG"],
    ["GET /product/BTC-USD/candles", "400 INVALID_QUERY granularity"],
    ["GET /order/open?status=PENDING", "400 INVALID_QUERY status"],
    ["GET /order?product=BTC-USD,", "400 INVALID_QUERY product"],
    ["GET /order?product=*", "400 INVALID_QUERY product"],
    ["GET /order?side=buy", "400 INVALID_QUERY side"],
    ["GET /order?limit=0", "400 INVALID_QUERY limit"],
    ["GET /order?limit=1001", "400 INVALID_QUERY limit"],
    ["GET /order?limit=1&limit=1", "400 INVALID_QUERY limit"],
    ["GET /order?sort=asc", "400 INVALID_QUERY sort"],
    ["GET /order?clientOrderId=abc", "400 INVALID_QUERY clientOrderId"],
    ["GET /order?startTime=2026-01-01", "400 INVALID_QUERY startTime"],
    ["GET /wallet/deposits?limit=501", "400 INVALID_QUERY limit"],
    ["GET /wallet?asset=abc!", "400 INVALID_QUERY asset"],
    ["GET /product?apiEnabled=yes", "400 INVALID_QUERY apiEnabled"],
    ["GET /order-book/BTC-USD?depth=101", "400 INVALID_QUERY depth"],
    ["GET /account/fee?product=BTC-USD,ETH-USD", "400 INVALID_QUERY product"],
    [`GET /order?${back}`, "400 INVALID_QUERY startTime endTime"],
    [`GET /wallet/deposits?${back}`, "400 INVALID_QUERY startTime endTime"],
    [`${candles}ONE_DAY&${back}`, "400 INVALID_QUERY startTime endTime"],
    // The 351st day is one too many.
    [`${candles}ONE_DAY&startTime=2025-01-16T00:00:00Z`, "400 INVALID_QUERY startTime"],
    ["GET /order?clientOrderId[]=abc", "400 INVALID_QUERY clientOrderId[]"],
  ],
  send,
);

table<[string, Json]>(
  "a request with a body",
  [
    ["POST /order?dryRun=true", limitBuy(), "400 INVALID_QUERY dryRun"],
    [`DELETE /order/${nobody}`, { reason: "none" }, "400 UNEXPECTED_BODY"],
    [`POST /order/${nobody}/cancel`, { reason: "none" }, "400 UNEXPECTED_BODY"],
    ["POST /wallet/deposit-address", {}, `${invalid} asset`],
    ["POST /wallet/deposit-address", { asset: "BTC", network: {} }, `${invalid} network`],
    ["POST /wallet/deposit-address", { asset: "USD" }, "400 ASSET_NOT_SUPPORTED asset"],
    ["POST /wallet/deposit-address", { asset: "NOSUCH" }, "400 ASSET_NOT_SUPPORTED asset"],
    [
      "POST /wallet/deposit-address",
      { asset: "BTC", network: "no-such" },
      "400 NETWORK_NOT_SUPPORTED network",
    ],
    ["POST /wallet/deposit-address", { asset: "DOGE" }, "400 NETWORK_NOT_SUPPORTED network"],
  ],
  send,
);

table<[Record<string, string | undefined>]>(
  "a header",
  [
    [{ "X-API-NONCE": undefined }, "401 MISSING_CREDENTIALS"],
    [{ "X-API-KEY": "no-such-key" }, "401 INVALID_API_KEY"],
    [{ "X-API-TIMESTAMP": "2026-01-01T00:00:00Z" }, "401 INVALID_TIMESTAMP"],
    [{ "X-API-TIMESTAMP": "1767225600" }, "401 TIMESTAMP_OUT_OF_WINDOW"],
    [{ "X-API-NONCE": "abc" }, "401 INVALID_NONCE"],
    [{ "X-API-SIGNATURE": "0".repeat(64) }, "401 INVALID_SIGNATURE"],
    [{ Origin: "https://evil.example" }, "403 FOREIGN_ORIGIN"],
    [{ "Content-Type": "text/plain" }, "415 UNSUPPORTED_MEDIA_TYPE"],
    [{ "Content-Type": undefined }, "415 UNSUPPORTED_MEDIA_TYPE"],
    [{ Host: "evil.example" }, "421 MISDIRECTED_REQUEST"],
  ],
  (headers) => venue().trader.place(limitBuy(), { headers }),
);

table<[string, string]>(
  "the bytes of a request, where one text is another",
  [
    ["GET ", "hello\r\n\r\n", "400 MALFORMED_REQUEST"],
    ["/open", "/%6fpen", "400 INVALID_TARGET"],
    ["Content-Type", "Content-Type: text/plain\r\nContent-Type", "400 DUPLICATE_HEADER"],
    ["Content-Type", "Expect: miracle\r\nContent-Type", "417 EXPECTATION_FAILED"],
    ["Content-Type", `${"X: 1\r\n".repeat(200)}Content-Type`, "431 HEADERS_TOO_LARGE"],
    ["HTTP/1.1", "HTTP/3.0", "505 HTTP_VERSION_NOT_SUPPORTED"],
  ],
  async (from, to) => {
    const { baseUrl, trader } = venue();
    const request = rawText(baseUrl, trader.prepare("GET", "/order/open"));
    return parseRaw(await sendRaw(baseUrl, request.replace(from, to)));
  },
);

table<[key: string, method: string, route: string]>(
  "a key",
  [
    ["reader", "POST", "/order", "403 MISSING_CLAIM"],
    ["orphan", "GET", "/wallet", "403 FORBIDDEN"],
    ["orphan", "POST", "/order", "CLIENT_NOT_FOUND"],
    ["disabled", "GET", "/order/open", "401 INVALID_API_KEY"],
  ],
  (key, method, route) =>
    venue()
      .as(key)
      .request(method, route, method === "POST" ? { body: limitBuy() } : {}),
);

table<[string, Json]>(
  "a control",
  [
    ["/products/NO-SUCH/halted", { halted: true }, "400 INVALID_COMMAND product"],
    ["/clients/nobody/trading", { enabled: true }, "404 NOT_FOUND"],
  ],
  (route, body) => venue().controlReply(route, body),
);

test("no documented code is left out, but for those of faults and of signatures that have tests of their own", () => {
  const others = ["401 NONCE_REUSED", "401 UNAUTHORIZED", "409 ORDER_NOT_CANCELLABLE", "429 RATE_LIMITED"];
  others.push("500 INTERNAL_ERROR", "503 NOT_READY", "503 MAINTENANCE");
  const known = new Set([...answers, ...others].map((answer) => answer.split(" ", 2).join(" ")));
  const documented = Object.entries(documentedErrorCodes).flatMap(([status, codes]) =>
    codes.map((code) => `${status} ${code}`),
  );
  expect(documented.filter((code) => !known.has(code))).toEqual([]);
});

describe("what a refusal says", () => {
  const odd = 'a"b\\c<script>\u{1f600}\u0000';
  test.each<readonly [string, JsonObject, string, JsonObject]>([
    [
      "the limit and whose it is",
      { base_quantity: "10.1" },
      "Order size 10.1 is above the maximum of 10 BTC for BTC-USD",
      { field: "base_quantity", limit: "10", asset: "BTC", source: "CLIENT" },
    ],
    ["the step that was expected", { base_quantity: "0.010000001" }, "", { expected: "0.00000001" }],
    ["text of the client as it is", { side: odd }, "side", { value: odd }],
  ])("%s", async (_what, change, message, detail) => {
    const reply = await venue().trader.place(limitBuy(change));
    expect(String(reply.body["message"])).toContain(message);
    expect(listIn(reply.body["details"])).toMatchObject([detail]);
  });
});

describe("of two mistakes the earlier check is named", () => {
  test("from the path to the repeat, one correction at a time", async () => {
    const placed = limitBuy();
    await venue().placed(placed);
    const now = String(Date.now());
    const nonce = uuid();
    const type = { "Content-Type": "text/plain" };
    let attempt: Options & { readonly route: string; readonly key: string; readonly query: string } = {
      route: "/no-such-route",
      key: "reader",
      query: "a=%ff",
      body: `"${"x".repeat(200_000)}"`,
      sign: { timestamp: "no", nonce: "no" },
      secret: "another-secret-0",
      headers: { ...type, "X-API-KEY": "no", "X-API-SIGNATURE": undefined },
    };
    const next = async (answer: string, repair: Partial<typeof attempt> = {}): Promise<void> => {
      attempt = { ...attempt, ...repair };
      const { key, route, ...options } = attempt;
      expect(told(await venue().as(key).request("POST", route, options))).toBe(answer);
    };
    const secretOf = (key: string): string => venue().as(key).credentials.secret;
    const signed = (key: string, more: Partial<typeof attempt>): Partial<typeof attempt> => ({
      key,
      secret: secretOf(key),
      sign: { timestamp: now, nonce: uuid() },
      ...more,
    });
    await next("413 PAYLOAD_TOO_LARGE");
    await next("404 ROUTE_NOT_FOUND", { body: "{" });
    await next("401 MISSING_CREDENTIALS", { route: "/order" });
    await next("401 INVALID_TIMESTAMP", { headers: { ...type, "X-API-KEY": "no" } });
    await next("401 INVALID_API_KEY", { sign: { timestamp: "1767225600", nonce: "no" } });
    await next("401 TIMESTAMP_OUT_OF_WINDOW", { headers: type });
    await next("401 INVALID_NONCE", { sign: { timestamp: now, nonce: "no" } });
    await next("401 INVALID_SIGNATURE", { sign: { timestamp: now, nonce } });
    await next("403 MISSING_CLAIM", { secret: secretOf("reader") });
    await next("401 INVALID_SIGNATURE", { secret: "another-secret-0" });
    await next("401 NONCE_REUSED", { secret: secretOf("reader") });
    await next("415 UNSUPPORTED_MEDIA_TYPE", signed("orphan", {}));
    await next("400 INVALID_QUERY", signed("orphan", { headers: {} }));
    await next("400 MALFORMED_JSON", signed("orphan", { query: "" }));
    await next(`${invalid} price`, signed("orphan", { body: limitBuy({ price: "x" }) }));
    await next("CLIENT_NOT_FOUND", signed("orphan", { body: limitBuy({ product: "NO-SUCH" }) }));
    await next(`${invalid} price`, signed("trader", { body: { ...placed, price: "x" } }));
    await next("DUPLICATE_REPLAY", signed("trader", { body: { ...placed, product: "NO-SUCH" } }));
  });

  test("from the product to the funds", async () => {
    await withWorld({}, async (running) => {
      const amount = text(await running.wallet("USD"), "available");
      await running.control("/clients/alice/balance", { asset: "USD", amount, direction: "debit" });
      const halt = (halted: boolean): Promise<JsonObject> =>
        running.control("/products/BTC-USD/halted", { halted });
      const trading = (enabled: boolean): Promise<JsonObject> =>
        running.control("/clients/alice/trading", { enabled });
      await running.control("/settings", { maxOpenOrders: 0 });
      await halt(true);
      await trading(false);
      let wrong: JsonObject = { base_quantity: "0.000000001", price: "0.001", stop_price: "59000.001" };
      const next = async (answer: string, repair: JsonObject = {}): Promise<void> => {
        wrong = { ...wrong, ...repair };
        expect(told(await running.trader.place(stopBuy(wrong)))).toBe(answer);
      };
      await next("400 PRODUCT_NOT_FOUND NO-SUCH", { product: "NO-SUCH" });
      await next("400 PRODUCT_NOT_ENABLED BTC-USD", { product: "BTC-USD" });
      await trading(true);
      await next(`${below} base_quantity CLIENT`);
      await next("400 EXCHANGE_REJECTED TRADING_HALTED", { base_quantity: "0.010000001" });
      await halt(false);
      await next(`${off} base_quantity`);
      await next(`${offPrice} price`, { base_quantity: "0.01" });
      await next(`${offPrice} stop_price`, { price: "0.01" });
      await next("400 EXCHANGE_REJECTED QUOTE_SIZE_OUT_OF_RANGE base_quantity", { stop_price: "59000" });
      await next("400 EXCHANGE_REJECTED STOP_PRICE_WOULD_TRIGGER stop_price", { price: "59000" });
      await next("400 EXCHANGE_REJECTED TOO_MANY_OPEN_ORDERS", { stop_price: "61000" });
      await running.control("/settings", { maxOpenOrders: 1 });
      await next("400 EXCHANGE_REJECTED INSUFFICIENT_FUNDS");
    });
  });
});

/**
 * A filter that says nothing must not read as no filter: a client that looks for one order by an unset variable would act on
 * another.
 */
test.each(tradingRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s: a parameter that is empty or unknown is 400 with its name",
  async (_title, { method, path, query = {}, body }) => {
    const route = path.replace("{product}", "BTC-USD").replace("{symbol}", "BTC").replace("{id}", nobody);
    for (const name of [...Object.keys(query), "nonsense"]) {
      const options = { query: `${name}=`, body: body === undefined ? undefined : limitBuy() };
      const reply = await venue().trader.request(method, route, options);
      expect(`${told(reply)} `).toMatch(new RegExp(`^400 INVALID_QUERY .*${name} `));
    }
  },
);

test.each([
  ["path", "200 401 401"],
  ["path-and-query", "401 200 401"],
  ["either", "200 200 401"],
] as const)("with the setting signedPath %s", async (signedPath, expected) => {
  await withWorld({ world: quietWorld({ auth: { signedPath } }) }, async ({ trader }) => {
    const [query, whole] = ["product=BTC-USD", trader.pathOf("/order/open")];
    const signed = [whole, `${whole}?${query}`, "/order/open"];
    const replies = signed.map((path) => trader.get("/order/open", { query, sign: { path } }));
    expect((await Promise.all(replies)).map(({ status }) => status).join(" ")).toBe(expected);
  });
});

describe("a repeated client_order_id", () => {
  test("in other letter case is a repeat; the order keeps the first spelling", async () => {
    const lower = uuid();
    const { id } = await venue().placed(limitBuy({ client_order_id: lower }));
    const again = await venue().trader.place(limitBuy({ client_order_id: lower.toUpperCase() }));
    expect(again.data).toMatchObject({
      type: "DUPLICATE_REPLAY",
      order: { id, clientOrderId: lower },
      message: `Order with client_order_id ${lower} already exists`,
    });
    const upper = uuid().toUpperCase();
    expect(await venue().placed(limitBuy({ client_order_id: upper }))).toMatchObject({
      clientOrderId: upper,
    });
  });

  test("is told what differs, and changes nothing", async () => {
    const body = limitBuy();
    const { id } = await venue().placed(body);
    const other = { side: "SELL", price: "31000", base_quantity: "0.02" };
    const again = await venue().trader.place({ ...body, ...other });
    expect(again.body["message"]).toBe("Duplicate order");
    expect(again.data).toMatchObject({
      type: "DUPLICATE_REPLAY",
      order: { id, side: "BUY", limitPrice: "30000", baseQuantity: "0.01" },
      message: expect.stringContaining("another side, base_quantity, price;"),
    });
  });

  test("is a repeat whatever has become of the order and of the venue", async () => {
    await withWorld({}, async (running) => {
      const body = limitBuy();
      const { id } = await running.placed(body);
      const amount = text(await running.wallet("USD"), "available");
      for (const [route, change, status = "OPEN"] of [
        ["/settings", { maxOpenOrders: 1 }],
        ["/products/BTC-USD/halted", { halted: true }],
        ["/clients/alice/rules", { product: "BTC-USD", enabled: false, minOrderSize: "5" }],
        ["/clients/alice/trading", { enabled: false }],
        ["/products/BTC-USD/enabled", { enabled: false }],
        ["/clients/alice/balance", { asset: "USD", amount, direction: "debit" }],
        [`/orders/${String(id)}/expire`, {}, "EXPIRED"],
      ] as const) {
        await running.control(route, change);
        const { data } = await running.trader.place(body);
        expect(data, route).toMatchObject({ type: "DUPLICATE_REPLAY", order: { id, status } });
      }
    });
  });
});
