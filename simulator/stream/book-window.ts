/**
 * The part of a book that subscribers know: its best 100 levels on each side, as of the last message about it.
 *
 * **Invariants.** Whoever applies every change to a snapshot has exactly the best 100 levels of the book: a level that
 * leaves the window, because it is gone or because better ones came, is sent with quantity zero, and one that moves in is
 * sent with its quantity.
 */
import type { Side } from "../domain/order.ts";
import type { DepthLevel, OrderBook } from "../engine/book/order-book.ts";
import type { Market } from "../engine/state.ts";

export const WINDOW = 100;

export interface LevelChange {
  readonly price: number;
  /** Zero: the level is gone. */
  readonly quantity: number;
}

export interface BookChange {
  readonly before: number;
  readonly after: number;
  readonly bids: readonly LevelChange[];
  readonly asks: readonly LevelChange[];
}

export class BookWindow {
  private bids: readonly DepthLevel[] = [];
  private asks: readonly DepthLevel[] = [];
  private sequence = 0;

  /** Forgets what was known: subscribers begin with a snapshot of the book as it is. */
  reset({ book, bookSequence }: Market): void {
    this.bids = book.depth("BUY", WINDOW);
    this.asks = book.depth("SELL", WINDOW);
    this.sequence = bookSequence;
  }

  /** What changed since the last call; null when the book was not touched. */
  advance({ book, bookSequence }: Market): BookChange | null {
    const before = this.sequence;
    if (bookSequence === before) return null;
    const [bids, oldBids] = [book.depth("BUY", WINDOW), this.bids];
    const [asks, oldAsks] = [book.depth("SELL", WINDOW), this.asks];
    this.bids = bids;
    this.asks = asks;
    this.sequence = bookSequence;
    return {
      before,
      after: bookSequence,
      bids: difference("BUY", oldBids, bids),
      asks: difference("SELL", oldAsks, asks),
    };
  }
}

/** Both lists stand best first. */
function difference(side: Side, old: readonly DepthLevel[], now: readonly DepthLevel[]): LevelChange[] {
  const changes: LevelChange[] = [];
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
function compare(side: Side, first: DepthLevel | undefined, second: DepthLevel | undefined): number {
  if (first === undefined) return 1;
  if (second === undefined) return -1;
  return side === "BUY" ? second.price - first.price : first.price - second.price;
}

export const bestOf = (book: OrderBook): readonly [number | null, number | null] => [
  book.bestPrice("BUY"),
  book.bestPrice("SELL"),
];
