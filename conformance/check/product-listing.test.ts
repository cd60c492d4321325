import { describe, expect, it } from "vitest";
import { JsonObject } from "../model/json.ts";
import { readJson } from "./lossless-json.ts";
import { checkProductListing } from "./product-listing.ts";

const pairOf = (base: string, quote: string) => ({
  id: `${base}-${quote}`,
  apiEnabled: true,
  base,
  quote,
  minOrderSize: "1",
  maxOrderSize: null,
});
const group = (name: string, ...quotes: readonly string[]) => ({
  name,
  availablePairs: quotes.map((quote) => pairOf(name, quote)),
});

function clausesOf(...groups: readonly object[]): readonly (string | undefined)[] {
  const reading = readJson(Buffer.from(JSON.stringify({ data: groups })));
  if (!reading.ok || !(reading.json instanceof JsonObject)) throw new Error("no listing");
  return checkProductListing(reading.json).differences.map(({ clause }) => clause);
}

describe("a product listing", () => {
  it("may have any number of groups and pairs, in any order", () => {
    expect(clausesOf(group("ETH", "USD", "BTC"), group("BTC", "USD"))).toEqual([]);
    expect(clausesOf()).toEqual([]);
  });

  it("has each base once and each pair once, at any place", () => {
    expect(clausesOf(group("BTC", "USD"), group("ETH", "USD"), group("BTC", "EUR"))).toEqual(["PRD-17"]);
    expect(clausesOf(group("ETH", "BTC"), group("BTC", "USD", "EUR", "USD"))).toEqual(["PRD-18"]);
  });

  it("has pairs of the group's asset, named after their two assets", () => {
    const stray = { name: "USD", availablePairs: [pairOf("BTC", "USD")] };
    const slashed = { name: "BTC", availablePairs: [{ ...pairOf("BTC", "USD"), id: "BTC/USD" }] };
    expect(clausesOf(stray)).toEqual(["PRD-16"]);
    expect(new Set(clausesOf(slashed))).toEqual(new Set(["PRD-04"]));
  });
});
