/**
 * One side of a book as the stream follows it from change to change, and the part of it that subscribers know: the best 100
 * levels, as of the last message about them.
 *
 * **Invariants.** A snapshot with every later change applied has exactly the best 100 levels of the book: a level that
 * leaves the window, because it is gone or because better ones came, is sent with quantity zero, and one that moves in is
 * sent with its quantity.
 */
import type { Side } from "../domain/order.ts";
import type { OrderBook } from "../engine/book/order-book.ts";

export const window = 100;

export interface Level {
  readonly price: number;
  /** Zero: the level is gone. */
  readonly quantity: number;
}

export interface BookSide {
  readonly side: Side;
  /** All levels, the best last: most changes are near it. */
  readonly levels: Level[];
  /** The levels that subscribers know, best first. */
  window: readonly Level[];
}

export const sideOf = (book: OrderBook, side: Side): BookSide => ({
  side,
  levels: book.depth(side, Infinity).reverse(),
  window: book.depth(side, window),
});

export const bestPrice = ({ levels }: BookSide): number | null => levels.at(-1)?.price ?? null;

export function setLevel({ side, levels }: BookSide, level: Level): void {
  let [at, end] = [0, levels.length];
  while (at < end) {
    const middle = (at + end) >>> 1;
    if (compare(side, level, levels[middle]) < 0) at = middle + 1;
    else end = middle;
  }
  const found = levels[at]?.price === level.price ? 1 : 0;
  levels.splice(at, found, ...(level.quantity > 0 ? [level] : []));
}

/** The changes within the window since the last call. */
export function moveWindow(side: BookSide): Level[] {
  const before = side.window;
  side.window = side.levels.slice(-window).reverse();
  return difference(side.side, before, side.window);
}

/** Both lists are sorted best first. */
function difference(side: Side, old: readonly Level[], now: readonly Level[]): Level[] {
  const changes: Level[] = [];
  let before = 0;
  let after = 0;
  for (;;) {
    const gone = old[before];
    const here = now[after];
    if (gone === undefined && here === undefined) return changes;
    const order = compare(side, gone, here);
    if (order <= 0) before++;
    if (order >= 0) after++;
    if (order < 0 && gone !== undefined) changes.push({ price: gone.price, quantity: 0 });
    else if (here !== undefined && (order > 0 || gone?.quantity !== here.quantity)) changes.push(here);
  }
}

/** Negative when the first is better; a missing level is worse than any. */
function compare(side: Side, first: Level | undefined, second: Level | undefined): number {
  if (first === undefined) return 1;
  if (second === undefined) return -1;
  return side === "BUY" ? second.price - first.price : first.price - second.price;
}
