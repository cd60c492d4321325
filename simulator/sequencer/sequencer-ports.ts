/** The parts of a sequencer. */
import type { NonceRecord } from "../domain/account.ts";
import type { Command } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import type { Changes } from "../engine/changes.ts";
import type { Outcome } from "../engine/decision.ts";
import type { VenueState } from "../engine/state.ts";
import type { MarketClock } from "./clock.ts";
import type { JournalWriter } from "./ports.ts";

/** Commands that the world outside the engine puts on the market clock: the synthetic market. */
export interface Schedule {
  /** When it acts next, or null. */
  nextAt(state: VenueState): number | null;
  /** The commands of that time; an empty list if there are none. */
  commandsAt(state: VenueState, at: number): readonly Command[];
}

export interface CommittedEntry {
  readonly seq: number;
  readonly at: number;
  readonly command: Command;
  readonly events: readonly Event[];
  readonly changes: Changes;
}

/** The condition that a move of the clock watches. */
export interface Move {
  /**
   * Ends the move early. It gets the entries since it was asked last, which are not committed yet. Before each piece of
   * the move, it gets none, or those whose stops the piece before had left. Not asked while stops are left.
   */
  readonly until?: (fresh: readonly CommittedEntry[]) => boolean;
  /** Hears the entries of the move after each commit. */
  readonly committed?: (entries: readonly CommittedEntry[]) => void;
  /** Ends the move before its next piece. */
  readonly signal?: AbortSignal;
}

/** `met`: its condition; `there`: it went all the way; `ended`: its signal ended it on the way. */
export type MoveEnd = "met" | "there" | "ended";

/** Follows the entries of a venue. An error in it is a bug of ours and stops the venue. */
export interface Follower {
  /** After each commit, before any answer leaves: the entries that are durable now, in order, and the time of the store. */
  committed(entries: readonly CommittedEntry[], tookMs: number): void;
  /** The state was read from the file again: it may hold entries that the follower has not seen. */
  restored(): void;
  /** The venue has stopped permanently. */
  stopped(): void;
}

export interface SequencerPorts {
  readonly journal: JournalWriter;
  readonly state: VenueState;
  readonly hash: string;
  readonly clock: MarketClock;
  readonly schedule: Schedule;
  /** Triggered stops of one transaction; the journal does not depend on it. */
  readonly stopsAtOnce?: number | undefined;
  /** Called in a transaction of each batch, for what must be written now and then: nonce floors, purging. */
  readonly maintain: () => unknown;
  /** Called after each commit with the entries that it made durable, in order; a commit may hold nonces alone. */
  readonly onCommitted: (entries: readonly CommittedEntry[], tookMs: number) => void;
  /** Called once when the sequencer can go no further; it refuses everything from then on. */
  readonly onFailure: (failure: Error) => void;
}

/** A request between its arrival and the commit of its batch. */
export interface Waiting {
  readonly command: Command | null;
  readonly nonce: NonceRecord | null;
  readonly settle: (executed: Executed) => void;
  readonly refuse: (reason: Error) => void;
}

/** What came of a command. */
export interface Executed {
  readonly outcome: Outcome;
  /** Those that it has caused; of a command that changed nothing, they end before they begin. */
  readonly entries: Entries;
}

/** The entries of a command, with the stops that it triggered: both ends included. */
export interface Entries {
  readonly first: number;
  readonly last: number;
}

/** Where in the journal a request was served. */
export interface Place {
  /** The last entry before its command was decided. */
  readonly decided: number;
  /** The last entry of the state that its answer is made of: others of its batch may have come in between. */
  readonly answered: number;
}
