import { randomUUID } from "node:crypto";
import { ClauseRegister } from "../model/clause.ts";
import { Session, type SessionParts } from "./session.ts";

/** A session that sends requests and judges none: no clauses, no fragments, and nothing drawn by a seed. */
export function sessionWithoutSuite(
  parts: Pick<SessionParts, "profile" | "target" | "redactor" | "egress">,
): Session {
  return new Session({
    ...parts,
    clauses: new ClauseRegister([]),
    fragments: new Map(),
    seed: 1,
    salt: randomUUID(),
    now: Date.now,
    nonce: randomUUID,
  });
}
