import type { CaseRow } from "../model/scenario.ts";
import { isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import { asMap } from "../parse/scenario.ts";
import type { Session } from "./session.ts";

export interface ConditionContext {
  readonly session: Session;
  readonly row: CaseRow;
  /** The column `want` of the row that is looked at. */
  readonly want: () => string;
}

/** `when`: questions about the target and the row, never about what the target answered. */
export function holds(condition: Value, context: ConditionContext): boolean {
  const { session, row } = context;
  return Object.entries(asMap(condition)).every(([key, wanted]) => {
    switch (key) {
      case "clause":
        return row.spec.includes(String(wanted));
      case "capability":
        return session.presence(String(wanted)) === "present";
      case "operation":
        return typeof session.profile.operations[String(wanted)] === "object";
      case "credential":
        return session.profile.credentials[String(wanted)] !== undefined;
      case "fact":
        return factStated(session.profile.facts, String(wanted));
      case "promise":
        return session.promises.stated.has(String(wanted));
      case "target":
        return wanted === "any" || session.presence("clock.control") === "present";
      case "rowWant":
        return context.want() === String(wanted);
      case "all":
        return (isList(wanted) ? wanted : []).every((item) => holds(item, context));
      case "not":
        return !holds(wanted, context);
      default:
        throw new Error(`unknown condition ${key}`);
    }
  });
}

/** `limits.min` is a fact below a fact. */
export function factStated(facts: ValueMap, name: string): boolean {
  let value: Value | undefined = facts;
  for (const key of name.split(".")) value = isMap(value) ? value[key] : undefined;
  return value !== undefined;
}
