/** The changes applied to a snapshot give the best 100 levels of the book, whatever happened to it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { lots, ticks } from "../domain/amount.ts";
import type { Side } from "../domain/order.ts";
import { LevelBook } from "../engine/book/level-book.ts";
import type { OrderBook } from "../engine/book/order-book.ts";
import { bestPrice, type Level, moveWindow, setLevel, sideOf, window } from "./book-side.ts";

const step = fc.record({
  side: fc.constantFrom<Side>("BUY", "SELL"),
  // Few prices near the window's edge: levels come, go and move across it all the time.
  price: fc.integer({ min: 1, max: 160 }),
  quantity: fc.integer({ min: 0, max: 3 }),
});

class Copy {
  readonly #levels = new Map<number, number>();
  readonly #side: Side;

  constructor(side: Side, snapshot: readonly Level[]) {
    this.#side = side;
    this.apply(snapshot);
  }

  apply(changes: readonly Level[]): void {
    for (const { price, quantity } of changes) {
      if (quantity === 0) expect(this.#levels.delete(price)).toBe(true);
      else this.#levels.set(price, quantity);
    }
  }

  list(): Level[] {
    const sign = this.#side === "BUY" ? -1 : 1;
    return [...this.#levels]
      .sort(([a], [b]) => sign * (a - b))
      .map(([price, quantity]) => ({ price, quantity }));
  }
}

/** The side gets or loses a level. */
function change(
  book: OrderBook,
  side: Side,
  price: number,
  quantity: number,
  slots: Map<string, number>,
): void {
  const key = `${side} ${price}`;
  const slot = slots.get(key);
  if (slot !== undefined) book.remove(slot);
  slots.delete(key);
  if (quantity > 0) slots.set(key, book.add(side, ticks(price), lots(quantity), 0, 1));
}

test("applied to a snapshot, the changes give the best 100 levels", () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 300 }),
      fc.array(fc.array(step, { maxLength: 30 })),
      (before, entries) => {
        const book: OrderBook = new LevelBook();
        const slots = new Map<string, number>();
        for (const { side, price, quantity } of before) change(book, side, price, quantity, slots);
        for (const side of ["BUY", "SELL"] as const) {
          const followed = sideOf(book, side);
          const copy = new Copy(side, followed.window);
          for (const entry of entries) {
            for (const { price, quantity } of entry) {
              change(book, side, price, quantity, slots);
              setLevel(followed, { price, quantity });
            }
            copy.apply(moveWindow(followed));
            expect(copy.list()).toEqual(book.depth(side, window));
            expect(bestPrice(followed)).toBe(book.bestPrice(side));
          }
          expect(moveWindow(followed)).toEqual([]);
        }
      },
    ),
    { numRuns: 60 },
  );
});
