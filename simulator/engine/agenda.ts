/* oxlint-disable typescript/no-non-null-assertion -- every place is below `used` */
/**
 * Due actions: a binary heap over (time, kind, order). It is only an index. The actions are in the order
 * records (`due`, `syncAt`), so a snapshot need not hold the heap, and an entry that its order no longer agrees with is
 * stale and skipped. Its entries are numbers in two arrays: 10^5 objects would be half of a restart's garbage collection.
 *
 * **Ordering.** By time; at one time, actions before reconciliation; then in order of acceptance.
 */
import type { DueAction, Order, OrderNumber } from "../domain/order.ts";

export type DueKind = DueAction | "Sync";

/** An entry is compared with this. */
interface Orders {
  readonly get: (number: OrderNumber) => Order | undefined;
}

const first = 64;
/** Added to the number of an order whose reconciliation is due, so that actions of the same time come first. */
const sync = 2 ** 52;

export class Agenda {
  #times = new Float64Array(first);
  #keys = new Float64Array(first);
  #used = 0;
  readonly #orders: Orders;

  constructor(orders: Orders) {
    this.#orders = orders;
  }

  addAction(order: OrderNumber, at: number): void {
    this.#push(at, order);
  }

  addSync(order: OrderNumber, at: number): void {
    this.#push(at, sync + order);
  }

  /** The first due entry, at any time, or null. Drops stale entries on the way. */
  peek(): { readonly at: number; readonly order: OrderNumber; readonly kind: DueKind } | null {
    for (; this.#used > 0; this.#pop()) {
      const at = this.#times[0]!;
      const key = this.#keys[0]!;
      const number = key < sync ? key : key - sync;
      const order = this.#orders.get(number);
      if (order === undefined) continue;
      if (key >= sync && order.syncAt === at) return { at, order: number, kind: "Sync" };
      if (key < sync && order.due?.at === at) return { at, order: number, kind: order.due.action };
    }
    return null;
  }

  /** Orders whose reconciliation is due at or before `at` and before any other action; at most `limit`. */
  syncsDue(at: number, limit: number): OrderNumber[] {
    const due: OrderNumber[] = [];
    const taken: number[] = [];
    for (let next = this.peek(); next !== null && next.kind === "Sync" && next.at <= at; next = this.peek()) {
      this.#pop();
      // An order that changed several times at one moment is here once for each change, side by side.
      if (due.at(-1) === next.order) continue;
      due.push(next.order);
      taken.push(next.at);
      if (due.length === limit) break;
    }
    // Reading must not change what is due: the entries go stale when the events are applied.
    for (const [index, order] of due.entries()) this.addSync(order, taken[index]!);
    return due;
  }

  #push(time: number, key: number): void {
    if (this.#used === this.#times.length) this.#widen();
    let at = this.#used++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(time, key, parent)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, time, key);
  }

  #pop(): void {
    const last = --this.#used;
    const time = this.#times[last]!;
    const key = this.#keys[last]!;
    let at = 0;
    for (let child = 1; child < last; child = 2 * at + 1) {
      const right = child + 1;
      if (right < last && this.#isBefore(this.#times[right]!, this.#keys[right]!, child)) child = right;
      if (this.#isBefore(time, key, child)) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, time, key);
  }

  /** Whether this is due before the entry at `place`. */
  #isBefore(time: number, key: number, place: number): boolean {
    const other = this.#times[place]!;
    return time < other || (time === other && key < this.#keys[place]!);
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#times[from]!, this.#keys[from]!);
  }

  #set(at: number, time: number, key: number): void {
    this.#times[at] = time;
    this.#keys[at] = key;
  }

  #widen(): void {
    const [times, keys] = [this.#times, this.#keys];
    this.#times = new Float64Array(this.#used * 2);
    this.#keys = new Float64Array(this.#used * 2);
    this.#times.set(times);
    this.#keys.set(keys);
  }
}
