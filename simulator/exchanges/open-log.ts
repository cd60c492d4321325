/**
 * Opens the file of the exchange log as the database beside it is opened: private, through no link, and with no schema but
 * ours. A trigger would run inside our own statements, and a view would answer for a table.
 */
import { rmSync } from "node:fs";
import { err, ok, type Result } from "../domain/result.ts";
import { memory } from "../store/database.ts";
import { plainFile, requirePrivate, shmOf, walOf } from "../store/database-file.ts";
import { type Sqlite, SqliteDatabase } from "../store/driver.ts";
import { openLeavingNothing } from "../store/open-to-check.ts";
import { foreignIn } from "../store/schema.ts";
import type { LoggedExchange } from "./exchange.ts";
import { type Bounds, exchangesIn, logSchema, OpenLog } from "./exchange-file.ts";

const applicationId = 0x67_77_65_78;
const version = 2;
export const defaultBounds: Bounds = { mostRows: 10_000, mostBytes: 67_108_864 };
/** A page takes ten exchanges and not two: that is two thirds of the time to write one. */
const pageBytes = 16_384;
/** Of the log of SQLite, and of the room that the file may take beyond the bound of its ring: no batch is larger. */
const slackBytes = 8_388_608;

/** A log of another version is begun anew: it is a record for the person at work, not an archive. */
export function openLog(
  file: string,
  bounds: Bounds,
  notice: (sentence: string) => void,
): Result<OpenLog, string> {
  let db: Sqlite | undefined;
  try {
    db = connected(file, bounds);
    const foreign = foreignTo(db, bounds);
    if (foreign !== undefined) {
      db.close();
      for (const each of [file, walOf(file), shmOf(file)]) rmSync(each, { force: true });
      db = connected(file, bounds);
      if (foreign !== "")
        notice(`The exchange log ${file} was not as Gatewright writes it (${foreign}): it begins anew.`);
    }
    if (isEmpty(db)) begin(db);
    return ok(new OpenLog(db, bounds));
  } catch (error) {
    db?.close();
    return err(error instanceof Error ? error.message : String(error));
  }
}

function connected(file: string, { mostBytes }: Bounds): Sqlite {
  if (file !== memory) {
    requirePrivate(file, true);
    requirePrivate(walOf(file));
  }
  const db = new SqliteDatabase(file, { timeout: 0 });
  try {
    db.pragma(`page_size = ${pageBytes}`);
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = OFF");
    db.pragma("trusted_schema = OFF");
    db.pragma("cell_size_check = ON");
    db.pragma(`wal_autocheckpoint = ${slackBytes / 2 / pageBytes}`);
    db.pragma(`journal_size_limit = ${slackBytes}`);
    db.pragma(`max_page_count = ${Math.ceil((mostBytes + slackBytes) / pageBytes)}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const isEmpty = (db: Sqlite): boolean =>
  db.prepare<[], number>("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;

function begin(db: Sqlite): void {
  db.exec(
    `BEGIN; ${logSchema} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}; COMMIT`,
  );
}

/**
 * Why it has to begin anew; undefined for a log that goes on, and an empty text for one of another version.
 *
 * @throws Error for a file of another program, which is left alone.
 */
function foreignTo(db: Sqlite, { mostBytes }: Bounds): string | undefined {
  if (isEmpty(db)) return undefined;
  if (db.pragma("application_id", { simple: true }) !== applicationId)
    throw new Error("another program wrote it");
  if (db.pragma("user_version", { simple: true }) !== version) return "";
  const [foreign] = foreignIn(db, begin);
  if (foreign !== undefined) return foreign;
  const bytes =
    Number(db.pragma("page_count", { simple: true })) * Number(db.pragma("page_size", { simple: true }));
  return bytes > mostBytes + 2 * slackBytes ? "it is too large" : undefined;
}

/** Those of a log that no process has open, the oldest first. */
export function exchangesBeside(file: string, bounds: Bounds, world: string): LoggedExchange[] {
  for (const each of [file, walOf(file)]) plainFile(each);
  const { db, close } = openLeavingNothing(file);
  try {
    if (isEmpty(db)) return [];
    const foreign = foreignTo(db, bounds);
    if (foreign !== undefined) throw new Error(foreign === "" ? "another version wrote it" : foreign);
    const sql = "SELECT number, record FROM exchange WHERE world = ? ORDER BY number";
    return exchangesIn(db, sql, [world]);
  } finally {
    close();
  }
}
