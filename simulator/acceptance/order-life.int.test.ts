/** What becomes of an order where the specification does not say: cancels, settings, and worked numbers that no scenario has. */
import { describe, expect, test } from "vitest";
import { type JsonObject, type Reply, shown, text } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, limitSell, marketBuy, type Venue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const venue = useVenue();
const withWorld = useWorlds(venue);

/** Places, lets it match, and gives the order as it then is. */
async function done(running: Venue, order: JsonObject, key = "trader"): Promise<JsonObject> {
  const placed = await running.placed(order, key);
  await running.settle();
  return running.order(text(placed, "id"), key);
}
const now = async (running: Venue, { id }: JsonObject, fields: string, key = "trader"): Promise<string> =>
  shown(await running.order(String(id), key), fields);

describe("worked numbers", () => {
  test.each([
    ["a sale", limitSell, limitBuy, "59999.99"],
    ["a purchase", limitBuy, limitSell, "60000.01"],
  ] as const)(
    "%s does not trade one tick beyond its limit, and trades at it",
    async (_w, mine, theirs, near) => {
      await withWorld({}, async (running) => {
        const other = await done(running, theirs({ price: near }), "counterparty");
        const order = await done(running, mine({ price: "60000" }));
        expect(shown(order, "status filledQuantity")).toBe("OPEN 0");
        expect(await now(running, other, "status filledQuantity", "counterparty")).toBe("OPEN 0");
        await done(running, theirs({ price: "60000" }), "counterparty");
        expect(await now(running, order, "status averageFilledPrice")).toBe("FILLED 60000");
      });
    },
  );

  // 20000.0031333333 at 0.0025, and for bob at 0.0005 and 0.002: each component is rounded up at eight decimals, once.
  test.each([
    ["trader", ["0.33333333"], "FILLED 20000.0031333333 50.00000784 0 50.00000784"],
    ["trader", ["0.1", "0.1", "0.13333333"], "FILLED 20000.0031333333 50.00000784 0 50.00000784"],
    ["other", ["0.1", "0.23333333"], "FILLED 20000.0031333333 10.00000157 40.00000627 50.00000784"],
  ])("fees that have a rest: %s, filled by %j", async (key, pieces, expected) => {
    await withWorld({}, async (running) => {
      for (const base_quantity of pieces)
        await done(running, limitSell({ price: "60000.01", base_quantity }), "counterparty");
      const order = await done(running, limitBuy({ price: "60000.01", base_quantity: "0.33333333" }), key);
      expect(shown(order, "status filledValue commission exchangeFee fees")).toBe(expected);
    });
  });

  test("rates that change are those of new orders only", async () => {
    await withWorld({}, async (running) => {
      const before = await running.placed(limitBuy({ price: "60000" }));
      const maker = { makerRate: "0.01", exchangeMakerRate: "0.02" };
      const taker = { takerRate: "0.01", exchangeTakerRate: "0.02" };
      await running.control("/clients/alice/fees", { feeModel: "COST_PLUS", ...maker, ...taker });
      const after = await done(running, limitBuy({ price: "60000" }));
      await done(running, limitSell({ price: "60000", base_quantity: "0.02" }), "counterparty");
      expect(await now(running, before, "commission exchangeFee")).toBe("1.5 0");
      expect(await now(running, after, "commission exchangeFee")).toBe("6 12");
    });
  });

  test("digits are kept to the last, and zeros are not", async () => {
    const product = (id: string, baseIncrement: string, priceIncrement: string) => {
      const liquidity = { mode: "empty" as const };
      return { id, baseIncrement, priceIncrement, referencePrice: "1", liquidity };
    };
    const balances = { USD: "9", YEN: "9999" };
    const assets = [
      { symbol: "TINY", name: "Tiny", precision: 16 },
      { symbol: "YEN", name: "Yen", precision: 0, feeScale: 8 },
      { symbol: "USD", name: "US dollar", precision: 2 },
    ];
    const products = [product("TINY-USD", "0.0000000001", "0.00000001"), product("TINY-YEN", "0.01", "0.01")];
    const clients = [
      { name: "alice", feeModel: "ALL_IN" as const, makerRate: "0", takerRate: "0", balances },
    ];
    const keys = [{ name: "trader", client: "alice", claims: ["write:orders" as const] }];
    await withWorld({ world: quietWorld({}, { assets, products, clients, keys }) }, async (running) => {
      for (const [price, base_quantity, expected] of [
        ["1.23456789", "1.2345678901", "1.23456789 1.2345678901 1.524157875142508889"],
        ["0.00000001", "250.00", "0.00000001 250 0.0000025"],
        ["1.50", "2.0", "1.5 2 3"],
      ] as const) {
        const order = await running.placed(limitBuy({ product: "TINY-USD", price, base_quantity }));
        expect(shown(order, "limitPrice baseQuantity quoteValue")).toBe(expected);
      }
      // A value has the digits of the quote asset, whatever the scale of its fees.
      const yen = (quote_value: string): JsonObject => marketBuy({ product: "TINY-YEN", quote_value });
      expect((await running.placed(yen("100.0")))["quoteValue"]).toBe("100");
      const odd = await running.trader.place(yen("100.5"));
      expect(odd.body["details"]).toMatchObject([{ field: "quote_value", expected: "1" }]);
    });
  });
});

describe("a cancel", () => {
  test.each<[string, (running: Venue, id: string) => Promise<Reply>]>([
    ["DELETE", ({ trader }, id) => trader.delete(`/order/${id}`)],
    ["DELETE with an empty object", ({ trader }, id) => trader.delete(`/order/${id}`, { body: {} })],
    ["POST without a body", ({ trader }, id) => trader.post(`/order/${id}/cancel`, "")],
    ["POST with an empty object", ({ trader }, id) => trader.post(`/order/${id}/cancel`, {})],
    ["an id in upper case", ({ trader }, id) => trader.delete(`/order/${id.toUpperCase()}`)],
  ])("by %s is done once; the second is 409 and names the status", async (_name, cancel) => {
    const id = text(await venue().placed(limitBuy()), "id");
    const { body, data } = await cancel(venue(), id);
    expect(body["message"]).toBe("Order cancelled");
    expect(shown(data, "status synced userContext")).toBe("CANCELLED false User initiated cancellation");
    const again = await cancel(venue(), id);
    expect(again).toMatchObject({ status: 409, code: "ORDER_NOT_CANCELLABLE" });
    expect(again.body["details"]).toMatchObject([{ status: "CANCELLED" }]);
  });

  test.each([
    [49, "0.01", "CANCELLED 0", 200],
    [50, "0.01", "FILLED 0.01", 409],
    [50, "0.004", "CANCELLED 0.004", 200],
  ])("%i ms behind an order of %s leaves %s", async (gap, base_quantity, expected, status) => {
    await withWorld({}, async (running) => {
      const order = await done(running, limitBuy({ price: "60000" }));
      await running.placed(limitSell({ price: "60000", base_quantity }), "counterparty");
      await running.advance(gap);
      expect((await running.trader.delete(`/order/${text(order, "id")}`)).status).toBe(status);
      await running.settle();
      expect(await now(running, order, "status filledQuantity")).toBe(expected);
      expect(await running.hold("USD")).toBe("0");
    });
  });

  test("with cancelMode async takes a while: the order is OPEN until then, and may fill", async () => {
    await withWorld({ world: quietWorld({ cancelMode: "async", confirmDelayMs: 500 }) }, async (running) => {
      const order = await done(running, limitBuy());
      const filled = await done(running, limitBuy({ price: "60000" }));
      for (const { id } of [order, order, filled]) {
        const { body, data } = await running.trader.delete(`/order/${String(id)}`);
        expect(body["message"]).toBe("Cancellation requested");
        expect(shown(data, "status synced")).toBe("OPEN false");
      }
      await running.placed(limitSell({ price: "60000" }), "counterparty");
      await running.advance(100);
      expect(await running.hold("USD")).toBe("300.75");
      await running.settle();
      expect(await now(running, order, "status synced")).toBe("CANCELLED true");
      expect(await now(running, filled, "status synced")).toBe("FILLED true");
      expect(await running.hold("USD")).toBe("0");
    });
  });
});

test("with acceptance async an order is PENDING without an external id, then OPEN with one, then matched", async () => {
  await withWorld({ world: quietWorld({ acceptance: "async", confirmDelayMs: 200 }) }, async (running) => {
    await done(running, limitSell({ price: "60000" }), "counterparty");
    const order = await running.placed(limitBuy({ price: "60000" }));
    expect(shown(order, "status synced externalId")).toBe("PENDING false null");
    expect(await running.hold("USD")).toBe("601.5");
    expect((await running.trader.get("/order/open")).list).toMatchObject([{ status: "PENDING" }]);
    const gone = await running.placed(limitBuy({ price: "60000" }));
    await running.trader.delete(`/order/${text(gone, "id")}`);
    await running.advance(199);
    expect(await now(running, order, "status")).toBe("PENDING");
    await running.advance(1);
    const { externalId } = await running.order(text(order, "id"));
    expect(externalId).toEqual(expect.any(String));
    expect(await now(running, order, "status filledQuantity")).toBe("OPEN 0");
    await running.settle();
    expect(await now(running, order, "status externalId")).toBe(`FILLED ${String(externalId)}`);
    expect(await now(running, gone, "status externalId")).toBe("CANCELLED null");
  });
});
