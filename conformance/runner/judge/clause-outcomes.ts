/** The outcome of each clause, computed from the rows of a run. */
import { type Clause, type ClauseRegister, isHarm } from "../../model/clause.ts";
import type { Finding } from "../../model/finding.ts";
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
  /** The values that the run knows as ids. */
  readonly ids?: ReadonlySet<string>;
}

export function judgeClauses(register: ClauseRegister, evidence: Evidence): ClauseResult[] {
  const said = byClause(evidence);
  const direct = new Map<string, ClauseOutcome>();
  const weighsWhereSupplied = (clause: Clause): boolean =>
    isHarm(clause) || evidence.promised?.has(clause.id) === true;
  for (const clause of register.clauses.values())
    direct.set(clause.id, outcomeOf(clause, said(clause.id), evidence.exercised));
  return [...register.clauses.values()].map((clause) => {
    const { rows } = said(clause.id);
    const outcome =
      clause.aliasOf.length === 0 ? (direct.get(clause.id) ?? "unverified") : aliasOutcome(clause, direct);
    return {
      id: clause.id,
      level: clause.level,
      outcome,
      statement: clause.statement,
      ...(weighsWhereSupplied(clause) && outcome === "unverified" && isUnsupplied(rows)
        ? { notTried: true }
        : {}),
      cases: rows.map((row) => row.id),
    };
  });
}

/** The evidence of a run about one clause. */
interface Said {
  /** The rows that cite it. */
  readonly rows: RowResult[];
  /** Of findings of any row, and of lines of every reply. */
  readonly severities: Finding["severity"][];
}

function byClause({ rows, ambient }: Evidence): (id: string) => Said {
  const known = new Map<string, Said>();
  const said = (id: string): Said => {
    const found = known.get(id) ?? { rows: [], severities: [] };
    known.set(id, found);
    return found;
  };
  for (const row of rows) {
    for (const id of new Set(row.clauses)) said(id).rows.push(row);
    for (const { clauses, severity, recorded } of row.findings)
      if (recorded !== true) for (const id of clauses) said(id).severities.push(severity);
  }
  for (const { clause, severity } of ambient) said(clause).severities.push(severity);
  return said;
}

/** Is the profile the only reason why these rows were not tried? */
function isUnsupplied(speaking: readonly RowResult[]): boolean {
  const kept = speaking.filter(({ outcome }) => outcome !== "notApplicable" && outcome !== "filtered");
  return kept.length > 0 && kept.every(({ notSupplied }) => notSupplied === true);
}

function outcomeOf(
  clause: Clause,
  { rows, severities }: Said,
  exercised: ReadonlySet<string>,
): ClauseOutcome {
  if (clause.level === "untestable") return "untestable";
  if (severities.includes("fail")) return "violated";
  if (severities.includes("warn")) return "warned";
  const passes = rows.some(({ outcome }) => outcome === "passed" || outcome === "warned");
  if (passes || exercised.has(clause.id)) return "satisfied";
  const gone = rows.length > 0 && rows.every(({ outcome }) => outcome === "notApplicable");
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
