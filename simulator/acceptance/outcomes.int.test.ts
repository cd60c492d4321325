/** Rows 11 and 12 of the tricky behaviours, and every row of the outcome table. */
import { describe, expect, test } from "vitest";
import { asObject, type JsonObject, listIn, type Reply, text } from "../testing/client.ts";
import { problemsIn } from "../testing/records.ts";
import { useVenue } from "../testing/use-venue.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import {
  limitBuy,
  limitSell,
  marketBuy,
  marketSell,
  outcomeOf,
  stopBuy,
  uuidFrom,
  withVenue,
} from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const venue = useVenue();
const withWorld = useWorlds(venue);

/** The row that a failed outcome has left, if any. */
async function rowOf(order: JsonObject): Promise<JsonObject | undefined> {
  const query = `clientOrderId=${String(order["client_order_id"])}`;
  return listIn((await venue().trader.get("/order", { query })).data["items"])[0];
}

/** HTTP 200 of a failure: no order, a message, and still a closed envelope. */
function expectFailure(reply: Reply, type: string): void {
  expect(reply.status).toBe(200);
  expect(problemsIn("Envelope", reply.body)).toEqual([]);
  expect(reply.body).toMatchObject({ statusCode: 200, success: true });
  expect(Object.keys(reply.data)).toEqual(["type", "message"]);
  expect(reply.data["type"]).toBe(type);
  expect(text(reply.data, "message")).toMatch(/\w+ \w+/);
}

describe("11. 200 for all outcomes", () => {
  test.each([
    ["LIMIT", limitBuy()],
    ["LIMIT SELL", limitSell()],
    ["MARKET BUY", marketBuy()],
    ["MARKET SELL", marketSell()],
    ["STOP_LIMIT", stopBuy()],
  ])("NEW_ORDER of %s is 200 and never 201", async (_name, order) => {
    const reply = await venue().trader.place(order);
    expect([reply.status, reply.body["statusCode"], reply.body["success"]]).toEqual([200, 200, true]);
    expect(Object.keys(reply.body)).toEqual(["statusCode", "success", "message", "data"]);
    expect(Object.keys(reply.data)).toEqual(["type", "order"]);
    expect(problemsIn("OrderResult", reply.data)).toEqual([]);
    expect(asObject(reply.data["order"])).toMatchObject({
      status: "OPEN",
      synced: false,
      filledQuantity: "0",
    });
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  test("DUPLICATE_REPLAY is 200 with the order and a message", async () => {
    const order = limitBuy();
    await venue().placed(order);
    const reply = await venue().trader.place(order);
    expect([reply.status, reply.body["statusCode"], reply.body["success"]]).toEqual([200, 200, true]);
    expect(Object.keys(reply.data)).toEqual(["type", "order", "message"]);
    expect(problemsIn("OrderResult", reply.data)).toEqual([]);
  });

  test("EXTERNAL_EXECUTION_FAILED, certain: no order in the answer, a FAILED row, no hold", async () => {
    const order = limitBuy({ client_order_id: uuidFrom("00000e01") });
    const hold = await venue().hold("USD");
    expectFailure(await venue().trader.place(order), "EXTERNAL_EXECUTION_FAILED");
    expect(await rowOf(order)).toMatchObject({ status: "FAILED", filledQuantity: "0", externalId: null });
    expect(text((await rowOf(order)) ?? {}, "userContext")).not.toBe("");
    expect(await venue().hold("USD")).toBe(hold);
  });

  test("INTERNAL_EXECUTION_FAILED: no order in the answer, a FAILED row, the id is used up", async () => {
    const order = limitBuy({ client_order_id: uuidFrom("00000e03") });
    expectFailure(await venue().trader.place(order), "INTERNAL_EXECUTION_FAILED");
    expect(await rowOf(order)).toMatchObject({ status: "FAILED" });
    expect(outcomeOf(await venue().trader.place(order))).toBe("DUPLICATE_REPLAY");
  });

  test("CLIENT_NOT_FOUND: no row, and the id stays free", async () => {
    const order = limitBuy();
    expectFailure(await venue().as("orphan").place(order), "CLIENT_NOT_FOUND");
    expectFailure(await venue().as("orphan").place(order), "CLIENT_NOT_FOUND");
    expect(await rowOf(order)).toBeUndefined();
  });
});

describe("12. unknown outcome keeps the id", () => {
  test("EXTERNAL_EXECUTION_FAILED, then DUPLICATE_REPLAY; reconciliation moves PENDING to OPEN", async () => {
    await withWorld({}, async (running) => {
      const order = limitBuy({ client_order_id: uuidFrom("00000e02") });
      const first = await running.trader.place(order);
      expect(outcomeOf(first)).toBe("EXTERNAL_EXECUTION_FAILED");
      expect(first.body["message"]).toBe("Order outcome unknown");
      expect(Object.hasOwn(first.data, "order")).toBe(false);
      const replay = await running.trader.place(order);
      const pending = asObject(replay.data["order"]);
      expect(outcomeOf(replay)).toBe("DUPLICATE_REPLAY");
      expect(pending).toMatchObject({ status: "PENDING", synced: false, externalId: null });
      expect(await running.hold("USD")).toBe("300.75");
      expect((await running.trader.get("/order/open")).list).toHaveLength(1);
      await running.advance(2000);
      const after = await running.order(text(pending, "id"));
      expect(after).toMatchObject({ status: "OPEN", synced: true });
      expect(after["externalId"]).toEqual(expect.any(String));
      expect((await running.trader.get("/order/open")).list).toHaveLength(1);
    });
  });

  test("what was executed behind the lost answer fills, once", async () => {
    await withWorld({}, async (running) => {
      await running.placed(limitSell({ price: "30000" }), "counterparty");
      await running.settle();
      const order = limitBuy({ client_order_id: uuidFrom("00000e02") });
      await running.trader.place(order);
      await running.advance(5000);
      const again = await running.trader.place(order);
      expect(outcomeOf(again)).toBe("DUPLICATE_REPLAY");
      expect(asObject(again.data["order"])).toMatchObject({ status: "FILLED", filledQuantity: "0.01" });
      await running.settle();
      expect(await running.hold("USD")).toBe("0");
    });
  });

  test("an outcome that turns out to be nothing moves PENDING to FAILED and gives the hold back", async () => {
    await withWorld({}, async (running) => {
      const fault = { kind: "externalFailure", outcome: "unknown", resolvesTo: "FAILED", afterMs: 200 };
      await running.control("/faults", { rules: [{ id: "lost", fault }] });
      const order = limitBuy();
      expect(outcomeOf(await running.trader.place(order))).toBe("EXTERNAL_EXECUTION_FAILED");
      expect(await running.hold("USD")).toBe("300.75");
      await running.settle();
      expect(await running.hold("USD")).toBe("0");
      const again = asObject((await running.trader.place(order)).data["order"]);
      expect(again).toMatchObject({ status: "FAILED", synced: true, filledQuantity: "0" });
    });
  });

  test("an order whose outcome is unknown can be cancelled", async () => {
    await withWorld({}, async (running) => {
      const order = limitBuy({ client_order_id: uuidFrom("00000e02") });
      await running.trader.place(order);
      const { id } = asObject((await running.trader.place(order)).data["order"]);
      const cancelled = await running.trader.delete(`/order/${String(id)}`);
      expect(cancelled.data["status"]).toBe("CANCELLED");
      await running.advance(5000);
      expect(await running.order(String(id))).toMatchObject({ status: "CANCELLED", synced: true });
    });
  });
});

describe("the outcome table, row by row", () => {
  const refused = async (order: JsonObject): Promise<unknown[]> => {
    const reply = await venue().trader.place(order);
    const row = await rowOf(order);
    return [reply.status, reply.code, asObject(listIn(reply.body["details"])[0])["reason"], row];
  };

  test.each([
    ["payload invalid", { side: "buy" }, "VALIDATION_FAILED", undefined],
    ["product not enabled", { product: "DOGE-USD", base_quantity: "100" }, "PRODUCT_NOT_ENABLED", undefined],
    ["size below", { base_quantity: "0.00009999" }, "ORDER_SIZE_BELOW_MINIMUM", undefined],
    ["size above", { base_quantity: "10.00000001" }, "ORDER_SIZE_ABOVE_MAXIMUM", undefined],
    ["size increment", { base_quantity: "0.010000001" }, "EXCHANGE_REJECTED", "INVALID_SIZE_INCREMENT"],
    ["price increment", { price: "30000.001" }, "EXCHANGE_REJECTED", "INVALID_PRICE_INCREMENT"],
    ["order value", { price: "1" }, "EXCHANGE_REJECTED", "QUOTE_SIZE_OUT_OF_RANGE"],
    ["price beyond reach", { price: "99999999999999999999" }, "EXCHANGE_REJECTED", "AMOUNT_TOO_LARGE"],
  ])("%s: 400, no row", async (_name, wrong, code, reason) => {
    expect(await refused(limitBuy(wrong))).toEqual([400, code, reason, undefined]);
  });

  test("insufficient funds: 400 EXCHANGE_REJECTED", async () => {
    const order = { side: "SELL", base_quantity: "1000", price: "1", product: "ETH-BTC" };
    await venue().control("/clients/alice/balance", { asset: "ETH", amount: "9999.5", direction: "debit" });
    expect(await refused(limitBuy(order))).toEqual([
      400,
      "EXCHANGE_REJECTED",
      "INSUFFICIENT_FUNDS",
      undefined,
    ]);
  });

  test("numbers are in the details, not in the message alone", async () => {
    await withWorld({}, async (running) => {
      const facts = async (order: JsonObject): Promise<JsonObject> =>
        asObject(listIn((await running.trader.place(order)).body["details"])[0]);
      expect(await facts(limitBuy({ price: "1" }))).toEqual({
        reason: "QUOTE_SIZE_OUT_OF_RANGE",
        field: "base_quantity",
        value: "0.01",
        limit: "1",
        asset: "USD",
      });
      expect(await facts(limitBuy({ price: "999999999999999" }))).toEqual({
        reason: "AMOUNT_TOO_LARGE",
        field: "price",
        value: "999999999999999",
        limit: "90071992547409.91",
        asset: "USD",
      });
      const balance = await running.wallet("USD");
      await running.control("/clients/alice/balance", {
        asset: "USD",
        amount: String(Number(balance["available"]) - 100),
        direction: "debit",
      });
      expect(await facts(limitBuy({ price: "30000" }))).toEqual({
        reason: "INSUFFICIENT_FUNDS",
        needed: "300.75",
        available: "100",
        asset: "USD",
      });
    });
  });

  test("the client's quote limits bind orders with a price, too", async () => {
    await withWorld({}, async (running) => {
      const rules = { product: "BTC-USD", enabled: true, minQuoteValue: "10", maxQuoteValue: "5000" };
      await running.control("/clients/alice/rules", rules);
      const order = async (price: string, base_quantity: string): Promise<unknown> => {
        const reply = await running.trader.place(limitBuy({ price, base_quantity }));
        return reply.status === 200 ? outcomeOf(reply) : [reply.code, listIn(reply.body["details"])[0]];
      };
      const facts = { field: "base_quantity", asset: "USD", source: "CLIENT" };
      expect(await order("50000", "0.0002")).toBe("NEW_ORDER");
      expect(await order("49999.99", "0.0002")).toEqual([
        "ORDER_SIZE_BELOW_MINIMUM",
        { ...facts, limit: "10" },
      ]);
      expect(await order("50000", "0.1")).toBe("NEW_ORDER");
      expect(await order("50000.01", "0.1")).toEqual([
        "ORDER_SIZE_ABOVE_MAXIMUM",
        { ...facts, limit: "5000" },
      ]);
    });
  });

  test("stop already passed: 400 EXCHANGE_REJECTED", async () => {
    const order = stopBuy({ stop_price: "59999.99", price: "70000" });
    expect(await refused(order)).toEqual([400, "EXCHANGE_REJECTED", "STOP_PRICE_WOULD_TRIGGER", undefined]);
  });

  test("halted product: 400 EXCHANGE_REJECTED; cancelling stays possible; resumed it trades", async () => {
    const { id } = await venue().placed(limitBuy());
    await venue().control("/products/BTC-USD/halted", { halted: true });
    expect(await refused(limitBuy())).toEqual([400, "EXCHANGE_REJECTED", "TRADING_HALTED", undefined]);
    expect((await venue().trader.delete(`/order/${String(id)}`)).status).toBe(200);
    await venue().control("/products/BTC-USD/halted", { halted: false });
    expect(outcomeOf(await venue().trader.place(limitBuy()))).toBe("NEW_ORDER");
  });

  test("too many open orders: 400 EXCHANGE_REJECTED; a cancel makes room", async () => {
    await withWorld({}, async (running) => {
      await running.control("/settings", { maxOpenOrders: 2 });
      const { id } = await running.placed(limitBuy());
      await running.placed(limitBuy());
      const refusal = await running.trader.place(limitBuy());
      expect([refusal.status, listIn(refusal.body["details"])[0]?.["reason"]]).toEqual([
        400,
        "TOO_MANY_OPEN_ORDERS",
      ]);
      expect(listIn(refusal.body["details"])[0]).toMatchObject({ value: "2", limit: "2" });
      // A MARKET order never rests, so it needs no room.
      expect(outcomeOf(await running.trader.place(marketBuy()))).toBe("NEW_ORDER");
      await running.settle();
      await running.trader.delete(`/order/${String(id)}`);
      expect(outcomeOf(await running.trader.place(limitBuy()))).toBe("NEW_ORDER");
    });
  });

  test("a budget that buys less than one increment: 400 QUOTE_SIZE_OUT_OF_RANGE", async () => {
    await withVenue({ world: quietWorld({ marketBuySizeCheck: "quote-limits" }) }, async (running) => {
      await running.book("SHIB-USD", [["SELL", "5", "1000000"]]);
      const reply = await running.trader.place(marketBuy({ product: "SHIB-USD", quote_value: "2" }));
      expect([reply.status, listIn(reply.body["details"])[0]?.["reason"]]).toEqual([
        400,
        "QUOTE_SIZE_OUT_OF_RANGE",
      ]);
    });
  });
});
