import { type ClauseLevel, type ClauseRegister, clauseLevels } from "../../model/clause.ts";
import type { Difference, Finding } from "../../model/finding.ts";
import type { CaseRow } from "../../model/scenario.ts";
import type { Step, Strength } from "../../model/step.ts";
import type { Promises } from "../prepare/promises.ts";
import type { Session } from "../session.ts";

/**
 * The clauses of a difference: the matcher's own, else the step's, else the row's. A hard assertion is charged to
 * required clauses, a soft one to the others; if there are none of that kind, all are named.
 */
export function blamed(
  difference: Difference,
  step: Step,
  row: CaseRow,
  promises: Promises,
  strength: Strength,
): string[] {
  if (difference.clause !== undefined) return [difference.clause];
  const cited = step.spec.length > 0 ? step.spec : row.spec;
  const wanted = cited.filter(
    (id) => (promises.levelOf(id) === "required" || id.startsWith("X-")) === (strength === "expect"),
  );
  return wanted.length > 0 ? [...wanted] : [...cited];
}

/**
 * The severity of a failed `expect` is the level of its strongest clause, but never above the level that the case or
 * row claims. An assumption is violated only if the target's profile adopts it, or promises its clause; if the profile
 * rejects it, a failure is only noted.
 */
export function severityOf(
  strength: Strength,
  clauses: readonly string[],
  row: CaseRow,
  session: Session,
): Finding["severity"] {
  if (strength !== "expect") return strength === "should" ? "warn" : "info";
  const { clauses: register, profile } = session.parts;
  const strongest = strongestOf(
    clauses.map((id) => (id.startsWith("X-") ? "required" : session.promises.levelOf(id))),
  );
  const level = levelOf(row.level, strongest, clauses, register);
  if (level === "required") return "fail";
  if (level === "informational") return "info";
  const stances = row.scenario.assumes.map((id) => profile.assumptions[id]);
  if (stances.includes("reject")) return "info";
  return stances.includes("adopt") ? "fail" : "warn";
}

/**
 * A row may claim a lower level than its clauses. For a clause with parts of several levels, the row claims the part
 * that it tests.
 */
function levelOf(
  claimed: CaseRow["level"],
  strongest: ClauseLevel,
  clauses: readonly string[],
  register: ClauseRegister,
): ClauseLevel {
  if (claimed === undefined) return strongest;
  const parts = clauses.flatMap((id) => register.get(id)?.sublevels ?? []);
  return parts.includes(claimed) ? claimed : weaker(claimed, strongest);
}

function strongestOf(levels: readonly ClauseLevel[]): ClauseLevel {
  return clauseLevels.find((level) => levels.includes(level)) ?? "informational";
}

function weaker(left: ClauseLevel, right: ClauseLevel): ClauseLevel {
  return clauseLevels.indexOf(left) > clauseLevels.indexOf(right) ? left : right;
}
