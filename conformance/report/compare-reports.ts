import { masked } from "../model/masked.ts";
import { behaviourSheet } from "./behaviour.ts";
import type { Report, ReportedClause } from "./report.ts";

/**
 * The changes from one report to another, for a promotion between environments. A change is worse if something was
 * lost: a pass, a verified clause, a verdict. Other behaviour is neither worse nor better.
 */
export interface Comparison {
  readonly from: Ends;
  readonly to: Ends;
  readonly worse: boolean;
  readonly newlyFailing: readonly Change[];
  readonly fixed: readonly Change[];
  readonly newlyBlocked: readonly Change[];
  readonly newlyWarned: readonly Change[];
  /** Cases that only one of the two reports has. */
  readonly gone: readonly Change[];
  readonly added: readonly Change[];
  readonly clauses: readonly Change[];
  readonly behaviour: readonly { readonly what: string; readonly from: string; readonly to: string }[];
}

export interface Ends {
  readonly target: string;
  readonly startedAt: string;
  readonly kit: string;
  readonly level: string;
  readonly verdict: Report["verdict"];
}

export interface Change {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export function compareReports(before: Report, after: Report): Comparison {
  const [from, to] = [outcomes(before), outcomes(after)];
  const changes = [...new Set([...from.keys(), ...to.keys()])]
    .map((id) => ({ id, from: from.get(id) ?? absent, to: to.get(id) ?? absent }))
    .filter((change) => change.from !== change.to);
  const which = (test: (change: Change) => boolean): Change[] => changes.filter(test);
  const ran = (outcome: string): boolean => ranOutcomes.has(outcome);
  const bad = (outcome: string): boolean => outcome === "failed" || outcome === "error";
  const newlyFailing = which((change) => bad(change.to) && !bad(change.from));
  const newlyBlocked = which((change) => change.to === "blocked" && ran(change.from));
  const newlyWarned = which(({ from: old, to: now }) => now === "warned" && old === "passed");
  const gone = which((change) => ran(change.from) && !ran(change.to) && change.to !== "blocked");
  const clauses = clauseChanges(before, after);
  const lost = clauses.some(({ from: old, to: now }) => rank(now) > rank(old));
  const verdictWorse = verdicts.indexOf(after.verdict) > verdicts.indexOf(before.verdict);
  return {
    from: endsOf(before),
    to: endsOf(after),
    worse:
      [newlyFailing, newlyBlocked, newlyWarned, gone].some((list) => list.length > 0) || lost || verdictWorse,
    newlyFailing,
    fixed: which((change) => bad(change.from) && (change.to === "passed" || change.to === "warned")),
    newlyBlocked,
    newlyWarned,
    gone,
    added: which((change) => change.from === absent && ran(change.to) && !bad(change.to)),
    clauses,
    behaviour: behaviourChanges(before, after),
  };
}

const absent = "absent";
const ranOutcomes = new Set(["passed", "warned", "failed", "error"]);
const verdicts: readonly Report["verdict"][] = [
  "CONFORMANT",
  "CONFORMANT_WITH_WARNINGS",
  "PASSED",
  "INCOMPLETE",
  "DIFFERENT",
  "NON_CONFORMANT",
  "ERROR",
];

/** From good to bad; a clause that does not apply is as good as a satisfied one. */
function rank(outcome: string): number {
  return { satisfied: 0, "n/a": 0, untestable: 0, warned: 1, unverified: 2, violated: 3 }[outcome] ?? 0;
}

function outcomes(report: Report): Map<string, string> {
  return new Map(report.cases.map(({ id, outcome }) => [id, outcome]));
}

function clauseChanges(before: Report, after: Report): Change[] {
  const old = new Map(before.clauses.map(({ id, outcome }) => [id, outcome]));
  const weighs = ({ level, aliasOf }: ReportedClause): boolean =>
    level === "required" && aliasOf.length === 0;
  return after.clauses
    .filter(weighs)
    .map(({ id, outcome }) => ({ id, from: old.get(id) ?? absent, to: outcome as string }))
    .filter(({ from, to }) => from !== to && from !== absent);
}

function behaviourChanges(before: Report, after: Report): Comparison["behaviour"] {
  const [old, now] = [sheetOf(before), sheetOf(after)];
  const ids = new Set([...(before.ids ?? []), ...(after.ids ?? [])]);
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((what) => ({ what, from: old.get(what) ?? "(not noted)", to: now.get(what) ?? "(not noted)" }))
    .filter(({ from, to }) => masked(from, ids) !== masked(to, ids));
}

function sheetOf(report: Report): Map<string, string> {
  return new Map(
    behaviourSheet(report).flatMap(({ scenario, what, answers }) =>
      answers.flatMap(({ value, rows }) =>
        (rows.length === 0 ? [""] : rows).map((row): [string, string] => [
          `${scenario}${row === "" ? "" : `[${row}]`} ${what}`,
          value,
        ]),
      ),
    ),
  );
}

function endsOf({ target, startedAt, kit, level, verdict }: Report): Ends {
  return { target: target.name, startedAt, kit, level, verdict };
}
