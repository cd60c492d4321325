import { Blocked, NotApplicable, type RowResult } from "../../model/outcome.ts";
import { isWithin } from "../../model/profile.ts";
import type { CaseRow } from "../../model/scenario.ts";
import type { Session } from "../session.ts";
import { adviceOf } from "./capability.ts";
import { factStated } from "./conditions.ts";
import type { Market } from "./market.ts";
import { assertProvided } from "./needs.ts";

export interface NotRun {
  readonly outcome: "blocked" | "notApplicable";
  readonly reason: string;
}

/**
 * May this row run here? A present feature: it runs. Absent by the owner's statement: not applicable. Unknown,
 * unmapped, missing or not allowed: blocked, with the part of the profile to supply. Neither blocked nor not applicable
 * is ever a pass.
 */
export function whyNotRun(row: CaseRow, session: Session, market: Market): NotRun | undefined {
  const { profile } = session;
  const { capabilities, operations, routes, credentials, targetFacts } = row.scenario.requires;
  for (const name of capabilities) {
    const presence = session.presence(name);
    if (presence === "absent")
      return { outcome: "notApplicable", reason: `the profile says that ${name} is absent` };
    if (presence === "unknown")
      return blocked(`whether the target has ${name} is unknown: ${adviceOf(name)}`);
  }
  for (const name of [...operations.filter((one) => one !== "readOrder"), ...routes]) {
    const operation = profile.operations[name];
    if (operation === "absent")
      return { outcome: "notApplicable", reason: `the profile says that the target has no ${name}` };
    if (operation === undefined)
      return blocked(`${name} is not mapped: add it under operations in the profile`);
  }
  const rejected = row.scenario.assumes.find((id) => profile.assumptions[id] === "reject");
  const { promises } = session;
  const binding = row.spec.some((id) => id.startsWith("X-") || promises.levelOf(id) === "required");
  if (rejected !== undefined && !binding)
    return { outcome: "notApplicable", reason: `the profile states the opposite of ${rejected}` };
  const role = credentials.find((name) => name !== "anonymous" && profile.credentials[name] === undefined);
  if (role !== undefined) return blocked(session.withoutCredential(role));
  const fact = targetFacts.find((name) => !factStated(profile.facts, name));
  if (fact !== undefined) return blocked(`the profile does not state the fact ${fact}: add it under facts`);
  const { safety } = row.scenario;
  if (!isWithin(safety, profile.safety.allow)) {
    return blocked(`the case is "${safety}" and the profile allows "${profile.safety.allow}" (safety.allow)`);
  }
  try {
    assertProvided(row, session, market);
    return undefined;
  } catch (error) {
    if (error instanceof NotApplicable) return { outcome: "notApplicable", reason: error.message };
    if (error instanceof Blocked) return blocked(error.message);
    throw error;
  }
}

/** Marks a row that only the profile prevents from being tried. */
export const suppliedNothing = ({ outcome }: NotRun): Pick<RowResult, "notSupplied"> =>
  outcome === "blocked" ? { notSupplied: true } : {};

function blocked(reason: string): NotRun {
  return { outcome: "blocked", reason };
}
