// tidy-allow-file no-non-null: a row is a place in columns that are equally long
/**
 * All orders by number. Those of a snapshot sleep in its columns and become records one by one, when somebody asks for
 * them: 10^5 records are half of a restart, and most are not needed for long.
 *
 * **Invariants.** A record that has been handed out stays the record of its order. Numbers only grow: what is set is newer
 * than all that sleeps. `look` and `looks` are for readers: their records are not kept, and writing to them is lost.
 *
 * **Ordering.** By number, in every walk.
 */
import type { Order, OrderNumber } from "../domain/order.ts";
import { type OrderColumns, orderAt, type Standing, standingAt } from "./order-columns.ts";

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
    const order = this.asleep(number, orderAt);
    if (order === undefined) return undefined;
    this.awake.set(number, order);
    this.woken++;
    return order;
  }

  has(number: OrderNumber): boolean {
    return this.awake.has(number) || (number <= this.newest && this.asleep(number, standingAt) !== undefined);
  }

  set(number: OrderNumber, order: Order): void {
    this.awake.set(number, order);
  }

  look(number: OrderNumber): Standing | undefined {
    return this.awake.get(number) ?? (number > this.newest ? undefined : this.asleep(number, standingAt));
  }

  *keys(): IterableIterator<OrderNumber> {
    if (this.sleeping !== null) yield* this.sleeping.columns.number;
    for (const number of this.awake.keys()) if (number > this.newest) yield number;
  }

  *values(): IterableIterator<Order> {
    for (const number of this.keys()) yield this.get(number)!;
  }

  *looks(): IterableIterator<Order> {
    for (const number of this.keys()) yield this.awake.get(number) ?? this.asleep(number, orderAt)!;
  }

  /** What `make` makes of an order that sleeps. */
  private asleep<T>(
    number: OrderNumber,
    make: (c: OrderColumns, row: number, slot: number) => T,
  ): T | undefined {
    if (this.sleeping === null) return undefined;
    const { columns, slots } = this.sleeping;
    const row = this.rowOf(columns, number);
    return columns.number[row] === number ? make(columns, row, slots[row]!) : undefined;
  }

  /** Walks go from row to row, so the one behind the last is tried first. */
  private rowOf(columns: OrderColumns, number: OrderNumber): number {
    if (columns.number[this.lastRow + 1] === number) return ++this.lastRow;
    let low = 0;
    let high = columns.count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (columns.number[middle]! < number) low = middle + 1;
      else high = middle;
    }
    this.lastRow = low;
    return low;
  }
}
