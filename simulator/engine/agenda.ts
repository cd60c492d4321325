/**
 * What falls due when: a binary heap over (time, kind, order). It is only an index. What is due stands in the order
 * records (`due`, `syncAt`), so a snapshot need not hold the heap, and an entry that its order no longer agrees with is
 * stale and skipped.
 *
 * **Ordering.** By time; at one time, actions before reconciliation; then in order of acceptance.
 */
import type { DueAction, Order, OrderNumber } from "../domain/order.ts";

export type DueKind = DueAction | "Sync";

/** What an entry is held against. */
interface Orders {
  readonly get: (number: OrderNumber) => Order | undefined;
}

interface Entry {
  readonly at: number;
  readonly rank: 0 | 1;
  readonly order: OrderNumber;
}

export class Agenda {
  private readonly heap: Entry[] = [];
  private readonly orders: Orders;

  constructor(orders: Orders) {
    this.orders = orders;
  }

  addAction(order: OrderNumber, at: number): void {
    this.push({ at, rank: 0, order });
  }

  addSync(order: OrderNumber, at: number): void {
    this.push({ at, rank: 1, order });
  }

  /** The first thing due, at whatever time, or null. Drops stale entries on the way. */
  peek(): { readonly at: number; readonly order: OrderNumber; readonly kind: DueKind } | null {
    for (;;) {
      const top = this.heap[0];
      if (top === undefined) return null;
      const order = this.orders.get(top.order);
      if (order !== undefined) {
        if (top.rank === 0 && order.due !== null && order.due.at === top.at) {
          return { at: top.at, order: top.order, kind: order.due.action };
        }
        if (top.rank === 1 && order.syncAt === top.at) return { at: top.at, order: top.order, kind: "Sync" };
      }
      this.pop();
    }
  }

  /** Orders whose reconciliation is due at or before `at` and stands before any other action; at most `limit`. */
  syncsDue(at: number, limit: number): OrderNumber[] {
    const due: OrderNumber[] = [];
    const taken: Entry[] = [];
    for (let next = this.peek(); next !== null && next.kind === "Sync" && next.at <= at; next = this.peek()) {
      this.pop();
      // An order that changed several times at one moment stands here once for each change, side by side.
      if (due.at(-1) === next.order) continue;
      due.push(next.order);
      taken.push({ at: next.at, rank: 1, order: next.order });
      if (due.length === limit) break;
    }
    // Reading must not change what is due: the entries go stale when the events are applied.
    for (const entry of taken) this.push(entry);
    return due;
  }

  private push(entry: Entry): void {
    const { heap } = this;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !before(entry, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let below = heap[child];
      if (below === undefined) break;
      const right = heap[child + 1];
      if (right !== undefined && before(right, below)) {
        child++;
        below = right;
      }
      if (!before(below, last)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }
}

function before(a: Entry, b: Entry): boolean {
  if (a.at !== b.at) return a.at < b.at;
  if (a.rank !== b.rank) return a.rank < b.rank;
  return a.order < b.order;
}
