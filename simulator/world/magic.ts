/**
 * Failures that a client asks for itself, without any control call: a `client_order_id` whose first group is
 * one of these. They stay valid version 4 UUIDs, and price, size and product stay free for the test.
 */
import type { FaultRule } from "../domain/fault.ts";

export const magicFaults: readonly FaultRule[] = [
  {
    id: "magic-external-failure",
    clientOrderIdPrefix: "00000e01-",
    fault: { kind: "externalFailure", outcome: "certain" },
  },
  {
    id: "magic-unknown-outcome",
    clientOrderIdPrefix: "00000e02-",
    fault: { kind: "externalFailure", outcome: "unknown", resolvesTo: "OPEN", afterMs: 1000 },
  },
  { id: "magic-internal-failure", clientOrderIdPrefix: "00000e03-", fault: { kind: "internalFailure" } },
  { id: "magic-stuck-pending", clientOrderIdPrefix: "00000e04-", fault: { kind: "stuckPending" } },
  {
    id: "magic-lost-answer",
    route: "POST /order",
    clientOrderIdPrefix: "00000e05-",
    fault: { kind: "dropConnectionAfter" },
  },
];
