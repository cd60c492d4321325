// tidy-allow-file no-non-null: a column has as many rows as the reader was asked for
/** Resting orders of a snapshot as columns of bytes, both sides in price-time priority; an order is named by its row. */
import type { OrderNumber, Side } from "../domain/order.ts";
import { MARKET_OWNER, type OrderBook, SYNTHETIC } from "./order-book.ts";
import type { SleepingOrders } from "./order-table.ts";
import type { ByteReader, ByteWriter, NumberColumn } from "./snapshot-bytes.ts";

const SIDES: readonly Side[] = ["BUY", "SELL"];

const NO_ORDER = -1;

/** `rows` says at which place of the snapshot's orders an order stands. */
export function writeBook(out: ByteWriter, book: OrderBook, rows: ReadonlyMap<OrderNumber, number>): void {
  for (const side of SIDES) {
    const { slots, orders, lots } = book.list(side);
    out.count(slots.length);
    out.column(Float64Array.from(slots, (slot) => book.price(slot)));
    out.column(Float64Array.from(orders, (order) => rows.get(order) ?? NO_ORDER));
    out.column(lots);
  }
}

export function readBook(from: ByteReader, book: OrderBook, { columns, slots }: SleepingOrders): void {
  for (const side of SIDES) {
    const count = from.count();
    const prices = from.numbers(count);
    const rows = from.numbers(count);
    const quantities = from.numbers(count);
    checkRows(rows, columns.count);
    const owners = new Int32Array(pick(columns.client, rows, MARKET_OWNER));
    const numbers = pick(columns.number, rows, SYNTHETIC);
    keepSlots(book.fill(side, { prices, quantities, owners, numbers }), rows, slots);
  }
}

// Small loops of their own: they run once, in a process that has just started, and are compiled the sooner for it.

function checkRows(rows: NumberColumn, orders: number): void {
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    if (row !== NO_ORDER && !(Number.isInteger(row) && row >= 0 && row < orders))
      throw new RangeError(`a book refers to order ${row} of ${orders}`);
  }
}

function pick(column: NumberColumn, rows: NumberColumn, otherwise: number): Float64Array {
  const picked = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) picked[at] = column[rows[at]!] ?? otherwise;
  return picked;
}

function keepSlots(taken: Int32Array, rows: NumberColumn, slots: Int32Array): void {
  for (let at = 0; at < rows.length; at++) if (rows[at] !== NO_ORDER) slots[rows[at]!] = taken[at]!;
}
