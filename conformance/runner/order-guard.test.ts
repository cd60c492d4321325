import { describe, expect, it } from "vitest";
import type { Profile } from "../model/profile.ts";
import { plainProfile } from "../parse/profile.ts";
import { orderProblem } from "./order-guard.ts";

const made = plainProfile("https://gw.example/api/v1/trading", "kid", "secret");
if (typeof made === "string") throw new Error(made);
const remote: Profile = {
  ...made,
  safety: { ...made.safety, products: { "BTC-USD": {} }, notionalPerOrder: { USD: "15" } },
};
const listed = new Set(["BTC-USD", "ETH-USD"]);

const problem = (body: string, profile = remote): string | undefined =>
  orderProblem(
    { method: "POST", path: "/order", headers: [], body: Buffer.from(body), role: "trader" },
    profile,
    listed,
  );

describe("an order that leaves this machine", () => {
  it("is for a product that the profile allows, or for none that exists", () => {
    expect(problem('{"product":"BTC-USD"}')).toBeUndefined();
    expect(problem('{"product":"NO-SUCH"}')).toBeUndefined();
    expect(problem('{"product":"ETH-USD"}')).toContain("ETH-USD is not among safety.products");
  });

  it("costs no more than the cap, whichever way it is sized", () => {
    expect(problem('{"product":"BTC-USD","base_quantity":"0.001","price":"15000"}')).toBeUndefined();
    expect(problem('{"product":"BTC-USD","base_quantity":"0.001","price":"15000.01"}')).toContain(
      "15.00001 USD",
    );
    expect(problem('{"product":"BTC-USD","quote_value":"15.01"}')).toContain("is above the 15");
  });

  it("is no order when it is not a JSON object", () => {
    expect(problem("[]")).toBeUndefined();
    expect(problem('{"product":')).toBeUndefined();
  });

  it("is not looked at on this machine", () => {
    expect(problem('{"product":"ETH-USD"}', { ...remote, loopback: true })).toBeUndefined();
  });
});
