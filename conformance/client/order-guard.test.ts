import { describe, expect, it } from "vitest";
import { infinite, parseDecimal } from "../check/decimal.ts";
import type { Permit, SentRequest } from "../model/exchange.ts";
import type { Profile } from "../model/profile.ts";
import { plainProfile } from "../parse/profile.ts";
import { Egress } from "./egress.ts";
import { type OrderRules, orderProblem } from "./order-guard.ts";

const made = plainProfile("https://gw.example/api/v1/trading", "kid", "secret");
if (typeof made === "string") throw new Error(made);
const products = { "BTC-USD": { buyFar: "1000", sellFar: "990000", qty: "0.1" } };
const remote: Profile = {
  ...made,
  loopback: false,
  allowHosts: ["gw.example"],
  kind: "staging",
  safety: { ...made.safety, products, notionalPerOrder: { USD: "15" } },
};
const ours: Profile = { ...remote, loopback: true, kind: "local", safety: made.safety };
const decimal = (text: string) => parseDecimal(text) ?? infinite;
const rules = {
  listed: new Set(["BTC-USD", "ETH-USD"]),
  far: (product: string, side: string) =>
    product === "BTC-USD" ? products["BTC-USD"][side === "BUY" ? "buyFar" : "sellFar"] : undefined,
  most: () => ({ quantity: decimal("0.4"), notional: decimal("400000"), resting: decimal("2") }),
  whole: {},
};
const permit: Permit = { caseId: "case", safety: "rests", malformed: false };

function problem(
  body: string | Uint8Array,
  changes: Partial<SentRequest> = {},
  profile = remote,
  known: OrderRules = rules,
) {
  const request: SentRequest = {
    method: "POST",
    path: "/api/v1/trading/order",
    headers: [],
    body: Buffer.from(body),
    role: "trader",
    permit,
    ...changes,
  };
  return orderProblem(request, profile, known);
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
    expect(problem(order({ product: "btc/usd", base_quantity: "9" }))).toContain("is above the 15");
  });

  it("costs no more than all orders of the run may, on this machine, too", () => {
    const spent = { ...rules, whole: { USD: "2" } };
    const within = (quantity: string, profile: Profile) =>
      problem(order({ base_quantity: quantity }), {}, profile, spent);
    for (const profile of [remote, ours]) {
      expect(within("0.002", profile)).toBeUndefined();
      expect(within("0.00200001", profile)).toBe(
        "an order of 2.00001 USD is above the 2 that safety.notional allows to all orders of a run",
      );
    }
  });

  it("rests far from the market, on either side, unless the case is about trading", () => {
    expect(problem(order({ price: "1000.01" }))).toContain("not on the far side of 1000");
    expect(problem(order({ side: "SELL", price: "989999", base_quantity: "0.00001" }))).toContain(
      "far side of 990000",
    );
    expect(problem(order({ price: "1000.01" }), trades)).toBeUndefined();
    // A target that does not refuse it would trade it.
    expect(problem(order({ price: "1000.01", base_quantity: undefined }))).toContain("far side of 1000");
  });

  it.each(["900,000", "900_000", " 900000 ", "9e5", "+900000", "0xDBBA0", "0b11011011101110100000"])(
    "has no price that somebody could read as another: %s",
    (price) => {
      expect(problem(order({ price, base_quantity: "0.00001" }))).toContain("far side of 1000");
    },
  );

  it("is for a closed product only where trading is allowed: its far prices are unknown", () => {
    const closed = { ...remote, facts: { disabledProduct: "ETH-USD" } };
    expect(problem(order({ product: "ETH-USD" }), {}, closed)).toContain("ETH-USD is disabled");
    expect(problem(order({ product: "ETH-USD", price: "1" }), trades, closed)).toBeUndefined();
  });

  it("is MARKET only where trading is allowed, and then small", () => {
    const market = { type: "MARKET", price: undefined };
    expect(problem(order(market))).toContain("MARKET");
    expect(problem(order({ ...market, side: "SELL" }), trades)).toBeUndefined();
    expect(problem(order({ ...market, side: "SELL", base_quantity: "0.41" }), trades)).toContain(
      "a quantity of 0.41 is more than 4 times the qty of BTC-USD",
    );
  });

  it("is of no more than four usual quantities and costs, whatever its type", () => {
    const uncapped = { ...remote, safety: { ...remote.safety, notionalPerOrder: {} } };
    const large = (changes: Record<string, string | undefined>, more = trades) =>
      problem(order({ base_quantity: "0.41", ...changes }), more, uncapped);
    const stop = { type: "STOP_LIMIT", stop_price: "50000" };
    for (const side of ["BUY", "SELL"])
      for (const type of [{ type: "LIMIT" }, stop, { type: "MARKET", price: undefined }])
        expect(large({ side, price: "50000", ...type })).toContain("more than 4 times the qty of BTC-USD");
    expect(large({ side: undefined, base_quantity: "2.5" })).toContain("more than 4 times");
    expect(large({ product: "btcusd", price: "50000" })).toContain("more than 4 times");
    expect(large({ base_quantity: "0.4", price: "1000001" })).toContain("4 times the cost of a usual one");
    const spend = { type: "MARKET", base_quantity: undefined, price: undefined, quote_value: "400000.01" };
    expect(large(spend)).toContain("4 times the cost of a usual one");
    expect(large({ base_quantity: "0.4", price: "50000" })).toBeUndefined();
  });

  it("may be as large as a stated limit where it can only rest, to have the limit judged", () => {
    const uncapped = { ...remote, safety: { ...remote.safety, notionalPerOrder: {} } };
    expect(problem(order({ base_quantity: "2" }), {}, uncapped)).toBeUndefined();
    expect(problem(order({ base_quantity: "2.01" }), {}, uncapped)).toContain("more than 4 times");
    expect(problem(order({ base_quantity: "2", price: "1001" }), trades, uncapped)).toContain(
      "more than 4 times",
    );
  });

  it("is not sent while nobody has stated a usual amount", () => {
    const blank = { ...rules, most: () => ({}) };
    const request = {
      method: "POST",
      path: "/order",
      headers: [],
      body: Buffer.from(order()),
      role: "t",
      permit,
    };
    expect(orderProblem(request, remote, blank)).toContain("no usual amount of BTC-USD is known");
    const incomplete = { ...request, body: Buffer.from(order({ base_quantity: undefined })) };
    expect(orderProblem(incomplete, remote, blank)).toBeUndefined();
  });

  it.each([
    "/order?x=1",
    "/order/",
    "/ORDER",
    "/%6Frder",
    "/%256frder",
    "/order;x=1",
    "/order/.",
    "/order/x/..",
    "/order/x/%2e%2e",
    "/order/x/..;y",
    "\\\\order",
    "%5Corder",
    "/order%20",
    "/order%00",
    "/order%3Fx",
  ])("is looked at where orders are placed, however that is written: %s", (path) => {
    const incomplete = order({ product: "ETH-USD", side: undefined });
    for (const method of ["POST", "post", "PUT", "PATCH"])
      expect(problem(incomplete, { path: `/api/v1/trading${path}`, method })).toContain("ETH-USD");
  });

  it.each(["GET", "DELETE", "PUT", "PURGE", "HEAD"])(
    "is looked at on every route, with %s and any name of the step",
    (method) => {
      const elsewhere = { method, path: "/elsewhere" };
      expect(problem(order({ product: "ETH-USD" }), elsewhere)).toContain("ETH-USD");
      expect(problem(order({ type: "MARKET" }), elsewhere)).toContain("MARKET");
      expect(problem(order({ base_quantity: "9" }), { ...elsewhere, ...trades })).toContain(
        "is above the 15",
      );
      expect(problem("{}", elsewhere)).toBeUndefined();
    },
  );

  it.each([
    ["in a wrapper", JSON.stringify({ order: JSON.parse(order({ type: "MARKET" })) })],
    ["with escaped letters", order({ type: "MARKET" }).replace('"side"', '"\\u0073ide"')],
    ["with names of another spelling", order({ type: "MARKET" }).replace("base_quantity", "baseQuantity")],
    [
      "with hyphens in its names",
      order({ type: "MARKET" })
        .replace("base_quantity", "base-quantity")
        .replace("client_order", "client-order"),
    ],
    ["in letters of full width", order({ type: "ＭＡＲＫＥＴ" })],
    ["with the names of an answer", order({ type: "MARKET" }).replace('"product"', '"productId"')],
    ["for a product in small letters", order({ type: "MARKET", product: "btc-usd" })],
    ["for a product with another separator", order({ type: "MARKET", product: "BTC/USD" })],
    ["for a product without one", order({ type: "MARKET", product: "BTCUSD" })],
    ["in words of another case", order({ type: "market" })],
    ["with a list for a value", order().replace('"LIMIT"', '["MARKET"]')],
  ])("is seen %s", (_, body) => {
    expect(problem(body, { path: "/elsewhere" })).toContain("MARKET");
  });

  it("is seen in a query", () => {
    const query = new URLSearchParams(JSON.parse(order({ type: "MARKET" })) as Record<string, string>);
    expect(problem("", { method: "GET", path: `/elsewhere?${String(query)}` })).toContain("MARKET");
  });

  it("has the strictest reading if the permissions of the case are unknown", () => {
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

/** Spellings of a far too large number that a reader of some language takes for it: BigDecimal, Decimal, Number … */
const spellings: readonly (readonly [string, unknown])[] = [
  ["a point at the end", "999999."],
  ["an exponent of five digits", "9.99999e00005"],
  ["420 zeros in front", `${"0".repeat(420)}999999`],
  ["420 zeros behind the point", `999999.${"0".repeat(420)}`],
  ["more digits than anybody reads", `999999${"1".repeat(500)}`],
  ["an exponent without end", "1e99999999999"],
  ["a tiny number and an exponent that makes it large", `0.${"0".repeat(300)}1e0000400`],
  ["wide digits", "９９９９９９"],
  ["Arabic digits", "٩٩٩٩٩٩"],
  ["Devanagari digits and a point", "९९९.९"],
  ["mathematical digits", "𝟗𝟗𝟗𝟗𝟗𝟗"],
  ["raised digits", "⁹⁹⁹⁹⁹⁹"],
  ["letters behind", "999999x"],
  ["a suffix of a float", "999999d"],
  ["a sign of money", "$999999"],
  ["brackets", "(999999)"],
  ["a hexadecimal fraction", "0x1.869fp19"],
  ["a fraction", "999999/1"],
  ["infinity", "Infinity"],
  ["infinity in short", "+inf"],
  ["invisible characters between", "9\u200b9\u200b9\u200b9\u200b99"],
  ["a list", ["999999"]],
  ["an object", { value: "999999" }],
  ["an object of two parts", { units: 999, exponent: 3 }],
  ["a list in an object in a list", [{ value: [999999] }]],
];

describe("an amount that some language reads as a number", () => {
  const amounts = (changes: object): string =>
    JSON.stringify({ ...(JSON.parse(order()) as object), ...changes });
  const where = [
    ["in JSON", (changes: object) => amounts(changes), { permit }],
    [
      "in a broken body",
      (changes: object) => amounts(changes).slice(0, -1),
      { permit: { ...permit, malformed: true } },
    ],
  ] as const;

  it.each(
    where.flatMap(([place, body, more]) => spellings.map((one) => [place, ...one, body, more] as const)),
  )("is that number or the worst one, %s: %s", (_, __, value, body, more) => {
    expect(problem(body({ price: value }), more)).toBeDefined();
    expect(problem(body({ base_quantity: value }), more)).toBeDefined();
    const market = { type: "MARKET", base_quantity: undefined, price: undefined, quote_value: value };
    expect(problem(body(market), more)).toBeDefined();
    expect(problem(body(market), { permit: { ...permit, ...more.permit, safety: "trades" } })).toBeDefined();
    const sale = { side: "SELL", type: "MARKET", price: undefined, base_quantity: value };
    expect(problem(body(sale), { permit: { ...permit, ...more.permit, safety: "trades" } })).toBeDefined();
  });

  it.each(spellings.filter(([, value]) => typeof value === "string"))(
    "is that in a query, too: %s",
    (_, value) => {
      const query = (changes: object): string =>
        String(new URLSearchParams({ ...JSON.parse(order()), ...changes } as Record<string, string>));
      const asked = (changes: object) => problem("", { method: "GET", path: `/elsewhere?${query(changes)}` });
      expect(asked({ price: value })).toBeDefined();
      expect(asked({ base_quantity: value })).toBeDefined();
    },
  );

  it.each([
    ["a point at the end", "1."],
    ["zeros in front", `${"0".repeat(420)}1`],
    ["Arabic", "١"],
    ["prefix", "1x"],
  ])("is as worrying in a sale when it is small: %s", (_, price) => {
    expect(problem(order({ side: "SELL", price, base_quantity: "0.00001" }))).toBeDefined();
  });

  it.each(["abc", "", " ", ".", "-", "NaN", "null", "one"])("is none without a digit: %j", (value) => {
    expect(problem(order({ price: value }))).toBeUndefined();
    expect(problem(order({ base_quantity: value }))).toBeUndefined();
    expect(problem(order({ type: "MARKET", price: undefined, base_quantity: value }))).toBeUndefined();
  });

  it.each(["0001000", "1000.0000", "1e3", "1e0003", "1000.", "+1000", `1000.${"0".repeat(420)}`])(
    "is sent in a spelling that has one meaning: %s",
    (price) => {
      expect(problem(order({ price }))).toBeUndefined();
    },
  );

  it.each([[{ id: "BTC-USD" }], [["BTC-USD"]], [{ base: "BTC", quote: "USD" }]])(
    "belongs to a product that is an object, too: %j",
    (product) => {
      expect(problem(amounts({ product, type: "MARKET" }))).toContain("MARKET");
      expect(problem(amounts({ product, price: "2000" }))).toContain("far side");
      expect(problem(amounts({ product, base_quantity: "0.5" }))).toContain("is above the 15");
    },
  );
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
    ["a key that occurs twice", twice],
    ["a comma too many", order().replace("}", ",}")],
    ["no closing brace", order().slice(0, -1)],
    ["single quotes", order().replaceAll('"', "'")],
    ["no quotes around keys", order().replace(/"(\w+)":/g, "$1:")],
    ["escaped letters and no closing brace", order().slice(0, -1).replace('"side"', '"\\u0073ide"')],
    [
      "a form with escaped letters",
      "s%69de=BUY&type=LIMIT&base_quantity=1&price=1&client_order_id=x&product=BTC-USD",
    ],
    ["UTF-16", Buffer.from(order(), "utf16le")],
    ["a wrapper", `[${order()}]`],
    ["a byte order mark", `\ufeff${order()}`],
    ["comments", order().replaceAll(":", "/* : */:")],
    ["comments of a line", order().replaceAll(":", "# x\n:")],
    [
      "a form with brackets",
      "o[side]=BUY&o[type]=LIMIT&o[base_quantity]=1&o[price]=1&o[client_order_id]=x&o[product]=BTC-USD",
    ],
    ["numbers in another base", order().replace('"1000"', "0x3e8")],
    ["a form", "side=BUY&type=LIMIT&base_quantity=1&price=1&client_order_id=x&product=BTC-USD"],
  ])("is not sent at all when a lenient target could read an order in it: %s", (_, body) => {
    expect(problem(body, malformed)).toMatch(/leave out a required field|is above/);
  });

  it("is judged by its worst reading", () => {
    expect(problem(order().replace('"0.001"', '"0.001","base_quantity":"9"'), malformed)).toContain(
      "9000 USD is above",
    );
  });

  it("has no second value further down", () => {
    const wrapped = JSON.stringify({ product: "X-Y", order: JSON.parse(order()) });
    expect(problem(wrapped)).toContain("the body is ambiguous");
  });

  it("is read wherever it goes", () => {
    const elsewhere = { method: "PUT", path: "/elsewhere" };
    expect(problem('{"side":', elsewhere)).toContain("tag malformed");
    expect(problem("{}", { ...elsewhere, headers: [["Content-Encoding", "br"]] })).toContain(
      "content coding",
    );
    for (const type of ["application/xml", "application/cbor", "multipart/form-data; boundary=x"])
      expect(problem("<side>BUY</side>", { ...malformed, headers: [["content-type", type]] })).toContain(
        "bodies of the type",
      );
    expect(problem("{", { ...malformed, headers: [["Content-Type", "text/xml"]] })).toBeUndefined();
    const ebcdic = [["Content-Type", "application/json; charset=ibm037"]] as const;
    expect(problem("{}", { ...elsewhere, headers: ebcdic })).toContain("character set ibm037");
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
  const head = "POST /api/v1/trading/order HTTP/1.1\r\nHost: gw.example\r\n";
  const described: SentRequest = {
    method: "GET",
    path: "/described",
    headers: [],
    body: new Uint8Array(),
    role: "trader",
    permit: { ...permit, malformed: true },
  };
  /** The request that is counted, or the reason why nothing is sent. */
  async function raw(text: string, trickles = false, profile = remote): Promise<SentRequest | string> {
    const egress = new Egress(profile);
    egress.rules = rules;
    const bytes = Buffer.from(text, "latin1");
    return egress.enterRaw(bytes, trickles, described).catch((error: Error) => error.message);
  }
  const withBody = (body: string, line = head) => `${line}Content-Length: ${body.length}\r\n\r\n${body}`;

  it("are one request that every reader reads alike, and count as that", async () => {
    expect(await raw(withBody("{}"))).toMatchObject({ method: "POST", path: "/api/v1/trading/order" });
    expect(await raw("GET /x HTTP/1.1\r\nHost: gw.example\r\n\r\n")).toMatchObject({ method: "GET" });
    const absolute = "GET https://gw.example/x HTTP/1.1\r\nHost: gw.example\r\n\r\n";
    expect(await raw(absolute)).toMatchObject({ path: "/x" });
  });

  it("are read to their end for every kind of body that a step declares", async () => {
    const eth = order({ product: "ETH-USD" });
    expect(await raw(withBody(eth))).toContain("ETH-USD");
    expect(await raw(withBody(`${eth}\r\n\r\n`))).toContain("ETH-USD");
    expect(await raw(withBody(eth, "PUT /x HTTP/1.1\r\nHost: gw.example\r\n"))).toContain("ETH-USD");
  });

  it.each([
    ["a second request behind the first", `${head}Content-Length: 2\r\n\r\n{}GET / HTTP/1.1\r\n\r\n`],
    ["a wrong length", `${head}Content-Length: 3\r\n\r\n{}`],
    ["two lengths", `${head}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    ["chunks and a length", `${head}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}`],
    ["a control character", `${head}X: a\u0000b\r\n\r\n`],
    ["a folded header", `${head}X: a\r\n b: c\r\n\r\n`],
    ["a line end of one character", `${head}Accept: a\nX: b\r\n\r\n`],
    ["a space before the colon", `${head}Content-Length : 0\r\n\r\n`],
    ["no end", head],
    ["HTTP/1.0", "GET /x HTTP/1.0\r\nHost: gw.example\r\n\r\n"],
    ["two hosts", `${head}Host: other\r\n\r\n`],
    ["70 KB", `${head}Accept: ${"a".repeat(70_000)}\r\n\r\n`],
    ["a Connection that hides a header", `${head}Connection: close, X-API-KEY\r\n\r\n`],
    ["a header that is not on the list", `${head}X-HTTP-Method-Override: PUT\r\n\r\n`],
  ])("are never %s", async (_, text) => {
    expect(await raw(text)).toContain("this machine only");
    expect(await raw(text, false, ours)).toMatchObject({ role: "trader" });
  });

  it.each([
    ["another Host", "GET /x HTTP/1.1\r\nHost: evil.example\r\n\r\n", "Host must be gw.example"],
    ["another port", "GET /x HTTP/1.1\r\nHost: gw.example:99\r\n\r\n", "Host must be gw.example"],
    ["a target elsewhere", "GET https://evil.example/x HTTP/1.1\r\nHost: gw.example\r\n\r\n", "target"],
    ["a user in it", "GET https://gw.example@evil/x HTTP/1.1\r\nHost: gw.example\r\n\r\n", "target"],
    ["a tunnel", "CONNECT evil.example:443 HTTP/1.1\r\nHost: gw.example\r\n\r\n", "CONNECT"],
  ])("go to the target alone: %s", async (_, text, why) => {
    expect(await raw(text)).toContain(why);
  });

  it("never trickle", async () => {
    expect(await raw("GET /x HTTP/1.1\r\nHost: gw.example\r\n\r\n", true)).toContain("trickle");
  });
});
