import type { Condition } from "../../model/language.ts";
import type { CaseRow } from "../../model/scenario.ts";
import { isMap, type Value, type ValueMap } from "../../model/value.ts";
import type { Session } from "../session.ts";

export interface ConditionContext {
  readonly session: Session;
  readonly row: CaseRow;
  /** The column `want` of the current row. */
  readonly want: () => string;
}

/** `when`: conditions on the target and the row, never on the target's answers. */
export function holds(condition: Condition, context: ConditionContext): boolean {
  const { session, row } = context;
  const { clause, capability, operation, credential, fact, promise, target, rowWant, all, not } = condition;
  const { profile, promises } = session;
  return [
    clause === undefined || row.spec.includes(clause),
    capability === undefined || session.presence(capability) === "present",
    operation === undefined || typeof profile.operations[operation] === "object",
    credential === undefined || profile.credentials[credential] !== undefined,
    fact === undefined || factStated(profile.facts, fact),
    promise === undefined || promises.stated.has(promise),
    target !== "simulator" || session.presence("clock.control") === "present",
    rowWant === undefined || context.want() === String(rowWant),
    all === undefined || all.every((item) => holds(item, context)),
    not === undefined || !holds(not, context),
  ].every(Boolean);
}

/** `limits.min` is a fact inside a fact. */
export function factStated(facts: ValueMap, name: string): boolean {
  let value: Value | undefined = facts;
  for (const key of name.split(".")) value = isMap(value) ? value[key] : undefined;
  return value !== undefined;
}
