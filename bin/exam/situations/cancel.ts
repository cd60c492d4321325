/** Situations in which orders are placed and cancelled. */
import type { FaultRule, Situation } from "../situation.ts";
import { first, second } from "./orders.ts";

/** Something happens to the order before the client has the answer to its placement. */
const late: FaultRule = {
  id: "late",
  route: "POST /order",
  count: 1,
  fault: { kind: "delayResponse", ms: 700 },
};

const onCancel = (count: number, fault: NonNullable<FaultRule["fault"]>): readonly FaultRule[] => [
  { id: "trouble", route: "DELETE /order/{id}", count, fault },
];

const one = { task: "cancel", orders: [first] } as const;
const two = { task: "cancel", orders: [first, second] } as const;

export const cancelling: readonly Situation[] = [
  { ...two, id: "cancel-undisturbed", title: "Nothing goes wrong" },
  {
    ...one,
    id: "cancel-after-partial-fill",
    title: "A third of the order is filled before it is cancelled",
    faults: [late],
    meanwhile: async ({ order, fill }) => fill(await order(0), "0.1"),
  },
  {
    ...one,
    id: "cancel-loses-to-fill",
    title: "The order is filled before the cancel comes, which is refused",
    faults: [late],
    meanwhile: async ({ order, fill }) => fill(await order(0)),
  },
  {
    ...one,
    id: "cancel-by-another-session",
    title: "Another session of the client has cancelled the order, and the cancel is refused",
    faults: [late],
    meanwhile: async ({ order, cancel }) => cancel(await order(0)),
  },
  {
    ...two,
    id: "cancel-answer-lost",
    title: "The order is cancelled, and the connection closes without an answer",
    faults: onCancel(1, { kind: "dropConnectionAfter" }),
  },
  {
    ...two,
    id: "cancel-request-lost",
    title: "The connection closes before the order is cancelled",
    faults: onCancel(1, { kind: "dropConnectionBefore" }),
  },
  {
    ...two,
    id: "cancel-rate-limited",
    title: "Two cancels are answered 429 with Retry-After",
    faults: onCancel(2, { kind: "status", status: 429 }),
  },
  {
    ...two,
    id: "cancel-after-lost-placement",
    title: "The placement is taken and its answer lost: the order must be found to be cancelled",
    faults: [{ id: "trouble", route: "POST /order", count: 1, fault: { kind: "dropConnectionAfter" } }],
  },
];
