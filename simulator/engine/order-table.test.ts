/** Orders that sleep in the columns of a snapshot: seen as they are, woken once, and never in the way of new ones. */
import { describe, expect, test } from "vitest";
import type { OrderTable } from "./order-table.ts";
import { captureSnapshot, restoreSnapshot, stateHash } from "./snapshot.ts";
import { Drive } from "./testing/drive.ts";
import { Table } from "./testing/table.ts";

/** Three orders of a venue that has just been restored, and the venue. */
function asleep(): {
  readonly drive: Drive;
  readonly orders: OrderTable;
  readonly numbers: readonly number[];
} {
  const table = new Table();
  const numbers = ["BUY LIMIT 1 @ 90", "SELL LIMIT 2 @ 110", "BUY LIMIT 3 @ 91"].map((order) =>
    table.place("ann", order),
  );
  const drive = new Drive(restoreSnapshot(table.drive.state.world, captureSnapshot(table.drive.state)));
  drive.now = table.drive.now;
  return { drive, orders: drive.state.orders, numbers };
}

const at = (numbers: readonly number[], index: number): number => numbers[index] ?? Number.NaN;

describe("orders of a snapshot", () => {
  test("are all there, in their order, in whatever order they wake", () => {
    const { orders, numbers } = asleep();
    expect(orders.get(at(numbers, 2))?.terms.number).toBe(at(numbers, 2));
    expect(orders.get(at(numbers, 0))?.terms.number).toBe(at(numbers, 0));
    expect([...orders.keys()]).toEqual(numbers);
    expect(orders.size).toBe(3);
    const prices = [...orders.looks()].map(({ terms }) => terms.price);
    expect(new Set(prices).size).toBe(3);
    expect([...orders.values()].map(({ terms }) => terms.price)).toEqual(prices);
  });

  test("keep the record that was handed out, and a look hands out none", () => {
    const { orders, numbers } = asleep();
    const number = at(numbers, 1);
    expect(orders.look(number)).not.toBe(orders.look(number));
    const woken = orders.get(number);
    expect(orders.get(number)).toBe(woken);
    expect(orders.look(number)).toBe(woken);
    expect(orders.size).toBe(3);
  });

  test("do not hide that a number is nobody's", () => {
    const { orders, numbers } = asleep();
    for (const number of [0, at(numbers, 0) - 1, at(numbers, 2) + 1, 0.5]) {
      expect([orders.has(number), orders.get(number), orders.look(number)]).toEqual([
        false,
        undefined,
        undefined,
      ]);
    }
    expect(orders.has(at(numbers, 0))).toBe(true);
  });

  test("change when they are woken by a command, and are written down as changed", () => {
    const { drive, orders, numbers } = asleep();
    drive.submit({ kind: "CancelOrder", client: 0, order: at(numbers, 1) });
    drive.audit();
    expect(orders.look(at(numbers, 1))?.status).toBe("CANCELLED");
    const again = restoreSnapshot(drive.state.world, captureSnapshot(drive.state));
    expect(stateHash(again)).toBe(stateHash(drive.state));
    expect([...again.orders.looks()].map(({ status }) => status)).toEqual(["OPEN", "CANCELLED", "OPEN"]);
  });
});
