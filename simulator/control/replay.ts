/**
 * The journal again, from its first entry: it keeps commands alone, so what they did comes from a replay beside the venue, in
 * pieces between which the venue serves others.
 */
import type { Command } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import { apply, beginEntry } from "../engine/apply.ts";
import { decide } from "../engine/decide.ts";
import type { VenueState } from "../engine/state.ts";
import { decodeCommand } from "../sequencer/codec.ts";
import type { JournalEntry } from "../sequencer/ports.ts";
import type { Controls } from "./control-route.ts";

/** Entries of one piece. */
const piece = 500;

/** Shows each entry up to `last`, with the state after it. It ends early when `visit` returns true. */
export async function replay(
  { history }: Controls,
  last: number,
  visit: (
    entry: JournalEntry,
    command: Command,
    events: readonly Event[],
    state: VenueState,
  ) => boolean | void,
): Promise<void> {
  const { state, entries } = history();
  for (const entry of entries) {
    const { seq, at } = entry;
    if (seq > last) return;
    const command = decodeCommand(entry.kind, entry.command);
    const { events } = decide(state, { seq, at }, command);
    beginEntry(state, seq, at);
    for (const event of events) apply(state, event, at);
    if (visit(entry, command, events, state) === true || seq === last) return;
    if (seq % piece === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
