/** What one connection is subscribed to, in the order in which it asked. */
import type { Granularity } from "../wire/granularity.ts";
import type { Listener } from "./audience.ts";
import type { Channel } from "./channels.ts";
import type { Subscription } from "./subscriptions.ts";

/** Keys of the subscriptions that have neither product nor interval. */
export const HEARTBEAT = "heartbeat  ";
const ALL_ORDERS = "orders  ";

export class Subscribed {
  private readonly listener: Listener;
  private readonly byKey = new Map<string, Subscription>();

  constructor(listener: Listener) {
    this.listener = listener;
  }

  get size(): number {
    return this.byKey.size;
  }

  has(key: string): boolean {
    return this.byKey.has(key);
  }

  all(): Iterable<Subscription> {
    return this.byKey.values();
  }

  /** All orders and the orders of some products exclude each other: the wider one, or the newer, stays. */
  add(subscription: Subscription): void {
    if (subscription.channel === "orders") {
      if (subscription.product !== null && this.has(ALL_ORDERS)) return;
      if (subscription.product === null) {
        for (const { key, channel, product } of this.byKey.values())
          if (channel === "orders" && product !== null) this.remove(key);
      }
    }
    this.byKey.set(subscription.key, subscription);
    subscription.audience.add(this.listener);
  }

  remove(key: string): void {
    this.byKey.get(key)?.audience.remove(this.listener);
    this.byKey.delete(key);
  }

  /** `granularity` null: of every interval. */
  removeChannels(channels: readonly Channel[], granularity: Granularity | null): void {
    for (const one of this.byKey.values()) {
      const isMeant = granularity === null || one.granularity === null || one.granularity === granularity;
      if (channels.includes(one.channel) && isMeant) this.remove(one.key);
    }
  }

  clear(): void {
    for (const key of this.byKey.keys()) this.remove(key);
  }
}
