/** Outcomes of an order that differ from others in what happens to it afterwards. */
import type { CourseStep, Fault } from "../domain/fault.ts";
import { type ForcedOutcome, placed } from "./outcome.ts";

const course = (...steps: readonly CourseStep[]): Fault => ({ kind: "course", steps });

const tenth: CourseStep = { do: "fill", afterMs: 1000, percent: 10 };

/** Courses are those of a LIMIT order: any other one goes to the market like all. */
export const courseOutcomes: readonly ForcedOutcome[] = [
  {
    code: "NEVER_FILLED",
    prefix: "00000e19",
    does: "`OPEN` for ever: nothing in the market meets it",
    about: "F-match-delay",
    fault: course(),
    answer: placed("OPEN"),
  },
  {
    code: "FILLED_AT_ONCE",
    prefix: "00000e1a",
    does: "filled at its own price before the answer leaves, whatever the book holds",
    about: "F-market-fills-in-answer",
    fault: course({ do: "fill", afterMs: 0 }),
    answer: placed("FILLED"),
  },
  {
    code: "HALF_FILLED",
    prefix: "00000e1b",
    does: "half filled at once; the rest goes to the market",
    about: "F-partial-fill-status",
    fault: course({ do: "fill", afterMs: 0, percent: 50 }, { do: "match", afterMs: 0 }),
    answer: placed("OPEN"),
  },
  {
    code: "TEN_FILLS",
    prefix: "00000e1c",
    does: "filled in ten equal parts, one per second",
    about: "F-fill-granularity",
    fault: course(tenth, tenth, tenth, tenth, tenth, tenth, tenth, tenth, tenth, tenth),
    answer: placed("OPEN"),
  },
  {
    code: "TWO_PRICES",
    prefix: "00000e1d",
    does: "filled in two halves at two prices, one tick better than its own and its own, a second apart",
    about: "PLC-31",
    fault: course({ do: "fill", afterMs: 0, percent: 50, betterBy: 1 }, { do: "fill", afterMs: 1000 }),
    answer: placed("FILLED"),
  },
  {
    code: "PENDING_THEN_OPEN",
    prefix: "00000e1e",
    does: "`PENDING`, and `OPEN` after a second",
    about: "F-initial-status",
    fault: course({ do: "confirm", afterMs: 1000 }),
    answer: placed("OPEN"),
  },
  {
    code: "PENDING_THEN_FAILED",
    prefix: "00000e1f",
    does: "`PENDING`, and `FAILED` after a second",
    about: "F-transitions",
    fault: course({ do: "fail", afterMs: 1000 }),
    answer: placed("FAILED"),
  },
  {
    code: "OPEN_THEN_EXPIRED",
    prefix: "00000e20",
    does: "`OPEN`, and `EXPIRED` after a second",
    about: "F-expiry",
    fault: course({ do: "expire", afterMs: 1000 }),
    answer: placed("EXPIRED"),
  },
  {
    code: "PARTIAL_THEN_CANCELLED",
    prefix: "00000e21",
    does: "half filled at once, and cancelled by the exchange after a second",
    about: "STA-05",
    fault: course({ do: "fill", afterMs: 0, percent: 50 }, { do: "cancel", afterMs: 1000 }),
    answer: placed("CANCELLED"),
  },
  {
    code: "PARTIAL_THEN_STALLED",
    prefix: "00000e22",
    does: "half filled at once; the rest stays `OPEN`, and nothing in the market meets it",
    about: "F-partial-fill-status",
    fault: course({ do: "fill", afterMs: 0, percent: 50 }),
    answer: placed("OPEN"),
  },
  {
    code: "FILLED_BEFORE_ANSWER",
    prefix: "00000e23",
    does: "filled at once and answered two seconds later: the fill event of the stream comes first",
    about: "F-ws-order-against-rest",
    fault: course({ do: "fill", afterMs: 0 }),
    besides: { kind: "delayResponse", ms: 2000 },
    answer: placed("FILLED"),
  },
  {
    code: "EVENTS_TWICE",
    prefix: "00000e24",
    does: "an order like any other, each of whose events the stream sends twice",
    about: "F-ws-sequence",
    fault: { kind: "doubleEvents" },
    answer: placed("OPEN"),
  },
  {
    code: "LATE_SYNCED",
    prefix: "00000e25",
    does: "an order like any other, whose `synced` stays false for 60 seconds",
    about: "F-sync-delay",
    fault: { kind: "lateSync", ms: 60_000 },
    answer: placed("OPEN"),
  },
  {
    code: "STALE_READS",
    prefix: "00000e26",
    does: "an order like any other, which reads show as it was 60 seconds before; the stream is ahead of them",
    about: "F-ws-order-against-rest",
    fault: { kind: "staleReads", ms: 60_000 },
    answer: placed("OPEN"),
  },
];
