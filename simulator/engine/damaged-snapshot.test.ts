/**
 * Snapshots whose bytes can be read and whose contents contradict themselves: no index is made of them. (A snapshot that is cut off, of
 * another layout or changed in a byte is refused earlier: `recover.test.ts`, `snapshots.int.test.ts`.)
 */
import { describe, expect, test } from "vitest";
import { lots, ticks } from "../domain/amount.ts";
import { captureSnapshot, restoreSnapshot } from "./snapshot.ts";
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
  test.each<readonly [string, (venue: Venue) => void, RegExp]>([
    [
      "that names an order which is not there",
      ({ state }) => void state.market(0).book.add("BUY", ticks(80), lots(1), 0, 99),
      /there is no order 99/,
    ],
    [
      "in which an order without a price stands",
      ({ state, first }) => {
        const order = state.order(first);
        state.orders.set(first, { ...order, terms: { ...order.terms, price: null } });
      },
      /order \d+ has no price and is in the book/,
    ],
  ])("%s", (_what, damage, message) => {
    const damaged = venue();
    damage(damaged);
    expect(() => restoreSnapshot(damaged.state.world, captureSnapshot(damaged.state))).toThrow(message);
  });
});
