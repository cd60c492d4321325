import { describe, expect, it } from "vitest";
import type { Problem } from "./body.ts";
import { decodeOrderRequest, orderFields } from "./order-request.ts";
import { formatLines } from "./testing/format-lines.ts";

const orderId = "3f0c2a52-7a3e-4c58-9a6e-0d5d3c1b7e11";
const common = { client_order_id: orderId, product: "BTC-USD" };
const limit = { side: "BUY", type: "LIMIT", base_quantity: "0.5", price: "60000.00", ...common };
const stop = { ...limit, type: "STOP_LIMIT", stop_price: "60500" };
const marketBuy = { side: "BUY", type: "MARKET", quote_value: "1000", ...common };
const marketSell = { side: "SELL", type: "MARKET", base_quantity: "0.5", ...common };
const shapes = { limit, "STOP LIMIT": stop, "MARKET BUY": marketBuy, "MARKET SELL": marketSell };

const decode = (body: unknown, unknownFields: "ignore" | "reject" = "ignore") =>
  decodeOrderRequest(body, { unknownFields });

const problems = (body: unknown, unknownFields?: "reject"): readonly Problem[] => {
  const decoded = decode(body, unknownFields);
  return decoded.ok ? [] : decoded.error;
};

const fieldsOf = (body: unknown): string[] => problems(body).map(({ field }) => field);

const without = (body: object, name: string): object =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));

describe("An order request", () => {
  it("becomes a command with the fields that the order uses, and null for the rest", () => {
    const terms = {
      clientOrderId: orderId,
      product: "BTC-USD",
      baseQuantity: null,
      price: null,
      stopPrice: null,
      quoteValue: null,
    };
    expect(decode(limit)).toEqual({
      ok: true,
      ignored: [],
      value: { ...terms, side: "BUY", type: "LIMIT", baseQuantity: "0.5", price: "60000.00" },
    });
    expect(decode(stop)).toMatchObject({
      value: { type: "STOP_LIMIT", price: "60000.00", stopPrice: "60500" },
    });
    expect(decode(marketBuy)).toEqual({
      ok: true,
      ignored: [],
      value: { ...terms, side: "BUY", type: "MARKET", quoteValue: "1000" },
    });
    expect(decode(marketSell)).toEqual({
      ok: true,
      ignored: [],
      value: { ...terms, side: "SELL", type: "MARKET", baseQuantity: "0.5" },
    });
  });

  it.each(Object.entries(shapes))("of shape %s cannot do without any of its fields", (_shape, body) => {
    for (const name of Object.keys(body)) {
      expect(fieldsOf(without(body, name)), name).toEqual([name]);
      expect(fieldsOf({ ...body, [name]: null }), `${name}: null`).toEqual([name]);
    }
  });

  it("is told everything that is wrong with it at once", () => {
    expect(fieldsOf({})).toEqual(["side", "type", "client_order_id", "product"]);
    const wrong = {
      side: "buy",
      type: "LIMIT",
      base_quantity: 5,
      price: "1e3",
      client_order_id: "7",
      product: "BTCUSD",
    };
    // Without a side it is not known which decimals the order needs.
    expect(fieldsOf(wrong)).toEqual(["side", "client_order_id", "product"]);
    expect(fieldsOf({ ...wrong, side: "BUY" })).toEqual([
      "client_order_id",
      "product",
      "base_quantity",
      "price",
    ]);
  });

  it.each([[[limit]], ["a text"], [7], [null], [true], [undefined]])(
    "must be an object, unlike %j",
    (body) => {
      expect(problems(body)).toEqual([{ field: "", issue: "the body must be one JSON object" }]);
    },
  );

  it("takes choices by the letter", () => {
    for (const side of ["buy", " BUY", "BUY ", "", "SHORT", 0, ["BUY"], { BUY: 1 }])
      expect(fieldsOf({ ...limit, side })).toEqual(["side"]);
    for (const type of ["limit", "TWAP", "BLOCK", "VWAP", "RFQ", "PEG", "STOP", ["LIMIT"]])
      expect(fieldsOf({ ...limit, type })).toEqual(["type"]);
  });
});

describe("The decimals of an order", () => {
  it.each(formatLines("decimal-valid"))("accept %s and keep its spelling", (price) => {
    expect(decode({ ...limit, price })).toMatchObject({ ok: true, value: { price } });
  });

  it.each(formatLines("decimal-invalid"))("refuse %j, in every field that is used", (text) => {
    expect(problems({ ...limit, price: text })).toMatchObject([{ field: "price" }]);
    expect(fieldsOf({ ...limit, base_quantity: text })).toEqual(["base_quantity"]);
    expect(fieldsOf({ ...stop, stop_price: text })).toEqual(["stop_price"]);
    expect(fieldsOf({ ...marketBuy, quote_value: text })).toEqual(["quote_value"]);
  });

  it.each([[0.5], [60000], [true], [["1"]], [{ value: "1" }]])("are JSON strings, unlike %j", (price) => {
    const [problem] = problems({ ...limit, price });
    expect(problem?.field).toBe("price");
    expect(problem?.issue).toMatch(/^must be a decimal in quotes.*, was /);
  });

  it.each([
    ["LIMIT", limit, ["quote_value", "stop_price"]],
    ["STOP LIMIT", stop, ["quote_value"]],
    ["MARKET BUY", marketBuy, ["base_quantity", "price", "stop_price"]],
    ["MARKET SELL", marketSell, ["quote_value", "price", "stop_price"]],
  ])("that a %s does not use are ignored and named, with any values", (_shape, body, unused) => {
    for (const held of ["0.5", "abc", 7, {}, [], "-1", "0", "", true]) {
      const more = Object.fromEntries(unused.map((name) => [name, held]));
      for (const setting of ["ignore", "reject"] as const)
        expect(decode({ ...body, ...more }, setting)).toEqual({ ...decode(body), ignored: unused });
    }
    const nulls = Object.fromEntries(unused.map((name) => [name, null]));
    expect(decode({ ...body, ...nulls }), "null counts as absent").toEqual(decode(body));
    expect(decode(body).ignored).toEqual([]);
  });
});

describe("The ids of an order", () => {
  it.each(formatLines("uuid-v4-valid"))("accept %s and keep its spelling", (id) => {
    expect(decode({ ...limit, client_order_id: id })).toMatchObject({
      ok: true,
      value: { clientOrderId: id },
    });
  });

  it.each(formatLines("uuid-v4-invalid"))("refuse %j as client_order_id", (id) => {
    expect(fieldsOf({ ...limit, client_order_id: id })).toEqual(["client_order_id"]);
  });

  it.each(formatLines("product-id-valid"))("accept the product %s", (product) => {
    expect(decode({ ...limit, product })).toMatchObject({ ok: true, value: { product } });
  });

  it.each(formatLines("product-id-invalid"))("refuse the product %j", (product) => {
    expect(fieldsOf({ ...limit, product })).toEqual(["product"]);
  });
});

describe("Fields that an order does not have", () => {
  it("are ignored, or refused by name where the venue is set to", () => {
    const body = { ...limit, time_in_force: "GTC", clientOrderId: orderId };
    expect(decode(body)).toMatchObject({ ok: true, ignored: ["time_in_force", "clientOrderId"] });
    const names = Object.keys(orderFields).join(", ");
    const issue = `is not a field of this body: it takes ${names}`;
    expect(problems(body, "reject")).toEqual([
      { field: "time_in_force", issue },
      { field: "clientOrderId", issue: `${issue}; did you mean "client_order_id"?` },
    ]);
    expect(decode(limit, "reject").ok).toBe(true);
    expect(decode({ ...limit, stop_price: "x" }, "reject").ok).toBe(true);
  });

  it.each([
    ["price", "pricee"],
    ["client_order_id", "clientOrderId"],
    ["base_quantity", "baseQuantity"],
    ["product", "products"],
  ])("are named where %s is missing and %s looks like it", (missing, given) => {
    const { [missing]: value, ...rest } = limit as Readonly<Record<string, string>>;
    for (const setting of ["ignore", "reject"] as const) {
      const decoded = decode({ ...rest, [given]: value }, setting);
      const [problem] = decoded.ok ? [] : decoded.error;
      expect(problem?.field).toBe(missing);
      expect(problem?.issue).toMatch(new RegExp(`^is required.*; the body has "${given}" instead$`));
    }
    expect(problems({ ...rest, note: "x" })[0]?.issue).not.toContain("instead");
  });

  it("do not come from a prototype", () => {
    expect(fieldsOf(Object.create(limit))).toEqual(["side", "type", "client_order_id", "product"]);
    // as: an order of which one part is inherited.
    const inherited = Object.assign(Object.create({ base_quantity: "abc" }) as object, marketBuy);
    expect(decode(inherited)).toEqual(decode(marketBuy));
    const named: unknown = JSON.parse(`{"__proto__": {"side": "SELL"}, "constructor": 1, "toString": "x"}`);
    expect(fieldsOf(named)).toEqual(["side", "type", "client_order_id", "product"]);
    expect(problems({ ...limit, toString: "x" }, "reject")).toMatchObject([{ field: "toString" }]);
  });
});

describe("A refused value", () => {
  it("is shown, but never as a whole document", () => {
    expect(problems({ ...limit, side: "x".repeat(65) })[0]?.value).toBe(`${"x".repeat(64)}…`);
    expect(problems({ ...limit, side: "x".repeat(64) })[0]?.value).toBe("x".repeat(64));
    expect(problems({ ...limit, price: { deep: ["x".repeat(1000)] } })[0]?.value).toBe("object");
    expect(problems({ ...limit, price: [1, 2] })[0]?.value).toBe("list");
    expect(problems({ ...limit, price: 7.5 })[0]?.value).toBe(7.5);
    expect(problems({ ...limit, price: true })[0]?.value).toBe(true);
  });
});
