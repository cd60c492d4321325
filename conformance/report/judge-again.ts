import type { ClauseRegister } from "../model/clause.ts";
import type { RowResult } from "../model/outcome.ts";
import type { Position } from "../model/position.ts";
import { judgeClauses } from "../runner/judge/clause-outcomes.ts";
import { type JudgingRules, judgeRun } from "../runner/judge/judge.ts";
import type { Report, ReportedCase } from "./report.ts";

/** Judges what a report says of its cases, with the register of this kit; its findings are not compared again. */
export function judgeAgain(
  said: Pick<Report, "cases" | "ambient" | "exercised" | "rules" | "level">,
  register: ClauseRegister,
  more: Partial<JudgingRules>,
) {
  const { ambient, level, exercised } = said;
  const rows = said.cases.map(rowOf);
  const promised = new Set(Object.keys(said.rules.promises ?? {}));
  const clauses = judgeClauses(register, { rows, ambient, exercised: new Set(exercised), promised });
  const rules = { ...said.rules, adopted: new Set(said.rules.adopted), level, register, ambient, ...more };
  return { rows, clauses, judgement: judgeRun(clauses, rows, rules) };
}

/** The row that a report was made of. */
export function rowOf(reported: ReportedCase): RowResult {
  const findings = reported.findings.map(({ place, ...finding }) => ({
    ...finding,
    position: positionAt(place),
  }));
  return { ...reported, findings };
}

function positionAt(place: string): Position {
  const [, file = place, line = "1", column = "1"] = /^(.*):(\d+):(\d+)$/.exec(place) ?? [];
  return { file, line: Number(line), column: Number(column) };
}
