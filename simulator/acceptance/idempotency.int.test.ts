/** Rows 7 to 10 of the tricky behaviours: one `client_order_id`, one order, whatever happens around it. */
import { describe, expect, test } from "vitest";
import { asObject, type JsonObject, listIn, type Reply, text } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import {
  limitBuy,
  limitSell,
  marketBuy,
  outcomeOf,
  stopBuy,
  uuid,
  type Venue,
  withVenue,
} from "../testing/venue.ts";

const venue = useVenue();

const idIn = (reply: Reply): string => text(asObject(reply.data["order"]), "id");

/** All orders of the account with this client_order_id. */
async function ordersWith(running: Venue, id: unknown, key = "trader"): Promise<readonly JsonObject[]> {
  const reply = await running.as(key).get("/order", { query: `clientOrderId=${String(id)}` });
  return listIn(reply.data["items"]);
}

describe("7. retry = new nonce, same client_order_id", () => {
  test("identical bytes and headers are 401; signed anew they are DUPLICATE_REPLAY with the same id", async () => {
    const { trader } = venue();
    const order = limitBuy();
    const prepared = trader.prepare("POST", "/order", { body: order });
    const first = await trader.send(prepared);
    expect(outcomeOf(first)).toBe("NEW_ORDER");
    expect((await trader.send(prepared)).code).toBe("NONCE_REUSED");
    const again = await trader.place(order);
    expect([again.status, outcomeOf(again), idIn(again)]).toEqual([200, "DUPLICATE_REPLAY", idIn(first)]);
  });

  test("the answer says that it is a duplicate, and of which id", async () => {
    const order = limitBuy();
    await venue().placed(order);
    const again = await venue().trader.place(order);
    expect(again.body["message"]).toBe("Duplicate order");
    expect(text(again.data, "message")).toBe(
      `Order with client_order_id ${String(order["client_order_id"])} already exists`,
    );
  });
});

describe("8. concurrent duplicates", () => {
  test("fifty at once give one NEW_ORDER, forty-nine DUPLICATE_REPLAY, one row, one hold", async () => {
    await withVenue({}, async (running) => {
      const order = limitBuy();
      const replies = await Promise.all(Array.from({ length: 50 }, () => running.trader.place(order)));
      const outcomes = replies.map(outcomeOf);
      expect(outcomes.filter((outcome) => outcome === "NEW_ORDER")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "DUPLICATE_REPLAY")).toHaveLength(49);
      expect(new Set(replies.map(idIn)).size).toBe(1);
      expect(await ordersWith(running, order["client_order_id"])).toHaveLength(1);
      expect((await running.trader.get("/order/open")).list).toHaveLength(1);
      // 0.01 x 30000, and the fee of 25 basis points.
      expect(await running.hold("USD")).toBe("300.75");
    });
  });

  test("fifty at once that differ in everything but the id are one order", async () => {
    await withVenue({}, async (running) => {
      const client_order_id = uuid();
      const kinds = [limitBuy, limitSell, marketBuy, stopBuy];
      const replies = await Promise.all(
        Array.from({ length: 52 }, (_, at) => running.trader.place(kinds[at % 4]?.({ client_order_id }))),
      );
      expect(replies.map(outcomeOf).filter((outcome) => outcome === "NEW_ORDER")).toHaveLength(1);
      expect(new Set(replies.map(idIn)).size).toBe(1);
    });
  });
});

describe("9. replay is unconditional", () => {
  /** Places, lets something happen, repeats. */
  async function replayAfter(
    happen: (running: Venue, id: string) => Promise<unknown>,
    change: JsonObject = {},
  ): Promise<Reply> {
    return withVenue({}, async (running) => {
      const order = limitBuy();
      const { id } = await running.placed(order);
      await happen(running, String(id));
      const reply = await running.trader.place({ ...order, ...change });
      expect([outcomeOf(reply), idIn(reply)]).toEqual(["DUPLICATE_REPLAY", id]);
      return reply;
    });
  }

  test("when the first order is CANCELLED", async () => {
    const reply = await replayAfter((running, id) => running.trader.delete(`/order/${id}`));
    expect(asObject(reply.data["order"])["status"]).toBe("CANCELLED");
  });

  test("when the first order is FILLED; the order is shown as it is now", async () => {
    const reply = await replayAfter(async (running) => {
      await running.settle();
      await running.placed(limitSell({ price: "30000" }), "counterparty");
      await running.settle();
    });
    expect(asObject(reply.data["order"])).toMatchObject({
      status: "FILLED",
      filledQuantity: "0.01",
      synced: true,
    });
  });

  test("when the first order is EXPIRED", async () => {
    const reply = await replayAfter((running, id) => running.control(`/orders/${id}/expire`));
    expect(asObject(reply.data["order"])["status"]).toBe("EXPIRED");
  });

  test("when the first order FAILED", async () => {
    const order = limitBuy({ client_order_id: `00000e01${uuid().slice(8)}` });
    expect(outcomeOf(await venue().trader.place(order))).toBe("EXTERNAL_EXECUTION_FAILED");
    const again = await venue().trader.place(order);
    expect([outcomeOf(again), asObject(again.data["order"])["status"]]).toEqual([
      "DUPLICATE_REPLAY",
      "FAILED",
    ]);
  });

  test("when the body differs; the message names the difference, and the original is unchanged", async () => {
    const change = { side: "SELL", price: "31000", base_quantity: "0.02" };
    const reply = await replayAfter(() => Promise.resolve(), change);
    expect(asObject(reply.data["order"])).toMatchObject({
      side: "BUY",
      limitPrice: "30000",
      baseQuantity: "0.01",
    });
    expect(text(reply.data, "message")).toMatch(/side.*base_quantity.*price|side.*price.*base_quantity/);
  });

  test("when the product is another one, even one that does not exist", async () => {
    await replayAfter(() => Promise.resolve(), { product: "ETH-USD" });
    await replayAfter(() => Promise.resolve(), { product: "NO-SUCH" });
  });

  test("when the product has since been disabled, for all or for the client", async () => {
    await replayAfter((running) => running.control("/products/BTC-USD/enabled", { enabled: false }));
    await replayAfter((running) =>
      running.control("/clients/alice/rules", { product: "BTC-USD", enabled: false }),
    );
    await replayAfter((running) => running.control("/clients/alice/trading", { enabled: false }));
  });

  test("when trading is halted or the open-order limit has been reached", async () => {
    await replayAfter((running) => running.control("/products/BTC-USD/halted", { halted: true }));
    await replayAfter((running) => running.control("/settings", { maxOpenOrders: 1 }));
  });

  test("when the limits changed so that it would be too small", async () => {
    await replayAfter((running) =>
      running.control("/clients/alice/rules", { product: "BTC-USD", enabled: true, minOrderSize: "5" }),
    );
  });

  test("when the funds are gone", async () => {
    await replayAfter(async (running) => {
      const amount = text(await running.wallet("USD"), "available");
      await running.control("/clients/alice/balance", { asset: "USD", amount, direction: "debit" });
    });
  });

  test("when the letter case of the UUID differs; the order keeps the first spelling", async () => {
    const order = limitBuy();
    const lower = String(order["client_order_id"]);
    const first = await venue().trader.place(order);
    const again = await venue().trader.place({ ...order, client_order_id: lower.toUpperCase() });
    expect([outcomeOf(again), idIn(again)]).toEqual(["DUPLICATE_REPLAY", idIn(first)]);
    expect(asObject(again.data["order"])["clientOrderId"]).toBe(lower);
    expect(await ordersWith(venue(), lower.toUpperCase())).toHaveLength(1);
  });

  test("an upper-case UUID is echoed as it was sent", async () => {
    const order = limitBuy({ client_order_id: uuid().toUpperCase() });
    expect((await venue().placed(order))["clientOrderId"]).toBe(order["client_order_id"]);
  });

  test("another key of the same client gets DUPLICATE_REPLAY, another client NEW_ORDER", async () => {
    const order = limitBuy();
    const first = await venue().trader.place(order);
    const sameClient = await venue().as("write-orders").place(order);
    expect([outcomeOf(sameClient), idIn(sameClient)]).toEqual(["DUPLICATE_REPLAY", idIn(first)]);
    const otherClient = await venue().as("other").place(order);
    expect(outcomeOf(otherClient)).toBe("NEW_ORDER");
    expect(idIn(otherClient)).not.toBe(idIn(first));
  });
});

describe("10. 400 leaves no trace", () => {
  const wrongBodies: readonly (readonly [string, JsonObject])[] = [
    ["VALIDATION_FAILED", { price: "-1" }],
    ["PRODUCT_NOT_FOUND", { product: "NO-SUCH" }],
    ["PRODUCT_NOT_ENABLED", { product: "DOGE-USD" }],
    ["ORDER_SIZE_BELOW_MINIMUM", { base_quantity: "0.00000001" }],
    ["ORDER_SIZE_ABOVE_MAXIMUM", { base_quantity: "1000000" }],
    ["EXCHANGE_REJECTED", { price: "30000.001" }],
    ["EXCHANGE_REJECTED", { base_quantity: "9", price: "20000000", side: "BUY" }],
  ];

  test.each(wrongBodies)("after %s the same id, corrected, is NEW_ORDER", async (code, wrong) => {
    await withVenue({}, async (running) => {
      const order = limitBuy();
      const journal = await running.control("/state-hash", {}, "GET");
      const refused = await running.trader.place({ ...order, ...wrong });
      expect([refused.status, refused.code]).toEqual([400, code]);
      expect(await running.hold("USD")).toBe("0");
      expect(await running.hold("BTC")).toBe("0");
      expect(await ordersWith(running, order["client_order_id"])).toEqual([]);
      // Not an entry, not an event: the state is the very same.
      expect(await running.control("/state-hash", {}, "GET")).toEqual(journal);
      expect(outcomeOf(await running.trader.place(order))).toBe("NEW_ORDER");
    });
  });

  test("401, 403 and CLIENT_NOT_FOUND consume no id either", async () => {
    const order = limitBuy();
    expect((await venue().trader.place(order, { secret: "wrong-secret-wrong" })).status).toBe(401);
    expect((await venue().as("reader").place(order)).status).toBe(403);
    expect(outcomeOf(await venue().as("orphan").place(order))).toBe("CLIENT_NOT_FOUND");
    expect(outcomeOf(await venue().trader.place(order))).toBe("NEW_ORDER");
  });
});
