import type { RowResult } from "./model/outcome.ts";
import { placeOf } from "./model/position.ts";
import { type CaseRow, rowsOf, type Scenario } from "./model/scenario.ts";

/** The order of a report must not depend on the seed or on the speed of cases. */
export function inOrderOfSuite(scenarios: readonly Scenario[], results: readonly RowResult[]): RowResult[] {
  const place = new Map(scenarios.flatMap(rowsOf).map((row, index) => [row.id, index]));
  return results.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
}

/** A row that did not run has a result, too, so that a report is complete. */
export function unrun(row: CaseRow, reason: string): RowResult {
  return {
    id: row.id,
    title: row.scenario.title,
    outcome: "filtered",
    clauses: row.spec,
    findings: [],
    observations: {},
    reason,
    durationMs: 0,
    place: placeOf(row.scenario.position),
  };
}
