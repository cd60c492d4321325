/**
 * Opens SQLite the one way in which an acknowledged entry survives power loss.
 *
 * Invariants:
 * - Every setting below is set *and* read back at *every* open. The driver is compiled so that `synchronous`
 *   reads FULL for a new file and NORMAL from the second start on; NORMAL lost acknowledged rows in 57 of 60
 *   power cuts.
 * - The file is locked before this function returns, not at the first write: a second process is refused at
 *   once.
 *
 * Ordering: `locking_mode` comes before anything that touches the write-ahead log, so that its index lives in
 * our own memory and no `-shm` file is needed.
 *
 * Known limits: locks are only as good as the file system; two hosts on one network share are not supported.
 * `openToRead` leaves an `-shm` and an empty `-wal` behind where none were: SQLite's own bookkeeping, without
 * content.
 */

import { StoreFailure } from "../sequencer/store-failure.ts";
import { type Sqlite, SqliteDatabase } from "./driver.ts";
import { storeFailureFrom } from "./store-failure.ts";

export const memory = ":memory:";

interface Setting {
  readonly name: string;
  readonly set: string | number;
  readonly expect: string | number;
  /** The differing answers of a database in memory. */
  readonly inMemory?: string | number;
}

const settings: readonly Setting[] = [
  { name: "locking_mode", set: "EXCLUSIVE", expect: "exclusive" },
  { name: "journal_mode", set: "WAL", expect: "wal", inMemory: "memory" },
  { name: "synchronous", set: "FULL", expect: 2 },
  { name: "foreign_keys", set: "ON", expect: 1 },
  { name: "trusted_schema", set: "OFF", expect: 0 },
  { name: "cell_size_check", set: "ON", expect: 1 },
  // These two matter on macOS, where a plain fsync does not reach the platter. Elsewhere they change nothing.
  { name: "fullfsync", set: "ON", expect: 1 },
  { name: "checkpoint_fullfsync", set: "ON", expect: 1 },
  // The bound for a venue that is never idle. Writing over a log of 4 MB takes half as long to flush as making it longer:
  // the file keeps its size, so the flush has no metadata to write.
  { name: "wal_autocheckpoint", set: 1000, expect: 1000 },
  // A snapshot may blow the log up once; it shrinks again with the next checkpoint.
  { name: "journal_size_limit", set: 67_108_864, expect: 67_108_864 },
];

/**
 * Opens for writing and takes the lock. `file` is an absolute path, or `:memory:`; `image`, of
 * `imageOf`, is the content of a new database in memory.
 */
export function openDatabase(file: string, maxPages?: number, image?: Buffer): Sqlite {
  let db: Sqlite | undefined;
  try {
    db = new SqliteDatabase(image ?? file, { timeout: 0 });
    // Many venues in memory have small pages. It has to come before anything that touches the database.
    if (file === memory) db.pragma("page_size = 1024");
    for (const setting of settings) applySetting(db, file, setting);
    if (maxPages !== undefined) db.pragma(`max_page_count = ${maxPages}`);
    // Reading the settings back has taken the lock with the builds we know; this takes it with every build.
    db.exec("BEGIN IMMEDIATE; COMMIT");
    return db;
  } catch (error) {
    db?.close();
    throw storeFailureFrom(error, { file, doing: "while it was opened" });
  }
}

/** Where the header of a database says that it is written, and read, through a write-ahead log. */
const versionBytes = [18, 19] as const;
const withRollbackJournal = 1;

/** The whole database as bytes, to open in memory. There it cannot have a log; the image holds what was in it. */
export function imageOf(db: Sqlite): Buffer {
  const image = db.serialize();
  for (const at of versionBytes) image[at] = withRollbackJournal;
  return image;
}

/** Opens without being able to change a byte of the content, log included: a connection to refuse with. */
export function openToRead(file: string): Sqlite {
  try {
    const db = new SqliteDatabase(file, { readonly: true, timeout: 0 });
    db.pragma("trusted_schema = OFF");
    db.pragma("cell_size_check = ON");
    return db;
  } catch (error) {
    throw storeFailureFrom(error, { file, doing: "while it was opened" });
  }
}

/** The one number that a query gives; 0 for none. */
export const numberIn = (db: Sqlite, sql: string, ...values: number[]): number =>
  db
    .prepare<number[], number>(sql)
    .pluck()
    .get(...values) ?? 0;

/** Id of the last nonce that is there; 0 for none. */
export const lastNonceIn = (db: Sqlite): number => numberIn(db, "SELECT coalesce(max(id), 0) FROM nonce");

/** One value of a setting, for tests and the health report. */
export const settingOf = (db: Sqlite, name: string): unknown => db.pragma(name, { simple: true });

function applySetting(db: Sqlite, file: string, { name, set, expect, inMemory }: Setting): void {
  db.pragma(`${name} = ${set}`);
  const expected = file === memory ? (inMemory ?? expect) : expect;
  const found = settingOf(db, name);
  if (found === expected) return;
  throw new StoreFailure(
    "other",
    `SQLite did not accept a setting that the durability of ${file} rests on: PRAGMA ${name} must read ` +
      `${expected} ` +
      `and reads ${String(found)}. Use a local file system that supports write-ahead logging, or --db ` +
      ":memory:.",
  );
}
