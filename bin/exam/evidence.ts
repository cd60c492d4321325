/** The evidence that the rules judge: the client's requests with their answers, its end, and the orders at the venue. */
import type { ClientEnd } from "../client-process.ts";
import type { Said } from "./said.ts";
import type { Situation, VenueOrder } from "./situation.ts";

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
  readonly nonce: string;
  readonly retryAfterS: number | undefined;
  readonly headers: readonly string[];
  readonly text: string;
  /** The body, if it is a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The status of the order in the answer. */
  readonly answeredStatus: string | undefined;
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

export interface Evidence {
  readonly situation: Situation;
  /** In the order in which they came. */
  readonly sent: readonly Sent[];
  /** All orders of the client at its end, those of its other sessions included. */
  readonly orders: readonly VenueOrder[];
  /** Ids of those that another session has placed. */
  readonly ofOthers: ReadonlySet<string>;
  /** Of a task about the book: as it was at the end. */
  readonly book: Book | undefined;
  readonly end: ClientEnd;
  /** So long before the end of the client had everything happened that belongs to the situation; below 0 if it had not. */
  readonly quietMs: number;
  readonly said: Said;
  /** Is the secret of the key in this text, in any spelling? */
  readonly revealsSecret: (text: string) => boolean;
}
