import { describe, expect, it } from "vitest";
import { parseDecimal } from "../check/decimal.ts";
import { profileOf } from "../run-input.ts";
import { Market } from "../runner/prepare/market.ts";
import type { Situation } from "./property.ts";
import { halfOf, noHalf } from "./table-orders.ts";

async function priced(plan: object): Promise<Situation> {
  const target = "http://127.0.0.1:9/api/v1/trading";
  const made = await profileOf({ target, keyId: "key", secret: "secret-of-the-tests" });
  const products = { "LTC-BTC": { sellFar: "9", qty: "1", ...plan } };
  const profile = { ...made, safety: { ...made.safety, products } };
  return { profile, market: Market.unseen(profile) };
}

describe("half of a far price", () => {
  it.each([
    { buyFar: "0.0012", digits: 4 },
    { buyFar: "0.001", priceStep: "0.0000001", digits: 7 },
    { buyFar: "10", digits: 0 },
  ])("is a price: $buyFar", async ({ digits, ...plan }) => {
    const situation = await priced(plan);
    expect(noHalf(situation, "tradable", "BUY")).toBeUndefined();
    expect(halfOf("far", situation, "tradable", "BUY", "far")).toEqual({ $calc: `far / 2 @ ${digits}` });
    expect(parseDecimal(plan.buyFar)?.div(2).toDecimalPlaces(digits, 1).gt(0)).toBe(true);
  });

  it.each(["0.001", "1"])("is none where it would be zero: %s", async (buyFar) => {
    expect(noHalf(await priced({ buyFar }), "tradable", "BUY")).toContain("state priceStep");
  });
});
