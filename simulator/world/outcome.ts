/** Outcomes on demand: what each one is, and the answer to a client that asks for it. */
import type { Fault, WireFault } from "../domain/fault.ts";
import type { OrderStatus } from "../domain/order.ts";

export type ResultType =
  | "NEW_ORDER"
  | "DUPLICATE_REPLAY"
  | "EXTERNAL_EXECUTION_FAILED"
  | "INTERNAL_EXECUTION_FAILED"
  | "CLIENT_NOT_FOUND";

export interface ExpectedAnswer {
  /** HTTP status; null: the connection ends without a whole answer. */
  readonly status: number | null;
  /** `data.type` of a placement. */
  readonly type: ResultType | null;
  /** `code` of an error, and its reason where it has one. */
  readonly code: string | null;
  readonly reason: string | null;
  /** Status of the order two seconds of market time later; null: there is none. */
  readonly later: OrderStatus | null;
}

interface Outcome {
  readonly code: string;
  readonly does: string;
  /** The clause or the freedom that it is about. */
  readonly about: string;
  readonly answer: ExpectedAnswer;
}

/** One that a fault brings about. */
export interface ForcedOutcome extends Outcome {
  /** First group of a `client_order_id` that asks for it. */
  readonly prefix: string;
  readonly fault: Fault;
  /** A fault of the wire that goes with it. */
  readonly besides?: WireFault;
}

/** A request as a client sends it; it signs what it sends, if nothing else is said. */
export interface ReadyRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the prefix of the gateway, with its query. `{order}` is the id of the order that was placed before. */
  readonly path: string;
  /** Name of the key that signs; `trader` when absent. */
  readonly key?: string;
  readonly body?: object;
  /** In place of a body: these characters, which are no JSON of an order. */
  readonly text?: string;
  /** Headers that are changed after signing, sent several times, or (null) left out. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
}

/** One that needs no force: a request, and what has to be so before it. */
export interface GenuineOutcome extends Outcome {
  readonly request: ReadyRequest;
  /** Members of a world file over the demo world, if it needs a world of its own. */
  readonly world?: object;
  /** Calls of the control surface, below `/__gatewright`. */
  readonly controls?: readonly {
    readonly method: "POST" | "PUT";
    readonly path: string;
    readonly body: object;
  }[];
  /** Requests that are sent before. */
  readonly before?: readonly ReadyRequest[];
  /** The request is sent twice, byte for byte, and the second answer is meant. */
  readonly twice?: true;
}

const nothing = { type: null, code: null, reason: null, later: null };

export const placed = (later: OrderStatus): ExpectedAnswer => ({
  ...nothing,
  status: 200,
  type: "NEW_ORDER",
  later,
});
export const failed = (type: ResultType, later: OrderStatus | null): ExpectedAnswer => ({
  ...nothing,
  status: 200,
  type,
  later,
});
export const lost = (later: OrderStatus | null): ExpectedAnswer => ({ ...nothing, status: null, later });
export const refusedWith = (
  status: number,
  code: string | null,
  reason: string | null = null,
): ExpectedAnswer => ({ ...nothing, status, code, reason });
