import { type ExitCode, exitCodes, precedence } from "../../exit-codes.ts";
import { type ClaimedLevel, type ClauseRegister, partsOf } from "../../model/clause.ts";
import { counted } from "../../model/counted.ts";
import { type ExpectationResult, failsTheRun } from "../../model/expected-failure.ts";
import { type ClauseOutcome, clauseOutcomes, type RowResult, type Verdict } from "../../model/outcome.ts";
import type { AmbientLine } from "./ambient-log.ts";
import { type ClauseResult } from "./clause-outcomes.ts";

export interface Judgement {
  readonly verdict: Verdict;
  readonly exitCode: ExitCode;
  readonly reason: string;
  /** Cases with only user-defined clauses (X-): judged separately, never part of the verdict. */
  readonly extra?: { readonly passed: number; readonly failed: number; readonly blocked: number };
}

export const gates = ["conformance", "regressions", "selection"] as const;

/** The condition of a green exit: conformance, no new failure, or that every case that was selected passed. */
export type Gate = (typeof gates)[number];

export interface JudgingRules {
  readonly level: ClaimedLevel;
  readonly register: ClauseRegister;
  /** The user selected cases with --only or --skip: the verdict is INCOMPLETE at best. */
  readonly selection: boolean;
  /** User-defined scenarios ran in place of the suite: that they pass means only that, and not a level. */
  readonly ownScenarios?: boolean | undefined;
  /** One shard alone is never a whole run, with any scenarios. */
  readonly part?: boolean;
  readonly failOnWarnings: boolean;
  readonly failOnExtra?: boolean;
  /** The run was interrupted; a signal is named, because it determines the exit code. */
  readonly interrupted: boolean | "SIGINT" | "SIGTERM";
  readonly gate?: Gate;
  /** Clauses that this target's profile makes required: adopted assumptions, and promises. */
  readonly adopted?: ReadonlySet<string>;
  readonly ambient?: readonly AmbientLine[];
  readonly expectations?: readonly ExpectationResult[];
  /** Why the run proved unsafe afterwards: orders left open, or a failed clean-up. */
  readonly safetyStop?: string | undefined;
  /** Why the target could not be judged: no answer, or the first signed request was refused. */
  readonly unusable?: string | undefined;
}

interface Ending {
  readonly exitCode: ExitCode;
  readonly reason: string;
}

/**
 * The one value from which the report and the exit code are made. The verdict describes the target; the exit code also
 * depends on the owners' expectations.
 */
export function judgeRun(
  clauses: readonly ClauseResult[],
  rows: readonly RowResult[],
  rules: JudgingRules,
): Judgement {
  const totals = totalsOf(clauses, rows, rules);
  const verdict = verdictOf(totals, rules);
  const endings = endingsOf(totals, verdict, rules);
  const ending = endings.toSorted(
    (a, b) => precedence.indexOf(a.exitCode) - precedence.indexOf(b.exitCode),
  )[0] ?? { exitCode: exitCodes.internalError, reason: "the run did not end" };
  return { verdict, ...ending, ...(totals.extra.length === 0 ? {} : { extra: countsOf(totals.extra) }) };
}

/** The counts that the rules use. */
interface Totals {
  readonly errors: number;
  readonly violated: number;
  readonly failedRows: number;
  /** Steps whose answers differ from those that were recorded, which violates nothing. */
  readonly different: number;
  /** Failed assertions and lines that no entry of the expectation file expected. */
  readonly unexpected: number;
  readonly broken: readonly ExpectationResult[];
  readonly open: number;
  readonly notTried: number;
  readonly verified: number;
  readonly warned: boolean;
  readonly warnedClauses: number;
  readonly unexpectedWarning: boolean;
  readonly extra: readonly RowResult[];
  /** Every case that applies and ran to its end, user-defined clauses included. */
  readonly ran: { readonly passed: number; readonly warned: number; readonly open: number };
}

function totalsOf(clauses: readonly ClauseResult[], all: readonly RowResult[], rules: JudgingRules): Totals {
  const extra = all.filter(isExtra);
  const rows = all.filter((row) => !isExtra(row));
  const claimed = claimedClauses(clauses, rules);
  const findings = [...rows.flatMap((row) => row.findings), ...(rules.ambient ?? [])];
  const bare = rows.filter((row) => row.outcome === "failed" && !row.findings.some(isFailure));
  return {
    errors: all.filter((row) => row.outcome === "error").length,
    violated: countClauses(clauses, rules.register).violated,
    failedRows: rows.filter((row) => row.outcome === "failed" && !isDifferent(row)).length,
    different: rows.reduce((sum, row) => sum + stepsThatDiffer(row), 0),
    unexpected:
      bare.length + findings.filter((found) => isFailure(found) && found.expectedBy === undefined).length,
    broken: (rules.expectations ?? []).filter(failsTheRun),
    open: claimed.filter((clause) => clause.outcome === "unverified").length,
    notTried: clauses.filter((clause) => isAnsweredFor(clause, rules) && clause.notTried === true).length,
    verified: claimed.filter((clause) => clause.outcome === "satisfied" || clause.outcome === "warned")
      .length,
    warned: clauses.some(({ outcome }) => outcome === "warned") || rows.some(isWarned),
    warnedClauses: countClauses(clauses, rules.register).warned,
    unexpectedWarning: findings.some((found) => found.severity === "warn" && found.expectedBy === undefined),
    extra: extra.filter((row) => row.outcome !== "filtered"),
    ran: {
      passed: all.filter(({ outcome }) => outcome === "passed" || outcome === "warned").length,
      warned: all.filter(isWarned).length,
      open: all.filter(({ outcome }) => outcome === "blocked" || outcome === "failed").length,
    },
  };
}

const isFailure = ({ severity }: { readonly severity: string }): boolean => severity === "fail";

/** Is there no other reason for its failure than answers that differ from those that were recorded? */
function isDifferent({ findings }: RowResult): boolean {
  const failing = findings.filter(isFailure);
  return failing.length > 0 && failing.every(({ recorded }) => recorded === true);
}

const stepsThatDiffer = ({ findings }: RowResult): number =>
  new Set(findings.flatMap(({ recorded, step }) => (recorded === true ? [step] : []))).size;

const isWarned = (row: RowResult): boolean => row.outcome === "warned";

const isExtra = (row: RowResult): boolean =>
  row.clauses.length > 0 && row.clauses.every((id) => id.startsWith("X-"));

function countsOf(rows: readonly RowResult[]): { passed: number; failed: number; blocked: number } {
  const count = (...outcomes: readonly RowResult["outcome"][]): number =>
    rows.filter((row) => outcomes.includes(row.outcome)).length;
  return { passed: count("passed", "warned"), failed: count("failed"), blocked: count("blocked") };
}

/** Expectations do not change the verdict: a known violation is a violation. */
function verdictOf(totals: Totals, rules: JudgingRules): Verdict {
  if (totals.errors > 0) return "ERROR";
  if (totals.violated > 0 || totals.failedRows > 0) return "NON_CONFORMANT";
  if (totals.different > 0) return "DIFFERENT";
  if (rules.interrupted !== false || rules.part === true) return "INCOMPLETE";
  if (rules.selection || totals.open > 0 || totals.verified === 0)
    return rules.ownScenarios === true && totals.ran.open === 0 && totals.ran.passed > 0
      ? "PASSED"
      : "INCOMPLETE";
  return totals.warned ? "CONFORMANT_WITH_WARNINGS" : "CONFORMANT";
}

/** All conditions that determine the exit code, each with its sentence. */
function endingsOf(totals: Totals, verdict: Verdict, rules: JudgingRules): Ending[] {
  const { ok, nonConformant, incomplete, targetUnusable, safetyStop, internalError, warnings } = exitCodes;
  const endings: Ending[] = [];
  const say = (exitCode: ExitCode, reason: string): number => endings.push({ exitCode, reason });
  if (totals.errors > 0) say(internalError, `${counted(totals.errors, "case")} ended in an error of the kit`);
  if (rules.safetyStop !== undefined) say(safetyStop, rules.safetyStop);
  if (rules.interrupted === "SIGINT") say(exitCodes.interrupted, "the run was interrupted");
  if (rules.interrupted === "SIGTERM") say(exitCodes.terminated, "the run was terminated");
  if (rules.unusable !== undefined) say(targetUnusable, rules.unusable);
  const failures = failuresOf(totals);
  if (totals.unexpected > 0 || (verdict === "NON_CONFORMANT" && rules.expectations === undefined)) {
    const known =
      rules.expectations === undefined
        ? ""
        : `; ${counted(totals.unexpected, "assertion fails", "assertions fail")} unexpectedly`;
    say(nonConformant, `${failures}${known}`);
  }
  const [broken] = totals.broken;
  if (broken !== undefined)
    say(
      nonConformant,
      `${counted(totals.broken.length, "expectation does", "expectations do")} not hold: ${broken.place}: ${broken.detail}`,
    );
  const failedExtra = countsOf(totals.extra).failed;
  if ((rules.failOnExtra === true || rules.ownScenarios === true) && failedExtra > 0)
    say(nonConformant, `${counted(failedExtra, "case")} of clauses of your own failed`);
  if (rules.interrupted === true) say(incomplete, "the run was interrupted");
  const onlyNew = rules.gate === "regressions";
  if (rules.ownScenarios === true && !verdict.startsWith("CONFORMANT")) {
    if (verdict === "INCOMPLETE" && (!onlyNew || totals.ran.passed === 0)) say(incomplete, passedOf(totals));
  } else if (rules.gate === "selection") {
    if (totals.ran.open > 0 || totals.ran.passed === 0) say(incomplete, selectionOf(totals));
  } else if (totals.verified === 0) say(incomplete, "no required clause was verified");
  else if (rules.selection && !onlyNew) say(incomplete, selectionOf(totals));
  else if (totals.open > 0 && !onlyNew)
    say(
      incomplete,
      `${counted(totals.open, "required clause")} of level ${rules.level} ${totals.open === 1 ? "is" : "are"} unverified`,
    );
  if (rules.failOnWarnings && totals.unexpectedWarning)
    say(warnings, verdict === "PASSED" ? passedOf(totals) : "conformant, with warnings");
  if (endings.length === 0) say(ok, goodReason(totals, verdict, rules, failures));
  return endings;
}

function goodReason(totals: Totals, verdict: Verdict, { gate }: JudgingRules, failures: string): string {
  const { notTried, warnedClauses, verified } = totals;
  if (verdict === "PASSED") return passedOf(totals);
  if (verdict === "INCOMPLETE" && gate === "selection") return selectionOf(totals);
  if (verdict === "NON_CONFORMANT" || verdict === "DIFFERENT")
    return `${failures}, every one of them expected`;
  const untried = notTried === 0 ? "" : `, ${notTried} not tried`;
  const withWarnings = warnedClauses === 0 ? "" : `; warnings about ${counted(warnedClauses, "clause")}`;
  const onlyNew = gate === "regressions" ? "; nothing fails that did not fail before" : "";
  return `${counted(verified, "required clause")} verified${untried}${onlyNew}${withWarnings}`;
}

function failuresOf({ violated, failedRows, different }: Totals): string {
  const failed = `${counted(violated, "clause")} violated, ${counted(failedRows, "case")} failed`;
  if (different === 0) return failed;
  const differ = `${counted(different, "answer differs", "answers differ")} from the recording`;
  return violated > 0 || failedRows > 0 ? `${failed}; ${differ}` : `${differ}; no clause is violated`;
}

/** The result of a selection in which nothing is violated. A case that is BLOCKED has not passed. */
function selectionOf({ ran }: Totals): string {
  const passed =
    ran.open > 0
      ? `${counted(ran.open, "case")} of it did not pass`
      : ran.passed > 0
        ? "what was selected passed"
        : "no case of it applies to this target";
  return `only a selection was run; ${passed}`;
}

/** The result of user-defined scenarios. */
function passedOf({ ran }: Totals): string {
  const warned = ran.warned === 0 ? "" : `, ${ran.warned} of them with warnings`;
  const open = ran.open === 0 ? "" : `, ${ran.open} did not run to the end`;
  return `${counted(ran.passed, "case")} passed${warned}${open}; no level is claimed`;
}

/**
 * Required clauses in the scope of the claimed level, with aliases counted at their targets, and promises of the
 * profile. Clauses of harm are included if they can be tried.
 */
export function claimedClauses(clauses: readonly ClauseResult[], rules: ClaimRules): ClauseResult[] {
  return clauses.filter((result) => isAnsweredFor(result, rules) && result.notTried !== true);
}

type ClaimRules = Pick<JudgingRules, "level" | "register" | "adopted">;

function isAnsweredFor({ id }: ClauseResult, { level, register, adopted }: ClaimRules): boolean {
  const clause = register.get(id);
  if (clause === undefined || clause.aliasOf.length > 0) return false;
  if (!partsOf(level).includes(clause.certificate)) return false;
  return clause.level === "required" || adopted?.has(id) === true;
}

/** The number of clauses per outcome. An alias repeats other clauses, so it is not counted. */
export function countClauses(
  clauses: readonly ClauseResult[],
  register: ClauseRegister,
): Record<ClauseOutcome, number> {
  const counts = Object.fromEntries(clauseOutcomes.map((outcome) => [outcome, 0])) as Record<
    ClauseOutcome,
    number
  >;
  for (const { id, outcome } of clauses) if (register.get(id)?.aliasOf.length === 0) counts[outcome] += 1;
  return counts;
}
