/** Row 19 of the tricky behaviours. */
import { describe, expect, test } from "vitest";
import { asObject } from "../testing/client.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, limitSell, outcomeOf, stopBuy, stopSell } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const withWorld = useWorlds();

describe("19. stop direction and source", () => {
  test.each([
    ["BUY above", stopBuy, "64999.99", "65000"],
    ["BUY above, crossed", stopBuy, "64999.99", "65000.01"],
    ["SELL below", stopSell, "55000.01", "55000"],
    ["SELL below, crossed", stopSell, "55000.01", "54000"],
  ] as const)(
    "%s: the trade before does not trigger, equality or beyond does",
    async (_name, order, near, at) => {
      await withWorld({}, async (running) => {
        const { id, side } = await running.placed(order());
        await running.settle();
        // Something to trade with, beyond the stop: a quote that moves through it without a trade triggers nothing.
        await running.book("BTC-USD", side === "BUY" ? [["SELL", "66000", "1"]] : [["BUY", "54000", "1"]]);
        await running.settle();
        await running.print("BTC-USD", near);
        await running.settle();
        expect(await running.order(String(id))).toMatchObject({ status: "OPEN", filledQuantity: "0" });
        await running.print("BTC-USD", at);
        await running.settle();
        expect(await running.order(String(id))).toMatchObject({ status: "FILLED", filledQuantity: "0.01" });
      });
    },
  );

  test("an untriggered stop is listed, holds funds and can be cancelled", async () => {
    await withWorld({}, async (running) => {
      const { id } = await running.placed(stopBuy());
      expect((await running.trader.get("/order/open")).list).toHaveLength(1);
      expect(await running.hold("USD")).toBe("701.75");
      expect((await running.trader.delete(`/order/${String(id)}`)).data["status"]).toBe("CANCELLED");
      expect(await running.hold("USD")).toBe("0");
      await running.print("BTC-USD", "66000");
      expect(await running.order(String(id))).toMatchObject({ status: "CANCELLED" });
    });
  });

  test("a triggered order has new time priority", async () => {
    await withWorld({}, async (running) => {
      // The stop is older than the resting order at the same price, and is behind it after it was triggered. The print takes a half of it.
      const stop = await running.placed(stopBuy({ stop_price: "65000", price: "65000" }));
      const resting = await running.placed(limitBuy({ price: "65000", base_quantity: "0.02" }), "other");
      await running.settle();
      await running.print("BTC-USD", "65000");
      await running.settle();
      await running.placed(limitSell({ price: "65000" }), "counterparty");
      await running.settle();
      expect(await running.order(String(resting["id"]), "other")).toMatchObject({ status: "FILLED" });
      expect(await running.order(String(stop["id"]))).toMatchObject({ status: "OPEN", filledQuantity: "0" });
    });
  });

  test("a cascade of triggers is worked off in order of acceptance and ends", async () => {
    await withWorld({}, async (running) => {
      await running.book("BTC-USD", [
        ["BUY", "54000", "0.01"],
        ["BUY", "53000", "0.01"],
        ["BUY", "52000", "0.01"],
      ]);
      const at = async (stop_price: string): Promise<string> =>
        String((await running.placed(stopSell({ stop_price, price: "50000" })))["id"]);
      const ids = [await at("55000"), await at("54000"), await at("53000")];
      await running.settle();
      await running.print("BTC-USD", "55000");
      await running.settle();
      const orders = await Promise.all(ids.map((id) => running.order(id)));
      expect(orders.map((order) => [order["status"], order["averageFilledPrice"]])).toEqual([
        ["FILLED", "54000"],
        ["FILLED", "53000"],
        ["FILLED", "52000"],
      ]);
    });
  });

  test("stopOnCrossed trigger accepts what reject refuses", async () => {
    await withWorld({ world: quietWorld({ stopOnCrossed: "trigger" }) }, async (running) => {
      await running.book("BTC-USD", [["SELL", "59000", "1"]]);
      const order = await running.trader.place(stopBuy({ stop_price: "58000", price: "59500" }));
      expect(outcomeOf(order)).toBe("NEW_ORDER");
      await running.settle();
      const { id } = asObject(order.data["order"]);
      expect(await running.order(String(id))).toMatchObject({ status: "FILLED" });
    });
  });
});
