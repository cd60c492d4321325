/** Rows 17 and 18 of the tricky behaviours: how numbers are written, and which are inside the bounds. */
import { describe, expect, test } from "vitest";
import { listIn } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, marketBuy, outcomeOf, uuid, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const venue = useVenue();

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
    ["the minimum, spelled with more digits than the increment has", "0.00010000000000000000", "NEW_ORDER"],
    ["the maximum, spelled with more digits than the increment has", "10.00000000000000000000", "NEW_ORDER"],
    ["one increment below", "0.00009999", "400 ORDER_SIZE_BELOW_MINIMUM"],
    ["one increment above", "10.00000001", "400 ORDER_SIZE_ABOVE_MAXIMUM"],
    ["below by less than an increment", "0.00009999999999999999", "400 ORDER_SIZE_BELOW_MINIMUM"],
    ["above by less than an increment", "10.00000000000000000001", "400 ORDER_SIZE_ABOVE_MAXIMUM"],
  ])("%s: %s", async (_name, base_quantity, outcome) => {
    expect(outcomeOf(await venue().trader.place(limitBuy({ base_quantity, price: "60000" })))).toBe(outcome);
  });

  test.each(["0.3", "0.1", "0.7", "1.1", "2.3"])(
    "%s is a multiple of 0.1, although it is not in floats",
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

  test("a price and a quote_value may have zeros behind their increment, too", async () => {
    const priced = await venue().placed(limitBuy({ price: "30000.01000000000000" }));
    expect(priced["limitPrice"]).toBe("30000.01");
    const sized = await venue().placed(marketBuy({ quote_value: "1000.00000000000000000000" }));
    expect(sized["quoteValue"]).toBe("1000");
  });

  // ETH-USD: 1 to 50000000 USD.
  test.each([
    ["1", "NEW_ORDER"],
    ["50000000", "NEW_ORDER"],
    ["100.01", "NEW_ORDER"],
    ["100.001", "400 EXCHANGE_REJECTED"],
    ["100.00000001", "400 EXCHANGE_REJECTED"],
    ["0.99999999", "400 ORDER_SIZE_BELOW_MINIMUM"],
    ["50000000.00000001", "400 ORDER_SIZE_ABOVE_MAXIMUM"],
  ])("quote_value %s of a MARKET BUY: %s", async (quote_value, outcome) => {
    const reply = await venue().trader.place(marketBuy({ product: "ETH-USD", quote_value }));
    expect(outcomeOf(reply)).toBe(outcome);
    await venue().settle();
  });

  test("quote_value has the digits of the quote asset, with any scale of its fees", async () => {
    const world = quietWorld(
      {},
      {
        assets: [
          { symbol: "AAA", name: "Coin" },
          { symbol: "YEN", name: "Yen", precision: 0, feeScale: 8 },
          { symbol: "FIN", name: "Fine", precision: 8, feeScale: 2 },
        ],
        products: ["AAA-YEN", "AAA-FIN"].map((id) => ({
          id,
          baseIncrement: "0.01",
          priceIncrement: "0.01",
          referencePrice: "1",
          liquidity: { mode: "empty" as const },
        })),
        clients: [
          {
            name: "alice",
            feeModel: "ALL_IN",
            makerRate: "0",
            takerRate: "0",
            balances: { YEN: "9999", FIN: "9999" },
          },
        ],
        keys: [{ name: "trader", client: "alice", claims: ["write:orders"] }],
      },
    );
    await withVenue({ world }, async ({ trader }) => {
      const buy = async (product: string, quote_value: string): Promise<unknown> => {
        const reply = await trader.place(marketBuy({ product, quote_value }));
        return reply.status === 200 ? outcomeOf(reply) : listIn(reply.body["details"])[0];
      };
      const off = (expected: string): object => ({
        reason: "INVALID_SIZE_INCREMENT",
        field: "quote_value",
        expected,
      });
      expect(await buy("AAA-YEN", "100")).toBe("NEW_ORDER");
      expect(await buy("AAA-YEN", "100.5")).toEqual(off("1"));
      expect(await buy("AAA-FIN", "100.00000001")).toBe("NEW_ORDER");
      expect(await buy("AAA-FIN", "100.000000001")).toEqual(off("0.00000001"));
    });
  });

  test("an answer names limit and source", async () => {
    const reply = await venue().trader.place(limitBuy({ base_quantity: "10.1" }));
    expect(reply.body["details"]).toEqual([
      { field: "base_quantity", limit: "10", asset: "BTC", source: "CLIENT" },
    ]);
    expect(reply.body["message"]).toBe("Order size 10.1 is above the maximum of 10 BTC for BTC-USD");
  });
});
