import { randomUUID } from "node:crypto";
import { Egress } from "../client/egress.ts";
import { Redactor } from "../client/redact.ts";
import { Target } from "../client/target.ts";
import { ClauseRegister } from "../model/clause.ts";
import type { Profile } from "../model/profile.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Step } from "../model/step.ts";
import type { ValueMap } from "../model/value.ts";
import { plainProfile } from "../parse/profile.ts";
import { readCall } from "../plan/call.ts";
import type { CaseRun } from "../runner/case-run.ts";
import { planRequest } from "../runner/prepare/plan-request.ts";
import { Session } from "../runner/session.ts";

/** A session without a run: tests can look at the request of a call without a suite. */
export function bareSession(
  port: number,
  kind: Profile["kind"],
  plan: Partial<Profile["stream"]> = {},
): Session {
  const made = plainProfile(`http://127.0.0.1:${port}/api/v1/trading`, "kid", "a secret of some length");
  if (typeof made === "string") throw new Error(made);
  const url = new URL(`ws://127.0.0.1:${port}/ws`);
  const stream = { url, ...plan } as NonNullable<Profile["stream"]>;
  const { safety } = made;
  const budget = {
    ...safety.budget,
    requests: 1_000_000,
    rps: 1_000_000,
    minutes: 60,
    orders: 10,
    openOrders: 10,
  };
  const profile: Profile = { ...made, kind, stream, safety: { ...safety, allow: "trades", budget } };
  const egress = new Egress(profile);
  return new Session({
    profile,
    target: new Target(egress, "kit-test"),
    egress,
    redactor: new Redactor(new Map()),
    clauses: new ClauseRegister([]),
    fragments: new Map(),
    seed: 1,
    salt: "",
    now: Date.now,
    nonce: randomUUID,
  });
}

/** The call as the only one of a case with all permissions. */
export function planned(session: Session, call: ValueMap): ReturnType<typeof planRequest> {
  const permit = { caseId: "case", safety: "trades", malformed: true } as const;
  return planRequest(readCall(call), { session, permit } as unknown as CaseRun);
}

export function scenarioWith(call: ValueMap): Scenario {
  const position = { file: "case.yaml", line: 1, column: 1 };
  const step: Step = {
    action: "call",
    call,
    rows: [],
    spec: [],
    onFail: "stop",
    assertions: {},
    capture: {},
    position,
    path: ["steps", 0],
  };
  const nothing = { capabilities: [], operations: [], routes: [], credentials: [], targetFacts: [] };
  return {
    id: "case",
    title: "T",
    spec: [],
    assumes: [],
    tags: ["malformed"],
    requires: nothing,
    safety: "trades",
    isolation: "shared",
    timeoutMs: 60_000,
    cost: {},
    vars: {},
    rows: [],
    setup: [],
    steps: [step],
    cleanup: [],
    position,
  };
}
