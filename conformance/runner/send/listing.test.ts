import { describe, expect, it } from "vitest";
import { readJsonText } from "../../check/lossless-json.ts";
import { isWholeListing, pairsIn } from "./listing.ts";

const listing = (data: unknown) => {
  const reading = readJsonText(JSON.stringify({ data }));
  return reading.ok ? reading.json : undefined;
};
const group = (...ids: readonly unknown[]) => ({ name: "BTC", availablePairs: ids.map((id) => ({ id })) });

describe("a list of products", () => {
  it("tells its pairs, grouped or not", () => {
    expect(pairsIn(listing([group("BTC-USD", "BTC-EUR"), { id: "ETH-USD" }])).map(({ id }) => id)).toEqual([
      "BTC-USD",
      "BTC-EUR",
      "ETH-USD",
    ]);
  });

  it.each([
    ["is whole when each entry has the id of a pair", [group("BTC-USD"), group()], true],
    ["is not when it is empty", [], false],
    ["is not when ids are written otherwise", [group("BTC-USD"), group("DOGE/USD")], false],
    ["is not when an entry has no id", [group("BTC-USD", null)], false],
    [
      "is not when a group has one pair in the place of a list",
      [group("BTC-USD"), { name: "DOGE", availablePairs: { id: "DOGE-USD" } }],
      false,
    ],
  ])("%s", (_, data, whole) => {
    expect(isWholeListing(listing(data))).toBe(whole);
  });
});
