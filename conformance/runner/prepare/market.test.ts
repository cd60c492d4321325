import { describe, expect, it } from "vitest";
import { parseDecimal } from "../../check/decimal.ts";
import { generatorProblem } from "../../check/generator-rules.ts";
import { readJson } from "../../check/lossless-json.ts";
import type { Json } from "../../model/json.ts";
import { Blocked } from "../../model/outcome.ts";
import type { Value } from "../../model/value.ts";
import { plainProfile } from "../../parse/profile.ts";
import { Market, NotSeenYet } from "./market.ts";
import { type Book, bookIn } from "./seen-prices.ts";

function parsed(text: string): Json | undefined {
  const reading = readJson(Buffer.from(text));
  return reading.ok ? reading.json : undefined;
}

const pair = (id: string, enabled = true) => ({ id, enabled, size: () => undefined });

function market(...pairs: readonly ReturnType<typeof pair>[]): Market {
  return marketOf({ "BTC-USD": { qty: "0.1" }, "ETH-BTC": { qty: "2" } }, pairs);
}

function marketOf(
  products: Readonly<Record<string, object>>,
  pairs: readonly ReturnType<typeof pair>[],
): Market {
  const profile = plainProfile("http://127.0.0.1:1/api/v1/trading", "key", "secret");
  if (typeof profile === "string") throw new Error(profile);
  return new Market({ ...profile, safety: { ...profile.safety, products } }, pairs, new Map());
}

describe("the products of a case", () => {
  const venue = market(pair("BTC-USD"), pair("DOGE-USD"), pair("ETH-BTC"));

  it("have a place in the profile", () => {
    expect(venue.generate("$product", "tradable", false)).toBe("BTC-USD");
    expect(venue.generate("$product", "second", false)).toBe("ETH-BTC");
    expect(() => venue.generate("$product", "third", false)).toThrow(/no third product/);
  });

  it("are liquid and spare where the profile marks two, and else one is both", () => {
    const chosen = (...liquid: readonly string[]) => {
      const ids = ["BTC-USD", "ETH-BTC", "BTC-EUR"];
      const products = ids.map((id) => [id, { liquid: liquid.includes(id) }] as const);
      const some = marketOf(
        Object.fromEntries(products),
        ids.map((id) => pair(id)),
      );
      return [some.product("liquid"), some.product("spare")];
    };
    expect(chosen("ETH-BTC", "BTC-EUR")).toEqual(["ETH-BTC", "BTC-EUR"]);
    expect(chosen("BTC-EUR")).toEqual(["BTC-EUR", "BTC-EUR"]);
    expect(chosen()).toEqual(["BTC-USD", "BTC-USD"]);
  });

  it("have sizes of their own", () => {
    expect(venue.generate("$qty", "typical", false)).toBe("0.1");
    expect(venue.generate("$qty", { size: "typical", product: "ETH-BTC" }, false)).toBe("2");
    expect(generatorProblem("$qty", { size: "huge", product: "ETH-BTC" })).toContain("typical");
  });

  it("can be misspelled, unless that is a pair as well", () => {
    const spelled = (form: string) => venue.generate("$pair", { product: "ETH-BTC", form }, false);
    expect(spelled("{base}/{quote}")).toBe("ETH/BTC");
    expect(spelled("{quote}-{base}")).toBe("BTC-ETH");
    const both = market(pair("ETH-BTC"), pair("BTC-ETH"));
    expect(() => both.generate("$pair", { product: "ETH-BTC", form: "{quote}-{base}" }, false)).toThrow(
      /lists BTC-ETH/,
    );
  });
});

describe("the prices of a book", () => {
  const book = parsed(`{"b":[{"p":"0.0015","s":"4"}],"a":[{"p":"0.0016","s":"2"}],"pairs":[["7","1"]]}`);

  it("are read from levels of any shape, at the places that the profile names", () => {
    expect(bookIn(book, { bids: "#/b", asks: "#/a", price: "#/p" })).toEqual({
      bids: ["0.0015"],
      asks: ["0.0016"],
    });
    expect(bookIn(book, { bids: "#/pairs", asks: "#/none" })).toEqual({ bids: ["7"], asks: [] });
  });

  it("are missed with the reason, and with the keys that are missing", () => {
    const venue = (mapped: object, read: Book | undefined): Market => {
      const profile = plainProfile("http://127.0.0.1:1/api/v1/trading", "key", "secret");
      if (typeof profile === "string") throw new Error(profile);
      const safety = { ...profile.safety, products: { "LTC-BTC": { buyFar: "0.0007" } } };
      const operations = { ...profile.operations, ...mapped } as typeof profile.operations;
      const books = new Map(read === undefined ? [] : [["LTC-BTC", read]]);
      return new Market({ ...profile, safety, operations }, [pair("LTC-BTC")], books);
    };
    const near = (market: Market) => () =>
      market.generate("$price", { side: "SELL", away: "near", product: "LTC-BTC" }, false);
    const orderBook = { method: "GET", path: "/book/{product}" };
    expect(near(venue({ orderBook }, bookIn(book, { bids: "#/b", asks: "#/a" })))).toThrow(
      "no near price of LTC-BTC is known: state safety.products.LTC-BTC.sellNear in the profile, or operations.orderBook.price: the book was read, and its levels have neither price nor [price, quantity]",
    );
    expect(near(venue({}, undefined))).toThrow(/sellNear in the profile, or map orderBook$/);
    expect(near(venue({ orderBook }, { bids: [], asks: [] }))).toThrow(/it was read, and has none/);
  });
});

describe("the least amount to spend", () => {
  const sizes: Record<string, string> = { minOrderSize: "0.0001", exchangeQuoteMinSize: "1" };
  const listed = { id: "BTC-USD", enabled: true, size: (field: string) => parseDecimal(sizes[field] ?? "") };
  const least = (...asks: string[]) => {
    const profile = plainProfile("http://127.0.0.1:1/api/v1/trading", "key", "secret");
    if (typeof profile === "string") throw new Error(profile);
    return new Market(profile, [listed], new Map([["BTC-USD", { bids: [], asks }]])).generate(
      "$spend",
      "min",
      false,
    );
  };

  it("buys the smallest quantity at the best ask, with room for fees", () => {
    expect(least("60000", "60001")).toBe("6.6");
    expect(least("55555.55")).toBe("6.12");
  });

  it("is the exchange's where that is more, or where no price is known", () => {
    expect(least("100")).toBe("1");
    expect(least()).toBe("1");
  });
});

describe("the usual amount to spend, where neither the profile nor the listing states one", () => {
  const orderBook = { path: "/order-book/{product}" };
  const usual = (plan: object, asks: readonly string[], smallest?: string, seen = true): Value => {
    const profile = plainProfile("http://127.0.0.1:1/api/v1/trading", "key", "secret");
    if (typeof profile === "string") throw new Error(profile);
    const pair = {
      id: "A-B",
      enabled: true,
      size: (field: string) => (field === "minOrderSize" ? parseDecimal(smallest ?? "") : undefined),
    };
    const stated = {
      ...profile,
      operations: { ...profile.operations, orderBook },
      safety: { ...profile.safety, products: { "A-B": plan } },
    } as unknown as typeof profile;
    return new Market(
      stated,
      seen ? [pair] : [],
      new Map(seen ? [["A-B", { bids: [], asks }]] : []),
      seen,
    ).generate("$spend", "typical", false);
  };

  it.each([
    ["a small coin", { qty: "0.00002", sellFar: "90000" }, ["60000"], undefined, "1.32"],
    ["many of a cheap one", { qty: "100", sellFar: "0.9" }, ["0.12"], undefined, "13.2"],
    ["what is quoted in a coin", { qty: "0.01", sellFar: "0.09" }, ["0.05"], undefined, "0.00055"],
    ["the profile's price, if there is no book", { qty: "0.002", sellFar: "90000" }, [], undefined, "180"],
    ["twice the smallest quantity", {}, ["60000"], "0.0001", "13.2"],
  ])("buys the usual quantity: %s", (_, plan, asks, smallest, amount) => {
    expect(usual(plan, asks, smallest)).toBe(amount);
  });

  it("is unknown without a price, and known later if the target has not been asked", () => {
    expect(() => usual({ qty: "0.002" }, [])).toThrow(Blocked);
    expect(() => usual({ qty: "0.002", sellFar: "90000" }, [], undefined, false)).toThrow(NotSeenYet);
  });
});
