/** Whoever applies the changes to a snapshot has the best 100 levels of the book, whatever happened to it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { lots, ticks } from "../domain/amount.ts";
import type { Side } from "../domain/order.ts";
import { FastBook } from "../engine/book/fast-book.ts";
import type { OrderBook } from "../engine/book/order-book.ts";
import type { Market } from "../engine/state.ts";
import { BookWindow, type LevelChange, WINDOW } from "./book-window.ts";

const step = fc.record({
  side: fc.constantFrom<Side>("BUY", "SELL"),
  // Few prices near the window's edge: levels come, go and move across it all the time.
  price: fc.integer({ min: 1, max: 160 }),
  quantity: fc.integer({ min: 0, max: 3 }),
});

class Copy {
  private readonly levels = new Map<number, number>();
  private readonly side: Side;

  constructor(side: Side, snapshot: readonly LevelChange[]) {
    this.side = side;
    this.apply(snapshot);
  }

  apply(changes: readonly LevelChange[]): void {
    for (const { price, quantity } of changes) {
      if (quantity === 0) expect(this.levels.delete(price)).toBe(true);
      else this.levels.set(price, quantity);
    }
  }

  list(): LevelChange[] {
    const sign = this.side === "BUY" ? -1 : 1;
    return [...this.levels]
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
        const book: OrderBook = new FastBook();
        const slots = new Map<string, number>();
        for (const { side, price, quantity } of before) change(book, side, price, quantity, slots);
        let bookSequence = 7;
        // as: the part of a market that a window looks at.
        const market = (): Market => ({ book, bookSequence }) as Market;
        const window = new BookWindow();
        window.reset(market());
        const sides = (["BUY", "SELL"] as const).map((side) => new Copy(side, book.depth(side, WINDOW)));
        for (const entry of entries) {
          expect(window.advance(market())).toBeNull();
          for (const { side, price, quantity } of entry) change(book, side, price, quantity, slots);
          bookSequence += 1 + entry.length;
          const found = window.advance(market());
          expect([found?.before, found?.after]).toEqual([bookSequence - 1 - entry.length, bookSequence]);
          sides[0]?.apply(found?.bids ?? []);
          sides[1]?.apply(found?.asks ?? []);
          expect(sides[0]?.list()).toEqual(book.depth("BUY", WINDOW));
          expect(sides[1]?.list()).toEqual(book.depth("SELL", WINDOW));
        }
      },
    ),
    { numRuns: 60 },
  );
});
