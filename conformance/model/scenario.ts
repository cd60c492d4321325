import type { CertificatePart, ClauseLevel } from "./clause.ts";
import type { Position } from "./position.ts";
import type { SafetyClass } from "./profile.ts";
import type { Step } from "./step.ts";
import type { ValueMap } from "./value.ts";

export interface Requirements {
  readonly capabilities: readonly string[];
  /** Operations that must be possible. An order can be read by its route, or else by repeating its placement. */
  readonly operations: readonly string[];
  /** Routes that must be mapped, because the case is about the route itself. */
  readonly routes: readonly string[];
  readonly credentials: readonly string[];
  readonly targetFacts: readonly string[];
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly why?: string;
  readonly spec: readonly string[];
  readonly level?: Exclude<ClauseLevel, "untestable">;
  /** The case tests more than its clauses ask for; runs that claim a lower level leave it out. */
  readonly certificate?: CertificatePart;
  readonly assumes: readonly string[];
  readonly tags: readonly string[];
  readonly requires: Requirements;
  readonly safety: SafetyClass;
  readonly isolation: "shared" | "account" | "product" | "exclusive";
  readonly timeoutMs: number;
  /** The most that one row may send, if the author states it. */
  readonly cost: { readonly requests?: number; readonly orders?: number };
  readonly vars: ValueMap;
  readonly rows: readonly ValueMap[];
  readonly setup: readonly Step[];
  readonly steps: readonly Step[];
  readonly cleanup: readonly Step[];
  /** The origin of a generated file, and the answers that were seen when it was written. */
  readonly origin?: ValueMap;
  readonly position: Position;
}

/** One result line: a scenario, or one row of its table. */
export interface CaseRow {
  readonly id: string;
  readonly scenario: Scenario;
  readonly row: ValueMap;
  readonly spec: readonly string[];
  readonly level?: Exclude<ClauseLevel, "untestable">;
  readonly certificate?: CertificatePart;
}

const rowName = (row: ValueMap, index: number): string => {
  const name = row["name"];
  return typeof name === "string" ? name : String(index + 1);
};

const rows = new WeakMap<Scenario, readonly CaseRow[]>();

/** The same rows each time: what is known of a row is kept beside it. */
export function rowsOf(scenario: Scenario): readonly CaseRow[] {
  const known = rows.get(scenario) ?? madeRows(scenario);
  rows.set(scenario, known);
  return known;
}

function madeRows(scenario: Scenario): readonly CaseRow[] {
  if (scenario.rows.length === 0) {
    const whole = { id: scenario.id, scenario, row: {}, spec: scenario.spec, ...depthOf(scenario, {}) };
    return [scenario.level === undefined ? whole : { ...whole, level: scenario.level }];
  }
  return scenario.rows.map((row, index) => {
    const narrowed = row["spec"];
    const spec = narrowed === undefined ? scenario.spec : [narrowed].flat().map(String);
    const level = (row["level"] ?? scenario.level) as CaseRow["level"];
    const id = `${scenario.id}[${rowName(row, index)}]`;
    const own =
      row["safety"] === undefined ? scenario : { ...scenario, safety: row["safety"] as SafetyClass };
    const base = { id, scenario: own, row, spec, ...depthOf(scenario, row) };
    return level === undefined ? base : { ...base, level };
  });
}

function depthOf(scenario: Scenario, row: ValueMap): Pick<CaseRow, "certificate"> {
  const part = (row["certificate"] ?? scenario.certificate) as CertificatePart | undefined;
  return part === undefined ? {} : { certificate: part };
}
