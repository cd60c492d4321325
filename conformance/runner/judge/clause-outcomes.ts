/** The outcome of each clause, computed from the rows of a run. */
import { type Clause, type ClauseRegister, isHarm } from "../../model/clause.ts";
import { type ClauseOutcome, type RowResult } from "../../model/outcome.ts";
import type { AmbientLine } from "./ambient-log.ts";

/**
 * From rows to clauses to the verdict (docs/kit.md).
 *
 * Invariants: a clause is satisfied only by a row that ran to its end, or by replies that could have violated it;
 * blocked is never satisfied; warnings never change conformance; an alias has the outcome of the clauses that it
 * repeats; the report and the exit code are made from one value.
 */
export interface ClauseResult {
  readonly id: string;
  readonly level: Clause["level"];
  readonly outcome: ClauseOutcome;
  readonly statement: string;
  /**
   * Required for its harm or by a promise of the profile, but none of its cases could be tried, because the profile
   * does not supply their needs. It is listed with those needs, and does not prevent a verdict.
   */
  readonly notTried?: true;
  /** Case rows that cite the clause, whatever their outcome. */
  readonly cases: readonly string[];
}

export interface Evidence {
  /** Clauses that the profile promises by its statements, not by adopting an assumption. */
  readonly promised?: ReadonlySet<string>;
  readonly rows: readonly RowResult[];
  readonly ambient: readonly AmbientLine[];
  readonly exercised: ReadonlySet<string>;
}

export function judgeClauses(register: ClauseRegister, evidence: Evidence): ClauseResult[] {
  const direct = new Map<string, ClauseOutcome>();
  const weighsWhereSupplied = (clause: Clause): boolean =>
    isHarm(clause) || evidence.promised?.has(clause.id) === true;
  for (const clause of register.clauses.values()) direct.set(clause.id, outcomeOf(clause, evidence));
  return [...register.clauses.values()].map((clause) => {
    const speaking = evidence.rows.filter((row) => row.clauses.includes(clause.id));
    const outcome =
      clause.aliasOf.length === 0 ? (direct.get(clause.id) ?? "unverified") : aliasOutcome(clause, direct);
    return {
      id: clause.id,
      level: clause.level,
      outcome,
      statement: clause.statement,
      ...(weighsWhereSupplied(clause) && outcome === "unverified" && isUnsupplied(speaking)
        ? { notTried: true }
        : {}),
      cases: speaking.map((row) => row.id),
    };
  });
}

/** Is the profile the only reason why these rows were not tried? */
function isUnsupplied(speaking: readonly RowResult[]): boolean {
  const kept = speaking.filter(({ outcome }) => outcome !== "notApplicable" && outcome !== "filtered");
  return kept.length > 0 && kept.every(({ notSupplied }) => notSupplied === true);
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

/**
 * The worst outcome of its targets. `unverified` is worse than `satisfied`, because the alias is verified only if all
 * its targets are.
 */
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
