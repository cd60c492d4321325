/**
 * Copies a venue, from outside and while it runs.
 *
 * The venue locks its file, so SQLite cannot make the copy: the bytes are copied, first the database and then its
 * log. A commit only adds to the log, and a checkpoint moves into the database what the log holds as well, so the two
 * copies show one moment of the venue, unless the log began anew in between. That is detected, and the copy is repeated.
 *
 * Invariants:
 * - Nothing is written to the venue's files, and no lock of theirs is taken.
 * - The copy is examined as a start would before it has its name, and held against the mark that the venue had before
 *   the first byte was copied: nothing that was acknowledged until then is missing.
 * - The copy is one file without a log, with a mark of its own that is there before it.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StoreFailure } from "../sequencer/store-failure.ts";
import { memory } from "./database.ts";
import {
  createDatabaseFile,
  type DatabaseFile,
  fileFailure,
  locateToRead,
  markOf,
  removeVenueFiles,
  syncFolder,
  venueFilesOf,
  walOf,
} from "./database-file.ts";
import { SqliteDatabase } from "./driver.ts";
import { judge } from "./examine.ts";
import { MarkFile, noHash, readMark, untilTheStart } from "./mark.ts";
import { storeFailureFrom } from "./store-failure.ts";

export interface VenueBackup {
  readonly file: string;
  /** The last entry that the copy holds; null for a venue that has none. */
  readonly last: { readonly seq: number; readonly hash: string } | null;
}

const attempts = 100;
const pauseMs = 20;

/** `between` is called after the database was copied and before its log is: the moment that a test needs. */
export async function backUp(given: string, out: string, between = (): void => {}): Promise<VenueBackup> {
  const target = path.resolve(out);
  const partial = `${target}.partial`;
  makeWay(target, partial);
  const source = sourceOf(given);
  try {
    const reading = readMark(source.mark);
    await copyOneMoment(source.path, partial, between);
    const db = new SqliteDatabase(partial);
    let last: VenueBackup["last"];
    try {
      const { venue, head, nonce } = judge(db, source, 0, reading, null);
      if (venue === null) throw new StoreFailure("other", `There is no venue in ${source.path} yet.`);
      db.pragma("journal_mode = DELETE");
      const mark = new MarkFile(markOf(partial), venue.id, true);
      mark.write({ seq: head?.seq ?? 0, hash: head?.hash ?? noHash, nonce, signed: untilTheStart });
      mark.close();
      last = head;
    } finally {
      db.close();
    }
    flush(partial);
    renameSync(markOf(partial), markOf(target));
    renameSync(partial, target);
    syncFolder(path.dirname(target));
    return { file: target, last };
  } catch (error) {
    const failure = storeFailureFrom(error, { file: source.path, doing: "while it was copied" });
    throw fileFailure(failure, `The backup ${target} failed`);
  } finally {
    removeVenueFiles(partial);
  }
}

/** Refuses to replace a file, and removes what an interrupted copy has left. */
function makeWay(target: string, partial: string): void {
  const taken = [target, ...venueFilesOf(target)].find((each) => existsSync(each));
  if (taken !== undefined)
    throw new StoreFailure("other", `${taken} exists already. Remove it, or choose another name with --out.`);
  try {
    removeVenueFiles(partial);
  } catch (error) {
    throw fileFailure(error, `The backup ${target} cannot be written`);
  }
}

function sourceOf(given: string): DatabaseFile {
  if (given === memory)
    throw new StoreFailure("other", "A venue in memory has no file, so there is nothing to copy.");
  return locateToRead(given);
}

async function copyOneMoment(source: string, copy: string, between: () => void): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = momentOf(source);
    removeVenueFiles(copy);
    // Made first, for its mode: a copy holds what the original holds.
    createDatabaseFile(copy);
    copyFileSync(source, copy);
    between();
    if (existsSync(walOf(source))) copyFileSync(walOf(source), walOf(copy), constants.COPYFILE_EXCL);
    if (momentOf(source) === before) return;
    await sleep(pauseMs);
  }
  throw new StoreFailure(
    "busy",
    `The venue writes faster than its file ${source} can be copied. Try again in a quieter moment, or stop it first.`,
  );
}

const logHeaderBytes = 32;

/**
 * Changes when the log begins anew: its header, and, if it was empty before and is again, the modification time of the
 * database. A log is emptied only after a pause that is longer than the resolution of such a time.
 */
function momentOf(file: string): string {
  const { ino, size, mtimeNs } = statSync(file, { bigint: true });
  const header = Buffer.alloc(logHeaderBytes);
  if (!existsSync(walOf(file))) return `${ino} ${size} ${mtimeNs}`;
  const log = openSync(walOf(file), "r");
  const length = readSync(log, header, 0, logHeaderBytes, 0);
  closeSync(log);
  return length === 0 ? `${ino} ${size} ${mtimeNs}` : `${ino} ${header.toString("hex")}`;
}

function flush(file: string): void {
  const descriptor = openSync(file, "r+");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
