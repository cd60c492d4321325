/** The evidence that the rules judge: the client's requests with their answers, its end, and the orders at the venue. */
import type { ClientEnd } from "../client-process.ts";
import type { Said } from "./said.ts";
import type { Situation, VenueOrder } from "./situation.ts";
import type { TappedStream } from "./stream-tap.ts";

/** One request of the client, or the handshake of a stream, as the exchange log has it. */
export interface Sent {
  readonly method: string;
  /** Below the prefix of the gateway, without its query. */
  readonly path: string;
  readonly target: string;
  /** Milliseconds since the epoch: when it came, and when its answer had left. */
  readonly cameAt: number;
  readonly answeredAt: number;
  /** 0 when the connection was closed in place of an answer. */
  readonly status: number;
  readonly code: string | null;
  /** Ids of the fault rules that it met. */
  readonly faults: readonly string[];
  readonly nonce: string;
  readonly retryAfterS: number | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** The body, if it is a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly answer: {
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly text: string;
    /** Of the whole body, of which `text` may be a part. */
    readonly bytes: number;
  };
  /** The statuses of the orders in the answer. */
  readonly answeredStatuses: readonly string[];
}

export interface Level {
  readonly price: string;
  readonly quantity: string;
}

export interface Book {
  readonly bookSequence: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export interface Secrets {
  finds(text: string): boolean;
  redact(text: string): string;
}

export interface Evidence {
  readonly situation: Situation;
  /** Milliseconds since the epoch, shortly before the client was started. */
  readonly startedAt: number;
  /** In the order in which they came. */
  readonly sent: readonly Sent[];
  /** Of a task of the stream, in the order in which they were opened. */
  readonly streams: readonly TappedStream[];
  /** All orders of the client at its end, those of its other sessions included. */
  readonly orders: readonly VenueOrder[];
  /** Ids of the orders that another session has placed. */
  readonly ofOthers: ReadonlySet<string>;
  /** Of a task about the book: as it was at the end. */
  readonly book: Book | undefined;
  readonly end: ClientEnd;
  /** The time from the last event of the situation to the end of the client; below 0 if the client ended first. */
  readonly quietMs: number;
  /** The client listened to the stream, and only after the situation had begun without it. */
  readonly listenedLate: boolean;
  readonly said: Said;
  /** Finds the secret of the key in a text, in any spelling, and takes it out. */
  readonly secrets: Secrets;
}
