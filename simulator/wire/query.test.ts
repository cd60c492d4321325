import { describe, expect, it } from "vitest";
import { parseInstant, readQuery, snake } from "./query.ts";
import {
  assets,
  bool,
  choice,
  choices,
  instant,
  integer,
  networks,
  oneProduct,
  oneText,
  products,
  required,
  uuids,
} from "./query-fields.ts";

const fields = {
  product: products("Trading pair."),
  side: choices("Order side.", ["BUY", "SELL"]),
  startTime: instant("From."),
  endTime: instant("To."),
  sort: choice("Direction.", ["ASC", "DESC"]),
  granularity: required("Length.", ["ONE_HOUR", "ONE_DAY"]),
  limit: integer("Most.", 1, 100, 10),
  apiEnabled: bool("Only those."),
  cursor: oneText("Where to go on."),
};

const read = (search: string) => readQuery(fields, `granularity=ONE_DAY&${search}`);
const values = (search: string): Readonly<Record<string, unknown>> => {
  const result = read(search);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value.values;
};
const problems = (search: string): unknown => {
  const result = read(search);
  return result.ok ? [] : result.error;
};

describe("A query string", () => {
  it("that says nothing reads as nothing, and numbers as their default", () => {
    expect(values("")).toEqual({
      product: [],
      side: [],
      startTime: null,
      endTime: null,
      sort: null,
      granularity: "ONE_DAY",
      limit: 10,
      apiEnabled: null,
      cursor: null,
    });
  });

  it("may hold no name that it does not declare, and is told the nearest one", () => {
    expect(problems("productId=BTC-USD&__proto__=1&constructor=x&side[]=BUY&")).toEqual(
      [
        ["productId", '; did you mean "product"?'],
        ["__proto__", ""],
        ["constructor", ""],
        ["side[]", '; did you mean "side"?'],
      ].map(([field, near]) => ({
        field,
        issue: `is not a query parameter of this route: it takes ${Object.keys(fields).join(", ")}${near}`,
      })),
    );
    const none = readQuery({}, "x=1");
    expect(none.ok ? [] : none.error).toEqual([
      { field: "x", issue: "is not a query parameter of this route: it takes none" },
    ]);
  });

  it("names ignored parameters, each name once, if unknown names are ignored", () => {
    const read = readQuery({ limit: fields.limit }, "limit=3&nonce=7&nonce=8&__proto__=1", "ignore");
    expect(read).toEqual({ ok: true, value: { values: { limit: 3 }, ignored: ["nonce", "__proto__"] } });
    expect(readQuery({ limit: fields.limit }, "limit=0&nonce=7", "ignore").ok).toBe(false);
  });

  it("has no span that ends before it starts, and names both ends", () => {
    const [early, late] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
    expect(problems(`startTime=${early}&endTime=${late}`)).toEqual([]);
    expect(problems(`startTime=${early}&endTime=${early}`)).toEqual([]);
    expect(problems(`startTime=${late}&endTime=${early}`)).toEqual([
      { field: "startTime", issue: "must not be after endTime" },
      { field: "endTime", issue: "must not be before startTime" },
    ]);
  });

  it("takes lists repeated, comma-separated, or both", () => {
    expect(values("product=BTC-USD&product=ETH-USD")["product"]).toEqual(["BTC-USD", "ETH-USD"]);
    expect(values("product=BTC-USD,ETH-USD&product=SOL-USD")["product"]).toEqual([
      "BTC-USD",
      "ETH-USD",
      "SOL-USD",
    ]);
    expect(values("side=BUY,SELL")["side"]).toEqual(["BUY", "SELL"]);
  });

  it.each(["", ",", "BTC-USD,", ",BTC-USD", "BTC-USD,,ETH-USD"])(
    "has no list %j: an item is empty",
    (text) => {
      expect(problems(`product=${text}`)).toEqual([
        { field: "product", issue: "must not be empty: leave the parameter out for all", value: "" },
      ]);
    },
  );

  it("reads an empty value as a mistake, for every parameter", () => {
    for (const name of Object.keys(fields)) {
      const rest = name === "granularity" ? "" : "granularity=ONE_DAY&";
      const result = readQuery(fields, `${rest}${name}=`);
      expect(result.ok ? [] : result.error, name).toMatchObject([{ field: name }]);
    }
  });

  it.each([
    [products("Pair."), ["BTC-USD", "1INCH-USD"], ["abc", "BTCUSD", "btc-usd", "BTC-USD-X", " BTC-USD"]],
    [oneProduct("Pair."), ["BTC-USD"], ["abc", "BTC-USD,ETH-USD"]],
    [assets("Asset."), ["BTC", "1INCH"], ["btc", "BTC-USD", "*"]],
    [networks("Network."), ["bitcoin-mainnet"], ["Bitcoin", "a_b", "*"]],
    [
      uuids("Id."),
      ["3f0c2a52-7a3e-4c58-9a6e-0d5d3c1b7e11", "3F0C2A52-7A3E-1C58-0A6E-0D5D3C1B7E11"],
      ["abc", "3f0c2a527a3e4c589a6e0d5d3c1b7e11", "{3f0c2a52-7a3e-4c58-9a6e-0d5d3c1b7e11}"],
    ],
  ])("knows the form of its values: %#", (field, right, wrong) => {
    for (const text of right) expect(readQuery({ it: field }, `it=${text}`).ok, text).toBe(true);
    for (const text of wrong) {
      const result = readQuery({ it: field }, `it=${encodeURIComponent(text)}`);
      expect(result.ok ? [] : result.error, text).toMatchObject([
        { field: "it", issue: expect.stringMatching(/^must be [^"]*, was "/) },
      ]);
    }
  });

  it("takes names in snake_case, too, but one value once", () => {
    expect(values("start_time=2026-01-01T00:00:00Z&api_enabled=true")).toMatchObject({
      startTime: Date.UTC(2026, 0, 1),
      apiEnabled: true,
    });
    expect(problems("startTime=2026-01-01T00:00:00Z&start_time=2026-01-01T00:00:00Z")).toMatchObject([
      { field: "startTime", issue: "must be given once" },
    ]);
    expect(snake("clientOrderId")).toBe("client_order_id");
  });

  it("reads a plus sign as a plus sign", () => {
    expect(values("startTime=2026-01-01T01:00:00+01:00")["startTime"]).toBe(Date.UTC(2026, 0, 1));
    expect(values("startTime=2026-01-01T01:00:00%2B01:00")["startTime"]).toBe(Date.UTC(2026, 0, 1));
    expect(values("cursor=a+b")["cursor"]).toBe("a+b");
  });

  it("is told everything that is wrong with it at once", () => {
    const result = readQuery(fields, "limit=0&sort=asc&apiEnabled=yes&startTime=now&side=BUY,LONG&limit=5");
    expect(result.ok ? [] : result.error.map(({ field, issue }) => `${field} ${issue}`)).toEqual([
      'side must be one of BUY, SELL, was "LONG"',
      'startTime must be an ISO 8601 time with a zone, for example 2026-01-01T00:00:00.000Z, was "now"',
      'sort must be one of ASC, DESC, was "asc"; did you mean "ASC"?',
      "granularity is required: one of ONE_HOUR, ONE_DAY",
      "limit must be given once",
      'apiEnabled must be true or false, was "yes"',
    ]);
  });

  it.each(["0", "101", "-1", "1.0", "1e1", "010", "+5", " 5", "5 ", "", "٥", "9999999999", "0x10"])(
    "has no limit of %j",
    (limit) => {
      expect(problems(`limit=${encodeURIComponent(limit)}`)).toMatchObject([
        {
          field: "limit",
          issue: expect.stringMatching(/^must (be a whole number from 1 to 100, was|not be empty)/),
        },
      ]);
    },
  );

  it("bounds its texts by characters, not by units of an encoding", () => {
    expect(values(`cursor=${"x".repeat(512)}`)["cursor"]).toHaveLength(512);
    expect(problems(`cursor=${"x".repeat(513)}`)).toMatchObject([{ field: "cursor" }]);
    expect(values(`cursor=${"%F0%9F%98%80".repeat(512)}`)["cursor"]).toHaveLength(1024);
  });
});

describe("An instant", () => {
  it.each([
    ["2026-01-01T00:00:00Z", Date.UTC(2026, 0, 1)],
    ["2026-01-01T00:00:00.5Z", Date.UTC(2026, 0, 1, 0, 0, 0, 500)],
    ["2026-01-01T00:00:00.123456789Z", Date.UTC(2026, 0, 1, 0, 0, 0, 123)],
    ["2026-01-01T02:30:00+02:30", Date.UTC(2026, 0, 1)],
    ["2025-12-31T19:00:00-05:00", Date.UTC(2026, 0, 1)],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
    ["2000-02-29T00:00:00Z", Date.UTC(2000, 1, 29)],
    ["0000-02-29T00:00:00Z", -62162121600000],
  ])("%s is %d", (text, at) => {
    expect(parseInstant(text)).toBe(at);
  });

  it.each([
    "2026-01-01",
    "2026-01-01T00:00:00",
    "2026-01-01 00:00:00Z",
    "2026-01-01t00:00:00z",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+01:60",
    "2026-01-01T00:00:00+0100",
    "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00.0123456789Z",
    "1767225600000",
    "+002026-01-01T00:00:00Z",
    "",
  ])("%s is none", (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});
