/** Arithmetic of ticks, lots and units against decimal.js, the switch to bigint included. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimal } from "../engine/testing/exact.ts";
import { ceilDiv, halfUpDiv, lots, pow10, ticks, ticksTimesLots } from "./amount.ts";

const count = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }),
  fc.maxSafeNat(),
  fc.constantFrom(0, 1, 94906265, 94906266, 94906267, Number.MAX_SAFE_INTEGER),
);
const large = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 30n });

describe("the product of a price and a quantity", () => {
  test("is exact below and above 2^53", () => {
    let above = 0;
    fc.assert(
      fc.property(count, count, (price, quantity) => {
        const exact = decimal(price).times(quantity);
        expect(ticksTimesLots(ticks(price), lots(quantity)).toString()).toBe(exact.toFixed());
        if (exact.gt(Number.MAX_SAFE_INTEGER)) above++;
      }),
      { numRuns: 5000 },
    );
    expect(above).toBeGreaterThan(500);
  });

  test.each([
    [94906265, 94906265, 9007199136250225n],
    [94906266, 94906266, 9007199326062756n],
    [94906267, 94906267, 9007199515875289n],
    [3, 3002399751580331, 9007199254740993n],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 81129638414606663681390495662081n],
  ])("%i x %i keeps its last digit", (price, quantity, product) => {
    expect(ticksTimesLots(ticks(price), lots(quantity))).toBe(product);
  });
});

describe("division", () => {
  test("that rounds up never owes less than the exact value, nor a whole unit more", () => {
    fc.assert(
      fc.property(large, positive, (numerator, denominator) => {
        const quotient = ceilDiv(numerator, denominator);
        const above = quotient * denominator - numerator;
        expect(above >= 0n && above < denominator).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test("that rounds half up does so exactly at the half", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), positive, (numerator, denominator) => {
        const twice = 2n * (halfUpDiv(numerator, denominator) * denominator - numerator);
        expect(twice <= denominator && twice > -denominator).toBe(true);
      }),
      { numRuns: 3000 },
    );
    expect([halfUpDiv(1n, 2n), halfUpDiv(3n, 2n), halfUpDiv(49n, 100n)]).toEqual([1n, 2n, 0n]);
  });

  test.each([0, 1, 8, 20, 63, 64, 90])("ten to the power of %i is what it says", (exponent) => {
    expect(pow10(exponent).toString()).toBe(`1${"0".repeat(exponent)}`);
  });
});
