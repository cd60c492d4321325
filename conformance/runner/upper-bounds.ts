import type { CaseRow, Step } from "../model/scenario.ts";
import { isMap, type Value, type ValueMap } from "../model/value.ts";
import { durationMs } from "../parse/duration.ts";
import { type FragmentSteps } from "../parse/effort.ts";
import { type Names, resolved } from "../parse/known-values.ts";
import { isOrderCall, isOrderText } from "../parse/order-call.ts";

/** The most that a row sends, apart from repeats for a busy target and its clean-up. */
export interface UpperBounds {
  readonly requests: number;
  /** Requests that carry an order: as many come into being at a target that takes whatever it gets. */
  readonly orders: number;
}

const none: UpperBounds = { requests: 0, orders: 0 };
const mostNesting = 12;

/** Waits are counted to their end, loops to their last round, conditions as if they held. */
export function upperBoundsOf({ scenario, row }: CaseRow, fragments: FragmentSteps): UpperBounds {
  const names = { vars: scenario.vars, row };
  return sum(
    [scenario.setup, scenario.steps, scenario.cleanup].map((steps) => ofSteps(steps, fragments, names, 0)),
  );
}

function ofSteps(steps: readonly Step[], fragments: FragmentSteps, names: Names, depth: number): UpperBounds {
  if (depth > mostNesting) return none;
  return sum(
    steps.flatMap((step) =>
      (step.rows.length === 0 ? [{}] : step.rows).map((row) =>
        ofStep(step, fragments, { ...names, row: { ...names.row, ...row } }, depth + 1),
      ),
    ),
  );
}

function ofStep(step: Step, fragments: FragmentSteps, names: Names, depth: number): UpperBounds {
  const argument = isMap(step.argument) ? step.argument : {};
  switch (step.action) {
    case "call":
      return ofCall(argument, names);
    case "raw":
      return { requests: 1, orders: isOrderText(resolved(argument, names)) ? 1 : 0 };
    case "poll":
      return times(
        ofCall(argument["call"], names),
        rounds(argument["every"], 300, argument["within"], 5_000),
      );
    case "never":
      return times(ofCall(argument["call"], names), rounds(argument["every"], 250, argument["for"], 1_000));
    case "concurrent": {
      const branches = step.branches.map((branch) => ofSteps(branch, fragments, names, depth));
      return times(sum(branches), Number(argument["fanout"] ?? 1));
    }
    case "ws": {
      const sends = ["connect", "subscribe", "unsubscribe", "send", "frames"].some(
        (key) => argument[key] !== undefined,
      );
      return sends ? { requests: 1, orders: 0 } : none;
    }
    case "repeat":
      return times(ofSteps(step.steps, fragments, names, depth), Number(argument["times"] ?? 1));
    case "group":
      return ofSteps(step.steps, fragments, names, depth);
    case "use": {
      const name = typeof step.argument === "string" ? step.argument : String(argument["fragment"]);
      const fragment = fragments.get(name);
      if (fragment === undefined) return none;
      const given = isMap(argument["with"]) ? argument["with"] : {};
      const inner = { ...names, vars: { ...names.vars, ...fragment.vars, ...given } };
      return ofSteps(fragment.steps, fragments, inner, depth);
    }
    default:
      return none;
  }
}

function ofCall(template: Value | undefined, names: Names): UpperBounds {
  const filled = resolved(template ?? {}, names);
  const call: ValueMap = isMap(filled) ? filled : {};
  // What is sent again may have been an order.
  return { requests: 1, orders: isOrderCall(call) || call["reuse"] !== undefined ? 1 : 0 };
}

function rounds(every: Value | undefined, pause: number, within: Value | undefined, time: number): number {
  const [step, whole] = [durationMs(String(every ?? "")) ?? pause, durationMs(String(within ?? "")) ?? time];
  return Math.floor(whole / Math.max(1, step)) + 2;
}

function times({ requests, orders }: UpperBounds, factor: number): UpperBounds {
  return { requests: requests * factor, orders: orders * factor };
}

export function sum(bounds: readonly UpperBounds[]): UpperBounds {
  return bounds.reduce(
    (total, { requests, orders }) => ({ requests: total.requests + requests, orders: total.orders + orders }),
    none,
  );
}
