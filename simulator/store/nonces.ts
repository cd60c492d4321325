/**
 * Which nonces were used, so that a request cannot be replayed across a restart.
 *
 * Invariant: a nonce is never forgotten without raising the floor of its key to its timestamp, in the same
 * transaction. If every timestamp at or below the floor is refused, forgetting is safe, whatever the clock
 * does meanwhile. That is why purging and raising are one method here.
 *
 * Rows are appended and looked up in memory only. Ids grow in order of arrival, for ever: the newest row always stays,
 * and the mark counts by its id.
 */
import type { NonceRecord } from "../domain/account.ts";
import { hashBytes, putHex } from "./columns.ts";
import type { Connection } from "./connection.ts";
import { lastNonceIn, numberIn } from "./database.ts";
import { lazily } from "./lazily.ts";

export interface StoredNonce extends NonceRecord {
  /** Order of arrival; what `throughId` of a purge means. */
  readonly id: number;
}

export interface NonceFloor {
  readonly key: number;
  /** Requests of this key with this timestamp or an earlier one are refused. */
  readonly timestamp: number;
}

type NonceRow = readonly [id: number, key: number, nonce: string, timestamp: number, receivedAt: number];

const page = 10_000;
/** Rows of one purge: these, and two for each that came since the last one. So the table shrinks under any load. */
const purgedAtLeast = 1000;
const raise = "ON CONFLICT (key) DO UPDATE SET timestamp = max(timestamp, excluded.timestamp)";
/** Of a key, to a timestamp; never lowers one. */
export const raiseFloorSql = `INSERT INTO nonce_floor VALUES (?, ?) ${raise}`;
/** Among the oldest rows: those past their time, and those that the floor of their key refuses anyway. */
const doomed = `SELECT id FROM (
    SELECT nonce.id AS id, received_at, nonce.timestamp AS signed, nonce_floor.timestamp AS floor
    FROM nonce LEFT JOIN nonce_floor USING (key) ORDER BY nonce.id LIMIT ?)
  WHERE (received_at < ? OR signed <= floor) AND id < (SELECT max(id) FROM nonce)`;

export class Nonces {
  readonly #connection: Connection;
  readonly #scratch = Buffer.alloc(hashBytes);
  #added = 0;
  /** Id of the last one, or of one that was not committed. */
  #newest: number;
  readonly #insert;
  readonly #raise;
  readonly #raiseDoomed;
  readonly #deleteDoomed;
  readonly #isAnyDoomed;

  constructor(connection: Connection) {
    const { db } = connection;
    this.#connection = connection;
    this.#newest = lastNonceIn(db);
    this.#insert = lazily(() =>
      db.prepare<[number, Buffer, number, number]>(
        "INSERT INTO nonce (key, nonce, timestamp, received_at) VALUES (?, ?, ?, ?)",
      ),
    );
    this.#raise = lazily(() => db.prepare<[number, number]>(raiseFloorSql));
    this.#raiseDoomed = lazily(() =>
      db.prepare<[number, number]>(
        `INSERT INTO nonce_floor SELECT key, max(timestamp) FROM nonce WHERE id IN (${doomed}) GROUP BY key ${raise}`,
      ),
    );
    this.#deleteDoomed = lazily(() =>
      db.prepare<[number, number]>(`DELETE FROM nonce WHERE id IN (${doomed})`),
    );
    this.#isAnyDoomed = lazily(() => db.prepare<[number, number], number>(doomed).pluck());
  }

  append({ key, nonce, timestamp, receivedAt }: NonceRecord): number {
    this.#connection.requireBatch();
    this.#added += 1;
    try {
      const { lastInsertRowid } = this.#insert().run(
        key,
        putHex(this.#scratch, nonce),
        timestamp,
        receivedAt,
      );
      this.#newest = Number(lastInsertRowid);
      return this.#newest;
    } catch (error) {
      throw this.#connection.fail(error, "while a nonce was stored");
    }
  }

  /** Of the rows that are there: the newest id, and the latest timestamp. */
  last(): { readonly id: number; readonly signed: number } {
    const { db } = this.#connection;
    return this.#connection.read("while the last nonce was read", () => ({
      id: lastNonceIn(db),
      signed: numberIn(db, "SELECT coalesce(max(timestamp), 0) FROM nonce"),
    }));
  }

  *load(): IterableIterator<StoredNonce> {
    if (this.#newest === 0) return;
    const next = this.#connection.db
      .prepare<[number, number], NonceRow>(
        "SELECT id, key, lower(hex(nonce)), timestamp, received_at FROM nonce WHERE id > ? ORDER BY id LIMIT ?",
      )
      .raw(true);
    let after = 0;
    for (;;) {
      const rows = this.#connection.read("while nonces were read", () => next.all(after, page));
      for (const [id, key, nonce, timestamp, receivedAt] of rows) {
        yield { id, key, nonce, timestamp, receivedAt };
        after = id;
      }
      if (rows.length < page) return;
    }
  }

  /**
   * Forgets the oldest rows that were received before, or that lie at or below the floor of their key, which memory
   * raised. Returns how many. At most `most` rows are looked at; without one, under load, none when the first may stay.
   */
  purge(receivedBefore: number, most?: number): number {
    const limit = most ?? purgedAtLeast + 2 * this.#added;
    this.#added = 0;
    if (this.#newest === 0) return this.#connection.read("while old nonces were removed", () => 0);
    return this.#connection.inTransaction("while old nonces were removed", () => {
      if (this.#isAnyDoomed().get(most ?? 1, receivedBefore) === undefined) return 0;
      this.#raiseDoomed().run(limit, receivedBefore);
      return this.#deleteDoomed().run(limit, receivedBefore).changes;
    });
  }

  raiseFloor(key: number, timestamp: number): void {
    this.#connection.inTransaction("while a floor was raised", () => this.#raise().run(key, timestamp));
  }

  loadFloors(): readonly NonceFloor[] {
    return this.#connection.read("while floors were read", () =>
      this.#connection.db
        .prepare<[], NonceFloor>("SELECT key, timestamp FROM nonce_floor ORDER BY key")
        .all(),
    );
  }
}
