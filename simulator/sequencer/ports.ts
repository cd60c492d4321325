/** The ports of the sequencer, as types of functions; `compose.ts` connects the adapters. */

import type { LedgerLine, NonceRecord } from "../domain/account.ts";
import type { CommandKind } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";

/** One journal entry as it is stored. `hash` chains over the previous hash, the command and its events. */
export interface JournalEntry {
  readonly seq: number;
  /** Market time in milliseconds since the epoch. */
  readonly at: number;
  readonly kind: CommandKind;
  /** The command as compact JSON text, without its kind. */
  readonly command: string;
  /** Lower-case hex, 32 characters: the first half of SHA-256. */
  readonly hash: string;
}

export interface SnapshotRow {
  /** The snapshot holds the state after this entry. */
  readonly seq: number;
  readonly hash: string;
  readonly engineVersion: string;
  readonly body: Uint8Array;
}

export interface VenueHeader {
  /** Canonical JSON of the world this file was made with, secrets left out. */
  readonly world: string;
  readonly worldDigest: string;
  readonly seed: number;
  readonly engineVersion: string;
  /** Counts the resets of this venue; shown in health and in every report. */
  readonly epoch: number;
  readonly createdAt: number;
}

/** The reading half of a journal: what recovery needs. */
export interface JournalReader {
  readonly header: VenueHeader;
  entriesAfter(seq: number): IterableIterator<JournalEntry>;
  latestSnapshot(): SnapshotRow | null;
}

/** The writing half: all writes of one batch are between `begin` and `commit`. */
export interface JournalWriter {
  begin(): void;
  /** An entry with its result, for its readable rows. */
  append(entry: JournalEntry, events: readonly Event[], lines: readonly LedgerLine[]): void;
  appendNonce(row: NonceRecord): void;
  /** The batch is on stable storage when this returns; in a store that answers later, when its promise resolves. */
  commit(): void | Promise<void>;
  rollback(): void;
}

/** A journal that is open, with its tables. Any method may throw a `StoreFailure`; after that the instance is of no further use. */
export interface Journal extends JournalReader, JournalWriter {
  /** Makes sure, without a commit, that this nonce is refused after a restart; throws when it cannot. */
  markNonce(row: NonceRecord): void;
  /** Last committed entry, or null for an empty journal. */
  last(): { readonly seq: number; readonly hash: string; readonly at: number } | null;
  saveSnapshot(snapshot: SnapshotRow): void;
  /** Writes and flushes once more, in another place, what the log holds, and empties the log. */
  checkpoint(): void;
  close(): void;
}

/** The database of another venue, to go on from. */
export interface Origin {
  readonly image: Buffer;
  /** The last entry that is taken over; null: the last one there is. */
  readonly entry: number | null;
}
