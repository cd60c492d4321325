import type { AmbientLine } from "../runner/ambient-log.ts";

/** As much of a case as says which clauses it found broken. */
interface CaseOfClauses {
  readonly id: string;
  readonly findings: readonly {
    readonly severity: string;
    readonly clauses: readonly string[];
  }[];
}

interface Occurrences {
  readonly cases: ReadonlySet<string>;
  /** A case said so itself; otherwise a rule of every reply did. */
  readonly direct: boolean;
}

/**
 * Of each broken clause the one that explains it, if there is one: the clause that is broken in every case in which
 * this one is, and in others besides. Where two are broken in the same cases, the one that a case is about explains the
 * rule of every reply. It is a reading of the evidence, to know where to look first; no outcome hangs on it.
 */
export function causesOf(
  cases: readonly CaseOfClauses[],
  ambient: readonly AmbientLine[],
): ReadonlyMap<string, string> {
  const violated = occurrencesOf(cases, ambient, ["fail"]);
  const broken = occurrencesOf(cases, ambient, ["fail", "warn"]);
  const nearest = new Map<string, string>();
  for (const [id, occurrences] of broken) {
    // What warns explains no violation.
    const seen = violated.has(id) ? violated : broken;
    const own = seen.get(id) ?? occurrences;
    const cause = [...seen]
      .filter(([other, wider]) => other !== id && explains(wider, own))
      .toSorted(([, a], [, b]) => b.cases.size - a.cases.size || Number(b.direct) - Number(a.direct))[0];
    if (cause !== undefined) nearest.set(id, cause[0]);
  }
  return new Map([...nearest].map(([id, cause]) => [id, rootOf(cause, nearest)]));
}

function occurrencesOf(
  cases: readonly CaseOfClauses[],
  ambient: readonly AmbientLine[],
  severities: readonly string[],
): Map<string, Occurrences> {
  const seen = new Map<string, { cases: Set<string>; direct: boolean }>();
  const at = (id: string): { cases: Set<string>; direct: boolean } => {
    const known = seen.get(id) ?? { cases: new Set<string>(), direct: false };
    seen.set(id, known);
    return known;
  };
  for (const row of cases)
    for (const { clauses } of row.findings.filter(({ severity }) => severities.includes(severity)))
      for (const id of clauses) {
        at(id).cases.add(row.id);
        at(id).direct = true;
      }
  for (const { clause, cases: places = [] } of ambient.filter(({ severity }) =>
    severities.includes(severity),
  ))
    for (const id of places) at(clause).cases.add(id);
  return seen;
}

function explains(wider: Occurrences, { cases, direct }: Occurrences): boolean {
  if (cases.size === 0 || ![...cases].every((id) => wider.cases.has(id))) return false;
  return wider.cases.size > cases.size || (wider.direct && !direct);
}

/** Each step is wider than the one before, or direct where that was not: it comes to an end. */
function rootOf(id: string, nearest: ReadonlyMap<string, string>): string {
  const cause = nearest.get(id);
  return cause === undefined ? id : rootOf(cause, nearest);
}
