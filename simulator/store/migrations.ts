/**
 * The schema's history: numbered, forward only, one transaction each.
 *
 * A migration that has been released never changes; a change becomes the next number. The SQL is
 * in TypeScript because the build copies no other files. `PRAGMA user_version` counts what has been applied,
 * and `application_id` says that the file is ours at all.
 */
import { type Sqlite, SqliteDatabase } from "./driver.ts";
import { tables } from "./migrations/0001-tables.ts";
import { views } from "./migrations/0002-views.ts";
import { binarySnapshots } from "./migrations/0003-binary-snapshots.ts";
import { orderIds } from "./migrations/0004-order-ids.ts";

const migrations: readonly string[] = [tables, views, binarySnapshots, orderIds];

/** The version that this program writes. A higher number in a file means that a newer program wrote it. */
export const schemaVersion = migrations.length;

/** "GWGT" */
export const applicationId = 0x47_57_47_54;

/** Brings the schema up to date, or to an older version; returns how many steps that took. */
export function migrate(db: Sqlite, to = schemaVersion): number {
  const before = schemaVersionOf(db);
  migrations.slice(before, to).forEach((sql, offset) => {
    const version = before + offset + 1;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`application_id = ${applicationId}`);
      db.pragma(`user_version = ${version}`);
    }).immediate();
  });
  return to - before;
}

export const schemaVersionOf = (db: Sqlite): number => Number(db.pragma("user_version", { simple: true }));

let tablesOnly: string | undefined;

/**
 * The newest schema in a new database, without views: those of a venue in memory cannot be looked at, and SQLite keeps a
 * quarter of a megabyte of them for each connection.
 */
export function createTables(db: Sqlite): void {
  tablesOnly ??= tablesOf();
  db.exec(tablesOnly);
  db.pragma(`application_id = ${applicationId}`);
  db.pragma(`user_version = ${schemaVersion}`);
}

function tablesOf(): string {
  const db = new SqliteDatabase(":memory:");
  migrate(db);
  const statements = db
    .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE type <> 'view' AND sql IS NOT NULL")
    .pluck()
    .all();
  db.close();
  return `BEGIN; ${statements.join("; ")}; COMMIT`;
}
