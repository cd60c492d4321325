/** The price ladder against an array that is sorted at each look. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Side } from "../../domain/order.ts";
import { noLevel, priceField } from "./price-index.ts";
import { PriceLadder } from "./price-ladder.ts";
import { RecordPool } from "./record-pool.ts";

class Model {
  readonly pool = new RecordPool();
  readonly ladder: PriceLadder;
  readonly levels = new Map<number, number>();
  readonly #side: Side;

  constructor(side: Side) {
    this.#side = side;
    this.ladder = new PriceLadder(side, this.pool);
  }

  /** Opens the level at this price, or closes it if it is open. */
  toggle(price: number): void {
    const level = this.levels.get(price);
    if (level === undefined) {
      const opened = this.pool.take();
      this.pool.setDouble(opened, priceField, price);
      this.ladder.insert(opened);
      this.levels.set(price, opened);
    } else {
      this.ladder.delete(level);
      this.pool.give(level);
      this.levels.delete(price);
    }
  }

  compare(absent: number): void {
    const { ladder } = this;
    const sorted = [...this.levels].sort(([a], [b]) => (this.#side === "BUY" ? b - a : a - b));
    const expected = sorted.map(([, level]) => level);
    expect(ladder.size).toBe(expected.length);
    expect([...ladder.levels()]).toEqual(expected);
    expect(ladder.bestLevel()).toBe(expected[0] ?? noLevel);
    expect(expected.map((level) => ladder.behind(level))).toEqual(
      expected.map((_, at) => expected[at + 1] ?? noLevel),
    );
    expect(sorted.map(([price]) => ladder.find(price))).toEqual(expected);
    expect(ladder.find(absent)).toBe(noLevel);
  }
}

// Neighbouring prices, prices a power of two apart, and prices above 32 bits must all find places in the index.
test.each([
  { about: "neighbours", step: 1 },
  { about: "a power of two apart", step: 1024 },
  { about: "beyond 32 bits", step: 2 ** 30 + 3 },
])("levels stand as in a sorted array: $about", ({ step }) => {
  let most = 0;
  fc.assert(
    fc.property(
      fc.constantFrom<Side>("BUY", "SELL"),
      fc.array(fc.integer({ min: 1, max: 1500 }), { minLength: 900, maxLength: 1200, size: "max" }),
      (side, prices) => {
        const model = new Model(side);
        for (const [index, price] of prices.entries()) {
          model.toggle(price * step);
          if (index % 300 === 0) model.compare(1501 * step);
        }
        most = Math.max(most, model.levels.size);
        model.compare(1501 * step);
        // Down to nothing, so that every block is dropped.
        for (const price of model.levels.keys()) model.toggle(price);
        model.compare(step);
        model.toggle(step);
        model.compare(1501 * step);
      },
    ),
    { numRuns: 20 },
  );
  // A block holds 128 prices: some must have split more than once.
  expect(most).toBeGreaterThan(400);
});
