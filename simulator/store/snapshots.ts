/**
 * State written down to shorten recovery. A snapshot is a convenience: a damaged one is passed over, never
 * trusted, and the journal behind it can always be replayed instead.
 *
 * Invariant: what `latest` returns has the checksum it was saved with, and its hash is the one that the
 * journal holds at its entry. The newest two are kept, so that damage to one costs a longer replay and
 * nothing else.
 */
import { createHash } from "node:crypto";
import type { SnapshotRow } from "../sequencer/ports.ts";
import type { Connection } from "./connection.ts";

const kept = 2;

interface StoredSnapshot {
  readonly seq: number;
  readonly hash: Buffer;
  readonly engineVersion: string;
  readonly checksum: Buffer;
  readonly body: Buffer;
  readonly journalHash: Buffer | null;
}

export class Snapshots {
  readonly #connection: Connection;
  readonly #onWarning: (message: string) => void;

  constructor(connection: Connection, onWarning: (message: string) => void) {
    this.#connection = connection;
    this.#onWarning = onWarning;
  }

  save(snapshot: SnapshotRow): void {
    const { db } = this.#connection;
    const { seq, hash, engineVersion, body } = snapshot;
    this.#connection.inTransaction(`while the snapshot of entry ${seq} was saved`, () => {
      db.prepare("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?, ?)").run(
        seq,
        Buffer.from(hash, "hex"),
        engineVersion,
        checksumOf(snapshot),
        body,
      );
      db.prepare(
        "DELETE FROM snapshot WHERE seq NOT IN (SELECT seq FROM snapshot ORDER BY seq DESC LIMIT ?)",
      ).run(kept);
    });
  }

  latest(): SnapshotRow | null {
    for (const seq of this.seqs()) {
      const snapshot = this.at(seq);
      if (snapshot !== null) return snapshot;
    }
    return null;
  }

  /** Entries of which there is one, newest first. */
  seqs(): readonly number[] {
    const { db } = this.#connection;
    return this.#connection.read("while snapshots were listed", () =>
      db.prepare<[], number>("SELECT seq FROM snapshot ORDER BY seq DESC").pluck().all(),
    );
  }

  /** Null, with a warning, when it is not what was saved. */
  at(seq: number): SnapshotRow | null {
    const { db } = this.#connection;
    return this.#connection.read("while a snapshot was read", () => {
      const stored = db
        .prepare<[number], StoredSnapshot>(
          `SELECT snapshot.seq, snapshot.hash, engine_version AS engineVersion, checksum, body,
             journal.hash AS journalHash
           FROM snapshot LEFT JOIN journal USING (seq) WHERE seq = ?`,
        )
        .get(seq);
      return stored === undefined ? null : this.#accept(stored);
    });
  }

  #accept({ seq, hash, engineVersion, checksum, body, journalHash }: StoredSnapshot): SnapshotRow | null {
    const snapshot: SnapshotRow = { seq, hash: hash.toString("hex"), engineVersion, body };
    const isIntact = checksumOf(snapshot).equals(checksum);
    if (isIntact && journalHash?.equals(hash) === true) return snapshot;
    this.#onWarning(
      `The snapshot of entry ${seq} in ${this.#connection.file} ` +
        `${isIntact ? "belongs to another history" : "is damaged"} and is skipped; an older one or ` +
        "the whole journal " +
        "is replayed instead, which takes longer.",
    );
    return null;
  }
}

/** Over the body and what says whose body it is. */
export const checksumOf = ({ seq, hash, engineVersion, body }: SnapshotRow): Buffer =>
  createHash("sha256").update(`${seq}\n${hash}\n${engineVersion}\n`).update(body).digest();
