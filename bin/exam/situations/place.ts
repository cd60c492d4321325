/** Situations in which orders are placed. */
import type { FaultRule, Others, Situation } from "../situation.ts";
import { first, second } from "./orders.ts";

/** The next orders of the client meet it. */
const onOrders = (count: number, fault: NonNullable<FaultRule["fault"]>): readonly FaultRule[] => [
  { id: "trouble", route: "POST /order", count, fault },
];

/** Longer than any client has: the exchange answers when the situation lets it. */
const silentMs = 3_600_000;

/** Nobody knows whether the exchange has the order. */
const unknown = onOrders(1, {
  kind: "externalFailure",
  outcome: "unknown",
  resolvesTo: "OPEN",
  afterMs: silentMs,
});

/** A while after the client was shown that the order is PENDING, the exchange answers. */
const answerOnceSeen =
  (does: "confirm" | "reject") =>
  async ({ order, seen, pause, exchange }: Others): Promise<void> => {
    const pending = await order(0);
    await seen((sent) => sent.some(({ answeredStatuses }) => answeredStatuses.includes("PENDING")));
    await pause(1500);
    await exchange(does, pending);
  };

const one = { task: "place", orders: [first] } as const;
const two = { task: "place", orders: [first, second] } as const;

export const placing: readonly Situation[] = [
  { ...two, id: "place-undisturbed", title: "Nothing goes wrong" },
  {
    ...two,
    id: "place-answer-lost",
    title: "The order is taken, and the connection closes without an answer",
    faults: onOrders(1, { kind: "dropConnectionAfter" }),
  },
  {
    ...two,
    id: "place-request-lost",
    title: "The connection closes before the order is taken",
    faults: onOrders(1, { kind: "dropConnectionBefore" }),
  },
  {
    ...two,
    id: "place-answer-cut",
    title: "The order is taken, and the answer ends in its middle",
    faults: onOrders(1, { kind: "cutBody" }),
  },
  {
    ...two,
    id: "place-reset",
    title: "The order is taken, and the connection is reset",
    faults: onOrders(1, { kind: "resetConnectionAfter" }),
  },
  {
    ...two,
    id: "place-bare-answer",
    title: "Two requests are answered by a proxy with a 503 that has Retry-After and no body",
    faults: onOrders(2, { kind: "status", status: 503, body: "none" }),
  },
  {
    ...two,
    id: "place-rate-limited",
    title: "Two requests are answered 429 with Retry-After",
    faults: onOrders(2, { kind: "status", status: 429 }),
  },
  {
    ...two,
    id: "place-outcome-unknown",
    title: "The order is taken, and a 503 says that the outcome is unknown",
    relay: "hide",
  },
  {
    ...two,
    id: "place-unavailable",
    title: "Two requests are answered 503 with Retry-After, and nothing is taken",
    faults: onOrders(2, { kind: "status", status: 503 }),
  },
  {
    ...one,
    id: "place-failing",
    title: "Five requests in a row are answered 500",
    faults: onOrders(5, { kind: "status", status: 500 }),
  },
  {
    ...one,
    id: "place-down",
    title: "Every request is answered 500, until two seconds after the first",
    faults: [{ id: "trouble", fault: { kind: "status", status: 500 } }],
    meanwhile: async ({ pause, trouble }) => {
      await pause(2000);
      await trouble();
    },
  },
  {
    ...one,
    id: "place-slow-answer",
    title: "The order is taken at once, and answered after three seconds",
    faults: onOrders(1, { kind: "delayResponse", ms: 3000 }),
  },
  {
    ...two,
    id: "place-clock-skew",
    title: "The clock of the gateway is three minutes ahead",
    variants: ["V-54"],
  },
  {
    ...two,
    id: "place-nonce-refused",
    title: "Something on the way sends the request twice, and the client sees that its nonce is refused",
    relay: "repeat",
  },
  {
    ...one,
    id: "place-pending-open",
    title:
      "The exchange does not answer: the order is PENDING, and OPEN 1.5 seconds after the client has seen that",
    faults: unknown,
    meanwhile: answerOnceSeen("confirm"),
  },
  {
    ...one,
    id: "place-pending-failed",
    title:
      "The exchange does not answer: the order is PENDING, and FAILED 1.5 seconds after the client has seen that",
    faults: unknown,
    meanwhile: answerOnceSeen("reject"),
  },
  {
    ...one,
    id: "place-accepted-pending",
    title: "The order is new and PENDING, and OPEN 1.5 seconds after the client has seen that",
    faults: onOrders(1, { kind: "stuckPending" }),
    meanwhile: answerOnceSeen("confirm"),
  },
  {
    ...one,
    id: "place-accepted-failed",
    title: "The order is new and PENDING, and FAILED 1.5 seconds after the client has seen that",
    faults: onOrders(1, { kind: "stuckPending" }),
    meanwhile: answerOnceSeen("reject"),
  },
  {
    ...one,
    id: "place-stale-repeat",
    title:
      "The answer is lost, the order is filled, and the answer to the repeat shows it as it was at first",
    faults: onOrders(1, { kind: "dropConnectionAfter" }),
    relay: "wait",
    variants: ["V-15"],
    meanwhile: async ({ order, fill }) => fill(await order(0)),
  },
  {
    ...one,
    id: "place-filled-before-answer",
    title: "The order is filled before its answer, which shows it OPEN, has come",
    relay: "wait",
    meanwhile: async ({ order, fill }) => fill(await order(0)),
  },
  {
    ...one,
    id: "place-decimals",
    title:
      "Amounts have trailing zeros, answers have unknown fields, and the order is filled in parts of 0.1 and 0.2",
    relay: "wait",
    variants: ["V-01", "V-10"],
    meanwhile: async ({ order, fill }) => {
      const taken = await order(0);
      await fill(taken, "0.1");
      await fill(taken, "0.2");
    },
  },
  {
    ...one,
    id: "place-refused",
    title: "The exchange refuses the order for lack of funds, each time",
    refused: true,
    faults: [
      {
        id: "trouble",
        route: "POST /order",
        fault: { kind: "rejectByExchange", reason: "INSUFFICIENT_FUNDS" },
      },
    ],
  },
];
