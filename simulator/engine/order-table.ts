// tidy-allow-file no-non-null: a row is a place in columns that are equally long
/**
 * All orders by number. Those of a snapshot sleep in its columns and become records one by one, when somebody asks for
 * them: 10^5 records are half of a restart, and most are not needed for long.
 *
 * **Invariants.** A record that has been handed out stays the record of its order. Numbers only grow: what is set is newer
 * than all that sleeps. `looks` is for readers: its records are not kept, and writing to them is lost.
 *
 * **Ordering.** By number, in every walk.
 */
import type { Order, OrderNumber } from "../domain/order.ts";
import { type OrderColumns, orderAt } from "./order-columns.ts";
import type { Standings } from "./standings.ts";

/** Orders of a snapshot, and where they rest in their books. */
export interface SleepingOrders {
  readonly columns: OrderColumns;
  readonly slots: Int32Array;
}

export class OrderTable {
  private readonly awake = new Map<OrderNumber, Order>();
  private sleeping: SleepingOrders | null = null;
  private newest: OrderNumber = 0;
  private woken = 0;
  private lastRow = -1;

  /** Once, before anything else is in it. */
  sleep(orders: SleepingOrders): void {
    const { number, count } = orders.columns;
    this.sleeping = orders;
    this.newest = number[count - 1] ?? 0;
  }

  get size(): number {
    return (this.sleeping?.columns.count ?? 0) + this.awake.size - this.woken;
  }

  get(number: OrderNumber): Order | undefined {
    const awake = this.awake.get(number);
    if (awake !== undefined || number > this.newest) return awake;
    const order = this.asleep(number);
    if (order === undefined) return undefined;
    this.awake.set(number, order);
    this.woken++;
    return order;
  }

  has(number: OrderNumber): boolean {
    return this.awake.has(number) || this.rowOf(number) >= 0;
  }

  set(number: OrderNumber, order: Order): void {
    this.awake.set(number, order);
  }

  /** Writes down where an order stands, and wakes none; false when there is no such order. */
  standing(number: OrderNumber, into: Standings, at: number): boolean {
    const row = this.rowOf(number);
    const awake = this.awake.size > 0 || row < 0 ? this.awake.get(number) : undefined;
    if (awake !== undefined) into.put(at, awake);
    else if (this.sleeping === null || row < 0) return false;
    else into.putAsleep(at, this.sleeping.columns, row, this.sleeping.slots[row]!);
    return true;
  }

  *keys(): IterableIterator<OrderNumber> {
    if (this.sleeping !== null) yield* this.sleeping.columns.number;
    for (const number of this.awake.keys()) if (number > this.newest) yield number;
  }

  *values(): IterableIterator<Order> {
    for (const number of this.keys()) yield this.get(number)!;
  }

  *looks(): IterableIterator<Order> {
    for (const number of this.keys()) yield this.awake.get(number) ?? this.asleep(number)!;
  }

  private asleep(number: OrderNumber): Order | undefined {
    const row = this.rowOf(number);
    if (this.sleeping === null || row < 0) return undefined;
    return orderAt(this.sleeping.columns, row, this.sleeping.slots[row]!);
  }

  /** The row of an order that sleeps, or -1. Walks go from row to row, so the one behind the last is tried first. */
  private rowOf(number: OrderNumber): number {
    if (this.sleeping === null || number > this.newest) return -1;
    const { columns } = this.sleeping;
    if (columns.number[this.lastRow + 1] === number) return ++this.lastRow;
    let low = 0;
    let high = columns.count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (columns.number[middle]! < number) low = middle + 1;
      else high = middle;
    }
    this.lastRow = low;
    return columns.number[low] === number ? low : -1;
  }
}
