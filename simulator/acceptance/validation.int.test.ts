/** Bodies of POST /order, field by field, and the order in which two mistakes are named. */
import { describe, expect, test } from "vitest";
import { asObject, type JsonObject, listIn } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import {
  limitBuy,
  limitSell,
  marketBuy,
  marketSell,
  outcomeOf,
  stopBuy,
  uuid,
  withVenue,
} from "../testing/venue.ts";

const venue = useVenue();
const bad = "400 VALIDATION_FAILED";

const without = (order: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(order).filter(([name]) => name !== field));

describe("fields of the order request", () => {
  test.each([
    ["side", limitBuy()],
    ["type", limitBuy()],
    ["client_order_id", limitBuy()],
    ["product", limitBuy()],
    ["base_quantity", limitBuy()],
    ["price", limitBuy()],
    ["base_quantity", limitSell()],
    ["price", limitSell()],
    ["base_quantity", marketSell()],
    ["quote_value", marketBuy()],
    ["base_quantity", stopBuy()],
    ["price", stopBuy()],
    ["stop_price", stopBuy()],
  ] as const)("%s is required", async (field, order) => {
    for (const body of [without(order, field), { ...order, [field]: null }]) {
      const reply = await venue().trader.place(body);
      expect(outcomeOf(reply)).toBe(bad);
      expect(listIn(reply.body["details"]).map((detail) => detail["field"])).toEqual([field]);
      expect(String(reply.body["message"])).toContain(field);
    }
  });

  test.each<[string, JsonObject, string]>([
    ["side in lower case", { side: "buy" }, bad],
    ["side unknown", { side: "HOLD" }, bad],
    ["side with a blank", { side: "BUY " }, bad],
    ["type in lower case", { type: "limit" }, bad],
    ["type TWAP, of the record only", { type: "TWAP" }, bad],
    ["type BLOCK", { type: "BLOCK" }, bad],
    ["type VWAP", { type: "VWAP" }, bad],
    ["type RFQ", { type: "RFQ" }, bad],
    ["type PEG", { type: "PEG" }, bad],
    ["side a prototype's key", { side: "constructor" }, bad],
    ["client_order_id of version 1", { client_order_id: "b2c3d4e5-6f70-11ee-8c99-0242ac120002" }, bad],
    ["client_order_id of version 7", { client_order_id: "018f2d5e-7c3a-7b21-9d43-2f6a1b0c9d8e" }, bad],
    ["client_order_id nil", { client_order_id: "00000000-0000-0000-0000-000000000000" }, bad],
    ["client_order_id with braces", { client_order_id: `{${uuid()}}` }, bad],
    ["client_order_id without hyphens", { client_order_id: uuid().replaceAll("-", "") }, bad],
    ["client_order_id a number", { client_order_id: 7 }, bad],
    ["product in lower case", { product: "btc-usd" }, bad],
    ["product with a slash", { product: "BTC/USD" }, bad],
    ["product without a quote", { product: "BTC-" }, bad],
    ["product of three", { product: "BTC-USD-X" }, bad],
    ["product unknown", { product: "AAA-BBB" }, "400 PRODUCT_NOT_FOUND"],
    ["product too long", { product: `${"A".repeat(21)}-USD` }, bad],
    ["quantity zero", { base_quantity: "0" }, bad],
    ["quantity zero, spelled long", { base_quantity: "0.000" }, bad],
    ["price zero", { price: "0" }, bad],
    ["price a number", { price: 30000 }, bad],
    ["unknown field", { time_in_force: "GTC" }, "NEW_ORDER"],
    ["a field in camelCase", { baseQuantity: "5" }, "NEW_ORDER"],
  ])("%s: %s", async (_name, change, outcome) => {
    expect(outcomeOf(await venue().trader.place(limitBuy(change)))).toBe(outcome);
  });

  test("every defect is listed, not just the first", async () => {
    const reply = await venue().trader.place({ side: "x", type: "LIMIT", price: "1e5" });
    const fields = listIn(reply.body["details"]).map((detail) => String(detail["field"]));
    expect(fields.toSorted()).toEqual(["client_order_id", "product", "side"]);
    const typed = await venue().trader.place({ side: "BUY", type: "LIMIT", price: "1e5", product: "x" });
    const all = listIn(typed.body["details"]).map((detail) => String(detail["field"]));
    expect(all.toSorted()).toEqual(["base_quantity", "client_order_id", "price", "product"]);
  });
});

describe("the body as a whole", () => {
  const order = (): string => JSON.stringify(limitBuy());

  test.each<[string, () => string | Uint8Array, string]>([
    ["a list", () => `[${order()}]`, bad],
    ["a text", () => '"order"', bad],
    ["a number", () => "1", bad],
    ["null", () => "null", bad],
    ["an empty object", () => "{}", bad],
    ["nothing", () => "", "400 MALFORMED_JSON"],
    ["half a document", () => order().slice(0, -1), "400 MALFORMED_JSON"],
    ["two documents", () => order() + order(), "400 MALFORMED_JSON"],
    ["a comment", () => `${order()}//`, "400 MALFORMED_JSON"],
    ["a comma too many", () => order().replace("}", ",}"), "400 MALFORMED_JSON"],
    ["single quotes", () => order().replaceAll('"', "'"), "400 MALFORMED_JSON"],
    ["a key twice", () => order().replace("{", '{"side":"SELL",'), "400 MALFORMED_JSON"],
    ["a byte order mark", () => Buffer.from(`\u{feff}${order()}`), "400 MALFORMED_JSON"],
    ["no UTF-8", () => Buffer.from(order().replace("{", '{"note":"é",'), "latin1"), "400 MALFORMED_JSON"],
    ["UTF-16", () => Buffer.from(order(), "utf16le"), "400 MALFORMED_JSON"],
    ["deep nesting", () => "[".repeat(1000) + "]".repeat(1000), "400 JSON_NOT_ACCEPTED"],
    ["a prototype", () => order().replace("{", '{"__proto__":{},'), "400 JSON_NOT_ACCEPTED"],
    ["a long text", () => JSON.stringify(limitBuy({ note: "x".repeat(4097) })), "400 JSON_NOT_ACCEPTED"],
    [
      "a long unused field",
      () => JSON.stringify(limitBuy({ stop_price: "9".repeat(4097) })),
      "400 JSON_NOT_ACCEPTED",
    ],
  ])("%s", async (_name, body, outcome) => {
    expect(outcomeOf(await venue().trader.place(body()))).toBe(outcome);
  });
});

describe("of two defects, the earlier check is named", () => {
  const code = async (
    order: JsonObject | string,
    options: Parameters<ReturnType<typeof venue>["trader"]["place"]>[1] = {},
    key = "trader",
  ): Promise<string> => outcomeOf(await venue().as(key).place(order, options));

  test("an unknown route before missing credentials", async () => {
    expect((await venue().open("/no-such-route")).code).toBe("ROUTE_NOT_FOUND");
  });

  test("an oversized body before its wrong signature", async () => {
    expect(await code(`"${"x".repeat(200_000)}"`, { secret: "wrong-secret-wrong" })).toBe(
      "413 PAYLOAD_TOO_LARGE",
    );
  });

  test("credentials in their order: headers, timestamp, key, window, nonce, signature, reuse", async () => {
    const { credentials } = venue().trader;
    const all = {
      "X-API-SIGNATURE": "no",
      "X-API-NONCE": "no",
      "X-API-TIMESTAMP": "no",
      "X-API-KEY": "no",
    };
    const headers: Record<string, string | undefined> = { ...all, "X-API-SIGNATURE": undefined };
    const next = async (repair: Record<string, string | undefined>): Promise<string> => {
      Object.assign(headers, repair);
      return (await venue().trader.get("/order/open", { headers })).code;
    };
    expect(await next({})).toBe("MISSING_CREDENTIALS");
    expect(await next({ "X-API-SIGNATURE": "no" })).toBe("INVALID_TIMESTAMP");
    expect(await next({ "X-API-TIMESTAMP": "1767225600" })).toBe("INVALID_API_KEY");
    expect(await next({ "X-API-KEY": credentials.keyId })).toBe("TIMESTAMP_OUT_OF_WINDOW");
    expect(await next({ "X-API-TIMESTAMP": String(Date.now()) })).toBe("INVALID_NONCE");
    expect(await next({ "X-API-NONCE": uuid() })).toBe("INVALID_SIGNATURE");
  });

  test("a wrong signature before a used nonce", async () => {
    const sign = { nonce: uuid() };
    await venue().trader.get("/order/open", { sign });
    const reply = await venue().trader.get("/order/open", { sign, secret: "wrong-secret-wrong" });
    expect(reply.code).toBe("INVALID_SIGNATURE");
  });

  test("credentials before the claim, the claim before the media type", async () => {
    const headers = { "Content-Type": "text/plain" };
    expect(await code(limitBuy(), { headers, secret: "wrong-secret-wrong" }, "reader")).toBe(
      "401 INVALID_SIGNATURE",
    );
    expect(await code(limitBuy(), { headers }, "reader")).toBe("403 MISSING_CLAIM");
    expect(await code("{", { headers })).toBe("415 UNSUPPORTED_MEDIA_TYPE");
  });

  test("JSON before fields, fields before the client record", async () => {
    expect(await code("{", {}, "orphan")).toBe("400 MALFORMED_JSON");
    expect(await code(limitBuy({ price: "x" }), {}, "orphan")).toBe(bad);
    expect(await code(limitBuy({ product: "NO-SUCH" }), {}, "orphan")).toBe("CLIENT_NOT_FOUND");
  });

  test("an unreadable body before its duplicate, a duplicate before the rules", async () => {
    const order = limitBuy();
    await venue().placed(order);
    expect(await code({ ...order, price: "x" })).toBe(bad);
    expect(await code({ ...order, product: "NO-SUCH" })).toBe("DUPLICATE_REPLAY");
    expect(await code({ ...order, base_quantity: "0.00000001" })).toBe("DUPLICATE_REPLAY");
  });

  test("product known, enabled, size, halted, increments, value, stop, open orders, funds", async () => {
    await withVenue({}, async (running) => {
      const reason = async (change: JsonObject): Promise<unknown> => {
        const reply = await running.trader.place(stopBuy(change));
        return asObject(listIn(reply.body["details"])[0])["reason"] ?? reply.code;
      };
      await running.control("/products/BTC-USD/halted", { halted: true });
      await running.control("/clients/alice/trading", { enabled: false });
      await running.control("/settings", { maxOpenOrders: 0 });
      const amount = String((await running.wallet("USD"))["available"]);
      await running.control("/clients/alice/balance", { asset: "USD", amount, direction: "debit" });
      const wrong: Record<string, string> = {
        product: "NO-SUCH",
        base_quantity: "0.000000001",
        price: "0.001",
        stop_price: "59000.001",
      };
      expect(await reason(wrong)).toBe("PRODUCT_NOT_FOUND");
      wrong["product"] = "BTC-USD";
      expect(await reason(wrong)).toBe("PRODUCT_NOT_ENABLED");
      await running.control("/clients/alice/trading", { enabled: true });
      expect(await reason(wrong)).toBe("ORDER_SIZE_BELOW_MINIMUM");
      wrong["base_quantity"] = "0.010000001";
      expect(await reason(wrong)).toBe("TRADING_HALTED");
      await running.control("/products/BTC-USD/halted", { halted: false });
      expect(await reason(wrong)).toBe("INVALID_SIZE_INCREMENT");
      wrong["base_quantity"] = "0.01";
      expect(await reason(wrong)).toBe("INVALID_PRICE_INCREMENT");
      wrong["price"] = "0.01";
      expect(await reason(wrong)).toBe("INVALID_PRICE_INCREMENT");
      wrong["stop_price"] = "59000";
      expect(await reason(wrong)).toBe("QUOTE_SIZE_OUT_OF_RANGE");
      wrong["price"] = "59000";
      expect(await reason(wrong)).toBe("STOP_PRICE_WOULD_TRIGGER");
      wrong["stop_price"] = "61000";
      expect(await reason(wrong)).toBe("TOO_MANY_OPEN_ORDERS");
      await running.control("/settings", { maxOpenOrders: 1 });
      expect(await reason(wrong)).toBe("INSUFFICIENT_FUNDS");
    });
  });
});
