import type { ClaimedLevel, ClauseRegister } from "../../model/clause.ts";
import { isOfLevel } from "../../model/level.ts";
import { UsageError } from "../../model/position.ts";
import { safetyClasses } from "../../model/profile.ts";
import { type CaseRow, rowsOf, type Scenario } from "../../model/scenario.ts";
import type { Fragments } from "../../model/step.ts";
import { shuffled } from "./random.ts";
import { rowsOfShard, type Shard } from "./shard.ts";

export interface Selection {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly level: ClaimedLevel;
  /**
   * `stable` keeps the order of files and rows, to find out whether the order matters; otherwise the seed determines
   * the order.
   */
  readonly order?: "shuffled" | "stable";
  readonly shard?: Shard | undefined;
}

export interface Selected {
  readonly rows: readonly CaseRow[];
  /** Rows that the user filtered out; they make the verdict INCOMPLETE. */
  readonly filtered: readonly CaseRow[];
  /** Rows without a clause in the scope of the claimed level. */
  readonly beyondLevel: readonly CaseRow[];
  /** Rows that another shard runs. */
  readonly elsewhere: readonly CaseRow[];
}

/** The names with which a selection is compared. */
export interface Known {
  readonly clauses: ClauseRegister;
  readonly fragments: Fragments;
}

/**
 * Harmless cases first. Inside a class the order depends on the seed, so that cases that depend on the order are found.
 */
export function select(
  scenarios: readonly Scenario[],
  selection: Selection,
  { clauses: register, fragments }: Known,
  seed: number,
): Selected {
  const all = scenarios.flatMap(rowsOf);
  const wanted = (row: CaseRow): boolean =>
    (selection.only.length === 0 || selection.only.some((pattern) => matches(pattern, row, register))) &&
    !selection.skip.some((pattern) => matches(pattern, row, register));
  const inLevel = (row: CaseRow): boolean => isOfLevel(row, selection.level, register);
  const chosen = all.filter(wanted);
  if (chosen.length === 0)
    throw new UsageError(all.length === 0 ? "there are no scenarios to run" : "the filter matches no case");
  const answering = chosen.filter(inLevel);
  if (answering.length === 0) throw new UsageError(`no selected case is about level ${selection.level}`);
  const { shard } = selection;
  const rows = shard === undefined ? answering : rowsOfShard(answering, shard, fragments);
  const ordered = selection.order === "stable" ? rows : shuffled(rows, (row) => row.id, seed);
  return {
    rows: safetyClasses.flatMap((safety) => ordered.filter((row) => row.scenario.safety === safety)),
    elsewhere: answering.filter((row) => !rows.includes(row)),
    filtered: all.filter((row) => !wanted(row)),
    beyondLevel: chosen.filter((row) => !inLevel(row)),
  };
}

/** A pattern is a clause id, a tag, or a case id with `*`; the id of a scenario selects all its rows. */
function matches(pattern: string, row: CaseRow, register: ClauseRegister): boolean {
  if (register.deciding(pattern).some((id) => row.spec.includes(id))) return true;
  return row.scenario.tags.includes(pattern) || row.scenario.id === pattern || fits(pattern, row.id);
}

/** Does the pattern match the id? `*` matches any text. */
export function fits(pattern: string, id: string): boolean {
  const source = pattern
    .split("*")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[\\s\\S]*");
  return new RegExp(`^${source}$`).test(id);
}

/** Patterns without a match: no case, tag or clause, and no property. */
export function unmatchedAmong(
  patterns: readonly string[],
  scenarios: readonly Scenario[],
  register: ClauseRegister,
  properties: readonly string[],
): string[] {
  const rows = scenarios.flatMap(rowsOf);
  return patterns.filter(
    (pattern) =>
      register.get(pattern) === undefined &&
      !rows.some((row) => matches(pattern, row, register)) &&
      !properties.some((id) => fits(pattern, id)),
  );
}
