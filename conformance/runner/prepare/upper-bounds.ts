import { type CaseRow } from "../../model/scenario.ts";
import { type Fragments, type Step, sends } from "../../model/step.ts";
import type { Value } from "../../model/value.ts";
import { readCall } from "../../plan/call.ts";
import { forEachCountedStep } from "../../plan/counted-steps.ts";
import { type Names, resolved } from "../../plan/known-values.ts";
import { isOrderCall, isOrderText } from "../../plan/order-call.ts";

/** The most requests and orders of a row, without repeats for a busy target and without its clean-up. */
export interface UpperBounds {
  readonly requests: number;
  /** Requests with an order: a target that accepts every one creates this many. */
  readonly orders: number;
}

const none: UpperBounds = { requests: 0, orders: 0 };

/** Counts waits to their end, loops to their last round, and conditions as if they held. */
export function upperBoundsOf({ scenario, row }: CaseRow, fragments: Fragments): UpperBounds {
  const found: UpperBounds[] = [];
  forEachCountedStep(scenario, row, fragments, (step, { names, times: rounds }) =>
    found.push(times(ofStep(step, names), rounds)),
  );
  return sum(found);
}

function ofStep(step: Step, names: Names): UpperBounds {
  switch (step.action) {
    case "call":
      return ofCall(step.call, names);
    case "raw":
      return { requests: 1, orders: isOrderText(resolved(step.raw, names)) ? 1 : 0 };
    case "poll":
      return times(ofCall(step.call, names), rounds(step.everyMs, step.withinMs));
    case "never":
      return times(ofCall(step.call, names), rounds(step.everyMs, step.forMs));
    case "ws":
      return sends(step.does) ? { requests: 1, orders: 0 } : none;
    default:
      return none;
  }
}

function ofCall(template: Value, names: Names): UpperBounds {
  const call = readCall(resolved(template, names));
  // A repeated request may have been an order.
  return { requests: 1, orders: isOrderCall(call) || call.reuse !== undefined ? 1 : 0 };
}

const rounds = (everyMs: number, wholeMs: number): number => Math.floor(wholeMs / Math.max(1, everyMs)) + 2;

function times({ requests, orders }: UpperBounds, factor: number): UpperBounds {
  return { requests: requests * factor, orders: orders * factor };
}

export function sum(bounds: readonly UpperBounds[]): UpperBounds {
  return bounds.reduce(
    (total, { requests, orders }) => ({ requests: total.requests + requests, orders: total.orders + orders }),
    none,
  );
}
