/** Orders that sleep in the columns of a snapshot: seen as they are, woken once, and never in the way of new ones. */
import { describe, expect, test } from "vitest";
import { statusCode } from "./order-columns.ts";
import type { OrderTable } from "./order-table.ts";
import { captureSnapshot, restoreSnapshot, stateHash } from "./snapshot.ts";
import { Standings } from "./standings.ts";
import { Drive } from "./testing/drive.ts";
import { PLAIN, Table } from "./testing/table.ts";

const RICH = { USD: "10000000000", COIN: "100000" };

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

function standingsOf(orders: OrderTable, numbers: readonly number[]): Standings {
  const into = new Standings(numbers.length);
  for (const [row, number] of numbers.entries()) expect(orders.standing(number, into, row)).toBe(true);
  return into;
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
    const looked = [...orders.looks()][1];
    expect(looked?.terms.number).toBe(number);
    const woken = orders.get(number);
    expect(woken).not.toBe(looked);
    expect(orders.get(number)).toBe(woken);
    expect([...orders.looks()][1]).toBe(woken);
    expect(orders.size).toBe(3);
  });

  test("do not hide that a number is nobody's", () => {
    const { orders, numbers } = asleep();
    for (const number of [0, at(numbers, 0) - 1, at(numbers, 2) + 1, 0.5]) {
      expect([orders.has(number), orders.get(number), orders.standing(number, new Standings(1), 0)]).toEqual([
        false,
        undefined,
        false,
      ]);
    }
    expect(orders.has(at(numbers, 0))).toBe(true);
  });

  test("stand as they stand when they are awake, holds beyond 2^53 included", () => {
    const table = new Table({ ...PLAIN, clients: PLAIN.clients.map((one) => ({ ...one, balances: RICH })) });
    const numbers = ["BUY LIMIT 9000000 @ 90", "SELL LIMIT 2 @ 110", "BUY STOP_LIMIT 3 @ 130 stop 120"].map(
      (order) => table.place("ann", order),
    );
    const { orders } = restoreSnapshot(table.drive.state.world, captureSnapshot(table.drive.state));
    const asleep = standingsOf(orders, numbers);
    for (const number of numbers) orders.get(number);
    expect(standingsOf(orders, numbers)).toEqual(asleep);
    expect([...asleep.holds].map(Number.isNaN)).toContain(true);
    expect([...asleep.holds].map(Number.isNaN)).toContain(false);
  });

  test("change when they are woken by a command, and are written down as changed", () => {
    const { drive, orders, numbers } = asleep();
    drive.submit({ kind: "CancelOrder", client: 0, order: at(numbers, 1) });
    drive.audit();
    expect(standingsOf(orders, numbers).statuses).toEqual(
      Uint8Array.from(["OPEN", "CANCELLED", "OPEN"] as const, statusCode),
    );
    const again = restoreSnapshot(drive.state.world, captureSnapshot(drive.state));
    expect(stateHash(again)).toBe(stateHash(drive.state));
    expect([...again.orders.looks()].map(({ status }) => status)).toEqual(["OPEN", "CANCELLED", "OPEN"]);
  });
});
