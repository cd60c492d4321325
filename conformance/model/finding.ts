import type { Position } from "./position.ts";
import type { Strength } from "./step.ts";

/** One difference between a value and its expectation. */
export interface Difference {
  /** JSON pointer below the matched value; empty for the value itself. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** The clause that this part of the matcher tests, if it is more precise than the step's clauses. */
  readonly clause?: string;
  /** The assertion depends on an answer that did not come in time. */
  readonly unanswered?: true;
}

/** A difference with its step, its severity and its clauses. */
export interface Finding extends Difference {
  readonly strength: Strength;
  readonly severity: "fail" | "warn" | "info";
  readonly clauses: readonly string[];
  readonly step: string;
  readonly position: Position;
  /** The request, in one line without secrets. */
  readonly request?: string;
  /** The target's own words for a refusal that was not expected. */
  readonly said?: string;
  /** A diagram line by line, in the kit's own words, for requests that were under way together. */
  readonly drawing?: readonly string[];
  /** There was no answer in time, so the assertion came to no result. */
  readonly indeterminate?: true;
  /** The expectation is an answer that was recorded: the difference convicts no clause, and the clauses are what it is about. */
  readonly recorded?: true;
  /** The entry of the expectation file that expected this finding. */
  readonly expectedBy?: string;
}

/** Outcome of one assertion (docs/kit.md). An `xpass` is an expected failure that did not happen. */
export const assertionOutcomes = ["pass", "fail", "warn", "info", "xfail", "xpass", "indeterminate"] as const;
export type AssertionOutcome = (typeof assertionOutcomes)[number];

/** The outcome that a finding gives to its assertion. An assertion that held has no finding. */
export function assertionOutcomeOf(
  finding: Pick<Finding, "severity" | "indeterminate" | "expectedBy">,
): Exclude<AssertionOutcome, "pass" | "xpass"> {
  if (finding.indeterminate === true) return "indeterminate";
  return finding.severity !== "info" && finding.expectedBy !== undefined ? "xfail" : finding.severity;
}
