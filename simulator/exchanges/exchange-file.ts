/** The file of the exchange log: its rows, and the bounds of the ring. */
import { err, ok, type Result } from "../domain/result.ts";
import { type Sqlite, SqliteDatabase } from "../store/driver.ts";
import type { Exchange } from "./exchange.ts";

export interface Bounds {
  readonly mostRows: number;
  readonly mostBytes: number;
}

const applicationId = 0x67_77_65_78;
const version = 1;
/** The part of the ring that makes room at once: rows that go together go faster. */
const room = 1 / 16;

const schema = `
  CREATE TABLE exchange (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL, world TEXT NOT NULL, key TEXT, status INTEGER NOT NULL, target TEXT NOT NULL,
    bytes INTEGER NOT NULL, record TEXT NOT NULL
  ) STRICT;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${version};
`;

/** The open database, and what is in it. */
export class OpenLog {
  readonly db: Sqlite;
  readonly #insert;
  #held: Held;

  constructor(db: Sqlite) {
    this.db = db;
    this.#insert = db.prepare(
      "INSERT INTO exchange (id, world, key, status, target, bytes, record) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    this.#held = heldIn(db);
  }

  /** After rows were removed by other means. */
  count(): void {
    this.#held = heldIn(this.db);
  }

  write(exchanges: readonly Exchange[], { mostRows, mostBytes }: Bounds): void {
    this.db.transaction(() => {
      let { rows, bytes } = this.#held;
      for (const exchange of exchanges) {
        const { id, world, key, answer, request } = exchange;
        const record = JSON.stringify(exchange);
        this.#insert.run(id, world, key, answer.status, request.target, record.length, record);
        rows += 1;
        bytes += record.length;
      }
      this.#held = { rows, bytes };
      while (this.#held.rows > mostRows || this.#held.bytes > mostBytes) this.#makeRoom();
    })();
  }

  /** It may be gone already. */
  replace({ id, world, at }: Exchange, exchange: Exchange): void {
    this.db
      .prepare(
        `UPDATE exchange SET record = ? WHERE id = ? AND world = ? AND status = ?
         AND json_extract(record, '$.at') = ?`,
      )
      .run(JSON.stringify(exchange), id, world, exchange.answer.status, at);
  }

  #makeRoom(): void {
    const offset = Math.max(0, Math.ceil(this.#held.rows * room) - 1);
    const last = this.db
      .prepare<[number], number>("SELECT number FROM exchange ORDER BY number LIMIT 1 OFFSET ?")
      .pluck()
      .get(offset);
    if (last === undefined) return this.count();
    const gone = heldIn(this.db, last);
    this.db.prepare("DELETE FROM exchange WHERE number <= ?").run(last);
    this.#held = { rows: this.#held.rows - gone.rows, bytes: this.#held.bytes - gone.bytes };
  }
}

/** Up to a number, or all. Rows are long, so to look at all of them takes milliseconds. */
const heldIn = (db: Sqlite, last: number = Number.MAX_SAFE_INTEGER): Held =>
  db
    .prepare<[number], Held>(
      "SELECT count(*) AS rows, coalesce(sum(bytes), 0) AS bytes FROM exchange WHERE number <= ?",
    )
    .get(last) ?? { rows: 0, bytes: 0 };

interface Held {
  readonly rows: number;
  readonly bytes: number;
}

/** Whether this build has written it, or one whose rows it reads. */
export const isOurLog = (db: Sqlite): boolean =>
  db.pragma("application_id", { simple: true }) === applicationId &&
  db.pragma("user_version", { simple: true }) === version;

/** A log of another version is begun anew: it is a record for the person at work, not an archive. */
export function openLog(file: string): Result<OpenLog, string> {
  let db: Sqlite | undefined;
  try {
    db = new SqliteDatabase(file, { timeout: 0 });
    // A page takes ten exchanges and not two: that is two thirds of the time to write one.
    db.pragma("page_size = 16384");
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = OFF");
    db.pragma("trusted_schema = OFF");
    const owner = db.pragma("application_id", { simple: true });
    const tables = db.prepare<[], number>("SELECT count(*) FROM sqlite_schema").pluck().get() ?? 0;
    if (tables > 0 && owner !== applicationId) throw new Error("another program wrote it");
    if (db.pragma("user_version", { simple: true }) !== version)
      db.exec(`BEGIN; DROP TABLE IF EXISTS exchange; ${schema} COMMIT`);
    return ok(new OpenLog(db));
  } catch (error) {
    db?.close();
    return err(error instanceof Error ? error.message : String(error));
  }
}
