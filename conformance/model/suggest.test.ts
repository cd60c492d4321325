import { describe, expect, it } from "vitest";
import { didYouMean, nearest } from "./suggest.ts";

const known = ["price", "prices", "Price", "product", "base_quantity"];

describe("the name that was meant", () => {
  it("is no other one where the name is known: it is not misspelt, and neither is it its own correction", () => {
    for (const name of known) expect([name, nearest(name, known)]).toEqual([name, undefined]);
    expect(didYouMean("price", known)).toBeUndefined();
  });

  it("is the nearest, in whichever letter case", () => {
    expect(nearest("pricse", known)).toBe("price");
    expect(nearest("PRODUCTS", known)).toBe("product");
    expect(didYouMean("base_quanttiy", known)).toBe('did you mean "base_quantity"?');
  });

  it("is none where nothing is near", () => {
    expect(nearest("colour", known)).toBeUndefined();
    expect(nearest("x", [])).toBeUndefined();
  });
});
