import type { Position } from "./position.ts";

/** The subject of an entry of an expectation file: a case or one of its rows, a clause, or one assertion. */
export type ExpectationSubject =
  | { readonly kind: "case"; readonly id: string }
  | { readonly kind: "clause"; readonly id: string }
  | { readonly kind: "assertion"; readonly id: string };

/** A known failure with an owner. It keeps the exit code green and changes no verdict. */
export interface ExpectedFailure {
  readonly subject: ExpectationSubject;
  readonly outcome: "fail" | "flaky";
  /**
   * Fingerprints of the failure, as `fingerprintOf` makes them; `*` matches any text. Empty: any failure (flaky only).
   */
  readonly fingerprints: readonly string[];
  readonly maxRate?: number;
  readonly reason: string;
  readonly issue?: string;
  /** The last day on which the entry counts, as YYYY-MM-DD. */
  readonly expires?: string;
  readonly position: Position;
}

/**
 * The result of an entry. `xpass`, `changed`, `expired`, `stale` and `tooOften` fail the run, because an outdated file
 * hides the next failure. `notRun` (blocked or not selected) and `quiet` (flaky, and it passed) do not.
 */
export const expectationStatuses = [
  "matched",
  "quiet",
  "notRun",
  "xpass",
  "changed",
  "expired",
  "stale",
  "tooOften",
] as const;
export type ExpectationStatus = (typeof expectationStatuses)[number];

export interface ExpectationResult {
  readonly place: string;
  readonly subject: ExpectationSubject;
  readonly outcome: ExpectedFailure["outcome"];
  readonly status: ExpectationStatus;
  /** A sentence with the result and the advice for the entry. */
  readonly detail: string;
  readonly reason: string;
  readonly issue?: string;
  readonly expires?: string;
}

export function failsTheRun({ status }: Pick<ExpectationResult, "status">): boolean {
  return !["matched", "quiet", "notRun"].includes(status);
}
