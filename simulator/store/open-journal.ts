/**
 * The way into the store: finds the file, judges it, opens it, and founds the venue when there is none.
 *
 * Invariant: a file is refused before it is touched, or it is opened whole. Everything that may refuse it is
 * asked by `examine` over a connection that cannot write; only then is the file opened for writing and
 * locked. What was seen is compared once more under the lock, since another process may have been there in
 * between.
 *
 * A venue that could not be founded leaves no file behind.
 */
import { rmSync, statSync } from "node:fs";
import type { World } from "../domain/world.ts";
import { Connection } from "./connection.ts";
import { MEMORY, openDatabase } from "./database.ts";
import {
  createDatabaseFile,
  type DatabaseFile,
  fileFailure,
  locateDatabase,
  removeVenueFiles,
  shmOf,
} from "./database-file.ts";
import type { Sqlite } from "./driver.ts";
import { type Examined, examine, judge, lookInside } from "./examine.ts";
import { SqliteJournal } from "./journal.ts";
import { MarkFile, type MarkReading, readMark } from "./mark.ts";
import { migrate } from "./migrations.ts";
import { StoreFailure, storeFailureFrom } from "./store-failure.ts";
import { extendCodeLists, foundVenue, type Venue } from "./venue.ts";

export interface OpenOptions {
  /** A path, or `:memory:` for a venue that ends with its process. */
  readonly file: string;
  readonly world: World;
  /** Real time, for the header of a new venue. */
  readonly now: number;
  readonly engineVersion: string;
  /** Resets so far, for the header of a new venue. */
  readonly epoch?: number;
  readonly onWarning?: (message: string) => void;
  /** Most pages of 4 KiB that the file may have: a quota, and the full disk of the tests. */
  readonly maxPages?: number;
  /**
   * This process had the file open a moment ago and comes back to it after a failure. It is then judged over the
   * connection that writes: one that only reads needs a new file beside it, for which a full disk has no room.
   */
  readonly again?: boolean;
}

export function openJournal(options: OpenOptions): SqliteJournal {
  return options.file === MEMORY ? openInMemory(options) : openFile(options);
}

function openInMemory(options: OpenOptions): SqliteJournal {
  if (options.again === true)
    throw lost("The venue in memory failed, and there is no file to read it from again");
  const db = openDatabase(MEMORY, options.maxPages);
  migrate(db);
  return new SqliteJournal(new Connection(db, MEMORY), founded(db, options), null, warner(options));
}

function openFile(options: OpenOptions): SqliteJournal {
  const file = locateDatabase(options.file);
  const reading = readMark(file.mark);
  const size = file.state === "absent" ? 0 : statSync(file.path).size;
  const isReturning = options.again === true;
  if (isReturning && file.state !== "filled")
    throw lost(
      `The database ${file.path} is ${file.state === "absent" ? "gone" : "empty"}, and its venue was running`,
    );
  const before = isReturning ? null : examine(file, size, reading, options.world);
  if (before !== null) warnOfMark(file, before, reading, warner(options));
  if (file.state === "absent") createDatabaseFile(file.path);
  const db = openDatabase(file.path, options.maxPages);
  let isMine = false;
  try {
    const seen = before ?? judge(db, file, size, reading, options.world);
    if (before !== null) requireUnchanged(file.path, before, lookInside(db));
    isMine = file.state === "absent";
    return start(db, file, seen.venue, options);
  } catch (error) {
    db.close();
    // Only what this call made, and only after it was found to be alone with it.
    if (isMine) removeVenueFiles(file.path);
    const failure = storeFailureFrom(error, { file: file.path, doing: "while it was opened" });
    throw fileFailure(failure, `The database ${file.path} could not be opened`);
  }
}

/** A new venue in the place of one that runs would forget what it has acknowledged. */
const lost = (what: string): StoreFailure => new StoreFailure("gap", `${what}.`);

function start(db: Sqlite, file: DatabaseFile, seen: Venue | null, options: OpenOptions): SqliteJournal {
  // Left by a connection that only read; ours keeps the index of the log in memory, and the lock says nobody
  // else has one.
  rmSync(shmOf(file.path), { force: true });
  const migrated = migrate(db);
  const venue = seen ?? founded(db, options);
  if (seen !== null) db.transaction(() => extendCodeLists(db)).immediate();
  // The schema belongs into the database itself: a deleted log then costs entries, which the mark counts, and
  // not the venue.
  if (seen === null || migrated > 0) db.pragma("wal_checkpoint(TRUNCATE)");
  const mark = new MarkFile(file.mark, venue.id);
  try {
    const journal = new SqliteJournal(new Connection(db, file.path), venue, mark, warner(options));
    journal.moveMark();
    return journal;
  } catch (error) {
    mark.close();
    throw error;
  }
}

const founded = (db: Sqlite, { world, now, engineVersion, epoch = 0 }: OpenOptions): Venue =>
  foundVenue(db, { world, now, engineVersion, epoch });

const warner = ({ onWarning }: OpenOptions): ((message: string) => void) => onWarning ?? ignore;

const ignore = (): void => {};

function warnOfMark(
  file: DatabaseFile,
  { head }: Examined,
  { kind }: MarkReading,
  warn: (message: string) => void,
): void {
  const isExpected = kind === "missing" && head === null;
  if (kind === "valid" || isExpected) return;
  warn(
    `The mark ${file.mark} is ${kind}, so nobody can tell whether entries after ${head?.seq ?? 0} are ` +
      "missing from " +
      `${file.path}. A restored backup has none; it is made anew from here on.`,
  );
}

function requireUnchanged(file: string, before: Examined, now: Examined): void {
  const isSame =
    before.venue?.id === now.venue?.id &&
    before.head?.seq === now.head?.seq &&
    before.head?.hash === now.head?.hash;
  if (isSame) return;
  throw new StoreFailure(
    "busy",
    `Another process used the database ${file} while it was being opened. Start again.`,
  );
}
