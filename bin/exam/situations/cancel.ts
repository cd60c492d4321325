/** Situations in which orders are placed and cancelled. */
import type { Sent } from "../evidence.ts";
import type { FaultRule, Situation } from "../situation.ts";
import { first, second } from "./orders.ts";

const onCancel = (count: number, fault: NonNullable<FaultRule["fault"]>): readonly FaultRule[] => [
  { id: "trouble", route: "DELETE /order/{id}", count, fault },
];

/** Longer than any client has: the exchange cancels when the situation lets it. */
const silentMs = 3_600_000;

/** The client has asked something after its cancel was answered. */
function looksAgain(sent: readonly Sent[]): boolean {
  const cancelled = sent.findIndex(({ method, status }) => method === "DELETE" && status === 200);
  return cancelled !== -1 && cancelled < sent.length - 1;
}

const one = { task: "cancel", orders: [first] } as const;
const two = { task: "cancel", orders: [first, second] } as const;

export const cancelling: readonly Situation[] = [
  { ...two, id: "cancel-undisturbed", title: "Nothing goes wrong" },
  {
    ...one,
    id: "cancel-after-partial-fill",
    title: "A third of the order is filled before it is cancelled",
    relay: "wait",
    meanwhile: async ({ order, fill }) => fill(await order(0), "0.1"),
  },
  {
    ...one,
    id: "cancel-loses-to-fill",
    title: "The order is filled before the cancel comes, which is refused",
    relay: "wait",
    meanwhile: async ({ order, fill }) => fill(await order(0)),
  },
  {
    ...one,
    id: "cancel-by-another-session",
    title: "Another session of the client has cancelled the order, and the cancel is refused",
    relay: "wait",
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
    ...one,
    id: "cancel-late",
    title:
      "The cancel is accepted and the order stays OPEN, until a second after the client has looked again",
    settings: { cancelMode: "async", confirmDelayMs: silentMs },
    meanwhile: async ({ order, seen, pause, exchange }) => {
      const leaving = await order(0);
      await seen(looksAgain);
      await pause(1000);
      await exchange("cancel", leaving);
    },
  },
  {
    ...two,
    id: "cancel-after-lost-placement",
    title: "The placement is taken and its answer lost: the order must be found to be cancelled",
    faults: [{ id: "trouble", route: "POST /order", count: 1, fault: { kind: "dropConnectionAfter" } }],
  },
];
