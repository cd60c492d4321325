/**
 * The journal and its tables on one SQLite connection: the sequencer's `Journal` port.
 *
 * Invariants:
 * - Entries run from 1 without a gap; an entry that does not follow the last one is a bug and throws before
 *   it is written.
 * - `commit` returns when the batch is on stable storage, and the mark is moved after that, never before.
 * - `last` speaks of committed entries only.
 *
 * Ordering: begin, any number of appends, commit or rollback. Snapshots, purges and floors may be written inside a
 * batch or alone; alone they are a transaction of their own.
 */
import type { LedgerLine, NonceRecord } from "../domain/account.ts";
import { commandKinds } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import type { Journal, JournalEntry, SnapshotRow, VenueHeader } from "../sequencer/ports.ts";
import { hashBytes, putHex } from "./columns.ts";
import type { Connection } from "./connection.ts";
import { imageOf } from "./database.ts";
import { fileFailure } from "./database-file.ts";
import { readEntries } from "./entries.ts";
import { type Head, headOf } from "./examine.ts";
import { lazily } from "./lazily.ts";
import { type Marked, type MarkFile, noHash, nothingMarked } from "./mark.ts";
import { Nonces } from "./nonces.ts";
import { OpenFiles } from "./open-files.ts";
import { rowsOf } from "./rows.ts";
import { Snapshots } from "./snapshots.ts";
import type { StoredVenue } from "./stored-venue.ts";

export class SqliteJournal implements Journal {
  readonly header: VenueHeader;
  readonly venueId: string;
  readonly file: string;
  readonly nonces: Nonces;
  readonly #connection: Connection;
  readonly #mark: MarkFile | null;
  readonly #onWarning: (message: string) => void;
  readonly #snapshots: Snapshots;
  readonly #files: OpenFiles | null;
  readonly #scratch = Buffer.alloc(hashBytes);
  #committed: Head | null;
  #pending: Head | null;
  #marked: Marked;
  /** The nonces of the open batch. */
  #nonce = 0;
  #signed = 0;
  #markFailed = false;
  readonly #insertEntry;
  readonly #insertRow;

  /** `mark` is null for a venue in memory. `marked`: nonces that only the mark knows of. */
  constructor(
    connection: Connection,
    venue: StoredVenue,
    mark: MarkFile | null,
    onWarning: (message: string) => void,
    marked: Marked = nothingMarked,
  ) {
    const { db } = connection;
    this.header = venue.header;
    this.venueId = venue.id;
    this.file = connection.file;
    this.#connection = connection;
    this.#mark = mark;
    this.#onWarning = onWarning;
    this.#files = connection.isMemory ? null : new OpenFiles(this.file);
    this.nonces = new Nonces(connection);
    this.#snapshots = new Snapshots(connection, onWarning);
    this.#committed = headOf(db);
    this.#pending = this.#committed;
    const { id, signed } = this.nonces.last();
    this.#marked = this.#markOf(Math.max(id, marked.nonce), Math.max(signed, marked.signed));
    this.#insertEntry = lazily(() => db.prepare("INSERT INTO journal VALUES (?, ?, ?, ?, ?)"));
    this.#insertRow = {
      fill: lazily(() => db.prepare("INSERT INTO fill VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")),
      status_change: lazily(() => db.prepare("INSERT INTO status_change VALUES (NULL, ?, ?, ?, ?)")),
      posting: lazily(() => db.prepare("INSERT INTO posting VALUES (NULL, ?, ?, ?, ?, ?)")),
    };
  }

  begin(): void {
    this.#connection.begin();
  }

  append(
    { seq, at, kind, command, hash }: JournalEntry,
    events: readonly Event[] = [],
    lines: readonly LedgerLine[] = [],
  ): void {
    this.#connection.requireBatch();
    const code = commandKinds.indexOf(kind);
    const last = this.#pending?.seq ?? 0;
    if (seq !== last + 1) throw new InvariantViolation(`entry ${seq} cannot follow entry ${last}`);
    try {
      this.#insertEntry().run(seq, at - this.header.createdAt, code, command, putHex(this.#scratch, hash));
      for (const [table, values] of rowsOf(seq, events, lines)) this.#insertRow[table]().run(...values);
    } catch (error) {
      throw this.#connection.fail(error, `while entry ${seq} was stored`);
    }
    this.#pending = { seq, at, hash };
  }

  /** Returns the id of the row. */
  appendNonce(row: NonceRecord): number {
    this.#nonce = this.nonces.append(row);
    this.#signed = Math.max(this.#signed, row.timestamp);
    return this.#nonce;
  }

  /**
   * Notes in the mark that a nonce was used which cannot be committed: a start that does not find it in the file
   * refuses everything signed until then. Throws when that cannot be written either.
   */
  markNonce({ timestamp }: NonceRecord): void {
    if (this.#mark === null) return;
    const { nonce, signed } = this.#marked;
    this.#marked = this.#markOf(nonce + 1, Math.max(signed, timestamp));
    try {
      this.#mark.write(this.#marked);
      this.#mark.flush();
    } catch (error) {
      throw fileFailure(error, `The mark of ${this.file} could not be moved`);
    }
  }

  commit(): void {
    this.#requirePresent();
    this.#connection.commit();
    const isIdle = this.#pending === this.#committed && this.#nonce === 0;
    this.#committed = this.#pending;
    const { nonce, signed } = this.#marked;
    this.#marked = this.#markOf(Math.max(nonce, this.#nonce), Math.max(signed, this.#signed));
    this.#nonce = 0;
    if (!isIdle) this.moveMark();
  }

  /** The mark follows what is committed. */
  moveMark(): void {
    this.#tryMark(() => this.#mark?.write(this.#marked));
  }

  rollback(): void {
    this.#pending = this.#committed;
    this.#nonce = 0;
    this.#connection.rollback();
  }

  last(): Head | null {
    return this.#committed;
  }

  entriesAfter(seq: number): IterableIterator<JournalEntry> {
    return readEntries(this.#connection, this.header.createdAt, seq);
  }

  latestSnapshot(): SnapshotRow | null {
    return this.#snapshots.latest();
  }

  saveSnapshot(snapshot: SnapshotRow): void {
    this.#snapshots.save(snapshot);
  }

  image(): Buffer {
    return this.#connection.read("while it was copied", () => imageOf(this.#connection.db));
  }

  /**
   * Folds the log into the database and empties it: the file alone is then the whole venue, so a copy of it is
   * complete. For idle moments: it costs a flush of every changed page.
   */
  checkpoint(): void {
    this.#connection.read("while its log was checkpointed", () =>
      this.#connection.db.pragma("wal_checkpoint(TRUNCATE)"),
    );
  }

  /** Does not mind an earlier failure: closing is the first half of opening again. */
  close(): void {
    this.#tryMark(() => this.#mark?.close());
    this.#connection.close();
  }

  #requirePresent(): void {
    try {
      this.#files?.require();
    } catch (error) {
      throw this.#connection.fail(error, "while a batch was committed");
    }
  }

  #markOf(nonce: number, signed: number): Marked {
    return { seq: this.#committed?.seq ?? 0, hash: this.#committed?.hash ?? noHash, nonce, signed };
  }

  /**
   * The entries of the mark are durable by now, so a mark that cannot be written is only worth a
   * warning.
   */
  #tryMark(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (this.#markFailed) return;
      this.#markFailed = true;
      this.#onWarning(
        `The mark of ${this.file} could not be moved ` +
          `(${error instanceof Error ? error.message : String(error)}). ` +
          "Entries are stored as before, but the loss of files would be noticed only up to the last mark.",
      );
    }
  }
}
