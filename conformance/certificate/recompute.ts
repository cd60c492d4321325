import type { ClauseRegister } from "../model/clause.ts";
import { counted } from "../model/counted.ts";
import { isOfLevel } from "../model/level.ts";
import { type CaseRow } from "../model/scenario.ts";
import { judgeAgain } from "../report/judge-again.ts";
import type { Report } from "../report/report.ts";
import type { ClauseResult } from "../runner/judge/clause-outcomes.ts";

/** The result of judging the rows of a report again, with the register of this kit. */
export interface Recomputed {
  readonly verdict: string;
  readonly exitCode: number;
  readonly outcomes: ReadonlyMap<string, string>;
}

export function recompute(report: Report, register: ClauseRegister): Recomputed {
  const part = report.shard !== undefined;
  const selection = report.rules.selection || part;
  const { clauses, judgement } = judgeAgain(report, register, { selection, part });
  const { verdict, exitCode } = judgement;
  return { verdict, exitCode, outcomes: new Map(clauses.map((clause) => [clause.id, outcomeOf(clause)])) };
}

/** The outcome of a clause in words. An open clause may be open because the profile does not supply its needs. */
export const outcomeOf = ({ outcome, notTried }: Pick<ClauseResult, "outcome" | "notTried">): string =>
  notTried === true ? "not tried" : outcome;

/** The ways in which a report departs from the policy of a certificate, a sentence each. */
export function departures(
  report: Report,
  suiteRows: readonly CaseRow[],
  register: ClauseRegister,
): string[] {
  const problems: string[] = [];
  const { rules } = report;
  if (rules.selection) problems.push("the run was a selection: a certificate needs all cases");
  if (report.shard !== undefined) problems.push("the report is one shard of a run: merge the shards first");
  if (rules.interrupted) problems.push("the run was interrupted");
  if (rules.gate !== "conformance") problems.push(`the run was made with --gate ${rules.gate}`);
  const byId = new Map(report.cases.map((row) => [row.id, row]));
  const missing = suiteRows.filter(({ id }) => !byId.has(id)).map(({ id }) => id);
  if (missing.length > 0)
    problems.push(
      `${counted(missing.length, "case of the suite is", "cases of the suite are")} missing from the report: ${firstOf(missing)}`,
    );
  const left = suiteRows
    .filter((row) => isOfLevel(row, report.level, register))
    .filter(({ id }) => byId.get(id)?.outcome === "filtered")
    .map(({ id }) => id);
  if (left.length > 0)
    problems.push(
      `${counted(left.length, "case of the level was", "cases of the level were")} left out: ${firstOf(left)}`,
    );
  const known = new Set(suiteRows.map(({ id }) => id));
  const foreign = report.cases.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  if (foreign.length > 0)
    problems.push(
      `${counted(foreign.length, "case of the report is", "cases of the report are")} not in the suite: ${firstOf(foreign)}`,
    );
  if (byId.size < report.cases.length) problems.push("a case is in the report twice");
  const listed = new Set(report.clauses.map(({ id }) => id));
  const unlisted = [...register.clauses.keys()].filter((id) => !listed.has(id));
  if (unlisted.length > 0)
    problems.push(
      `${counted(unlisted.length, "clause is", "clauses are")} missing from the report: ${firstOf(unlisted)}`,
    );
  const narrowed = suiteRows.find(({ id, spec }) => byId.get(id)?.clauses.join() !== spec.join());
  if (narrowed !== undefined && byId.has(narrowed.id))
    problems.push(`case ${narrowed.id} names other clauses than the suite does`);
  const forgiven = [...report.cases.flatMap((row) => row.findings), ...report.ambient].some(
    ({ expectedBy }) => expectedBy !== undefined,
  );
  if (forgiven) problems.push("an expectation file was used: a certificate allows no expected failures");
  return problems;
}

function firstOf(ids: readonly string[]): string {
  return `${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""}`;
}
