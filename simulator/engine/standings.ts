// tidy-allow-file no-non-null: a row is a place in columns that are equally long
/**
 * Where orders stand, as columns: what the audit asks of each open one, whether it is awake or sleeps in a snapshot. They are
 * filled some at a time and over again: 10^5 records, or columns for all, would cost more than the audit itself.
 */
import type { Order } from "../domain/order.ts";
import { type OrderColumns, phaseCode, sideCode, statusCode } from "./order-columns.ts";

export class Standings {
  readonly numbers: Float64Array;
  readonly products: Int32Array;
  readonly sides: Uint8Array;
  readonly statuses: Uint8Array;
  readonly phases: Uint8Array;
  readonly slots: Int32Array;
  /** Lots that may still be filled; of an order without a quantity, what was filled of it, negative. */
  readonly left: Float64Array;
  /** Where a machine number is exact, else NaN and the amount is in `largeHolds`. */
  readonly holds: Float64Array;
  readonly largeHolds = new Map<number, bigint>();

  constructor(rows: number) {
    this.numbers = new Float64Array(rows);
    this.products = new Int32Array(rows);
    this.sides = new Uint8Array(rows);
    this.statuses = new Uint8Array(rows);
    this.phases = new Uint8Array(rows);
    this.slots = new Int32Array(rows);
    this.left = new Float64Array(rows);
    this.holds = new Float64Array(rows);
  }

  /** An order that is awake. */
  put(at: number, order: Order): void {
    const { terms } = order;
    this.numbers[at] = terms.number;
    this.products[at] = terms.product;
    this.sides[at] = sideCode(terms.side);
    this.statuses[at] = statusCode(order.status);
    this.phases[at] = phaseCode(order.phase);
    this.slots[at] = order.slot;
    this.left[at] = (terms.quantity ?? 0) - order.filled - order.removed;
    const hold = Number(order.hold);
    this.putHold(at, Number.isSafeInteger(hold) ? hold : order.hold);
  }

  /** An order that sleeps. */
  putAsleep(at: number, c: OrderColumns, row: number, slot: number): void {
    this.numbers[at] = c.number[row]!;
    this.products[at] = c.product[row]!;
    this.sides[at] = c.side[row]!;
    this.statuses[at] = c.status[row]!;
    this.phases[at] = c.phase[row]!;
    this.slots[at] = slot;
    const quantity = c.quantity[row]!;
    this.left[at] = (quantity < 0 ? 0 : quantity) - c.filled[row]! - c.removed[row]!;
    this.putHold(at, c.hold.plainAt(row));
  }

  private putHold(at: number, hold: number | bigint): void {
    if (typeof hold === "number") this.holds[at] = hold;
    else {
      this.holds[at] = Number.NaN;
      this.largeHolds.set(at, hold);
    }
  }
}
