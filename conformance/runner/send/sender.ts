import type { Permit } from "../../model/exchange.ts";
import type { CaseRow } from "../../model/scenario.ts";
import { Evaluator } from "../prepare/evaluate.ts";
import type { Market } from "../prepare/market.ts";
import type { Session } from "../session.ts";

/** The parts that are needed to build the requests of a row. */
export interface Sender {
  readonly session: Session;
  readonly evaluator: Evaluator;
  readonly permit: Permit;
}

export function senderOf(row: CaseRow, session: Session, market: Market): Sender {
  const { seed, salt, now } = session.parts;
  const { safety, tags } = row.scenario;
  const drawn = (id: string): unknown => session.parts.egress.madeUp.add(id);
  const random = { seed, salt, caseId: row.id, now, drawn };
  return {
    session,
    evaluator: new Evaluator(random, market, session.profile.facts, isRefusedAnyway(row)),
    permit: { caseId: row.id, safety, malformed: tags.includes("malformed") },
  };
}

/** Only then may an unknown price or size be replaced by a placeholder. */
export function isRefusedAnyway({ scenario: { safety } }: CaseRow): boolean {
  return safety === "read" || safety === "reject-only";
}
