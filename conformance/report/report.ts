import type { Redactor } from "../client/redact.ts";
import type { ClaimedLevel, Clause, ClauseRegister } from "../model/clause.ts";
import type { ExpectationResult } from "../model/expected-failure.ts";
import { type AssertionOutcome, assertionOutcomeOf, type Finding } from "../model/finding.ts";
import {
  type ClauseOutcome,
  type RowOutcome,
  type RowResult,
  rowOutcomes,
  type Verdict,
} from "../model/outcome.ts";
import { placeOf } from "../model/position.ts";
import type { RowTrace } from "../model/trace.ts";
import type { AmbientLine } from "../runner/judge/ambient-log.ts";
import { type ClauseResult } from "../runner/judge/clause-outcomes.ts";
import { claimedClauses, countClauses, type Gate, type Judgement } from "../runner/judge/judge.ts";
import type { PresenceSheet } from "../runner/prepare/presence.ts";
import { causesOf } from "./causes.ts";
import { shortened } from "./printable.ts";

/**
 * The report as a value. Everything a run leaves is written from it: what is shown, the files and the exit code cannot
 * disagree. It is redacted when it is built, so that whoever holds it may pass it on.
 */
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
  readonly environment: Readonly<Record<string, string>>;
  /** How this run was started, without what the single case adds: `gatewright conform --profile staging.yaml`. */
  readonly command: string;
  readonly level: ClaimedLevel;
  readonly seed: number;
  /** Digests of what was run and of the clause register. */
  readonly suite: { readonly suite: string; readonly register: string };
  /** Which part of the cases ran, when the run was split. */
  readonly shard?: { readonly index: number; readonly count: number };
  /** What the verdict was reached by, besides the cases. */
  readonly rules: {
    readonly selection: boolean;
    /** Scenarios of somebody's own ran in the place of the suite. */
    readonly ownScenarios?: boolean;
    readonly failOnWarnings: boolean;
    readonly failOnExtra: boolean;
    readonly gate: Gate;
    /** Clauses that the profile has made required. */
    readonly adopted: readonly string[];
    /** Those of them that a statement promises: clause to the statement, `auth.signedPath: path`. */
    readonly promises?: Readonly<Record<string, string>>;
    readonly interrupted: boolean;
  };
  /** Clauses that hold of every reply and had a chance to fail. */
  readonly exercised: readonly string[];
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly reason: string;
  readonly summary: {
    readonly cases: Readonly<Record<RowOutcome, number>>;
    /** Without aliases, which repeat other clauses. */
    readonly clauses: Readonly<Record<ClauseOutcome, number>>;
    /** Of the required clauses that the level answers for: how many were verified. */
    readonly claimed: { readonly verified: number; readonly total: number };
    readonly requests: number;
    readonly orders: number;
  };
  readonly clauses: readonly ReportedClause[];
  readonly cases: readonly ReportedCase[];
  readonly ambient: readonly AmbientLine[];
  readonly leftovers: readonly LeftOrder[];
  /** What the profile says of the target, in three words: present, absent, unknown. */
  readonly presence: PresenceSheet;
  /** Digest of the profile file, when there was one. */
  readonly profile?: string;
  /** Entries of the expectation file and what became of each, when there is such a file. */
  readonly expectations?: readonly ExpectationResult[];
  /** Cases of clauses of somebody's own: counted apart, never part of the verdict. */
  readonly extra?: NonNullable<Judgement["extra"]>;
}

/** What is known of a report before anything is sent. */
export const startFields = [
  "type",
  "kit",
  "startedAt",
  "environment",
  "command",
  "level",
  "seed",
  "suite",
  "target",
  "profile",
  "shard",
] as const satisfies readonly (keyof Report)[];
export type ReportStart = Pick<Report, (typeof startFields)[number]>;

export interface ReportedClause extends ClauseResult {
  readonly certificate: Clause["certificate"];
  /** Why it weighs what it weighs: a word of the register, and its sentence where the document does not state it. */
  readonly basis: Clause["basis"];
  readonly why?: string;
  /** The line of the profile that makes it required for this target. */
  readonly promise?: string;
  /** Does the level of this run answer for it? */
  readonly claimed: boolean;
  readonly where?: string;
  readonly aliasOf: readonly string[];
  readonly needs: readonly string[];
  /** The broken clause that probably explains why this one is broken, too. */
  readonly followsFrom?: string;
}

export interface ReportedCase {
  readonly id: string;
  readonly title: string;
  readonly outcome: RowOutcome;
  readonly clauses: readonly string[];
  readonly place: string;
  readonly durationMs: number;
  readonly reason?: string;
  /** The profile does not supply what it needs. */
  readonly notSupplied?: true;
  readonly findings: readonly ReportedFinding[];
  readonly observations: Readonly<Record<string, string>>;
  readonly trace?: RowTrace;
}

export type ReportedFinding = Omit<Finding, "position"> & {
  readonly place: string;
  /** The outcome of the assertion in one word; an xfail is a failure that an expectation foresaw. */
  readonly outcome?: AssertionOutcome;
};

/** An order that was placed and that nobody saw closed. */
export interface LeftOrder {
  readonly id: string;
  readonly role: string;
  readonly product: string;
}

export interface ReportParts
  extends Omit<Report, "type" | "summary" | "cases" | "clauses" | "verdict" | "exitCode" | "reason"> {
  readonly rows: readonly RowResult[];
  readonly clauses: readonly ClauseResult[];
  readonly judgement: Judgement;
  readonly used: { readonly requests: number; readonly orders: number };
  readonly register: ClauseRegister;
  readonly redactor: Redactor;
}

export function buildReport(given: ReportParts): Report {
  const { rows, judgement, used, register, redactor, clauses: judged, ...parts } = given;
  const counts = Object.fromEntries(rowOutcomes.map((outcome) => [outcome, 0])) as Record<RowOutcome, number>;
  for (const row of rows) counts[row.outcome] += 1;
  const claimed = claimedClauses(judged, {
    level: parts.level,
    register,
    adopted: new Set(parts.rules.adopted),
  });
  const verified = claimed.filter(({ outcome }) => outcome === "satisfied" || outcome === "warned");
  const causes = causesOf(rows, parts.ambient);
  const answersFor = new Set(claimed.map(({ id }) => id));
  const report = redactor.redactDeep<Report>({
    type: "gatewright-report/1",
    ...parts,
    ...judgement,
    summary: {
      cases: counts,
      clauses: countClauses(judged, register),
      claimed: { verified: verified.length, total: claimed.length },
      ...used,
    },
    clauses: judged.map((result) => {
      const cause = causes.get(result.id);
      const promise = parts.rules.promises?.[result.id];
      return {
        ...reportedClause(result, answersFor.has(result.id), register),
        ...(promise === undefined ? {} : { promise }),
        ...(cause === undefined ? {} : { followsFrom: cause }),
      };
    }),
    cases: rows.map(caseOf),
  });
  return bounded(report);
}

/** One case as the report will have it, unless the verdict changes it. */
export function reportedCase(row: RowResult, redactor: Redactor): ReportedCase {
  return bounded(redactor.redactDeep(caseOf(row)));
}

function caseOf(row: RowResult): ReportedCase {
  return {
    ...row,
    findings: row.findings.map(({ position, ...finding }) => ({
      ...finding,
      outcome: assertionOutcomeOf(finding),
      place: placeOf(position),
    })),
  };
}

const mostOfText = 4000;

/** No text of a target makes a report that nobody can open. Traces are bounded where they are recorded. */
export function bounded<T>(value: T): T;
export function bounded(value: unknown): unknown {
  if (typeof value === "string") return shortened(value, mostOfText);
  if (Array.isArray(value)) return value.map((item: unknown) => bounded(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      shortened(key, mostOfText),
      key === "trace" ? (item as unknown) : bounded<unknown>(item),
    ]),
  );
}

function reportedClause(result: ClauseResult, claimed: boolean, register: ClauseRegister): ReportedClause {
  const clause = register.get(result.id);
  return {
    ...result,
    certificate: clause?.certificate ?? "core",
    basis: clause?.basis ?? "observed",
    ...(clause?.why === undefined ? {} : { why: clause.why }),
    claimed,
    ...(clause?.where === undefined ? {} : { where: clause.where }),
    aliasOf: clause?.aliasOf ?? [],
    needs: clause?.needs ?? [],
  };
}
