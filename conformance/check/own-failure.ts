import type { Difference } from "../model/finding.ts";
import { Blocked, NotApplicable, SafetyStop, TargetUnusable } from "../model/outcome.ts";
import { shorten } from "./describe.ts";

const meant = [Blocked, NotApplicable, SafetyStop, TargetUnusable];

/**
 * Runs code of the kit on data from a target. If that code fails, the failure is a difference of the answer and not the
 * end of the run: a target must not be able to cause the verdict "a bug in the kit".
 */
export function onAnswer<T>(what: string, work: () => T, failed: (difference: Difference) => T): T {
  try {
    return work();
  } catch (error) {
    // A failure of the system, such as a full disk, is no fault of the answer.
    const isOfSystem = error instanceof Error && "syscall" in error;
    if (isOfSystem || meant.some((kind) => error instanceof kind)) throw error;
    return failed(failureTo(what, error));
  }
}

export function failureTo(what: string, error: unknown): Difference {
  return {
    pointer: "reply",
    expected: `an answer that the kit can ${what}`,
    actual: shorten(`the kit failed: ${String(error)}`, 500),
  };
}
