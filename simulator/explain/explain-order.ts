/**
 * The story of an order out of the journal: every entry is decided again in a state of its own, beside the venue that runs,
 * and each event that concerns the order becomes a fact.
 *
 * **Invariants.** The venue is not touched. The same journal gives the same facts.
 *
 * **Known limits.** It takes as long as a replay of the whole journal, in pieces between which the venue serves others. Of a
 * story of more than `mostFacts` facts the middle is left out, and counted.
 */
import type { OrderNumber } from "../domain/order.ts";
import { apply, beginEntry } from "../engine/apply.ts";
import { decide } from "../engine/decide.ts";
import type { VenueState } from "../engine/state.ts";
import { decodeCommand } from "../sequencer/codec.ts";
import type { JournalEntry } from "../sequencer/ports.ts";
import type { Fact } from "./fact.ts";
import { factsOf } from "./order-facts.ts";
import { waitingFor } from "./waiting.ts";

const mostFacts = 500;
/** Entries of one piece. */
const piece = 500;

export interface Told {
  /** As the world begins. It is used up. */
  readonly state: VenueState;
  readonly entries: Iterable<JournalEntry>;
  /** The last entry that counts. */
  readonly until: number;
}

export async function explainOrder(number: OrderNumber, { state, entries, until }: Told): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (const entry of entries) {
    if (entry.seq > until) break;
    facts.push(...tellEntry(state, entry, number));
    if (entry.seq % piece === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return [...shortened(facts), ...waitingFor(state, state.order(number))];
}

/** Decides the entry again, and gives the facts that it adds. */
export function tellEntry(state: VenueState, entry: JournalEntry, number: OrderNumber): Fact[] {
  const { seq, at } = entry;
  const command = decodeCommand(entry.kind, entry.command);
  const { events } = decide(state, { seq, at }, command);
  beginEntry(state, seq, at);
  const facts: Fact[] = [];
  for (const event of events) {
    facts.push(...factsOf({ entry: seq, at, command, event, state }, number));
    apply(state, event, at);
  }
  return facts;
}

function shortened(facts: Fact[]): Fact[] {
  const count = facts.length - mostFacts;
  if (count <= 0) return facts;
  const half = mostFacts / 2;
  const left: Fact = {
    code: "LEFT_OUT",
    sentence: `${count} facts in between are left out; the journal has them.`,
    values: { count },
    entry: facts[half]?.entry ?? null,
  };
  return [...facts.slice(0, half), left, ...facts.slice(-half)];
}
