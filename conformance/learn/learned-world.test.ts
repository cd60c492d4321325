import { expect, it } from "vitest";
import { learnedWorld } from "./learned-world.ts";
import type { SeenProduct } from "./seen-products.ts";

const product: SeenProduct = {
  id: "LTC-BTC",
  base: "LTC",
  quote: "BTC",
  enabled: true,
  limits: {},
  baseIncrement: "0.01",
  priceIncrement: "0.00001",
  referencePrice: "0.002",
};

it("says of a price increment that it is a guess, unless the owner has stated it", () => {
  const lineOf = (more: Partial<SeenProduct>): string =>
    learnedWorld([], [], [{ ...product, ...more }], "a target")
      .split("\n")
      .find((line) => line.startsWith("  - { id:")) ?? "";
  expect(lineOf({})).toMatch(/referencePrice: "0\.002" \}$/);
  expect(lineOf({ isIncrementGuessed: true })).toMatch(
    /\} # priceIncrement is the finest price that was seen/,
  );
});
