/**
 * Faults of the stream, where somebody asked for them: messages that are lost, repeated or late, and connections that fall
 * silent or end without a word. Only messages of channels are struck; acknowledgements, errors and heartbeats are not.
 */
import type { StreamFault } from "../domain/fault.ts";
import type { Body } from "./frame.ts";
import { NUMBER_AGAIN, type Outbox, SKIP_NUMBER } from "./outbox.ts";

/** What a connection does about it itself. */
export type Silence = { readonly kind: "stall"; readonly ms: number } | { readonly kind: "cut" };

export class Mischief {
  private readonly outbox: Outbox;
  /** A message that waits for the next one, to be sent behind it. */
  private held: Body | null = null;

  constructor(outbox: Outbox) {
    this.outbox = outbox;
  }

  /** Puts the message into the outbox, or what the fault makes of it. */
  strike(body: Body, fault: StreamFault | null): Silence | null {
    const { held } = this;
    this.held = null;
    if (held !== null) {
      // The later number first, then back to the earlier one, and on behind the later.
      for (const one of [SKIP_NUMBER, body, NUMBER_AGAIN, NUMBER_AGAIN, held, SKIP_NUMBER])
        this.outbox.push(one);
      return null;
    }
    switch (fault?.kind) {
      case "streamDrop":
        this.outbox.push(SKIP_NUMBER);
        return null;
      case "streamDuplicate":
        for (const one of [body, NUMBER_AGAIN, body]) this.outbox.push(one);
        return null;
      case "streamReorder":
        this.held = body;
        return null;
      case "streamStall":
        this.outbox.push(body);
        return { kind: "stall", ms: fault.ms };
      case "streamClose":
        return { kind: "cut" };
      case undefined:
        this.outbox.push(body);
        return null;
    }
  }
}
