import type { Redactor } from "../client/redact.ts";
import type { ClaimedLevel, Clause, ClauseRegister } from "../model/clause.ts";
import type { ExpectationResult } from "../model/expected-failure.ts";
import { type AssertionOutcome, assertionOutcomeOf, type Finding } from "../model/finding.ts";
import { idsShown } from "../model/masked.ts";
import {
  type ClauseOutcome,
  type RowOutcome,
  type RowResult,
  rowOutcomes,
  type Verdict,
} from "../model/outcome.ts";
import { placeOf } from "../model/position.ts";
import type { RowTrace } from "../model/trace.ts";
import { type Elsewhere, elsewhere } from "../parse/incidents.ts";
import type { AmbientLine } from "../runner/judge/ambient-log.ts";
import { type ClauseResult } from "../runner/judge/clause-outcomes.ts";
import { claimedClauses, countClauses, type Gate, type Judgement } from "../runner/judge/judge.ts";
import type { PresenceSheet } from "../runner/prepare/presence.ts";
import { causesOf } from "./causes.ts";
import { shortened } from "./printable.ts";

/**
 * The report as a value. All output of a run is made from it, so the text, the files and the exit code agree. It is
 * redacted when it is built, so that it can be passed on.
 */
export interface Report {
  readonly type: "gatewright-report/1";
  /** A client, in the report of an exam; a gateway when absent. */
  readonly subject?: "client";
  readonly kit: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly target: {
    readonly name: string;
    readonly baseUrl: string;
    readonly notes: Readonly<Record<string, string>>;
  };
  readonly environment: Readonly<Record<string, string>>;
  /** The command of this run, without the options for a single case: `gatewright conform --profile staging.yaml`. */
  readonly command: string;
  readonly level: ClaimedLevel;
  readonly seed: number;
  /** Digests of the suite and of the clause register. */
  readonly suite: { readonly suite: string; readonly register: string };
  /** The part of the cases that ran, if the run was split. */
  readonly shard?: { readonly index: number; readonly count: number };
  /** The inputs of the verdict besides the cases. */
  readonly rules: {
    readonly selection: boolean;
    /** User-defined scenarios ran in place of the suite. */
    readonly ownScenarios?: boolean;
    readonly failOnWarnings: boolean;
    readonly failOnExtra: boolean;
    readonly gate: Gate;
    /** Clauses that the profile has made required. */
    readonly adopted: readonly string[];
    /** The statements that promise some of them: clause to statement, `auth.signedPath: path`. */
    readonly promises?: Readonly<Record<string, string>>;
    readonly interrupted: boolean;
  };
  /** Clauses of every reply that some reply could have violated. */
  readonly exercised: readonly string[];
  /** The ids that observations show: they are new in every run. */
  readonly ids?: readonly string[];
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly reason: string;
  readonly summary: {
    readonly cases: Readonly<Record<RowOutcome, number>>;
    /** Without aliases, which repeat other clauses. */
    readonly clauses: Readonly<Record<ClauseOutcome, number>>;
    /** Of the required clauses in the scope of the level: the number of verified ones. */
    readonly claimed: { readonly verified: number; readonly total: number };
    readonly requests: number;
    readonly orders: number;
  };
  readonly clauses: readonly ReportedClause[];
  readonly cases: readonly ReportedCase[];
  readonly ambient: readonly ReportedRule[];
  readonly leftovers: readonly LeftOrder[];
  /** The profile's statements about the target, in three words: present, absent, unknown. */
  readonly presence: PresenceSheet;
  /** Digest of the profile file, if there was one. */
  readonly profile?: string;
  /** Entries of the expectation file with their results, if there is such a file. */
  readonly expectations?: readonly ExpectationResult[];
  /** Cases of user-defined clauses: counted separately, never part of the verdict. */
  readonly extra?: NonNullable<Judgement["extra"]>;
}

/** The parts of a report that are known before anything is sent. */
export const startFields = [
  "type",
  "subject",
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
  /** The reason for the level: a word of the register, and its sentence if the document does not state it. */
  readonly basis: Clause["basis"];
  readonly why?: string;
  /** The line of the profile that makes it required for this target. */
  readonly promise?: string;
  /** Is the clause in the scope of this run's level? */
  readonly claimed: boolean;
  readonly where?: string;
  readonly aliasOf: readonly string[];
  readonly needs: readonly string[];
  /** The broken clause that probably explains this violation. */
  readonly followsFrom?: string;
  /** What the same fault did at other gateways, for a clause that is violated or warned about. */
  readonly elsewhere?: readonly Elsewhere[];
}

export interface ReportedCase {
  readonly id: string;
  readonly title: string;
  readonly outcome: RowOutcome;
  readonly clauses: readonly string[];
  readonly place: string;
  readonly durationMs: number;
  readonly reason?: string;
  /** The profile does not supply its needs. */
  readonly notSupplied?: true;
  readonly findings: readonly ReportedFinding[];
  readonly observations: Readonly<Record<string, string>>;
  /** The command that runs only this case again, if it has findings. */
  readonly again?: string;
  readonly trace?: RowTrace;
  readonly stderr?: string;
}

export type ReportedFinding = Omit<Finding, "position"> & {
  readonly place: string;
  /** The outcome of the assertion in one word; an xfail is an expected failure. */
  readonly outcome?: AssertionOutcome;
};

/** A rule for every answer that was broken. */
export interface ReportedRule extends AmbientLine {
  /** The command that shows it again. */
  readonly again?: string;
}

/** An order that was placed and never seen closed. */
export interface LeftOrder {
  readonly id: string;
  readonly role: string;
  readonly product: string;
}

export interface ReportParts
  extends Omit<Report, "type" | "ids" | "summary" | "cases" | "clauses" | "verdict" | "exitCode" | "reason"> {
  readonly rows: readonly RowResult[];
  readonly clauses: readonly ClauseResult[];
  readonly judgement: Judgement;
  readonly used: { readonly requests: number; readonly orders: number };
  readonly register: ClauseRegister;
  readonly redactor: Redactor;
  /** The values that the run knows as ids. */
  readonly ids?: Iterable<string>;
}

export function buildReport(given: ReportParts): Report {
  const { rows, judgement, used, register, redactor, clauses: judged, ids = [], ...parts } = given;
  const counts = Object.fromEntries(rowOutcomes.map((outcome) => [outcome, 0])) as Record<RowOutcome, number>;
  for (const row of rows) counts[row.outcome] += 1;
  const claimed = claimedClauses(judged, {
    level: parts.level,
    register,
    adopted: new Set(parts.rules.adopted),
  });
  const verified = claimed.filter(({ outcome }) => outcome === "satisfied" || outcome === "warned");
  // What a client does wrong in one way does not follow from what it does wrong in another.
  const causes = causesOf(parts.subject === "client" ? [] : rows, parts.ambient);
  const answersFor = new Set(claimed.map(({ id }) => id));
  const report = redactor.redactDeep<Report>({
    type: "gatewright-report/1",
    ...parts,
    ids: idsShown(
      rows.flatMap(({ observations }) => Object.values(observations)),
      new Set(ids),
    ),
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
      const incidents = isBroken(result) ? elsewhere([result.id], casesThatBroke(result.id, rows)) : [];
      return {
        ...reportedClause(result, answersFor.has(result.id), register),
        ...(promise === undefined ? {} : { promise }),
        ...(cause === undefined ? {} : { followsFrom: cause }),
        ...(incidents.length === 0 ? {} : { elsewhere: incidents }),
      };
    }),
    cases: rows.map((row) => caseOf(row, parts)),
    ambient: parts.ambient.map((rule) => ({
      ...rule,
      again: againCommand(parts, rule.evidence?.cases ?? rule.cases?.slice(0, 1) ?? []),
    })),
  });
  return bounded(report);
}

const isBroken = ({ outcome }: ClauseResult): boolean => outcome === "violated" || outcome === "warned";

const casesThatBroke = (clause: string, rows: readonly RowResult[]): string[] =>
  rows
    .filter(({ findings }) =>
      findings.some(({ severity, clauses }) => severity !== "info" && clauses.includes(clause)),
    )
    .map(({ id }) => id);

/** One case as in the report, before the verdict changes it. */
export function reportedCase(row: RowResult, redactor: Redactor, run: RunOfCase): ReportedCase {
  return bounded(redactor.redactDeep(caseOf(row, run)));
}

type RunOfCase = Pick<Report, "command" | "seed">;

/** The command that runs only these cases again; without a case, the whole run. */
export function againCommand({ command, seed }: RunOfCase, ids: readonly string[]): string {
  const only = ids.map((id) => ` --only '${id.replaceAll("'", "'\\''")}'`);
  return `${command}${only.join("")} --seed ${seed}`;
}

function caseOf(row: RowResult, run: RunOfCase): ReportedCase {
  const told = row.findings.some(({ severity }) => severity !== "info");
  return {
    ...row,
    ...(told ? { again: againCommand(run, [row.id]) } : {}),
    findings: row.findings.map(({ position, ...finding }) => ({
      ...finding,
      outcome: assertionOutcomeOf(finding),
      place: placeOf(position),
    })),
  };
}

const mostOfText = 4000;

/** Text of a target must not make a report too large to open. Traces are bounded by their recorder. */
export function bounded<T>(value: T): T;
export function bounded(value: unknown): unknown {
  if (typeof value === "string") return shortened(value, mostOfText);
  if (Array.isArray(value)) return value.map((item: unknown) => bounded(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      shortened(key, mostOfText),
      key === "trace" || key === "exchanges" ? (item as unknown) : bounded<unknown>(item),
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
