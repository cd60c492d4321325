/** The messages of a client on its WebSocket: for the exchange log, and for the limit of time to the first subscription. */
import type { Subscription } from "./subscriptions.ts";

export interface StreamObserver {
  readonly ended: (stream: EndedStream) => void;
}

/** How a WebSocket ended, and what was said on it. */
export interface EndedStream {
  readonly code: number;
  readonly reason: string;
  /** Messages of the client, and messages to it. */
  readonly received: number;
  readonly sent: number;
  /** Every subscription that it ever had. */
  readonly subscriptions: readonly string[];
}

export class StreamRecord {
  readonly #subscriptions = new Set<string>();
  /** Messages. */
  received = 0;
  /** A subscription was granted, even if it asked for nothing. */
  everSubscribed = false;

  subscribed(asked: readonly Subscription[]): void {
    this.everSubscribed = true;
    for (const { channel, product, granularity } of asked)
      this.#subscriptions.add([channel, product, granularity].filter((part) => part !== null).join(" "));
  }

  /** All that it has ever subscribed to: channel, product and granularity, as far as the channel has them. */
  get subscriptions(): string[] {
    return [...this.#subscriptions];
  }
}
