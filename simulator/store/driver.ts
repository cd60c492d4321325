/**
 * The SQLite driver that is right for the running Node.
 *
 * Release 13 speaks Node-API 10, carries its binaries in the package and needs Node 22.14. Release 12 is bound to one
 * release line of Node and is all that Node 20 can load; from Node 24.19 on it ends the process when a statement is
 * collected while no script runs. So both are asked for, and the newer is taken wherever it is there and loads.
 */
import { createRequire } from "node:module";
import process from "node:process";
import type Database from "better-sqlite3";

const nodeApiOfRelease13 = 10;
const release13 = "better-sqlite3-napi";

const require = createRequire(import.meta.url);

/** The package that is loaded: in a message, the one to repair. */
export const driverPackage =
  Number(process.versions["napi"]) >= nodeApiOfRelease13 && isInstalled(release13)
    ? release13
    : "better-sqlite3";

export const SqliteDatabase = require(driverPackage) as typeof Database;
export const SqliteError = SqliteDatabase.SqliteError;
export type Sqlite = Database.Database;

/** An optional dependency may be left out on purpose. */
function isInstalled(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}
