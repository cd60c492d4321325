/**
 * Snapshots whose bytes can be read and whose contents contradict themselves: no index is made of them. (What is cut off, of
 * another layout or changed in a byte is refused before: `recover.test.ts`, `snapshots.int.test.ts`.)
 */
import { describe, expect, test } from "vitest";
import { lots, ticks } from "../domain/amount.ts";
import { readBook, writeBook } from "./book-columns.ts";
import { OrderBook } from "./order-book.ts";
import { readColumns, writeOrders } from "./order-columns.ts";
import { captureSnapshot, restoreSnapshot } from "./snapshot.ts";
import { ByteReader, ByteWriter } from "./snapshot-bytes.ts";
import type { VenueState } from "./state.ts";
import { Table } from "./testing/table.ts";

interface Venue {
  readonly state: VenueState;
  readonly first: number;
  readonly second: number;
}

function venue(): Venue {
  const table = new Table();
  const first = table.place("ann", "BUY LIMIT 1 @ 90");
  const second = table.place("ann", "BUY LIMIT 1 @ 91");
  return { state: table.drive.state, first, second };
}

describe("a snapshot is refused", () => {
  test.each<readonly [string, (venue: Venue) => void, RegExp]>([
    [
      "with one client_order_id for two orders of a client",
      ({ state, first, second }) => {
        const { clientOrderId } = state.order(first).terms;
        const order = state.order(second);
        state.orders.set(second, {
          ...order,
          terms: { ...order.terms, clientOrderId: clientOrderId.toUpperCase() },
        });
      },
      /client 0 has two orders with client_order_id 00000000-0000-4000-8000-000000000001/,
    ],
    [
      "with orders that are not in order",
      ({ state, first }) => {
        const order = state.order(first);
        state.orders.set(0.5, { ...order, terms: { ...order.terms, number: 0.5, client: 1 } });
      },
      /order 0\.5 follows order \d+/,
    ],
    [
      "with an order of a client that does not exist",
      ({ state, first }) => {
        const order = state.order(first);
        state.orders.set(first, { ...order, terms: { ...order.terms, client: 9 } });
      },
      /there is no client 9/,
    ],
  ])("%s", (_what, damage, message) => {
    const damaged = venue();
    damage(damaged);
    expect(() => restoreSnapshot(damaged.state.world, captureSnapshot(damaged.state))).toThrow(message);
  });
});

describe("a book of a snapshot is refused", () => {
  const { state, first } = venue();

  /** The orders of the venue, then a book that names an order by this row. */
  function readWithRow(row: number): void {
    const out = new ByteWriter();
    writeOrders(out, [...state.orders.looks()]);
    writeBook(out, state.market(0).book, new Map([[first, row]]));
    const from = new ByteReader(out.finish());
    const columns = readColumns(from);
    readBook(from, new OrderBook(), { columns, slots: new Int32Array(columns.count) });
  }

  test.each([-2, 2, 0.5])("that names the order of row %d, of 2", (row) => {
    expect(() => readWithRow(row)).toThrow(`a book refers to order ${row} of 2`);
  });

  test("unless it names an order that is there", () => {
    expect(() => readWithRow(1)).not.toThrow();
  });

  const side = (...prices: readonly number[]) => ({
    prices: Float64Array.from(prices),
    quantities: Float64Array.from(prices, () => 1),
    owners: Int32Array.from(prices, () => 0),
    numbers: Float64Array.from(prices, (_price, row) => row + 1),
  });

  test.each([
    ["BUY", [90, 91]],
    ["BUY", [91, 90, 91]],
    ["SELL", [91, 90]],
    ["SELL", [90, 91, 90]],
  ] as const)("whose %s side stands at %j", (name, prices) => {
    expect(() => new OrderBook().fill(name, side(...prices))).toThrow(/side is not sorted at 9/);
  });

  test("that is read into a book with orders in it", () => {
    const book = new OrderBook();
    book.add("BUY", ticks(1), lots(1), 0, 1);
    expect(() => book.fill("BUY", side(90))).toThrow(/not empty/);
  });
});
