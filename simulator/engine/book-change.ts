/** Marks a change of the visible book: REST and stream share its number (F-order-book-record). */
import type { Market } from "./state.ts";

export function touchBook(market: Market, at: number): void {
  market.bookSequence++;
  market.bookChangedAt = at;
}
