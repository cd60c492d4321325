/**
 * Replays the whole journal of a venue that does not run, from its first entry, and compares everything else in the file
 * with what that gives. A start trusts the newest snapshot and replays what follows; this trusts nothing.
 */
import { InvariantViolation } from "./domain/invariant.ts";
import type { World } from "./domain/world.ts";
import { audit } from "./engine/invariants.ts";
import { captureSnapshot, restoreSnapshot } from "./engine/snapshot.ts";
import type { VenueState } from "./engine/state.ts";
import { type SimulatorOptions, StartFailure } from "./options.ts";
import { readWorld } from "./read-world.ts";
import type { SnapshotRow } from "./sequencer/ports.ts";
import { beginning, JournalDiverged, replayChecked } from "./sequencer/recover.ts";
import { StoreFailure } from "./sequencer/store-failure.ts";
import { type FileToCheck, openToCheck, type Report } from "./store/open-to-check.ts";

export interface CheckProblem {
  /** The first entry that it concerns; null where it concerns none. */
  readonly entry: number | null;
  readonly sentence: string;
}

export interface VenueCheck {
  readonly file: string;
  /** Nothing is wrong. */
  readonly whole: boolean;
  /** Entries that reproduced themselves, and the chain hash of the last of them. */
  readonly entries: number;
  readonly hash: string | null;
  readonly snapshots: number;
  readonly nonces: number;
  /** Without a valid mark, entries and nonces that are missing at the end cannot be noticed. */
  readonly mark: "valid" | "missing" | "unreadable";
  readonly problems: readonly CheckProblem[];
}

/** @throws StartFailure when the file cannot be checked: it is not there, in use, not a venue's, or of another world. */
export async function checkVenue(
  options: Required<Pick<SimulatorOptions, "db">> & Pick<SimulatorOptions, "world" | "seed">,
): Promise<VenueCheck> {
  const { world } = await readWorld(options);
  const problems: CheckProblem[] = [];
  const report: Report = (sentence, entry) => void problems.push({ sentence, entry: entry ?? null });
  let file: FileToCheck;
  try {
    file = openToCheck(options.db, world, report);
  } catch (error) {
    throw error instanceof StoreFailure ? new StartFailure(error.message) : error;
  }
  try {
    const { entries, hash } = file.isReadable ? replayAll(file, world, report) : { entries: 0, hash: null };
    const { path, mark, nonces, snapshots } = file;
    return {
      file: path,
      whole: problems.length === 0,
      entries,
      hash,
      snapshots: snapshots.length,
      nonces,
      mark,
      problems: problems.toSorted((one, other) => (one.entry ?? Infinity) - (other.entry ?? Infinity)),
    };
  } finally {
    file.rows.close();
    file.close();
  }
}

function replayAll(file: FileToCheck, world: World, report: Report): { entries: number; hash: string } {
  const { header } = file.venue;
  const { state, hash: genesis } = beginning(header, world);
  const snapshots = new Map(file.snapshots.map((snapshot) => [snapshot.seq, snapshot]));
  let hash = genesis;
  try {
    for (const entry of file.entries()) {
      const replayed = replayChecked(state, hash, entry, header.engineVersion);
      hash = replayed.hash;
      file.rows.compare(entry.seq, replayed.events, state.changes.lines);
      const snapshot = snapshots.get(entry.seq);
      if (snapshot !== undefined) compareSnapshot(snapshot, state, world, report);
    }
    file.rows.finish();
    audit(state);
  } catch (error) {
    if (error instanceof JournalDiverged) report(error.message, error.seq);
    else if (error instanceof StoreFailure) report(error.message, state.seq + 1);
    else if (error instanceof InvariantViolation)
      report(`It contradicts itself: ${error.message}.`, state.seq);
    else throw error;
  }
  return { entries: state.seq, hash };
}

/** A snapshot of an earlier build cannot be read. A start does not read it either and uses the journal. */
function compareSnapshot({ seq, body }: SnapshotRow, state: VenueState, world: World, report: Report): void {
  let restored: VenueState;
  try {
    restored = restoreSnapshot(world, body);
  } catch {
    return;
  }
  if (Buffer.compare(captureSnapshot(restored), captureSnapshot(state)) === 0) return;
  report(`The snapshot of entry ${seq} holds another state than the journal gives there.`, seq);
}
