/**
 * A venue's file opened to be looked through from end to end, and never to be written to.
 *
 * Invariants: the connection cannot write, and what SQLite lays beside the file to read it is removed again. While it
 * is open, no venue starts on the file; while a venue runs on it, this does not open.
 */
import { existsSync, rmSync } from "node:fs";
import type { World } from "../domain/world.ts";
import type { JournalEntry, SnapshotRow } from "../sequencer/ports.ts";
import { StoreFailure } from "../sequencer/store-failure.ts";
import { Connection } from "./connection.ts";
import { lastNonceIn, memory, numberIn, openToRead } from "./database.ts";
import { type DatabaseFile, locateToRead, shmOf, walOf } from "./database-file.ts";
import { type Sqlite, SqliteDatabase } from "./driver.ts";
import { readEntries } from "./entries.ts";
import {
  hashAt,
  lookInside,
  requireContiguous,
  requireMarked,
  requireOurs,
  requireSound,
} from "./examine.ts";
import { type MarkReading, readMark } from "./mark.ts";
import { migrate } from "./migrations.ts";
import { RowsToCheck } from "./rows-to-check.ts";
import { requireOurSchema } from "./schema.ts";
import { Snapshots } from "./snapshots.ts";
import { storeFailureFrom } from "./store-failure.ts";
import {
  createVenue,
  keysIn,
  newVenueId,
  readVenue,
  requireSameCodes,
  requireSameWorld,
  type StoredVenue,
} from "./stored-venue.ts";

/** Hears of each thing that is wrong; the entry is null where it concerns none. */
export type Report = (sentence: string, entry?: number) => void;

export interface FileToCheck {
  readonly path: string;
  readonly venue: StoredVenue;
  readonly mark: MarkReading["kind"];
  readonly nonces: number;
  /** The file cannot be read further than this. */
  readonly isReadable: boolean;
  /** Newest first. */
  readonly snapshots: readonly SnapshotRow[];
  readonly rows: RowsToCheck;
  entries(): IterableIterator<JournalEntry>;
  close(): void;
}

/** Throws what forbids a look: no such file, a venue that runs on it, another program's file, another world. */
export function openToCheck(given: string, world: World, report: Report): FileToCheck {
  const file = locateToRead(given);
  const { db, close } = openLeavingNothing(file.path);
  try {
    // One moment of the file, and a lock that keeps a venue from starting on it.
    db.exec("BEGIN");
    return look(db, file, world, report, close);
  } catch (error) {
    close();
    throw storeFailureFrom(error, { file: file.path, doing: "while it was checked" });
  }
}

/** `close` also removes what SQLite has laid beside the file to read it. */
export function openLeavingNothing(path: string): { readonly db: Sqlite; readonly close: () => void } {
  const strays = [walOf(path), shmOf(path)].filter((side) => !existsSync(side));
  const db = openToRead(path);
  const close = (): void => {
    db.close();
    for (const side of strays) rmSync(side, { force: true });
  };
  return { db, close };
}

function look(db: Sqlite, file: DatabaseFile, world: World, report: Report, close: () => void): FileToCheck {
  const { path } = file;
  requireOurs(db, path);
  const isOurs = noted(report, () => requireOurSchema(db, path));
  const venue = isOurs ? readVenue(db) : null;
  if (isOurs && venue === null) throw new StoreFailure("other", `There is no venue in ${path} yet.`);
  if (venue !== null) requireSameWorld(path, venue.header, world);
  const reading = readMark(file.mark);
  const connection = new Connection(db, path);
  const isReadable =
    venue !== null &&
    noted(report, () => requireSound(db, path, "integrity_check")) &&
    noted(report, () => requireSameCodes(db, path));
  if (isReadable) {
    noted(report, () => requireContiguous(db, path));
    noted(report, () => requireMarked(file, lookInside(db), reading, (seq) => hashAt(db, seq)));
    reportNames(db, world, report);
    reportNonces(db, world, reading, report);
  }
  const snapshots = new Snapshots(connection, (warning) => report(warning));
  return {
    path,
    // as: an unreadable file is looked at no further.
    venue: venue as StoredVenue,
    mark: reading.kind,
    nonces: isReadable ? numberIn(db, "SELECT count(*) FROM nonce") : 0,
    isReadable,
    snapshots: isReadable ? snapshots.seqs().flatMap((seq) => snapshots.at(seq) ?? []) : [],
    rows: new RowsToCheck(db, report),
    entries: () => readEntries(connection, venue?.header.createdAt ?? 0, 0),
    close,
  };
}

/** Whether nothing was wrong. */
function noted(report: Report, ask: () => void): boolean {
  try {
    ask();
    return true;
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    report(error.message);
    return false;
  }
}

const names = ["asset", "product", "client", "opening_balance"];

/** The names and opening balances that the views show come from the world: creating it again gives the same. */
function reportNames(db: Sqlite, world: World, report: Report): void {
  const fresh = new SqliteDatabase(memory);
  try {
    migrate(fresh);
    createVenue(fresh, newVenueId(), { world, now: 0, engineVersion: "" });
    for (const table of names) {
      if (contentOf(db, table) !== contentOf(fresh, table))
        report(`The table ${table} does not hold what the world says.`);
    }
  } finally {
    fresh.close();
  }
}

const contentOf = (db: Sqlite, table: string): string =>
  db
    .prepare<[], readonly unknown[]>(`SELECT * FROM ${table} ORDER BY 1, 2`)
    .raw()
    .safeIntegers()
    .all()
    .map((row) => row.map(String).join(" "))
    .join("\n");

function reportNonces(db: Sqlite, world: World, reading: MarkReading, report: Report): void {
  const keys = keysIn(db, world);
  const strange = numberIn(
    db,
    "SELECT count(*) FROM nonce WHERE length(nonce) <> 16 OR key NOT BETWEEN 0 AND ?",
    keys - 1,
  );
  if (strange > 0) report(`${strange} rows of the table nonce are of no key of this world, or no nonces.`);
  const floors = numberIn(db, "SELECT count(*) FROM nonce_floor WHERE key NOT BETWEEN 0 AND ?", keys - 1);
  if (floors > 0) report(`${floors} rows of the table nonce_floor are of no key of this world.`);
  const twice = numberIn(
    db,
    "SELECT count(*) FROM (SELECT 1 FROM nonce GROUP BY key, nonce, timestamp HAVING count(*) > 1)",
  );
  if (twice > 0) report(`${twice} nonces were used twice by one key with the same timestamp.`);
  const last = lastNonceIn(db);
  if (reading.kind === "valid" && reading.mark.nonce > last)
    report(
      `Nonces are missing: the mark knows ${reading.mark.nonce}, and the last one in the file is ${last}.`,
    );
}
