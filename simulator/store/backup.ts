/** Copies a venue while it runs. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import type { Connection } from "./connection.ts";
import { createDatabaseFile, fileFailure, syncFolder } from "./database-file.ts";
import { SqliteDatabase } from "./driver.ts";
import { StoreFailure, storeFailureFrom } from "./store-failure.ts";

/**
 * Writes a copy that is one consistent moment of the venue: everything committed before the promise settles
 * is in it or nothing of it is, per batch. The venue works on meanwhile; pages are copied between its turns.
 *
 * The copy appears under its name only when it is complete and flushed. It is a single file without a log, so
 * that any SQLite tool opens it, from a read-only folder too. It has no mark: a venue started on it says so
 * once.
 */
export async function backUp(connection: Connection, given: string): Promise<void> {
  connection.requireUsable();
  const target = path.resolve(given);
  if (existsSync(target)) {
    throw new StoreFailure(
      "other",
      `The backup ${target} exists already. Remove it, or choose another name.`,
    );
  }
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  // Made first, for its mode: a copy holds what the original holds.
  createDatabaseFile(partial);
  try {
    await connection.db.backup(partial);
    settle(partial);
    renameSync(partial, target);
    syncFolder(path.dirname(target));
  } catch (error) {
    throw fileFailure(
      storeFailureFrom(error, { file: target, doing: "while it was copied" }),
      `The backup ${target} failed`,
    );
  } finally {
    rmSync(partial, { force: true });
  }
}

function settle(file: string): void {
  const copy = new SqliteDatabase(file);
  try {
    copy.pragma("journal_mode = DELETE");
  } finally {
    copy.close();
  }
  const descriptor = openSync(file, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
