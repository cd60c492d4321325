/** An order is refused for a per-client rule if and only if the effective settings of the account say so. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonObject, listIn } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, marketBuy, outcomeOf, type Venue } from "../testing/venue.ts";

const perClient = new Set([
  "400 PRODUCT_NOT_ENABLED",
  "400 ORDER_SIZE_BELOW_MINIMUM",
  "400 ORDER_SIZE_ABOVE_MAXIMUM",
]);

/** Thousandths as a decimal string, so that bounds are met exactly. */
const thousandths = (count: number): string => {
  const digits = String(count).padStart(4, "0");
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`.replace(/\.?0+$/, "");
};

const limit = fc.option(fc.integer({ min: 1, max: 3000 }).map(thousandths), { nil: null });
const value = fc.option(fc.integer({ min: 1, max: 200 }).map(String), { nil: null });

interface Rules {
  readonly enabled: boolean;
  readonly minOrderSize: string | null;
  readonly maxOrderSize: string | null;
  readonly minQuoteValue: string | null;
  readonly maxQuoteValue: string | null;
}

const rules: fc.Arbitrary<Rules> = fc
  .record({
    enabled: fc.integer({ min: 0, max: 5 }).map((count) => count > 0),
    minOrderSize: limit,
    maxOrderSize: limit,
    minQuoteValue: value,
    maxQuoteValue: value,
  })
  .filter(
    ({ minOrderSize, maxOrderSize, minQuoteValue, maxQuoteValue }) =>
      inOrder(minOrderSize, maxOrderSize) && inOrder(minQuoteValue, maxQuoteValue),
  );

function inOrder(low: string | null, high: string | null): boolean {
  return low === null || high === null || Number(low) <= Number(high);
}

/** The verdict of the settings on an order: the text of its refusal, or null. */
function predicted(settings: JsonObject, order: JsonObject): string | null {
  const row = listIn(settings["products"]).find(({ productId }) => productId === order["product"]) ?? {};
  if (settings["tradingEnabled"] !== true || row["enabled"] !== true) return "400 PRODUCT_NOT_ENABLED";
  const byValue = order["type"] === "MARKET";
  const value = byValue
    ? Number(order["quote_value"])
    : Number(order["price"]) * Number(order["base_quantity"]);
  const outside = (size: number, min: unknown, max: unknown): string | null => {
    if (min !== null && size < Number(min)) return "400 ORDER_SIZE_BELOW_MINIMUM";
    return max !== null && size > Number(max) ? "400 ORDER_SIZE_ABOVE_MAXIMUM" : null;
  };
  const size = byValue ? value / (bestAsk * (1 + takerRate)) : Number(order["base_quantity"]);
  const ofValue = outside(value, row["minQuoteValue"], row["maxQuoteValue"]);
  const ofSize = outside(size, row["minOrderSize"], row["maxOrderSize"]);
  // The order of the checks: first the values that the client wrote, then those that follow from them.
  return byValue ? (ofValue ?? ofSize) : (ofSize ?? ofValue);
}

const bestAsk = 3000;
/** Of alice in the demo world. */
const takerRate = 0.0025;

const venue = useVenue();

const settingsOf = async (running: Venue): Promise<JsonObject> =>
  (await running.trader.get("/account/settings")).data;

describe("effective settings", () => {
  test("for random rules and orders around their bounds, the refusal is the one that the settings predict", async () => {
    const orders = fc.record({
      byValue: fc.boolean(),
      size: fc.integer({ min: 1, max: 3100 }),
      trading: fc.integer({ min: 0, max: 5 }).map((count) => count > 0),
      apiEnabled: fc.integer({ min: 0, max: 5 }).map((count) => count > 0),
    });
    await fc.assert(
      fc.asyncProperty(rules, orders, async (given, { byValue, size, trading, apiEnabled }) => {
        const running = venue();
        await running.control("/clients/alice/rules", { product: "ETH-USD", ...given });
        await running.control("/clients/alice/trading", { enabled: trading });
        await running.control("/products/ETH-USD/enabled", { enabled: apiEnabled });
        await running.book("ETH-USD", [["SELL", String(bestAsk), "9000"]]);
        const settings = await settingsOf(running);
        const candidates = [
          byValue
            ? marketBuy({ product: "ETH-USD", quote_value: String(Math.ceil(size / 15)) })
            : limitBuy({ product: "ETH-USD", price: "1000", base_quantity: thousandths(size) }),
          // And at each bound, exactly.
          ...[given.minOrderSize, given.maxOrderSize].flatMap((bound) =>
            bound === null ? [] : [limitBuy({ product: "ETH-USD", price: "1000", base_quantity: bound })],
          ),
          ...[given.minQuoteValue, given.maxQuoteValue].flatMap((bound) =>
            bound === null ? [] : [marketBuy({ product: "ETH-USD", quote_value: bound })],
          ),
        ];
        for (const order of candidates) {
          const outcome = outcomeOf(await running.trader.place(order));
          const refusal = perClient.has(outcome) ? outcome : null;
          expect([order, refusal]).toEqual([order, predicted(settings, order)]);
        }
        // An account that is full of orders is refused for another reason.
        for (const { id } of (await running.trader.get("/order/open")).list)
          await running.trader.delete(`/order/${String(id)}`);
      }),
      { numRuns: 60 },
    );
  });

  test("the client's own bound is never wider than the product's or the exchange's", async () => {
    const running = venue();
    await running.control("/clients/alice/rules", {
      product: "SOL-USD",
      enabled: true,
      minOrderSize: "0.00001",
      maxOrderSize: "99999999",
    });
    const row = listIn((await settingsOf(running))["products"]).find(
      ({ productId }) => productId === "SOL-USD",
    );
    expect(row).toMatchObject({ minOrderSize: "0.1", maxOrderSize: "10000", source: "ACCOUNT" });
  });

  test("bounds that cross are refused, and nothing changes", async () => {
    const running = venue();
    const before = await settingsOf(running);
    const crossing = { product: "BTC-EUR", enabled: true, minOrderSize: "2", maxOrderSize: "1" };
    expect((await running.controlReply("/clients/alice/rules", crossing)).status).toBe(400);
    const values = { product: "BTC-EUR", enabled: true, minQuoteValue: "20", maxQuoteValue: "10" };
    expect((await running.controlReply("/clients/alice/rules", values)).status).toBe(400);
    const offGrid = { product: "BTC-EUR", enabled: true, minOrderSize: "0.000000001" };
    expect((await running.controlReply("/clients/alice/rules", offGrid)).status).toBe(400);
    expect(await settingsOf(running)).toEqual(before);
  });
});
