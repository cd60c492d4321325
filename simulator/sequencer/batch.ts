/** The end of a batch: each request learns which entries it has caused, and then its outcome. */
import type { Outcome } from "../engine/decision.ts";
import type { Entries, Waiting } from "./sequencer-ports.ts";

/** A request of a batch that has run; of one that changed nothing, the entries end before they begin. */
export interface Ran {
  readonly outcome: Outcome;
  readonly entries: Entries;
}

/** To be called after the commit. */
export function settleAll(batch: readonly Waiting[], ran: readonly Ran[]): void {
  for (const [index, { outcome, entries }] of ran.entries()) {
    batch[index]?.caused?.(entries);
    batch[index]?.settle(outcome);
  }
}
