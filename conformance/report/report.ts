import type { ClaimedLevel } from "../model/clause.ts";
import type { Finding } from "../model/finding.ts";
import {
  type ClauseOutcome,
  type RowOutcome,
  type RowResult,
  rowOutcomes,
  type Verdict,
} from "../model/outcome.ts";
import { placeOf } from "../model/position.ts";
import type { AmbientLine } from "../runner/ambient-log.ts";
import { type ClauseResult, countClauses, type Judgement } from "../runner/judge.ts";
import type { PlacedOrder } from "../runner/order-ledger.ts";

/** The report object: the console, report.json and the exit code all come from this one value. */
export interface Report {
  readonly type: "gatewright-report/1";
  readonly kit: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly target: {
    readonly name: string;
    readonly baseUrl: string;
    readonly notes: Readonly<Record<string, string>>;
  };
  readonly level: ClaimedLevel;
  readonly seed: number;
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly reason: string;
  readonly summary: {
    readonly cases: Readonly<Record<RowOutcome, number>>;
    readonly clauses: Readonly<Record<ClauseOutcome, number>>;
    readonly requests: number;
    readonly orders: number;
  };
  readonly clauses: readonly ClauseResult[];
  readonly cases: readonly ReportedCase[];
  readonly ambient: readonly AmbientLine[];
  readonly leftovers: readonly PlacedOrder[];
}

export interface ReportedCase {
  readonly id: string;
  readonly title: string;
  readonly outcome: RowOutcome;
  readonly clauses: readonly string[];
  readonly place: string;
  readonly durationMs: number;
  readonly reason?: string;
  readonly findings: readonly ReportedFinding[];
  readonly observations: Readonly<Record<string, string>>;
}

export type ReportedFinding = Omit<Finding, "position"> & { readonly place: string };

export interface ReportParts
  extends Omit<Report, "type" | "summary" | "cases" | "verdict" | "exitCode" | "reason"> {
  readonly rows: readonly RowResult[];
  readonly judgement: Judgement;
  readonly used: { readonly requests: number; readonly orders: number };
}

export function buildReport({ rows, judgement, used, ...parts }: ReportParts): Report {
  const counts = Object.fromEntries(rowOutcomes.map((outcome) => [outcome, 0])) as Record<RowOutcome, number>;
  for (const row of rows) counts[row.outcome] += 1;
  return {
    type: "gatewright-report/1",
    ...parts,
    ...judgement,
    summary: { cases: counts, clauses: countClauses(parts.clauses), ...used },
    cases: rows.map((row) => ({
      ...row,
      findings: row.findings.map(({ position, ...finding }) => ({ ...finding, place: placeOf(position) })),
    })),
  };
}
