/** What one connection is subscribed to, in the order in which it asked. */
import type { Granularity } from "../wire/granularity.ts";
import type { Listener } from "./audience.ts";
import type { Channel } from "./channels.ts";
import type { Subscription } from "./subscriptions.ts";

/** Keys of the subscriptions that have neither product nor interval. */
export const HEARTBEAT = "heartbeat  ";

export class Subscribed {
  private readonly listener: Listener;
  private readonly byKey = new Map<string, Subscription>();

  constructor(listener: Listener) {
    this.listener = listener;
  }

  has(key: string): boolean {
    return this.byKey.has(key);
  }

  all(): Iterable<Subscription> {
    return this.byKey.values();
  }

  /** How many there would be: the products of `orders` are one filter, which a new message replaces. */
  sizeWith(asked: readonly Subscription[]): number {
    return new Set([...this.keptBeside(asked), ...asked.map(({ key }) => key)]).size;
  }

  add(asked: readonly Subscription[]): void {
    const kept = new Set(this.keptBeside(asked));
    for (const key of this.byKey.keys()) if (!kept.has(key)) this.remove(key);
    for (const subscription of asked) {
      this.byKey.set(subscription.key, subscription);
      subscription.audience.add(this.listener);
    }
  }

  private keptBeside(asked: readonly Subscription[]): readonly string[] {
    const isReplaced = asked.some(({ channel }) => channel === "orders");
    const kept = [...this.byKey.values()].filter(({ channel }) => !isReplaced || channel !== "orders");
    return kept.map(({ key }) => key);
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
