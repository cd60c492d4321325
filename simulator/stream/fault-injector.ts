/**
 * Faults of the stream, produced by fault rules: messages that are lost, repeated or late, and connections that fall
 * silent or are cut. They apply to messages of channels only, never to acknowledgements, errors and heartbeats.
 */
import type { Caller } from "../auth/keyring.ts";
import type { StreamFault } from "../domain/fault.ts";
import type { Body } from "./frame.ts";
import type { SendQueue } from "./send-queue.ts";
import type { About } from "./topics.ts";

/** The fault that applies to one message to one caller. */
export type FaultFor = (caller: Caller, about: About) => StreamFault | null;

export class FaultInjector {
  readonly #queue: SendQueue;
  readonly #cut: () => void;
  /** A message that waits for the next one, to be sent behind it. */
  #held: Body | null = null;
  /** In real time. */
  silentUntil = 0;

  /** `cut` ends the connection without a close frame. */
  constructor(queue: SendQueue, cut: () => void) {
    this.#queue = queue;
    this.#cut = cut;
  }

  /** Puts the message into the queue, or what the fault makes of it. */
  push(body: Body, fault: StreamFault | null, now: number): void {
    const queue = this.#queue;
    const held = this.#held;
    if (held !== null) {
      this.#held = null;
      const earlier = queue.takeNumber();
      queue.push(body);
      return queue.push(held, earlier);
    }
    switch (fault?.kind) {
      case "streamDrop":
        queue.takeNumber();
        return;
      case "streamDuplicate": {
        const number = queue.takeNumber();
        queue.push(body, number);
        return queue.push(body, number);
      }
      case "streamReorder":
        this.#held = body;
        return;
      case "streamStall":
        this.silentUntil = now + fault.ms;
        return queue.push(body);
      case "streamClose":
        return this.#cut();
      case undefined:
        return queue.push(body);
    }
  }
}
