/** Rows 13 to 19 of the tricky behaviours: what an order costs, what it ignores, when it fills. */
import { describe, expect, test } from "vitest";
import { asObject, type JsonObject, text } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import {
  limitBuy,
  limitSell,
  marketBuy,
  marketSell,
  outcomeOf,
  stopBuy,
  stopSell,
  uuid,
  type Venue,
  withVenue,
} from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

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
    model: "ALL_IN",
    makerRate: "0.005",
    takerRate: "0.005",
    exchangeMakerRate: "0",
    exchangeTakerRate: "0",
  };
  const ASKS = [
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
      await running.book("BTC-USD", ASKS);
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
      await running.book("BTC-USD", ASKS.slice(0, 2));
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

describe("17. decimals round-trip plainly and products are exact", () => {
  test.each([
    ["0.00000001", "0.00000001"],
    ["1.50", "1.5"],
    ["1.5", "1.5"],
    ["250.00", "250"],
    ["100", "100"],
  ])("%s is returned as %s", async (sent, returned) => {
    const world = quietWorld(
      {},
      {
        products: [
          {
            id: "BTC-USD",
            baseIncrement: "0.00000001",
            priceIncrement: "0.00000001",
            referencePrice: "1",
            liquidity: { mode: "empty" },
          },
        ],
        clients: [
          { name: "alice", feeModel: "ALL_IN", makerRate: "0", takerRate: "0", balances: { USD: "900" } },
        ],
        keys: [{ name: "trader", client: "alice", claims: ["write:orders", "read:orders"] }],
      },
    );
    await withVenue({ world }, async (running) => {
      const order = await running.placed(limitBuy({ price: sent, base_quantity: "2" }));
      expect([order["limitPrice"], order["baseQuantity"]]).toEqual([returned, "2"]);
      const small = await running.placed(limitBuy({ price: "1", base_quantity: sent }));
      expect(small["baseQuantity"]).toBe(returned);
    });
  });

  test("a product of sixteen by sixteen digits keeps every one of them", async () => {
    // The ledger holds amounts up to 2^63 - 1 units; this is close to the longest product that fits a hold.
    const world = quietWorld(
      {},
      {
        assets: [
          { symbol: "TINY", name: "Tiny", precision: 16 },
          { symbol: "USD", name: "US dollar", precision: 2 },
        ],
        products: [
          {
            id: "TINY-USD",
            baseIncrement: "0.0000000001",
            priceIncrement: "0.00000001",
            referencePrice: "1",
            liquidity: { mode: "empty" },
          },
        ],
        clients: [
          { name: "alice", feeModel: "ALL_IN", makerRate: "0", takerRate: "0", balances: { USD: "9" } },
        ],
        keys: [{ name: "trader", client: "alice", claims: ["write:orders"] }],
      },
    );
    await withVenue({ world }, async (running) => {
      const order = { product: "TINY-USD", price: "1.23456789", base_quantity: "1.2345678901" };
      expect((await running.placed(limitBuy(order)))["quoteValue"]).toBe("1.524157875142508889");
    });
  });

  test("twenty digits before and behind the point are well formed; what is refused is their size", async () => {
    const long = "12345678901234567890.12345678901234567890";
    expect(outcomeOf(await venue().trader.place(limitBuy({ base_quantity: long })))).toBe(
      "400 ORDER_SIZE_ABOVE_MAXIMUM",
    );
    const reply = await venue().trader.place(marketBuy({ quote_value: "10.00000000000000000001" }));
    expect(outcomeOf(reply)).toBe("400 EXCHANGE_REJECTED");
    expect(String(reply.body["message"])).toContain("10.00000000000000000001");
  });

  test.each([
    "1e-8",
    "+1",
    ".5",
    "5.",
    "01",
    "00",
    " 1",
    "1 ",
    "1\n",
    "Infinity",
    "NaN",
    "0x1",
    "1,5",
    "1_0",
    "",
    "-1",
    "-0",
    "٣",
    "1".repeat(21),
    `0.${"1".repeat(21)}`,
  ])("%j is 400", async (price) => {
    expect(outcomeOf(await venue().trader.place(limitBuy({ price })))).toBe("400 VALIDATION_FAILED");
    expect(outcomeOf(await venue().trader.place(limitBuy({ base_quantity: price })))).toBe(
      "400 VALIDATION_FAILED",
    );
    expect(outcomeOf(await venue().trader.place(marketBuy({ quote_value: price })))).toBe(
      "400 VALIDATION_FAILED",
    );
  });

  test.each([1, 0.1, true, ["1"], { value: "1" }])("%j, no string, is 400", async (price) => {
    expect(outcomeOf(await venue().trader.place(limitBuy({ price })))).toBe("400 VALIDATION_FAILED");
  });
});

describe("18. inclusive bounds and exact multiples", () => {
  // BTC-USD for alice: 0.0001 to 10, in steps of 0.00000001.
  test.each([
    ["the minimum", "0.0001", "NEW_ORDER"],
    ["the maximum", "10", "NEW_ORDER"],
    ["the minimum, spelled longer", "0.000100", "NEW_ORDER"],
    ["one increment below", "0.00009999", "400 ORDER_SIZE_BELOW_MINIMUM"],
    ["one increment above", "10.00000001", "400 ORDER_SIZE_ABOVE_MAXIMUM"],
    ["below by less than an increment", "0.00009999999999999999", "400 ORDER_SIZE_BELOW_MINIMUM"],
    ["above by less than an increment", "10.00000000000000000001", "400 ORDER_SIZE_ABOVE_MAXIMUM"],
  ])("%s: %s", async (_name, base_quantity, outcome) => {
    expect(outcomeOf(await venue().trader.place(limitBuy({ base_quantity, price: "60000" })))).toBe(outcome);
  });

  test.each(["0.3", "0.1", "0.7", "1.1", "2.3"])(
    "%s is a multiple of 0.1, whatever floats say",
    async (more) => {
      await withVenue({}, async (running) => {
        await running.control("/products/DOGE-USD/enabled", { enabled: true });
        const order = limitBuy({
          product: "DOGE-USD",
          price: "0.12",
          base_quantity: `100${more.slice(more.indexOf("."))}`,
        });
        expect(outcomeOf(await running.trader.place(order))).toBe("NEW_ORDER");
        const off = { ...order, client_order_id: uuid(), base_quantity: "100.35" };
        expect(outcomeOf(await running.trader.place(off))).toBe("400 EXCHANGE_REJECTED");
      });
    },
  );

  test("an answer names limit and source", async () => {
    const reply = await venue().trader.place(limitBuy({ base_quantity: "10.1" }));
    expect(reply.body["details"]).toEqual([{ field: "base_quantity", limit: "10", source: "CLIENT" }]);
    expect(reply.body["message"]).toBe("Order size 10.1 is above the maximum of 10 BTC for BTC-USD");
  });
});

describe("19. stop direction and source", () => {
  test.each([
    ["BUY above", stopBuy, "64999.99", "65000"],
    ["BUY above, crossed", stopBuy, "64999.99", "65000.01"],
    ["SELL below", stopSell, "55000.01", "55000"],
    ["SELL below, crossed", stopSell, "55000.01", "54000"],
  ] as const)(
    "%s: the trade before does not trigger, equality or beyond does",
    async (_name, order, near, at) => {
      await withVenue({}, async (running) => {
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
    await withVenue({}, async (running) => {
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
    await withVenue({}, async (running) => {
      // The stop is older than the resting order at the same price, and yet stands behind it once triggered.
      const stop = await running.placed(stopBuy({ stop_price: "65000", price: "65000" }));
      const resting = await running.placed(limitBuy({ price: "65000" }), "other");
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
    await withVenue({}, async (running) => {
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
    await withVenue({ world: quietWorld({ stopOnCrossed: "trigger" }) }, async (running) => {
      await running.book("BTC-USD", [["SELL", "59000", "1"]]);
      const order = await running.trader.place(stopBuy({ stop_price: "58000", price: "59500" }));
      expect(outcomeOf(order)).toBe("NEW_ORDER");
      await running.settle();
      const { id } = asObject(order.data["order"]);
      expect(await running.order(String(id))).toMatchObject({ status: "FILLED" });
    });
  });
});
