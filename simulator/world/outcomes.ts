/**
 * Outcomes of an order that a client can ask for: by a `client_order_id` whose first group is reserved, or as the next
 * outcomes of a key. A reserved id stays a valid UUID of version 4, and price, size and product stay free for the test.
 */
import type { Fault, FaultRule } from "../domain/fault.ts";

export interface ForcedOutcome {
  readonly code: string;
  /** First group of a `client_order_id` that asks for it. */
  readonly prefix: string;
  readonly does: string;
  /** The clause or the freedom that it is about. */
  readonly about: string;
  readonly fault: Fault;
}

export const forcedOutcomes: readonly ForcedOutcome[] = [
  {
    code: "EXTERNAL_FAILURE",
    prefix: "00000e01",
    does: "`EXTERNAL_EXECUTION_FAILED`, certainly not executed",
    about: "F-external-failure-causes",
    fault: { kind: "externalFailure", outcome: "certain" },
  },
  {
    code: "UNKNOWN_THEN_OPEN",
    prefix: "00000e02",
    does: "`EXTERNAL_EXECUTION_FAILED`, outcome unknown; the order turns OPEN after a second",
    about: "F-unknown-outcome",
    fault: { kind: "externalFailure", outcome: "unknown", resolvesTo: "OPEN", afterMs: 1000 },
  },
  {
    code: "INTERNAL_FAILURE",
    prefix: "00000e03",
    does: "`INTERNAL_EXECUTION_FAILED`",
    about: "F-internal-failure-causes",
    fault: { kind: "internalFailure" },
  },
  {
    code: "STUCK_PENDING",
    prefix: "00000e04",
    does: "accepted, `PENDING` for ever",
    about: "F-initial-status",
    fault: { kind: "stuckPending" },
  },
  {
    code: "LOST_ANSWER",
    prefix: "00000e05",
    does: "executed, and the connection is closed without an answer; sent again, it gets `DUPLICATE_REPLAY`",
    about: "PLC-11",
    fault: { kind: "dropConnectionAfter" },
  },
  {
    code: "UNKNOWN_THEN_FAILED",
    prefix: "00000e06",
    does: "`EXTERNAL_EXECUTION_FAILED`, outcome unknown; the order turns FAILED after a second",
    about: "F-unknown-outcome",
    fault: { kind: "externalFailure", outcome: "unknown", resolvesTo: "FAILED", afterMs: 1000 },
  },
  {
    code: "CLIENT_NOT_FOUND",
    prefix: "00000e07",
    does: "`CLIENT_NOT_FOUND`, nothing executed",
    about: "F-client-record-missing",
    fault: { kind: "clientNotFound" },
  },
  {
    code: "EXCHANGE_REJECTS",
    prefix: "00000e08",
    does: "400 `EXCHANGE_REJECTED` for lack of funds, although there are enough",
    about: "F-exchange-refusal-channel",
    fault: { kind: "rejectByExchange", reason: "INSUFFICIENT_FUNDS" },
  },
  {
    code: "NEVER_SYNCED",
    prefix: "00000e09",
    does: "an order like any other, whose `synced` stays false",
    about: "F-sync-delay",
    fault: { kind: "neverSync" },
  },
  {
    code: "LOST_REQUEST",
    prefix: "00000e0a",
    does: "not executed, and the connection is closed without an answer",
    about: "F-timeouts",
    fault: { kind: "dropConnectionBefore" },
  },
  {
    code: "LATE_ANSWER",
    prefix: "00000e0b",
    does: "executed at once and answered two seconds later: events of the stream come first",
    about: "F-ws-order-against-rest",
    fault: { kind: "delayResponse", ms: 2000 },
  },
  {
    code: "STATUS_429",
    prefix: "00000e0c",
    does: "429 with `Retry-After`, nothing executed",
    about: "F-rate-limit",
    fault: { kind: "status", status: 429 },
  },
  {
    code: "STATUS_500",
    prefix: "00000e0d",
    does: "500, nothing executed",
    about: "F-status-codes",
    fault: { kind: "status", status: 500 },
  },
  {
    code: "STATUS_503",
    prefix: "00000e0e",
    does: "503 with `Retry-After`, nothing executed",
    about: "F-busy-answers",
    fault: { kind: "status", status: 503 },
  },
];

/** The rules of the reserved ids. */
export const reservedOutcomes: readonly FaultRule[] = forcedOutcomes.map(({ code, prefix, fault }) => ({
  id: `reserved-${code}`,
  route: "POST /order",
  clientOrderIdPrefix: `${prefix}-`,
  fault,
}));
