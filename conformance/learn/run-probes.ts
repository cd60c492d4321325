import { Blocked, NotApplicable } from "../model/outcome.ts";
import type { Market } from "../runner/prepare/market.ts";
import type { Session } from "../runner/session.ts";
import { LearnDesk } from "./desk.ts";
import { probes, whyOmitted } from "./plan-learn.ts";
import type { Round, Sample } from "./sighting.ts";

/** All probes once. The orders of each are cancelled before the next begins; requests that could not be sent are noted. */
export async function runRound(session: Session, market: Market): Promise<Round> {
  const samples = new Map<string, Sample>();
  const missing = new Map<string, string>();
  for (const probe of probes) {
    const omitted = whyOmitted(probe, session.profile);
    if (omitted !== undefined) {
      missing.set(probe.id, omitted);
      continue;
    }
    const desk = new LearnDesk(session, market, probe.id, samples);
    try {
      await probe.run(desk);
    } catch (error) {
      if (!(error instanceof Blocked || error instanceof NotApplicable)) throw error;
      missing.set(probe.id, error.message);
    }
    if (probe.orders > 0) await session.cleanUp(desk.caseId);
  }
  return { samples, missing };
}
