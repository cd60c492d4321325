/** Actions of the exchange, or of the rest of the market, on a live order. */
import { Decimal } from "decimal.js";
import { describe, expect, test } from "vitest";
import { type JsonObject, listIn } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, limitSell, marketSell, stopBuy, type Venue, withVenue } from "../testing/venue.ts";

const venue = useVenue();

const act = (running: Venue, id: unknown, action: string, body: JsonObject = {}): Promise<JsonObject> =>
  running.control(`/orders/${String(id)}/${action}`, body);
const refusalOf = async (
  running: Venue,
  id: unknown,
  action: string,
  body: JsonObject = {},
): Promise<unknown[]> => {
  const { status, code, text } = await running.controlReply(`/orders/${String(id)}/${action}`, body);
  return [status, code, text];
};
const resting = async (running: Venue, order: JsonObject = limitBuy()): Promise<string> => {
  const { id } = await running.placed(order);
  await running.settle();
  return String(id);
};
/** An order whose acceptance the exchange has not confirmed. */
const pending = async (running: Venue): Promise<string> => {
  await running.control("/settings", { acceptance: "async", confirmDelayMs: 500 });
  return String((await running.placed(limitBuy()))["id"]);
};

describe("fill", () => {
  test("takes a part and then the rest, with the fees and the money of a match", async () => {
    const order = limitBuy({ price: "59000", base_quantity: "0.3" });
    const byAction = await withVenue({}, async (own) => {
      const id = await resting(own, order);
      expect(await act(own, id, "fill", { quantity: "0.1" })).toEqual({
        id,
        status: "OPEN",
        filledQuantity: "0.1",
      });
      expect((await own.order(id))["filledQuantity"]).toBe("0.1");
      expect(await act(own, id, "fill")).toEqual({ id, status: "FILLED", filledQuantity: "0.3" });
      return [await own.order(id), await own.wallet("USD"), await own.wallet("BTC")];
    });
    const byMatch = await withVenue({}, async (own) => {
      const id = await resting(own, order);
      for (const base_quantity of ["0.1", "0.2"]) {
        await own.placed(limitSell({ price: "59000", base_quantity }), "counterparty");
        await own.advance(50);
      }
      return [await own.order(id), await own.wallet("USD"), await own.wallet("BTC")];
    });
    const money = ([filled, ...wallets]: readonly JsonObject[]): unknown => [
      ["status", "filledQuantity", "filledValue", "commission", "exchangeFee", "fees"].map(
        (name) => filled?.[name],
      ),
      wallets.map(({ balance, hold }) => [balance, hold]),
    ];
    expect(money(byAction)).toEqual(money(byMatch));
  });

  test("trades at a better price than the order's own, with the money of that price", async () => {
    await withVenue({}, async (own) => {
      const before = await own.wallet("USD");
      const id = await resting(own, limitBuy({ price: "59000", base_quantity: "0.3" }));
      await act(own, id, "fill", { quantity: "0.1", price: "58000" });
      await act(own, id, "fill", { quantity: "0.1", price: "57000.5" });
      const order = await own.order(id);
      expect(order).toMatchObject({
        status: "OPEN",
        filledQuantity: "0.2",
        filledValue: "11500.05",
        averageFilledPrice: "57500.25",
      });
      await act(own, id, "cancel");
      const after = await own.wallet("USD");
      const paid = new Decimal(String(before["balance"])).minus(String(after["balance"]));
      expect(paid.toFixed()).toBe(new Decimal("11500.05").plus(String(order["fees"])).toFixed());
      expect(after["hold"]).toBe(before["hold"]);
      const sell = await resting(own, limitSell({ price: "61000", base_quantity: "0.1" }));
      await act(own, sell, "fill", { price: "62000" });
      expect(await own.order(sell)).toMatchObject({ status: "FILLED", averageFilledPrice: "62000" });
      const facts = listIn((await own.control(`/explain/${id}`, {}, "GET"))["facts"]);
      expect(String(facts.find(({ code }) => code === "TRADED")?.["sentence"])).toContain(
        "at 58000 USD: the price that the sandbox was asked for",
      );
    });
  });

  test("refuses a price that is worse than the limit, or off the ticks", async () => {
    const id = await resting(venue(), limitBuy({ price: "59000" }));
    const sell = await resting(venue(), limitSell({ price: "61000" }));
    const problem = async (order: string, price: string): Promise<unknown[]> =>
      refusalOf(venue(), order, "fill", { price });
    expect(await problem(id, "59000.01")).toEqual([
      400,
      "INVALID_COMMAND",
      expect.stringContaining("worse for the BUY order than its limit: it must be 59000 or less"),
    ]);
    expect(await problem(sell, "60999.99")).toEqual([
      400,
      "INVALID_COMMAND",
      expect.stringContaining("it must be 61000 or more"),
    ]);
    expect(await problem(id, "58000.001")).toEqual([
      400,
      "INVALID_COMMAND",
      expect.stringContaining("price must be a positive multiple of 0.01 USD"),
    ]);
  });

  test("refuses what is off the lots, too much, or not in the book", async () => {
    const id = await resting(venue());
    expect(await refusalOf(venue(), id, "fill", { quantity: "1000" })).toEqual([
      400,
      "INVALID_COMMAND",
      expect.stringContaining("at most what is left"),
    ]);
    expect(await refusalOf(venue(), id, "fill", { quantity: "0.000000000001" })).toEqual([
      400,
      "INVALID_COMMAND",
      expect.stringContaining("multiple of"),
    ]);
    const stop = await resting(venue(), stopBuy());
    expect(await refusalOf(venue(), stop, "fill")).toEqual([
      409,
      "CONFLICT",
      expect.stringContaining("waits for its stop price"),
    ]);
    await act(venue(), id, "fill");
    expect(await refusalOf(venue(), id, "fill")).toEqual([
      409,
      "CONFLICT",
      expect.stringContaining("FILLED and is at its end"),
    ]);
  });
});

describe("the exchange", () => {
  test("confirms, rejects and cancels when it is told to", async () => {
    await withVenue({}, async (own) => {
      expect(await act(own, await pending(own), "confirm")).toMatchObject({ status: "OPEN" });
      expect(await act(own, await pending(own), "reject")).toMatchObject({ status: "FAILED" });
      const id = await pending(own);
      expect(await act(own, id, "cancel")).toMatchObject({ status: "CANCELLED" });
      expect((await own.order(id))["userContext"]).toBe("Cancelled by the exchange");
      expect(await own.hold("USD")).not.toBe("");
    });
  });

  test("does not answer about an order that is held, until it is told to", async () => {
    await withVenue({}, async (own) => {
      const id = await pending(own);
      expect(await act(own, id, "hold")).toMatchObject({ status: "PENDING" });
      await own.advance(86_400_000);
      expect((await own.order(id))["status"]).toBe("PENDING");
      await act(own, id, "confirm");
      await own.settle();
      expect((await own.order(id))["status"]).toBe("OPEN");
    });
  });

  test("refuses an action that the status does not allow, and changes nothing", async () => {
    const id = await resting(venue());
    const before = await venue().control("/state-hash", {}, "GET");
    for (const action of ["confirm", "reject", "hold"])
      expect(await refusalOf(venue(), id, action)).toEqual([
        409,
        "CONFLICT",
        expect.stringContaining("is OPEN"),
      ]);
    expect(await venue().control("/state-hash", {}, "GET")).toEqual(before);
    await act(venue(), id, "expire");
    for (const action of ["cancel", "expire"])
      expect(await refusalOf(venue(), id, action)).toEqual([
        409,
        "ORDER_NOT_CANCELLABLE",
        expect.stringContaining("EXPIRED"),
      ]);
  });
});

test("the same actions in the same order give the same chain hash", async () => {
  const run = (): Promise<unknown> =>
    withVenue({}, async (own) => {
      const client_order_id = (number: number): JsonObject => ({
        client_order_id: `3f2504e0-4f89-41d3-9a0c-0305e82c330${number}`,
      });
      const first = await resting(own, limitBuy(client_order_id(1)));
      await act(own, first, "fill", { quantity: "0.001", price: "29000" });
      await act(own, first, "cancel");
      await own.placed(marketSell(client_order_id(2)));
      await act(own, await resting(own, limitBuy(client_order_id(3))), "expire");
      return own.control("/state-hash", {}, "GET");
    });
  expect(await run()).toEqual(await run());
});
