import type { AmbientLine } from "../runner/judge/ambient-log.ts";

/** The parts of a case that name its broken clauses. */
interface CaseOfClauses {
  readonly id: string;
  readonly findings: readonly {
    readonly severity: string;
    readonly clauses: readonly string[];
  }[];
}

interface Occurrences {
  readonly cases: ReadonlySet<string>;
  /** True if a case found the clause broken, false if only a rule of every reply did. */
  readonly direct: boolean;
}

/**
 * Finds for each broken clause the clause that explains it: one that is broken in every case of this one, and in others
 * besides. If two are broken in the same cases, the one that a case tests explains the rule of every reply. An amount
 * that is computed from another never explains that other one, however widely it is broken; it follows from it if both
 * are broken in one case.
 *
 * Known limit: this is an interpretation of the evidence that tells the reader where to look first; no outcome depends
 * on it.
 */
export function causesOf(
  cases: readonly CaseOfClauses[],
  ambient: readonly AmbientLine[],
): ReadonlyMap<string, string> {
  const violated = occurrencesOf(cases, ambient, ["fail"]);
  const broken = occurrencesOf(cases, ambient, ["fail", "warn"]);
  const nearest = new Map<string, string>();
  // A warning explains no violation.
  const evidence = (id: string) => (violated.has(id) ? violated : broken);
  const ofAmounts = Object.keys(madeOf).filter((id) => broken.has(id));
  for (const id of ofAmounts) {
    const source = madeOf[id]?.find((name) => meet(evidence(id).get(name), evidence(id).get(id)));
    if (source !== undefined) nearest.set(id, source);
  }
  for (const [id, cause] of earlierOnSameOrders(ambient))
    if (
      evidence(id).has(cause) &&
      !(violated.get(id) ?? broken.get(id))?.direct &&
      rootOf(cause, nearest) !== id
    )
      nearest.set(id, cause);
  // Clauses from which others are computed come last: by then the computed ones cannot explain them.
  const sources = new Set(Object.values(madeOf).flat());
  for (const [id, occurrences] of [...broken].toSorted(([a], [b]) => +sources.has(a) - +sources.has(b))) {
    if (nearest.has(id)) continue;
    const seen = evidence(id);
    const own = seen.get(id) ?? occurrences;
    const cause = [...seen]
      .filter(([other, wider]) => other !== id && explains(wider, own) && rootOf(other, nearest) !== id)
      .toSorted(([, a], [, b]) => b.cases.size - a.cases.size || Number(b.direct) - Number(a.direct))[0];
    if (cause !== undefined) nearest.set(id, cause[0]);
  }
  return new Map([...nearest].map(([id, cause]) => [id, rootOf(cause, nearest)]));
}

/**
 * Clauses of amounts that are computed from the amounts of others: quantity before value, and both before averages,
 * proceeds and fees.
 */
const madeOf: Readonly<Record<string, readonly string[]>> = {
  "ORD-54": ["ORD-53", "ORD-55"],
  "ORD-55": ["ORD-53"],
  "ORD-56": ["ORD-53", "ORD-55"],
  "ORD-60": ["ORD-53", "ORD-55"],
};

/** Rules that were only broken by orders that had broken another rule in an earlier answer. */
function earlierOnSameOrders(ambient: readonly AmbientLine[]): Map<string, string> {
  const causes = new Map(
    ambient.flatMap(({ clause, after }) => (after === undefined ? [] : [[clause, after]])),
  );
  for (const { clause, after } of ambient) if (after !== causes.get(clause)) causes.delete(clause);
  return causes;
}

const meet = (one: Occurrences | undefined, other: Occurrences | undefined): boolean =>
  one !== undefined && [...(other?.cases ?? [])].some((id) => one.cases.has(id));

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

/** No clause gets a cause that leads back to it, so this ends. */
function rootOf(id: string, nearest: ReadonlyMap<string, string>): string {
  const cause = nearest.get(id);
  return cause === undefined ? id : rootOf(cause, nearest);
}
