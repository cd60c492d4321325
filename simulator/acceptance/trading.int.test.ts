/** Rows 13 to 16 of the tricky behaviours: what an order costs, what it ignores, when it is partly filled. */
import { describe, expect, test } from "vitest";
import { type JsonObject, text } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import {
  limitBuy,
  limitSell,
  marketBuy,
  marketSell,
  outcomeOf,
  stopBuy,
  type Venue,
  withVenue,
} from "../testing/venue.ts";

const venue = useVenue();

/** Places, lets it match, and gives the order as it then is. */
async function done(running: Venue, order: JsonObject, key = "trader"): Promise<JsonObject> {
  const { id } = await running.placed(order, key);
  await running.settle();
  return running.order(String(id), key);
}

describe("13. MARKET BUY needs no base_quantity, ignores one if sent, and never overspends", () => {
  /** Rates of worked example 3: 0.005 for a taker. */
  const rates = {
    feeModel: "ALL_IN",
    makerRate: "0.005",
    takerRate: "0.005",
    exchangeMakerRate: "0",
    exchangeTakerRate: "0",
  };
  const asks = [
    ["SELL", "60000", "0.005"],
    ["SELL", "60100", "0.005"],
    ["SELL", "60250", "1"],
  ] as const;

  test.each([
    ["without base_quantity", {}],
    ["with one that is not used", { base_quantity: "999" }],
  ])("%s, worked example 3", async (_name, more) => {
    await withVenue({}, async (running) => {
      await running.control("/clients/alice/fees", rates);
      await running.book("BTC-USD", asks);
      expect(await done(running, marketBuy(more))).toMatchObject({
        status: "FILLED",
        baseQuantity: null,
        quoteValue: "1000",
        filledQuantity: "0.01654813",
        filledValue: "995.0248325",
        commission: "4.97512417",
        fees: "4.97512417",
        averageFilledPrice: "60129.14042251",
        netAverageFilledPrice: "60429.78612508",
        totalUserRecieveAmount: "0.01654813",
      });
      expect(await running.hold("USD")).toBe("0");
    });
  });

  test("asks that end before the budget does: CANCELLED with fills, worked example 5", async () => {
    await withVenue({}, async (running) => {
      await running.control("/clients/alice/fees", rates);
      await running.book("BTC-USD", asks.slice(0, 2));
      const order = await done(running, marketBuy());
      expect(order).toMatchObject({
        status: "CANCELLED",
        filledQuantity: "0.01",
        filledValue: "600.5",
        fees: "3.0025",
        averageFilledPrice: "60050",
        netAverageFilledPrice: "60350.25",
      });
      expect(text(order, "userContext")).toMatch(/no more asks/i);
      expect(await running.hold("USD")).toBe("0");
    });
  });

  test("on an empty book: CANCELLED without fills", async () => {
    await withVenue({}, async (running) => {
      expect(await done(running, marketBuy())).toMatchObject({ status: "CANCELLED", filledQuantity: "0" });
    });
  });
});

describe("14. ignored means ignored", () => {
  test.each([
    ["stop_price on LIMIT", limitBuy, { stop_price: "nonsense" }],
    ["quote_value on LIMIT", limitBuy, { quote_value: 17 }],
    ["quote_value on MARKET SELL", marketSell, { quote_value: "-5" }],
    ["price on MARKET SELL", marketSell, { price: "nonsense" }],
    ["price on MARKET BUY", marketBuy, { price: {} }],
    ["stop_price on MARKET BUY", marketBuy, { stop_price: [] }],
    ["quote_value on STOP_LIMIT", stopBuy, { quote_value: "nonsense" }],
  ] as const)("%s", async (_name, order, nonsense) => {
    const plain = await venue().placed(order());
    const ignored = await venue().placed(order(nonsense));
    const same = ["limitPrice", "stopPrice", "quoteValue", "baseQuantity", "status", "type"];
    for (const field of same) expect([field, ignored[field]]).toEqual([field, plain[field]]);
  });

  test("a missing stop_price on STOP_LIMIT is 400", async () => {
    const { stop_price: _left, ...order } = stopBuy();
    expect(outcomeOf(await venue().trader.place(order))).toBe("400 VALIDATION_FAILED");
  });
});

describe("15. partial fill stays OPEN", () => {
  test("it is listed, and cancelled it keeps fills, fees and totalUserRecieveAmount", async () => {
    await withVenue({}, async (running) => {
      await running.placed(limitSell({ price: "60000", base_quantity: "0.4" }), "counterparty");
      await running.settle();
      const partial = await done(running, limitBuy({ price: "60000", base_quantity: "1" }));
      const filled = {
        filledQuantity: "0.4",
        filledValue: "24000",
        commission: "60",
        fees: "60",
        averageFilledPrice: "60000",
        netAverageFilledPrice: "60150",
        totalUserRecieveAmount: "0.4",
      };
      expect(partial).toMatchObject({ status: "OPEN", synced: true, ...filled });
      const open = (await running.trader.get("/order/open")).list;
      expect(open.map(({ id }) => id)).toEqual([partial["id"]]);
      const cancelled = await running.trader.delete(`/order/${String(partial["id"])}`);
      expect(cancelled.data).toMatchObject({
        status: "CANCELLED",
        userContext: "User initiated cancellation",
        ...filled,
      });
      expect((await running.trader.get("/order/open")).list).toEqual([]);
      expect(await running.hold("USD")).toBe("0");
      expect(await running.wallet("USD")).toMatchObject({ balance: "99975940" });
    });
  });
});

describe("16. fees do not depend on fill splitting", () => {
  test("one fill or eleven at one price: the same commission, exchangeFee and fees", async () => {
    const total = async (pieces: readonly string[]): Promise<unknown> =>
      withVenue({}, async (running) => {
        // Bob pays 5 basis points and 20 to the exchange; the price makes every piece's fee a long fraction.
        for (const quantity of pieces) {
          await running.placed(limitSell({ price: "60000.01", base_quantity: quantity }), "counterparty");
          await running.settle();
        }
        const order = await done(running, limitBuy({ price: "60000.01", base_quantity: "1.1" }), "other");
        const { status, commission, exchangeFee, fees, filledValue } = order;
        return { status, commission, exchangeFee, fees, filledValue };
      });
    const whole = await total(["1.1"]);
    expect(whole).toEqual({
      status: "FILLED",
      filledValue: "66000.011",
      // 33.0000055 and 132.000022, exact.
      commission: "33.0000055",
      exchangeFee: "132.000022",
      fees: "165.0000275",
    });
    expect(await total(Array.from({ length: 11 }, () => "0.1"))).toEqual(whole);
    expect(await total(["0.33333333", "0.33333333", "0.33333334", "0.1"])).toEqual(whole);
  });
});
