/**
 * The way into the store: finds the file, judges it, opens it, and creates the venue when there is none.
 *
 * Invariant: a file is refused before it is touched, or it is opened whole. Everything that may refuse it is
 * asked by `examine` over a connection that cannot write; only then is the file opened for writing and
 * locked. The findings are compared once more under the lock, since another process may have changed the file in
 * between.
 *
 * A venue that could not be created leaves no file behind.
 */
import { rmSync, statSync } from "node:fs";
import type { Origin } from "../sequencer/ports.ts";
import { StoreFailure } from "../sequencer/store-failure.ts";
import { Connection } from "./connection.ts";
import { memory, openDatabase } from "./database.ts";
import {
  createDatabaseFile,
  type DatabaseFile,
  fileFailure,
  locateDatabase,
  removeVenueFiles,
  resetCommand,
  shmOf,
} from "./database-file.ts";
import type { Sqlite } from "./driver.ts";
import { belongsTo, type Examined, examine, judge, lookInside } from "./examine.ts";
import { SqliteJournal } from "./journal.ts";
import { MarkFile, type MarkReading, nothingMarked, readMark, untilTheStart } from "./mark.ts";
import { createTables, migrate } from "./migrations.ts";
import { raiseFloorSql } from "./nonces.ts";
import { storeFailureFrom } from "./store-failure.ts";
import {
  createVenue,
  extendCodeLists,
  forgetAfter,
  keysIn,
  type NewVenue,
  newVenueId,
  readVenue,
  type StoredVenue,
} from "./stored-venue.ts";

/** `NewVenue` is for the header of a new venue. */
export interface OpenOptions extends NewVenue {
  /** A path, or `:memory:` for a venue that ends with its process. */
  readonly file: string;
  /** Time of authentication: requests signed until then are refused when a lost mark leaves nonces uncertain. */
  readonly authNow?: number;
  readonly onWarning?: (message: string) => void;
  /** Most pages of 4 KiB that the file may have: a quota, and the full disk of the tests. */
  readonly maxPages?: number;
  /**
   * This process had the file open a moment ago and comes back to it after a failure. It is then judged over the
   * connection that writes: one that only reads needs a new file beside it, for which a full disk has no room.
   */
  readonly again?: boolean;
  /** For a venue in memory. */
  readonly from?: Origin;
}

export function openJournal(options: OpenOptions): SqliteJournal {
  return options.file === memory ? openInMemory(options) : openFile(options);
}

function openInMemory(options: OpenOptions): SqliteJournal {
  if (options.again === true)
    throw lost("The venue in memory failed, and there is no file to read it from again");
  const db = openDatabase(memory, options.maxPages, options.from?.image);
  if (options.from === undefined) createTables(db);
  else migrate(db);
  const entry = options.from?.entry ?? null;
  if (entry !== null) forgetAfter(db, entry);
  const venue = readVenue(db) ?? createVenue(db, newVenueId(), options);
  return new SqliteJournal(new Connection(db, memory), venue, null, warner(options));
}

function openFile(options: OpenOptions): SqliteJournal {
  const file = locateDatabase(options.file);
  const reading = readMark(file.mark);
  const size = file.state === "absent" ? 0 : statSync(file.path).size;
  const isReturning = options.again === true;
  if (isReturning && file.state !== "filled")
    throw lost(
      `The database ${file.path} is ${file.state === "absent" ? "gone" : "empty"}, and its venue was running: what it ` +
        `acknowledged is lost with the file. To start afresh: ${resetCommand(file.path)}`,
    );
  const before = isReturning ? null : examine(file, size, reading, options.world);
  if (file.state === "absent") createDatabaseFile(file.path);
  const db = openDatabase(file.path, options.maxPages);
  let isMine = false;
  try {
    const seen = before ?? judge(db, file, size, reading, options.world);
    if (before !== null) requireUnchanged(file.path, before, lookInside(db));
    isMine = file.state === "absent";
    return start(db, file, seen, reading, options);
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

function start(
  db: Sqlite,
  file: DatabaseFile,
  seen: Examined,
  reading: MarkReading,
  options: OpenOptions,
): SqliteJournal {
  // Left by a connection that only read; ours keeps the index of the log in memory, and the lock says that no other
  // process has one.
  rmSync(shmOf(file.path), { force: true });
  const migrated = migrate(db);
  const { mark, venue } =
    seen.venue === null ? found(db, file, options) : takeOver(db, file, seen, seen.venue, reading, options);
  // The schema belongs into the database itself: a deleted log then costs entries, which the mark counts, and
  // not the venue.
  if (seen.venue === null || migrated > 0) db.pragma("wal_checkpoint(TRUNCATE)");
  try {
    const marked = reading.kind === "valid" && options.again === true ? reading.mark : nothingMarked;
    const journal = new SqliteJournal(new Connection(db, file.path), venue, mark, warner(options), marked);
    journal.moveMark();
    return journal;
  } catch (error) {
    mark.close();
    throw error;
  }
}

interface Begun {
  readonly venue: StoredVenue;
  readonly mark: MarkFile;
}

/** The mark first, so that a created venue without one has lost it. */
function found(db: Sqlite, file: DatabaseFile, options: OpenOptions): Begun {
  const id = newVenueId();
  const mark = new MarkFile(file.mark, id, true);
  try {
    mark.write(nothingMarked);
    mark.flush();
    return { mark, venue: createVenue(db, id, options) };
  } catch (error) {
    mark.close();
    throw error;
  }
}

function takeOver(
  db: Sqlite,
  file: DatabaseFile,
  seen: Examined,
  venue: StoredVenue,
  reading: MarkReading,
  options: OpenOptions,
): Begun {
  db.transaction(() => extendCodeLists(db)).immediate();
  // The memory of this process knows every nonce; those that it could not write stay marked.
  const doubt = options.again === true ? null : doubtOf(file, seen, reading, options);
  if (doubt !== null) {
    raiseFloors(db, keysIn(db, options.world), doubt.signedUntil);
    warner(options)(doubt.sentence);
  }
  return { venue, mark: new MarkFile(file.mark, venue.id, doubt !== null) };
}

interface Doubt {
  readonly sentence: string;
  /** Requests that were signed until then are refused: their nonces may have been used. */
  readonly signedUntil: number;
}

/** Nonces that were used and are not in the file, as the mark shows or cannot rule out. Entries were judged before. */
function doubtOf(
  file: DatabaseFile,
  { venue, head, nonce }: Examined,
  reading: MarkReading,
  { authNow = Date.now() }: OpenOptions,
): Doubt | null {
  if (reading.kind !== "valid" || !belongsTo(reading, venue)) {
    const kind = reading.kind === "valid" ? "that of another venue" : reading.kind;
    return {
      signedUntil: authNow,
      sentence:
        `The mark ${file.mark} is ${kind}, so it is unknown whether entries after ${head?.seq ?? 0} are ` +
        `missing from ${file.path}. A new mark is written from here on. ${refusedUntil(authNow)}`,
    };
  }
  const { mark } = reading;
  if (mark.signed === untilTheStart)
    return {
      signedUntil: authNow,
      sentence: `${file.path} is a backup: nonces that were used after it was made are not in it. ${refusedUntil(authNow)}`,
    };
  if (mark.nonce <= nonce) return null;
  return {
    signedUntil: mark.signed,
    sentence:
      `Nonces that were used are missing from ${file.path}: its mark knows ${mark.nonce}, and the last one in it ` +
      `is ${nonce}. The log was lost, or the disk had refused to write. ${refusedUntil(mark.signed)}`,
  };
}

const refusedUntil = (time: number): string =>
  `Requests signed until ${new Date(time).toISOString()} are refused, so that none can be sent again.`;

function raiseFloors(db: Sqlite, keys: number, signedUntil: number): void {
  const raise = db.prepare<[number, number]>(raiseFloorSql);
  db.transaction(() => {
    for (let key = 0; key < keys; key++) raise.run(key, signedUntil);
  }).immediate();
}

const warner = ({ onWarning }: OpenOptions): ((message: string) => void) => onWarning ?? ignore;

const ignore = (): void => {};

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
