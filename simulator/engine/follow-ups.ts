/** The next command of the engine itself: first stops that a trade triggered, then entries of the agenda at or before `now`. */
import type { Command } from "../domain/command.ts";
import type { VenueState } from "./state.ts";
import { nextStop } from "./stops.ts";

/** Orders reconciled by one journal entry at the most, so that an entry stays readable. */
const syncsPerEntry = 256;

export interface FollowUp {
  readonly command: Command;
  /** When it fell due on the market clock. */
  readonly at: number;
}

/** The next command that is due at or before `now`, or null. Deterministic: it depends on the state alone. */
export function nextFollowUp(state: VenueState, now: number): FollowUp | null {
  const stop = nextStop(state);
  if (stop !== null) return { command: stop, at: state.now };
  const due = state.agenda.peek();
  if (due === null || due.at > now) return null;
  const { order, at } = due;
  switch (due.kind) {
    case "Sync":
      return { command: { kind: "SyncOrders", orders: state.agenda.syncsDue(at, syncsPerEntry) }, at };
    case "MatchOrder":
      return { command: { kind: "MatchOrder", order }, at };
    case "ConfirmOrder":
      return { command: { kind: "ConfirmOrder", order, to: "OPEN" }, at };
    case "FailOrder":
      return { command: { kind: "ConfirmOrder", order, to: "FAILED" }, at };
    case "TakeCourse":
      return { command: { kind: "TakeCourse", order }, at };
    case "FinishCancel":
      return { command: { kind: "FinishCancel", order }, at };
  }
}

/** When the next thing falls due, or null. */
export function nextDueAt(state: VenueState): number | null {
  if (state.triggered.length > 0) return state.now;
  return state.agenda.peek()?.at ?? null;
}
