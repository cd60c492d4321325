import type { Position } from "./position.ts";
import type { Strength } from "./step.ts";

/** One difference between a value and what was expected of it. */
export interface Difference {
  /** JSON pointer below the thing that was matched; empty for the thing itself. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** The clause that the part of the matcher stands for, where it is finer than the step's. */
  readonly clause?: string;
  /** An answer that did not come in time would have decided it. */
  readonly unanswered?: true;
}

/** A difference in its place: which step, how hard, which clauses. */
export interface Finding extends Difference {
  readonly strength: Strength;
  readonly severity: "fail" | "warn" | "info";
  readonly clauses: readonly string[];
  readonly step: string;
  readonly position: Position;
  /** The request it is about, in one line without secrets. */
  readonly request?: string;
  /** A picture of it, line by line, in the kit's own words; for requests that were under way together. */
  readonly drawing?: readonly string[];
  /** There was no answer in time, so the assertion came to no result. */
  readonly indeterminate?: true;
  /** The entry of the expectation file that foresaw it. */
  readonly expectedBy?: string;
}

/** Outcome of one assertion (docs/kit.md). An `xpass` is an expected failure that did not happen. */
export const assertionOutcomes = ["pass", "fail", "warn", "info", "xfail", "xpass", "indeterminate"] as const;
export type AssertionOutcome = (typeof assertionOutcomes)[number];

/** What a finding says of its assertion; one that held left no finding. */
export function assertionOutcomeOf(
  finding: Pick<Finding, "severity" | "indeterminate" | "expectedBy">,
): Exclude<AssertionOutcome, "pass" | "xpass"> {
  if (finding.indeterminate === true) return "indeterminate";
  return finding.severity !== "info" && finding.expectedBy !== undefined ? "xfail" : finding.severity;
}
