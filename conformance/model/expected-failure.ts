import type { Position } from "./position.ts";

/** What an entry of an expectation file speaks about: a case or one of its rows, a clause, or one assertion. */
export type ExpectationSubject =
  | { readonly kind: "case"; readonly id: string }
  | { readonly kind: "clause"; readonly id: string }
  | { readonly kind: "assertion"; readonly id: string };

/** A failure that somebody knows of and answers for. It keeps the exit code green and changes no verdict. */
export interface ExpectedFailure {
  readonly subject: ExpectationSubject;
  readonly outcome: "fail" | "flaky";
  /** Spellings of the failure as `fingerprintOf` makes them, `*` standing for any text. Empty: any (flaky only). */
  readonly fingerprints: readonly string[];
  readonly maxRate?: number;
  readonly reason: string;
  readonly issue?: string;
  /** The last day on which the entry counts, as YYYY-MM-DD. */
  readonly expires?: string;
  readonly position: Position;
}

/**
 * What became of an entry. `xpass`, `changed`, `expired`, `stale` and `tooOften` fail the run, because a file that
 * nobody keeps true hides the next failure; `notRun` (blocked or not selected) and `quiet` (flaky, and held) do not.
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
  /** A sentence that says what was found and what to do about the entry. */
  readonly detail: string;
  readonly reason: string;
  readonly issue?: string;
  readonly expires?: string;
}

export function failsTheRun({ status }: Pick<ExpectationResult, "status">): boolean {
  return !["matched", "quiet", "notRun"].includes(status);
}
