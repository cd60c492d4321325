/**
 * Outcomes of an order that a client can ask for: by a `client_order_id` whose first group is reserved, as the next outcomes of
 * a key, or by a fault rule. A reserved id stays a valid UUID of version 4, and price, size and product stay free for the test.
 */
import type { FaultRule } from "../domain/fault.ts";
import { courseOutcomes } from "./course-outcomes.ts";
import { failureOutcomes } from "./failure-outcomes.ts";
import type { ForcedOutcome } from "./outcome.ts";

export const forcedOutcomes: readonly ForcedOutcome[] = [...failureOutcomes, ...courseOutcomes];

/** A rule that brings an outcome about; undefined when there is none of this code. */
export function outcomeRule(
  code: string,
  conditions: Omit<FaultRule, "fault" | "besides" | "outcome" | "route">,
): FaultRule | undefined {
  const found = forcedOutcomes.find((one) => one.code === code);
  if (found === undefined) return undefined;
  const { fault, besides } = found;
  const rule = { ...conditions, route: "POST /order", outcome: code, fault };
  return besides === undefined ? rule : { ...rule, besides };
}

/** The rule as it was asked for, without the meaning of its outcome. */
export function asAsked({ fault, besides: _, ...rule }: FaultRule): object {
  return rule.outcome === undefined ? { ...rule, fault } : rule;
}

/** The rules of the reserved ids. */
export const reservedOutcomes: readonly FaultRule[] = forcedOutcomes.flatMap(
  ({ code, prefix }) =>
    outcomeRule(code, { id: `reserved-${code}`, clientOrderIdPrefix: `${prefix}-` }) ?? [],
);
