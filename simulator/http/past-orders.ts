/**
 * Orders whose reads stay behind the stream (fault `staleReads`): only reads show them so; the orders themselves are as they are.
 * The journal has all of it, and nothing of this: an order that was placed before the last start is read as it is.
 *
 * **Invariants.** From its acceptance on, an order is read. It is never shown as it was longer ago than its fault says.
 */
import { isTerminal, type Order, type OrderNumber } from "../domain/order.ts";
import type { CommittedEntry } from "../sequencer/sequencer.ts";
import type { Follower } from "../sequencer/sequencer-ports.ts";

interface Kept {
  /** How far reads are behind, in market time. */
  readonly ms: number;
  /** The oldest first. */
  readonly versions: Version[];
}

interface Version {
  readonly at: number;
  readonly order: Order;
}

export class PastOrders implements Follower {
  readonly #kept = new Map<OrderNumber, Kept>();
  readonly #now: () => number;

  /** `now`: the market clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  committed(entries: readonly CommittedEntry[]): void {
    for (const { seq, at, command, changes } of entries) {
      if (command.kind === "PlaceOrder" && command.fault?.kind === "staleReads")
        this.#kept.set(seq, { ms: command.fault.ms, versions: [] });
      if (this.#kept.size === 0) continue;
      for (const { order } of changes.orders)
        this.#kept.get(order.terms.number)?.versions.push({ at, order });
    }
  }

  restored(): void {
    this.#kept.clear();
  }

  stopped(): void {
    this.#kept.clear();
  }

  /** The order as reads show it. */
  shown(order: Order): Order {
    const kept = this.#kept.get(order.terms.number);
    if (kept === undefined) return order;
    const { versions, ms } = kept;
    while (versions.length > 1 && (versions[1]?.at ?? Infinity) <= this.#now() - ms) versions.shift();
    return versions[0]?.order ?? order;
  }

  /** Open orders of a client by their numbers, as reads show them: some of them may have ended. */
  openOf(client: number, open: ReadonlySet<OrderNumber>): OrderNumber[] {
    const ended = [...this.#kept].flatMap(([number, { versions }]) => {
      const order = versions[0]?.order;
      const hides =
        order?.terms.client === client && !open.has(number) && !isTerminal(this.shown(order).status);
      return hides ? [number] : [];
    });
    return ended.length === 0 ? [...open] : [...open, ...ended].toSorted((a, b) => a - b);
  }
}
