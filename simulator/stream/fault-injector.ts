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

/** Ends a connection without a close frame. */
interface Cuttable {
  readonly terminate: () => void;
}

/** The clock of the hub is so far behind at the most. */
const coarseness = 100;

export class FaultInjector {
  readonly #queue: SendQueue;
  readonly #socket: Cuttable;
  readonly #speakAgain: () => void;
  /** A message that waits for the next one, to be sent behind it. */
  #held: Body | null = null;
  /** In real time. */
  silentUntil = 0;

  /** `speakAgain` sends what waits, once the silence is over. */
  constructor(queue: SendQueue, socket: Cuttable, speakAgain: () => void) {
    this.#queue = queue;
    this.#socket = socket;
    this.#speakAgain = speakAgain;
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
        this.#fallSilent(now, fault.ms);
        return queue.push(body);
      case "streamSlow":
        // While it is silent already, the message waits with those before it.
        if (now >= this.silentUntil) this.#fallSilent(now, fault.ms);
        return queue.push(body);
      case "streamClose":
        return this.#socket.terminate();
      case undefined:
        return queue.push(body);
    }
  }

  /** Another fault may make the silence longer meanwhile: then that one ends it. */
  #fallSilent(now: number, ms: number): void {
    const until = now + ms;
    this.silentUntil = until;
    setTimeout(() => {
      if (this.silentUntil === until) this.#speakAgain();
    }, ms + coarseness).unref();
  }
}
