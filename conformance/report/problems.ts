import { printable } from "../model/printable.ts";
import type { RuleEvidence } from "../runner/judge/ambient-log.ts";
import { againCommand, type Report, type ReportedCase, type ReportedClause } from "./report.ts";
import { supplyOf } from "./supply.ts";

/**
 * The violations by clause, in the form in which they are repaired. A difference is listed once, under its first
 * clause. Rules of every reply are items like any other, with a count.
 */
export interface ClauseProblem {
  readonly id: string;
  readonly clause: ReportedClause | undefined;
  readonly items: readonly ProblemItem[];
  /** Clauses that list the differences of this one, if it has none of its own. */
  readonly shownWith: readonly string[];
  /** The clause above it in the list that probably explains it. */
  readonly followsFrom?: string;
}

/** In the place of a clause: what differs from a recording. */
export const theRecording: ReportedClause = {
  id: "recording",
  level: "informational",
  outcome: "unverified",
  statement: "Answers differ from those that were recorded. That violates no clause.",
  certificate: "core",
  basis: "stated",
  claimed: false,
  aliasOf: [],
  needs: [],
  cases: [],
};

/** The heading of a list of failures. */
export const titleOf = (problems: readonly ClauseProblem[], title: string): string =>
  problems.every(({ id }) => id === theRecording.id) ? "Different from the recording" : title;

export interface ProblemItem {
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** Clauses besides the first. */
  readonly also: readonly string[];
  /** The clauses of a step that differs from a recording. */
  readonly about?: readonly string[];
  readonly row?: ReportedCase;
  readonly place?: string;
  readonly step?: string;
  readonly request?: string;
  readonly drawing?: readonly string[];
  /** The entry of the expectation file that expected it. */
  readonly expectedBy?: string;
  /** The target's own words for a refusal that was not expected. */
  readonly said?: string;
  /** The number of replies that showed it, for a rule of every reply. */
  readonly count?: number;
  readonly evidence?: RuleEvidence;
  /** The command that shows it again. */
  readonly again?: string;
}

export function problemsOf(report: Report, severity: "fail" | "warn"): ClauseProblem[] {
  const found = new Map<string, ProblemItem[]>();
  const add = (id: string, item: ProblemItem): void => {
    found.set(id, [...(found.get(id) ?? []), item]);
  };
  for (const row of report.cases) {
    for (const { clauses, severity: weight, strength: _, clause: __, recorded, ...finding } of row.findings) {
      const [first = "(no clause)", ...also] = clauses;
      if (weight !== severity) continue;
      const item = { ...finding, row, again: againCommand(report, [row.id]) };
      if (recorded === true) add(theRecording.id, { ...item, also: [], about: clauses });
      else add(first, { ...item, also });
    }
  }
  for (const { clause, severity: weight, firstRequest, ...line } of report.ambient) {
    if (weight === severity) add(clause, { ...line, also: [], request: firstRequest });
  }
  const order = new Map(report.clauses.map((clause, index) => [clause.id, index]));
  const elsewhere = [...new Set([...found.values()].flat().flatMap(({ also }) => also))];
  for (const id of elsewhere.filter((name) => !found.has(name))) found.set(id, []);
  const clauses = new Map([...report.clauses, theRecording].map((clause) => [clause.id, clause]));
  const problems = [...found]
    .map(([id, items]) => ({ id, clause: clauses.get(id), items, shownWith: placesOf(id, items, found) }))
    .sort((a, b) => (order.get(a.id) ?? order.size) - (order.get(b.id) ?? order.size));
  return likelyCauseFirst(problems);
}

/**
 * The clause that explains most comes first, then the clause of most cases, each followed by the clauses that it
 * explains; ties keep the order of the register.
 */
function likelyCauseFirst(problems: readonly ClauseProblem[]): ClauseProblem[] {
  const listed = new Set(problems.map(({ id }) => id));
  const following = new Map<string, ClauseProblem[]>();
  const first: ClauseProblem[] = [];
  for (const problem of problems) {
    const cause = problem.clause?.followsFrom;
    if (cause === undefined || !listed.has(cause)) first.push(problem);
    else following.set(cause, [...(following.get(cause) ?? []), { ...problem, followsFrom: cause }]);
  }
  const below = ({ id }: ClauseProblem): readonly ClauseProblem[] => following.get(id) ?? [];
  return first
    .toSorted((a, b) => below(b).length - below(a).length || casesIn(b) - casesIn(a))
    .flatMap((problem) => [problem, ...below(problem)]);
}

const casesIn = ({ items }: ClauseProblem): number => new Set(items.flatMap(({ row }) => row?.id ?? [])).size;

/** Did the expectation file expect every failure of this row? Such a row fails, but breaks no build. */
export function isExpected({ outcome, findings }: ReportedCase): boolean {
  const failing = findings.filter(({ severity }) => severity === "fail");
  return (
    outcome === "failed" && failing.length > 0 && failing.every(({ expectedBy }) => expectedBy !== undefined)
  );
}

function placesOf(
  id: string,
  items: readonly ProblemItem[],
  found: ReadonlyMap<string, readonly ProblemItem[]>,
): string[] {
  if (items.length > 0) return [];
  return [...found].filter(([, list]) => list.some(({ also }) => also.includes(id))).map(([name]) => name);
}

/** The same difference in many rows is one problem: the first row represents all of them. */
export function alike(
  items: readonly ProblemItem[],
): { readonly item: ProblemItem; readonly rows: readonly string[] }[] {
  const groups = new Map<string, { item: ProblemItem; rows: string[] }>();
  for (const item of items) {
    const key = JSON.stringify([item.pointer, item.expected, item.actual, item.row === undefined]);
    const group = groups.get(key) ?? { item, rows: [] };
    if (item.row !== undefined && !group.rows.includes(item.row.id)) group.rows.push(item.row.id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The case and the step in which a rule for every answer was first broken, as the end of a sentence. */
export function firstIn(evidence: RuleEvidence | undefined): string {
  const { case: id, step } = evidence ?? {};
  const place = [...(id === undefined ? [] : [id]), ...(step === undefined ? [] : [`step ${step}`])];
  return place.length === 0 ? "" : `, first in ${printable(place.join(" · "))}`;
}

export interface SameReason {
  readonly reason: string;
  readonly ids: readonly string[];
}

/** Rows that could not run, by reason: one missing fact blocks many rows. */
export const blockedReasons = ({ cases }: Report): SameReason[] =>
  byReason(cases.filter(({ outcome }) => outcome === "blocked"));

export function byReason(
  rows: readonly { readonly id: string; readonly reason?: string | undefined }[],
): SameReason[] {
  const reasons = new Map<string, string[]>();
  for (const { id, reason = "no reason was given" } of rows)
    reasons.set(reason, [...(reasons.get(reason) ?? []), id]);
  return [...reasons].map(([reason, ids]) => ({ reason, ids })).sort((a, b) => b.ids.length - a.ids.length);
}

/**
 * Why a clause is open: the reasons of its blocked cases, which name the part that is missing, and never one that the
 * profile has.
 */
export function missingFor({ cases }: Pick<Report, "cases">, clause: ReportedClause): string[] {
  const own = cases.filter(({ id }) => clause.cases.includes(id));
  const reasons = own.filter(({ outcome }) => outcome === "blocked").map(({ reason = "" }) => reason);
  if (reasons.length > 0) return [...new Set(reasons)];
  const broken = own.filter(({ outcome }) => outcome === "failed" || outcome === "error");
  if (broken.length > 0) return [`${broken.map(({ id }) => id).join(", ")} failed before it was tested`];
  if (own.some(({ outcome }) => outcome === "filtered")) return ["its other cases were not selected"];
  return clause.needs.map((need) => `no case could run: ${supplyOf(need)}`);
}

/** The reasons why the cases of a clause were not tried, with the missing parts of the profile. */
export function reasonsFor({ cases }: Pick<Report, "cases">, clause: ReportedClause): string[] {
  const kept = cases.filter(({ id, notSupplied }) => notSupplied === true && clause.cases.includes(id));
  return [...new Set(kept.map(({ reason = "" }) => reason))];
}

/**
 * Required clauses of the level that stay open: those with cases that did not run, those without cases, and those whose
 * cases the selection left out. Also the untried clauses of harm, which do not change the verdict.
 */
export function openClauses(report: Report): {
  readonly blocked: readonly ReportedClause[];
  readonly untried: readonly ReportedClause[];
  readonly notSelected: readonly ReportedClause[];
  readonly notTried: readonly ReportedClause[];
} {
  // User-defined scenarios claim no level, so their open clauses are not reported.
  const answersFor = report.rules.ownScenarios !== true;
  const open = report.clauses.filter(
    ({ claimed, outcome }) => answersFor && claimed && outcome === "unverified",
  );
  const filtered = new Set(report.cases.filter(({ outcome }) => outcome === "filtered").map(({ id }) => id));
  const isNotSelected = ({ cases }: ReportedClause): boolean =>
    cases.length > 0 && cases.every((id) => filtered.has(id));
  return {
    blocked: open.filter((clause) => clause.cases.length > 0 && !isNotSelected(clause)),
    untried: open.filter(({ cases }) => cases.length === 0),
    notSelected: open.filter(isNotSelected),
    notTried: report.clauses.filter(({ notTried }) => answersFor && notTried === true),
  };
}
