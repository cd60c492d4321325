/**
 * Which nonces were used, so that a request cannot be replayed across a restart.
 *
 * Invariant: a nonce is never forgotten without raising the floor of its key to its timestamp, in the same
 * transaction. Whoever refuses every timestamp at or below the floor may forget safely, whatever the clock
 * does meanwhile (F15). That is why purging and raising are one method here.
 *
 * Rows are appended and looked up in memory only; ids grow in order of arrival among the rows that are there.
 */
import type { NonceRecord } from "../sequencer/ports.ts";
import { HASH_BYTES, putHex } from "./columns.ts";
import type { Connection } from "./connection.ts";

export interface StoredNonce extends NonceRecord {
  /** Order of arrival; what `throughId` of a purge means. */
  readonly id: number;
}

export interface NonceFloor {
  readonly key: number;
  /** Requests of this key with this timestamp or an earlier one are refused. */
  readonly timestamp: number;
}

/** Rows that meet every given condition go, oldest first. */
export interface Purge {
  readonly throughId?: number;
  readonly receivedBefore?: number;
  /** At most so many rows in one call; 1,000 unless told. */
  readonly limit?: number;
}

export interface Purged {
  readonly removed: number;
  /** New floors of the keys that were touched. */
  readonly floors: readonly NonceFloor[];
}

type NonceRow = readonly [id: number, key: number, nonce: Buffer, timestamp: number, receivedAt: number];

const PAGE = 10_000;
const PURGE_LIMIT = 1000;
const RAISE = "ON CONFLICT (key) DO UPDATE SET timestamp = max(timestamp, excluded.timestamp)";
const DOOMED = "SELECT id FROM nonce WHERE id <= ? AND received_at < ? ORDER BY id LIMIT ?";

export class Nonces {
  private readonly connection: Connection;
  private readonly scratch = Buffer.alloc(HASH_BYTES);
  private readonly insert;
  private readonly page;
  private readonly raise;
  private readonly raiseDoomed;
  private readonly deleteDoomed;
  private readonly floors;

  constructor(connection: Connection) {
    const { db } = connection;
    this.connection = connection;
    this.insert = db.prepare<[number, Buffer, number, number]>(
      "INSERT INTO nonce (key, nonce, timestamp, received_at) VALUES (?, ?, ?, ?)",
    );
    this.page = db
      .prepare<[number, number], NonceRow>(
        "SELECT id, key, nonce, timestamp, received_at FROM nonce WHERE id > ? ORDER BY id LIMIT ?",
      )
      .raw(true);
    this.raise = db.prepare<[number, number]>(`INSERT INTO nonce_floor VALUES (?, ?) ${RAISE}`);
    this.raiseDoomed = db.prepare<[number, number, number], NonceFloor>(
      `INSERT INTO nonce_floor SELECT key, max(timestamp) FROM nonce WHERE id IN (${DOOMED}) GROUP BY key
       ${RAISE} RETURNING key, timestamp`,
    );
    this.deleteDoomed = db.prepare<[number, number, number]>(`DELETE FROM nonce WHERE id IN (${DOOMED})`);
    this.floors = db.prepare<[], NonceFloor>("SELECT key, timestamp FROM nonce_floor ORDER BY key");
  }

  append({ key, nonce, timestamp, receivedAt }: NonceRecord): number {
    this.connection.requireBatch();
    try {
      return Number(this.insert.run(key, putHex(this.scratch, nonce), timestamp, receivedAt).lastInsertRowid);
    } catch (error) {
      throw this.connection.fail(error, "while a nonce was stored");
    }
  }

  *load(): IterableIterator<StoredNonce> {
    let after = 0;
    for (;;) {
      const rows = this.connection.read("while nonces were read", () => this.page.all(after, PAGE));
      for (const [id, key, nonce, timestamp, receivedAt] of rows) {
        yield { id, key, nonce: nonce.toString("hex"), timestamp, receivedAt };
        after = id;
      }
      if (rows.length < PAGE) return;
    }
  }

  purge({
    throughId = Number.MAX_SAFE_INTEGER,
    receivedBefore = Number.MAX_SAFE_INTEGER,
    limit = PURGE_LIMIT,
  }: Purge): Purged {
    return this.connection.inTransaction("while old nonces were removed", () => {
      const floors = this.raiseDoomed.all(throughId, receivedBefore, limit);
      return { removed: this.deleteDoomed.run(throughId, receivedBefore, limit).changes, floors };
    });
  }

  raiseFloor(key: number, timestamp: number): void {
    this.connection.inTransaction("while a floor was raised", () => this.raise.run(key, timestamp));
  }

  loadFloors(): readonly NonceFloor[] {
    return this.connection.read("while floors were read", () => this.floors.all());
  }
}
