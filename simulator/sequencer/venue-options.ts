/** The parts of a venue, and the evidence that it keeps when it stops itself. */
import type { Command } from "../domain/command.ts";
import type { World } from "../domain/world.ts";
import type { VenueState } from "../engine/state.ts";
import type { MarketClock } from "./clock.ts";
import type { Journal } from "./ports.ts";
import type { Schedule } from "./sequencer.ts";

export interface VenueOptions {
  readonly world: World;
  readonly clock: MarketClock;
  readonly engineVersion: string;
  /** The first commands of an empty journal: rules of the world. */
  readonly opening: readonly Command[];
  /** Opens the file; throws with a teaching sentence when it cannot. `again`: this process had it open a moment ago. */
  readonly openJournal: (again: boolean) => Journal;
  readonly makeSchedule: (state: VenueState) => Schedule;
  /** Inside each transaction. `idle`: nothing waits, so it may do more; says whether more is left. */
  readonly maintain: (idle: boolean) => boolean;
  /** Keeps the evidence of a violated invariant and notifies the owner of the venue. */
  readonly onStopped: (evidence: Evidence) => void;
  readonly onNotice: (sentence: string) => void;
  readonly retryMs?: number;
  /** With so many entries it takes no further command. */
  readonly mostEntries?: number;
  /** Entries after which a snapshot is written when nothing waits. */
  readonly snapshotEvery?: number;
}

export interface Evidence {
  readonly message: string;
  readonly stack: string;
  readonly seq: number;
  readonly hash: string;
  readonly engineVersion: string;
  readonly seed: number;
}
