/**
 * Failures that the sandbox produces on request. A rule says when; the drawn fault is part of the journaled command, so a
 * replay needs neither rules nor chance.
 */
import type { OrderType } from "./order.ts";
import type { ExchangeReason } from "./rejection.ts";

/** A fault that changes what the engine decides about one order. */
export type OrderFault =
  /** The exchange could certainly not be asked: FAILED row, EXTERNAL_EXECUTION_FAILED. */
  | { readonly kind: "externalFailure"; readonly outcome: "certain" }
  /** The exchange did not answer: PENDING row, EXTERNAL_EXECUTION_FAILED, resolved later as `resolvesTo`. */
  | {
      readonly kind: "externalFailure";
      readonly outcome: "unknown";
      readonly resolvesTo: "OPEN" | "FAILED";
      readonly afterMs: number;
    }
  | { readonly kind: "internalFailure" }
  | { readonly kind: "clientNotFound" }
  /** Accepted, and never confirmed. */
  | { readonly kind: "stuckPending" }
  | { readonly kind: "rejectByExchange"; readonly reason: ExchangeReason }
  /** `synced` stays false for ever. */
  | { readonly kind: "neverSync" }
  /** Reads show the order as it was `ms` ago on the market clock: the stream is ahead of them. */
  | { readonly kind: "staleReads"; readonly ms: number }
  /** `synced` turns true `ms` after each change, on the market clock. */
  | { readonly kind: "lateSync"; readonly ms: number }
  /** The order is kept from the market, and this happens to it, step by step. Without steps, nothing does. */
  | { readonly kind: "course"; readonly steps: readonly CourseStep[] }
  /** A cancel of it is accepted and does not take effect: never, or until the exchange refuses it `refusedAfterMs` later. */
  | { readonly kind: "stuckCancel"; readonly refusedAfterMs?: number }
  /** The stream sends each event of the order twice, with the same number. */
  | { readonly kind: "doubleEvents" };

export const courseActs = ["confirm", "fail", "fill", "match", "cancel", "expire"] as const;

export interface CourseStep {
  /** `confirm` and `fail` come first: the order is PENDING until then. `match` sends it to the market. */
  readonly do: (typeof courseActs)[number];
  /** Market time after the step before. */
  readonly afterMs: number;
  /** Of a fill: the share of the order's quantity, or of the budget of a MARKET BUY; all that is left when absent. */
  readonly percent?: number;
  /** Of a fill: how many ticks its price is better than the order's own. */
  readonly betterBy?: number;
}

/**
 * Whether an order of this type can follow a course. A MARKET order is filled at the prices of the book and has none of its own to
 * be better than; a stop is not filled before it is triggered.
 */
export function canFollow(steps: readonly CourseStep[], type: OrderType): boolean {
  if (type === "MARKET") return steps.every(({ betterBy = 0 }) => betterBy === 0);
  return type === "LIMIT" || steps.every(({ do: does }) => does !== "fill");
}

/** A fault of the wire: the engine does not see it. */
export type WireFault =
  /** The request waits before anything is executed. */
  | { readonly kind: "delay"; readonly ms: number }
  /** Executed at once, answered late: events come before the answer (F-ws-order-against-rest). */
  | { readonly kind: "delayResponse"; readonly ms: number }
  /** Socket closed before anything is executed. */
  | { readonly kind: "dropConnectionBefore" }
  /** Socket closed after the commit: executed, answer lost. */
  | { readonly kind: "dropConnectionAfter" }
  /** As those, with a TCP reset in place of an orderly end. */
  | { readonly kind: "resetConnectionBefore" }
  | { readonly kind: "resetConnectionAfter" }
  /** Executed; of the answer, the head and half of the body leave, then the connection ends. */
  | { readonly kind: "cutBody" }
  /** `body` none: an answer of nothing but a head, as proxies give it. */
  | {
      readonly kind: "status";
      readonly status: 429 | 500 | 503;
      readonly body?: "none";
      readonly code?: "NOT_READY" | "OUTCOME_UNKNOWN";
    };

/** A fault of the stream: drawn for each message of a channel to each connection of a key. */
export type StreamFault =
  /** Numbered and lost: the client sees a gap. */
  | { readonly kind: "streamDrop" }
  /** Sent twice, with the same number. */
  | { readonly kind: "streamDuplicate" }
  /** Sent behind the message that follows it, each with its own number. */
  | { readonly kind: "streamReorder" }
  /** The connection sends nothing for a while, without a notice to the client. */
  | { readonly kind: "streamStall"; readonly ms: number }
  /** Messages of the connection come up to `ms` later, in real time, and in bundles. */
  | { readonly kind: "streamSlow"; readonly ms: number }
  /** The connection is cut without a close frame; the message is lost. */
  | { readonly kind: "streamClose" };

export type Fault = OrderFault | WireFault | StreamFault;

/** A fault that took effect on a request. */
export interface FiredFault {
  /** Id of its rule. */
  readonly rule: string;
  readonly kind: Fault["kind"];
  /** It refused the request, or took the place of its answer: no check did. */
  readonly refused: boolean;
}

/** When a fault applies. Every given condition must hold; an absent one matches everything. */
export interface FaultRule {
  readonly id: string;
  readonly fault: Fault;
  /** A fault of the wire that happens to the same request. */
  readonly besides?: WireFault;
  /** Code of the outcome that these faults are; met whole, so no rule behind it applies to the request. */
  readonly outcome?: string;
  /** Template of the route, for example `POST /order`. Order faults always mean `POST /order`. */
  readonly route?: string;
  readonly product?: string;
  readonly clientOrderIdPrefix?: string;
  readonly key?: string;
  /** Applies to the nth matching request only, counted from 1. */
  readonly nth?: number;
  /** Chance in percent, drawn by a keyed hash of (seed, rule, matching request number). */
  readonly percent?: number;
  /** How many times it may apply. */
  readonly count?: number;
}

export const isStreamFault = (fault: Fault): fault is StreamFault => fault.kind.startsWith("stream");

const wire: readonly string[] = [
  "delay",
  "delayResponse",
  "dropConnectionBefore",
  "dropConnectionAfter",
  "resetConnectionBefore",
  "resetConnectionAfter",
  "cutBody",
  "status",
] satisfies WireFault["kind"][];

export const isOrderFault = (fault: Fault): fault is OrderFault =>
  !isStreamFault(fault) && !wire.includes(fault.kind);
