import type { Finding } from "./finding.ts";
import type { RowTrace } from "./trace.ts";

/** Outcome of a case row (docs/kit.md). A row that could not run is never a pass. */
export const rowOutcomes = [
  "passed",
  "failed",
  "warned",
  "blocked",
  "notApplicable",
  "filtered",
  "error",
] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

export const clauseOutcomes = ["satisfied", "violated", "warned", "unverified", "n/a", "untestable"] as const;
export type ClauseOutcome = (typeof clauseOutcomes)[number];

export const verdicts = [
  "CONFORMANT",
  "CONFORMANT_WITH_WARNINGS",
  "PASSED",
  "DIFFERENT",
  "NON_CONFORMANT",
  "INCOMPLETE",
  "ERROR",
] as const;
export type Verdict = (typeof verdicts)[number];

export interface RowResult {
  readonly id: string;
  readonly title: string;
  readonly outcome: RowOutcome;
  readonly clauses: readonly string[];
  readonly findings: readonly Finding[];
  /** Why a blocked, filtered or erroneous row did not finish, and how to unblock it. */
  readonly reason?: string;
  /** The profile does not supply what the row needs, so no request was sent that could judge the target. */
  readonly notSupplied?: true;
  readonly observations: Readonly<Record<string, string>>;
  readonly durationMs: number;
  readonly place: string;
  /** The traffic of the row; a row that sent nothing has none. */
  readonly trace?: RowTrace;
  /** Of a client in an exam: the end of its stderr. */
  readonly stderr?: string;
}

/** Thrown if the kit lacks something that a step needs: the row is BLOCKED, which is neither pass nor fail. */
export class Blocked extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "Blocked";
  }
}

/** Blocked because the profile does not supply a replacement for something that the target does not show. */
export class NotSupplied extends Blocked {}

/** The target's owner says the feature does not exist: the row is not applicable. */
export class NotApplicable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "NotApplicable";
  }
}

/** To continue could do harm (host not allowed, a secret in an output): exit 5. */
export class SafetyStop extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "SafetyStop";
  }
}

/** The target cannot be judged at all: unreachable, or it refuses the first signed request. Exit 4. */
export class TargetUnusable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "TargetUnusable";
  }
}
