import { describe, expect, it } from "vitest";
import { keyedBelow, keyedDraw } from "./keyed-hash.ts";

describe("A keyed draw", () => {
  it("is the same on every machine and in every version: a change would change every market", () => {
    const draws = [
      keyedDraw(0, "", "", 0),
      keyedDraw(1, "walk/0", "BTC-USD", 0),
      keyedDraw(1, "walk/0", "BTC-USD", 2 ** 32),
      keyedDraw(Number.MAX_SAFE_INTEGER, "walk/0", "BTC-USD", Number.MAX_SAFE_INTEGER),
      keyedDraw(1, "größe", "狗", 1),
    ];
    expect(draws).toMatchInlineSnapshot(`
      [
        4004168355,
        3767527219,
        955405134,
        713266264,
        882567939,
      ]
    `);
  });

  it("changes with each part of its key, and keeps the parts apart", () => {
    const draws = new Set([
      keyedDraw(1, "ab", "c", 1),
      keyedDraw(2, "ab", "c", 1),
      keyedDraw(1 + 2 ** 32, "ab", "c", 1),
      keyedDraw(1, "a", "bc", 1),
      keyedDraw(1, "ab", "d", 1),
      keyedDraw(1, "ab", "c", 2),
      keyedDraw(1, "ab", "c", 1 + 2 ** 32),
    ]);
    expect(draws.size).toBe(7);
  });

  it("has every bit set about half the time, for neighbouring counters", () => {
    const draws = Array.from({ length: 20_000 }, (_, counter) => keyedDraw(7, "bits", "x", counter));
    for (let bit = 0; bit < 32; bit++) {
      const set = draws.filter((draw) => (draw >>> bit) % 2 === 1).length;
      // Six standard deviations of a fair coin on either side.
      expect(Math.abs(set - 10_000)).toBeLessThan(425);
    }
  });

  it("falls into each part of a span equally often", () => {
    const counts = new Map<bigint, number>();
    for (let counter = 0; counter < 10_000; counter++) {
      const drawn = keyedBelow(10n, 7, "span", "x", counter);
      counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => Number(a - b))).toEqual([
      0n,
      1n,
      2n,
      3n,
      4n,
      5n,
      6n,
      7n,
      8n,
      9n,
    ]);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(180);
  });
});
