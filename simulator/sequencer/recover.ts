/**
 * The state of the venue out of its journal: the newest usable snapshot, then every later entry decided again. Each entry
 * must hash to what was recorded; the first that does not stops recovery and is named.
 */
import type { Command } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import type { World } from "../domain/world.ts";
import { apply, beginEntry } from "../engine/apply.ts";
import { decide } from "../engine/decide.ts";
import type { Outcome } from "../engine/decision.ts";
import { audit } from "../engine/invariants.ts";
import { restoreSnapshot } from "../engine/snapshot.ts";
import { VenueState } from "../engine/state.ts";
import { chainHash, genesisHash } from "./chain.ts";
import { decodeCommand } from "./codec.ts";
import type { JournalEntry, JournalReader, SnapshotRow, VenueHeader } from "./ports.ts";

export interface Recovered {
  readonly state: VenueState;
  readonly hash: string;
  /** Entries decided again after the snapshot. */
  readonly replayed: number;
  /** Why the newest snapshot was of no use, in a sentence; null when it was used or there is none. */
  readonly passedOver: string | null;
}

/** The journal does not reproduce itself: damaged, edited, or written by an engine that decides otherwise. */
export class JournalDiverged extends Error {
  override readonly name = "JournalDiverged";
  readonly seq: number;

  constructor(seq: number, expected: string, found: string, writtenBy: string, options: ErrorOptions = {}) {
    super(
      `The journal does not reproduce itself: entry ${seq} was recorded with hash ${expected} and replays to ${found}. ` +
        `Either the file was changed, or it was written by an engine that decides differently (${writtenBy}). ` +
        "Nothing was written. Start it with the version that wrote it, or restore a copy.",
      options,
    );
    this.seq = seq;
  }
}

/** `snapshot`: where to begin, if not with the newest in the file. */
export function recover(
  journal: JournalReader,
  world: World,
  snapshot: SnapshotRow | null = journal.latestSnapshot(),
): Recovered {
  const start = startingPoint(journal, world, snapshot);
  const { state, passedOver } = start;
  let { hash } = start;
  let replayed = 0;
  for (const entry of journal.entriesAfter(state.seq)) {
    hash = replayChecked(state, hash, entry, journal.header.engineVersion).hash;
    replayed++;
  }
  audit(state);
  return { state, hash, replayed, passedOver };
}

export interface Replayed {
  readonly hash: string;
  readonly command: Command;
  readonly events: readonly Event[];
  readonly outcome: Outcome;
}

/** An entry that has been decided again; one that cannot be, or hashes to something else, is named. */
export function replayChecked(
  state: VenueState,
  previous: string,
  entry: JournalEntry,
  writtenBy: string,
): Replayed {
  let replayed: Replayed;
  try {
    replayed = replay(state, previous, entry);
  } catch (error) {
    const found = `an error: ${messageOf(error)}`;
    throw new JournalDiverged(entry.seq, entry.hash, found, writtenBy, { cause: error });
  }
  const { hash } = replayed;
  if (hash !== entry.hash) throw new JournalDiverged(entry.seq, entry.hash, hash, writtenBy);
  return replayed;
}

export function replay(state: VenueState, previous: string, entry: JournalEntry): Replayed {
  const { seq, at, kind } = entry;
  const command = decodeCommand(kind, entry.command);
  const { events, outcome } = decide(state, { seq, at }, command);
  beginEntry(state, seq, at);
  for (const event of events) apply(state, event, at);
  const hash = chainHash(previous, { seq, at, kind, command: entry.command, events });
  return { hash, command, events, outcome };
}

/** A snapshot is a convenience: one that cannot be read costs a longer replay and nothing else. */
function startingPoint(
  journal: JournalReader,
  world: World,
  snapshot: SnapshotRow | null,
): Omit<Recovered, "replayed"> {
  let passedOver: string | null = null;
  if (snapshot !== null) {
    try {
      return { state: restoreSnapshot(world, snapshot.body), hash: snapshot.hash, passedOver };
    } catch (error) {
      passedOver =
        `The snapshot of entry ${snapshot.seq} cannot be read (${messageOf(error)}) and is skipped. ` +
        "The whole journal is replayed instead, which takes longer; the next snapshot will be readable.";
    }
  }
  return { ...beginning(journal.header, world), passedOver };
}

/** Before the first entry. */
export function beginning(
  header: Pick<VenueHeader, "worldDigest" | "seed" | "epoch">,
  world: World,
): Pick<Recovered, "state" | "hash"> {
  const state = new VenueState(world);
  return { state, hash: genesisHash(header) };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
