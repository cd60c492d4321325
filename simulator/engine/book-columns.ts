// tidy-allow-file no-non-null: a column has as many rows as the reader was asked for
/** Resting orders of a snapshot as columns of bytes, both sides in price-time priority; an order is named by its row. */
import { lots, ticks } from "../domain/amount.ts";
import type { OrderNumber, Side } from "../domain/order.ts";
import { MARKET_OWNER, type OrderBook, SYNTHETIC } from "./order-book.ts";
import type { SleepingOrders } from "./order-table.ts";
import type { ByteReader, ByteWriter } from "./snapshot-bytes.ts";

const SIDES: readonly Side[] = ["BUY", "SELL"];

const NO_ORDER = -1;

/** `rows` says at which place of the snapshot's orders an order stands. */
export function writeBook(out: ByteWriter, book: OrderBook, rows: ReadonlyMap<OrderNumber, number>): void {
  for (const side of SIDES) {
    const slots = [...book.slots(side)];
    out.count(slots.length);
    out.numbers(slots, (slot) => book.price(slot));
    out.numbers(slots, (slot) => rows.get(book.order(slot)) ?? NO_ORDER);
    out.numbers(slots, (slot) => book.remaining(slot));
  }
}

export function readBook(from: ByteReader, book: OrderBook, { columns, slots }: SleepingOrders): void {
  for (const side of SIDES) {
    const rows = from.count();
    const prices = from.numbers(rows);
    const places = from.numbers(rows);
    const quantities = from.numbers(rows);
    const add = (row: number): void => {
      const price = ticks(prices[row]!);
      const quantity = lots(quantities[row]!);
      const place = places[row]!;
      if (place === NO_ORDER) book.add(side, price, quantity, MARKET_OWNER, SYNTHETIC);
      else slots[place] = book.add(side, price, quantity, columns.client[place]!, columns.number[place]!);
    };
    worstLevelFirst(prices, add);
  }
}

/** A book that grows towards its best price moves nothing; within a level the order of arrival stays. */
function worstLevelFirst(prices: ArrayLike<number>, visit: (row: number) => void): void {
  let end = prices.length;
  while (end > 0) {
    let start = end - 1;
    while (start > 0 && prices[start - 1] === prices[end - 1]) start--;
    for (let row = start; row < end; row++) visit(row);
    end = start;
  }
}
