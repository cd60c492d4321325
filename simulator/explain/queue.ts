/** The place of an order in the queue at its price. */
import type { Side } from "../domain/order.ts";
import { noSlot, type OrderBook } from "../engine/book/order-book.ts";

export interface Place {
  /** Lots in front of it at its price, and in how many orders; the synthetic market counts as one. */
  readonly ahead: number;
  readonly orders: number;
}

/** Behind all that rests at the price, or in front of `slot`. Looks at the better half of the book only. */
export function placeBehind(book: OrderBook, side: Side, price: number, slot = noSlot): Place {
  let [ahead, orders] = [0, 0];
  for (const each of book.slots(side)) {
    if (each === slot) break;
    const at = book.price(each);
    if (side === "BUY" ? at < price : at > price) break;
    if (at !== price) continue;
    ahead += book.remaining(each);
    orders += 1;
  }
  return { ahead, orders };
}
