import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reduce } from "./reduce.ts";

describe("reduce", () => {
  it("finds exactly the items that break it together, and asks far less often than there are parts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 39 }), { minLength: 1, maxLength: 3 }),
        async (length, wanted) => {
          const items = Array.from({ length }, (_, index) => index);
          const needed = wanted.map((one) => one % length);
          let asked = 0;
          const found = await reduce(items, (part) => {
            asked += 1;
            return Promise.resolve(needed.every((one) => part.includes(one)));
          });
          expect([...found]).toEqual([...new Set(needed)].toSorted((a, b) => a - b));
          expect(asked).toBeLessThan(150);
        },
      ),
      { numRuns: 300, seed: 1 },
    );
  });

  it("leaves no item that can be left out, whatever breaks it", async () => {
    // Either of two pairs breaks it.
    const breaks = (part: readonly string[]): boolean =>
      (part.includes("a") && part.includes("d")) || (part.includes("b") && part.includes("f"));
    const told: number[] = [];
    const found = await reduce(
      ["a", "b", "c", "d", "e", "f"],
      (part) => Promise.resolve(breaks(part)),
      (part) => told.push(part.length),
    );
    expect(breaks(found)).toBe(true);
    for (const item of found) expect(breaks(found.filter((one) => one !== item))).toBe(false);
    expect(told.at(-1)).toBe(found.length);
  });
});
