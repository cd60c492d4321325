/** A sequencer over a journal in memory and a manual clock, with everything it reports kept for the test. */
import type { VenueSpec } from "../../engine/testing/venue-spec.ts";
import { worldOf } from "../../engine/testing/venue-spec.ts";
import { MarketClock } from "../clock.ts";
import type { JournalWriter } from "../ports.ts";
import { recover } from "../recover.ts";
import { type CommittedEntry, type Schedule, Sequencer } from "../sequencer.ts";
import { MemoryJournal } from "./memory-journal.ts";

export interface Running {
  readonly sequencer: Sequencer;
  readonly journal: MemoryJournal;
  readonly clock: MarketClock;
  readonly published: CommittedEntry[];
  readonly failures: Error[];
}

const nothingScheduled: Schedule = { nextAt: () => null, commandsAt: () => [] };

export interface Choices {
  readonly journal?: MemoryJournal;
  /** What the sequencer writes to in the place of the journal. */
  readonly writer?: JournalWriter;
  readonly schedule?: Schedule;
  readonly marketClock?: MarketClock;
  /** Triggered stops of one transaction. */
  readonly stopsAtOnce?: number;
  readonly onCommitted?: (entries: readonly CommittedEntry[]) => void;
}

export function start(spec: VenueSpec, choices: Choices = {}): Running {
  const journal = choices.journal ?? new MemoryJournal();
  const { state, hash } = recover(journal, worldOf(spec));
  const clock = new MarketClock("manual", state.now);
  const published: CommittedEntry[] = [];
  const failures: Error[] = [];
  const sequencer = new Sequencer({
    journal: choices.writer ?? journal,
    state,
    hash,
    clock: choices.marketClock ?? clock,
    schedule: choices.schedule ?? nothingScheduled,
    stopsAtOnce: choices.stopsAtOnce,
    maintain: () => {},
    onCommitted: (entries) => {
      journal.log.push(`published ${entries.length}`);
      published.push(...entries);
      choices.onCommitted?.(entries);
    },
    onFailure: (failure) => failures.push(failure),
  });
  return { sequencer, journal, clock, published, failures };
}
