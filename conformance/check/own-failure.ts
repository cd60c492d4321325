import type { Difference } from "../model/finding.ts";
import { Blocked, NotApplicable, SafetyStop, TargetUnusable } from "../model/outcome.ts";
import { shorten } from "./describe.ts";

const meant = [Blocked, NotApplicable, SafetyStop, TargetUnusable];

/**
 * Work of the kit on what a target said. When it fails, that is a difference of the answer and not the end of the run:
 * a target that is not conformant must not be able to choose "a bug in the kit" as its verdict.
 */
export function onAnswer<T>(what: string, work: () => T, failed: (difference: Difference) => T): T {
  try {
    return work();
  } catch (error) {
    // What the system refuses, a full disk for one, is no fault of the answer.
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
