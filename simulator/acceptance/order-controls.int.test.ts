/** Controls that act on a live order: as the exchange, or as the rest of the market. */
import { Decimal } from "decimal.js";
import { describe, expect, test } from "vitest";
import { type JsonObject, listIn } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, limitSell, stopBuy, type Venue } from "../testing/venue.ts";

const venue = useVenue();
const withWorld = useWorlds(venue);

const act = (running: Venue, id: unknown, action: string, body: JsonObject = {}): Promise<JsonObject> =>
  running.control(`/orders/${String(id)}/${action}`, body);
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

test("fill takes a part and then the rest, with the fees and the money of a match", async () => {
  const order = limitBuy({ price: "59000", base_quantity: "0.3" });
  const money = async (running: Venue, id: string): Promise<unknown> => {
    const { status, filledQuantity, filledValue, commission, exchangeFee, fees } = await running.order(id);
    const wallets = [await running.wallet("USD"), await running.wallet("BTC")];
    return [
      { status, filledQuantity, filledValue, commission, exchangeFee, fees },
      wallets.map(({ balance, hold }) => [balance, hold]),
    ];
  };
  const byControl = await withWorld({}, async (own) => {
    const id = await resting(own, order);
    expect(await act(own, id, "fill", { quantity: "0.1" })).toEqual({
      id,
      status: "OPEN",
      filledQuantity: "0.1",
    });
    expect(await act(own, id, "fill")).toEqual({ id, status: "FILLED", filledQuantity: "0.3" });
    return money(own, id);
  });
  const byMatch = await withWorld({}, async (own) => {
    const id = await resting(own, order);
    for (const base_quantity of ["0.1", "0.2"]) {
      await own.placed(limitSell({ price: "59000", base_quantity }), "counterparty");
      await own.settle();
    }
    return money(own, id);
  });
  expect(byControl).toEqual(byMatch);
});

test("an action takes the client_order_id and the first digits of an id, and no name of several orders", async () => {
  await withWorld({}, async (own) => {
    const { id, clientOrderId } = await own.placed(limitBuy());
    await own.settle();
    const filled = { id, status: "OPEN", filledQuantity: "0.001" };
    expect(await act(own, clientOrderId, "fill", { quantity: "0.001" })).toEqual(filled);
    expect(await act(own, String(id).slice(0, 8), "cancel")).toMatchObject({ id, status: "CANCELLED" });
    const shared = limitBuy({ client_order_id: "5d0b3a1e-6c1f-4a55-9f0e-2a8e4d1f7c55" });
    await own.placed(shared);
    await own.placed(shared, "other");
    const refused = await own.controlReply(`/orders/${String(shared["client_order_id"])}/cancel`, {});
    expect([refused.status, refused.body["message"]]).toEqual([
      409,
      expect.stringContaining("Several clients"),
    ]);
  });
});

test("fill trades at a better price than the order's own, with the money of that price, and why says so", async () => {
  await withWorld({}, async (own) => {
    const before = await own.wallet("USD");
    const id = await resting(own, limitBuy({ price: "59000", base_quantity: "0.3" }));
    await act(own, id, "fill", { quantity: "0.1", price: "58000" });
    await act(own, id, "fill", { quantity: "0.1", price: "57000.5" });
    const order = await own.order(id);
    expect(order).toMatchObject({ status: "OPEN", filledQuantity: "0.2", averageFilledPrice: "57500.25" });
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

describe("a control that an order does not allow is refused, and changes nothing", () => {
  const buy = limitBuy({ price: "59000" });
  const sell = limitSell({ price: "61000" });
  test.each<[string, JsonObject, string, JsonObject, string, string]>([
    ["a worse price", buy, "fill", { price: "59000.01" }, "400 INVALID_COMMAND", "it must be 59000 or less"],
    [
      "a worse price of a sale",
      sell,
      "fill",
      { price: "60999.99" },
      "400 INVALID_COMMAND",
      "it must be 61000 or more",
    ],
    [
      "a price off the ticks",
      buy,
      "fill",
      { price: "58000.001" },
      "400 INVALID_COMMAND",
      "multiple of 0.01 USD",
    ],
    ["too much", buy, "fill", { quantity: "1000" }, "400 INVALID_COMMAND", "at most what is left"],
    ["off the lots", buy, "fill", { quantity: "0.000000000001" }, "400 INVALID_COMMAND", "multiple of"],
    ["a stop that waits", stopBuy(), "fill", {}, "409 CONFLICT", "waits for its stop price"],
    ["one that is confirmed", buy, "confirm", {}, "409 CONFLICT", "is OPEN"],
    ["one that is confirmed", buy, "reject", {}, "409 CONFLICT", "is OPEN"],
    ["one that is confirmed", buy, "hold", {}, "409 CONFLICT", "is OPEN"],
  ])("%s", async (_what, order, action, body, answer, says) => {
    const id = await resting(venue(), { ...order, client_order_id: crypto.randomUUID() });
    const before = await venue().control("/state-hash", {}, "GET");
    const reply = await venue().controlReply(`/orders/${id}/${action}`, body);
    expect(`${reply.status} ${reply.code}`).toBe(answer);
    expect(reply.text).toContain(says);
    expect(await venue().control("/state-hash", {}, "GET")).toEqual(before);
  });

  test.each([
    ["fill", "FILLED", "409 CONFLICT", ["fill"]],
    ["expire", "EXPIRED", "409 ORDER_NOT_CANCELLABLE", ["cancel", "expire"]],
  ])("after %s: the order is %s", async (end, status, answer, actions) => {
    const id = await resting(venue());
    await act(venue(), id, end);
    for (const action of actions) {
      const reply = await venue().controlReply(`/orders/${id}/${action}`);
      expect(`${reply.status} ${reply.code}`).toBe(answer);
      expect(reply.text).toContain(status);
    }
  });
});

test("confirm, reject and cancel speak for the exchange", async () => {
  await withWorld({}, async (own) => {
    expect(await act(own, await pending(own), "confirm")).toMatchObject({ status: "OPEN" });
    expect(await act(own, await pending(own), "reject")).toMatchObject({ status: "FAILED" });
    const id = await pending(own);
    expect(await act(own, id, "cancel")).toMatchObject({ status: "CANCELLED" });
    expect(await own.order(id)).toMatchObject({ userContext: "Cancelled by the exchange" });
  });
});

test("hold keeps the exchange silent about an order until it is told to confirm", async () => {
  await withWorld({}, async (own) => {
    const id = await pending(own);
    expect(await act(own, id, "hold")).toMatchObject({ status: "PENDING" });
    await own.advance(86_400_000);
    expect(await own.order(id)).toMatchObject({ status: "PENDING" });
    await act(own, id, "confirm");
    expect(await own.order(id)).toMatchObject({ status: "OPEN" });
  });
});

test("expire ends an order with its fills and without its hold", async () => {
  await withWorld({}, async (own) => {
    const id = await resting(own, limitBuy({ base_quantity: "1" }));
    await act(own, id, "fill", { quantity: "0.4" });
    await act(own, id, "expire");
    expect(await own.order(id)).toMatchObject({
      status: "EXPIRED",
      filledQuantity: "0.4",
      userContext: "Order expired",
    });
    expect(await own.hold("USD")).toBe("0");
  });
});
