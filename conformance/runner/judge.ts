import { type ClaimedLevel, type Clause, type ClauseRegister, partsOf } from "../model/clause.ts";
import { type ClauseOutcome, clauseOutcomes, type RowResult, type Verdict } from "../model/outcome.ts";
import type { AmbientLine } from "./ambient-log.ts";

/**
 * From rows to clauses to the verdict (kit.md 6.1). Invariants: a clause is satisfied only by a row that ran to its
 * end, or by replies that gave it a chance to fail; blocked is never satisfied; warnings never change conformance;
 * an alias has the outcome of the clauses it repeats.
 */
export interface ClauseResult {
  readonly id: string;
  readonly level: Clause["level"];
  readonly outcome: ClauseOutcome;
  readonly statement: string;
  /** Case rows that speak about it, whatever became of them. */
  readonly cases: readonly string[];
}

export interface Evidence {
  readonly rows: readonly RowResult[];
  readonly ambient: readonly AmbientLine[];
  readonly exercised: ReadonlySet<string>;
}

export function judgeClauses(register: ClauseRegister, evidence: Evidence): ClauseResult[] {
  const direct = new Map<string, ClauseOutcome>();
  for (const clause of register.clauses.values()) direct.set(clause.id, outcomeOf(clause, evidence));
  return [...register.clauses.values()].map((clause) => ({
    id: clause.id,
    level: clause.level,
    outcome:
      clause.aliasOf.length === 0 ? (direct.get(clause.id) ?? "unverified") : aliasOutcome(clause, direct),
    statement: clause.statement,
    cases: evidence.rows.filter((row) => row.clauses.includes(clause.id)).map((row) => row.id),
  }));
}

function outcomeOf(clause: Clause, { rows, ambient, exercised }: Evidence): ClauseOutcome {
  if (clause.level === "untestable") return "untestable";
  const { id } = clause;
  const lines = ambient.filter((line) => line.clause === id);
  const findings = rows.flatMap((row) => row.findings.filter((finding) => finding.clauses.includes(id)));
  if (
    lines.some((line) => line.severity === "fail") ||
    findings.some((finding) => finding.severity === "fail")
  ) {
    return "violated";
  }
  if (lines.length > 0 || findings.some((finding) => finding.severity === "warn")) return "warned";
  const speaking = rows.filter((row) => row.clauses.includes(id));
  if (speaking.some((row) => row.outcome === "passed" || row.outcome === "warned") || exercised.has(id))
    return "satisfied";
  const gone = speaking.length > 0 && speaking.every((row) => row.outcome === "notApplicable");
  return gone ? "n/a" : "unverified";
}

/** The worst of its targets; `unverified` is worse than `satisfied`, because a chain is as strong as its weakest link. */
function aliasOutcome(clause: Clause, direct: ReadonlyMap<string, ClauseOutcome>): ClauseOutcome {
  const worstFirst: readonly ClauseOutcome[] = [
    "violated",
    "unverified",
    "warned",
    "n/a",
    "satisfied",
    "untestable",
  ];
  const outcomes = [clause.id, ...clause.aliasOf].map((id) => direct.get(id) ?? "unverified");
  const own = outcomes[0] === "violated" || outcomes[0] === "warned" ? outcomes : outcomes.slice(1);
  return worstFirst.find((outcome) => own.includes(outcome)) ?? "unverified";
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly reason: string;
}

export interface JudgingRules {
  readonly level: ClaimedLevel;
  readonly register: ClauseRegister;
  /** The person selected with --only or --skip: the verdict is INCOMPLETE at best. */
  readonly selection: boolean;
  readonly failOnWarnings: boolean;
  readonly interrupted: boolean;
}

/** Exit codes of kit.md 6.2 for what a finished run can come to; 2, 4 and 5 never get here. */
export function judgeRun(
  clauses: readonly ClauseResult[],
  rows: readonly RowResult[],
  rules: JudgingRules,
): Judgement {
  const erroneous = rows.filter((row) => row.outcome === "error");
  if (erroneous.length > 0)
    return {
      verdict: "ERROR",
      exitCode: 6,
      reason: `${erroneous.length} cases ended in an error of the kit`,
    };
  const violated = clauses.filter(
    ({ id, outcome }) => outcome === "violated" && rules.register.get(id)?.aliasOf.length === 0,
  );
  const failed = rows.filter((row) => row.outcome === "failed");
  if (violated.length > 0 || failed.length > 0) {
    return {
      verdict: "NON_CONFORMANT",
      exitCode: 1,
      reason: `${violated.length} clauses violated, ${failed.length} cases failed`,
    };
  }
  const claimed = claimedClauses(clauses, rules);
  const verified = claimed.filter((clause) => clause.outcome === "satisfied" || clause.outcome === "warned");
  const open = claimed.filter((clause) => clause.outcome === "unverified");
  if (rules.interrupted) return { verdict: "INCOMPLETE", exitCode: 3, reason: "the run was interrupted" };
  if (rules.selection)
    return {
      verdict: "INCOMPLETE",
      exitCode: 3,
      reason: "only a selection was run; what was selected passed",
    };
  if (open.length > 0 || verified.length === 0) {
    return {
      verdict: "INCOMPLETE",
      exitCode: 3,
      reason: `${open.length} required clauses of level ${rules.level} are unverified`,
    };
  }
  const warned =
    clauses.some((clause) => clause.outcome === "warned") || rows.some((row) => row.outcome === "warned");
  if (!warned)
    return { verdict: "CONFORMANT", exitCode: 0, reason: `${verified.length} required clauses verified` };
  return {
    verdict: "CONFORMANT_WITH_WARNINGS",
    exitCode: rules.failOnWarnings ? 7 : 0,
    reason: `${verified.length} required clauses verified`,
  };
}

/** Required clauses that the claimed level answers for, aliases counted with their targets. */
export function claimedClauses(
  clauses: readonly ClauseResult[],
  rules: Pick<JudgingRules, "level" | "register">,
): ClauseResult[] {
  const parts = partsOf(rules.level);
  return clauses.filter((result) => {
    const clause = rules.register.get(result.id);
    return clause?.level === "required" && clause.aliasOf.length === 0 && parts.includes(clause.certificate);
  });
}

export function countClauses(clauses: readonly ClauseResult[]): Record<ClauseOutcome, number> {
  const counts = Object.fromEntries(clauseOutcomes.map((outcome) => [outcome, 0])) as Record<
    ClauseOutcome,
    number
  >;
  for (const { outcome } of clauses) counts[outcome] += 1;
  return counts;
}
