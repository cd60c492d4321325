/**
 * The journal of one world in PostgreSQL.
 *
 * **Purpose.** What the file is for one machine, for many: the same entries, hashes and nonces, read by any node.
 *
 * **Invariants.** One statement is one transaction is one batch. It first updates the row of the world, where epoch and head
 * are as this owner knows them: that locks the row, and is the fence. Without a row it writes nothing, and the owner is
 * none any more. An error after which the batch may be there says "unknown"; after any error the instance is of no use.
 *
 * **Ordering.** begin, any number of appends, commit; one commit at a time. Nodes that follow the world are told by the
 * transaction itself, so never of what is not committed; where nobody follows, nothing is told.
 */
import type { LedgerLine, NonceRecord } from "../../domain/account.ts";
import { commandKinds } from "../../domain/command.ts";
import type { Event } from "../../domain/event.ts";
import { invariant } from "../../domain/invariant.ts";
import type {
  JournalEntry,
  JournalReader,
  JournalWriter,
  SnapshotRow,
  VenueHeader,
} from "../../sequencer/ports.ts";
import { StoreFailure } from "../../sequencer/store-failure.ts";
import type { NonceFloor } from "../nonces.ts";
import { rowsOf } from "../rows.ts";
import { checksumOf } from "../snapshots.ts";
import { failureOf } from "./failure.ts";
import { type StoredWorld, type Taken, takeOver } from "./lease.ts";
import { type Head, readFloors, readHistory, readNonces } from "./read.ts";
import type { Answer, StoreServer } from "./server.ts";

const raiseFloor =
  "ON CONFLICT (world, key) DO UPDATE SET timestamp = greatest(nonce_floor.timestamp, excluded.timestamp)";
const appendSql = `
WITH fence AS (
  UPDATE world SET seq = $4, hash = $5 WHERE name = $1 AND lease_epoch = $2 AND seq = $3 RETURNING name, seq),
entries AS (
  INSERT INTO journal SELECT fence.name, entry.* FROM fence,
    unnest($6::bigint[], $7::bigint[], $8::smallint[], $9::text[], $10::bytea[], $17::jsonb[]) AS entry),
nonces AS (
  INSERT INTO nonce (world, key, nonce, timestamp, received_at) SELECT fence.name, used.* FROM fence,
    unnest($11::integer[], $12::bytea[], $13::bigint[], $14::bigint[]) AS used),
floors AS (
  INSERT INTO nonce_floor SELECT fence.name, raised.* FROM fence, unnest($15::integer[], $16::bigint[]) AS raised
  ${raiseFloor}),
told AS (
  SELECT pg_notify(current_schema(), fence.name) FROM fence
  WHERE fence.seq > $3 AND EXISTS (SELECT FROM follower WHERE follower.world = fence.name))
SELECT (SELECT count(*) FROM fence)::integer AS held, (SELECT count(told.pg_notify) FROM told) AS told`;

/** Amounts are digits in a string, since a JSON number is read as one of 64 bits elsewhere. */
const resultsOf = (rows: ReturnType<typeof rowsOf>): string | null =>
  rows.length === 0
    ? null
    : JSON.stringify(
        rows.map(([table, values]) => [
          table,
          ...values.map((one) => (typeof one === "bigint" ? String(one) : one)),
        ]),
      );

const hex = (text: string): Buffer => Buffer.from(text, "hex");

interface Batch {
  readonly entries: JournalEntry[];
  /** The readable rows of each entry as JSON; null: none. */
  readonly results: (string | null)[];
  readonly nonces: NonceRecord[];
  /** Timestamps by key. */
  readonly floors: Map<number, number>;
}

export class PostgresJournal implements JournalWriter {
  readonly header: VenueHeader;
  readonly #server: StoreServer;
  readonly #world: string;
  readonly #epoch: string;
  #head: Head;
  #batch: Batch | null = null;
  #failure: StoreFailure | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(server: StoreServer, world: string, row: Taken) {
    this.#server = server;
    this.#world = world;
    this.header = row.header;
    this.#epoch = row.epoch;
    this.#head = { seq: Number(row.seq), hash: row.hash?.toString("hex") ?? null };
  }

  /** Takes the world over; `busy` while another node holds it. */
  static async take(server: StoreServer, world: StoredWorld): Promise<PostgresJournal> {
    try {
      return new PostgresJournal(server, world.name, await takeOver(server, world));
    } catch (error) {
      throw failureOf(error, "while the world was taken over", false);
    }
  }

  /** Why it is of no further use; null while it is. */
  get failure(): StoreFailure | null {
    return this.#failure;
  }

  get last(): Head {
    return this.#head;
  }

  begin(): void {
    this.#requireUsable();
    invariant(this.#batch === null, "a batch begins inside another batch");
    this.#batch = { entries: [], results: [], nonces: [], floors: new Map() };
  }

  append(entry: JournalEntry, events: readonly Event[] = [], lines: readonly LedgerLine[] = []): void {
    const { entries, results } = this.#open;
    const last = entries.at(-1)?.seq ?? this.#head.seq;
    invariant(entry.seq === last + 1, `entry ${entry.seq} cannot follow entry ${last}`);
    entries.push(entry);
    results.push(resultsOf(rowsOf(entry.seq, events, lines)));
  }

  appendNonce(row: NonceRecord): void {
    this.#open.nonces.push(row);
  }

  raiseFloor(key: number, timestamp: number): void {
    const { floors } = this.#open;
    floors.set(key, Math.max(timestamp, floors.get(key) ?? timestamp));
  }

  rollback(): void {
    this.#batch = null;
  }

  /** Nothing to do for a batch with nothing in it. */
  commit(): void | Promise<void> {
    const batch = this.#open;
    this.#batch = null;
    if (batch.entries.length + batch.nonces.length + batch.floors.size > 0) return this.#store(batch);
  }

  async #store(batch: Batch): Promise<void> {
    const next = batch.entries.at(-1) ?? this.#head;
    let answer: Answer<{ held: number }>;
    try {
      const values = this.#valuesOf(next, batch);
      answer = await this.#inTurn(appendSql, values, "append");
    } catch (error) {
      throw this.#fail(error, "while a batch was committed", true);
    }
    const { rows, warning } = answer;
    if (rows[0]?.held !== 1) throw this.#fail(this.#fenced(), "", false);
    if (warning !== null) throw this.#fail(new Error(warning), "while a batch was committed", true);
    this.#head = next;
  }

  #valuesOf(next: Head, { entries, results, nonces, floors }: Batch): unknown[] {
    return [
      this.#world,
      this.#epoch,
      this.#head.seq,
      next.seq,
      next.hash === null ? null : hex(next.hash),
      entries.map(({ seq }) => seq),
      entries.map(({ at }) => at - this.header.createdAt),
      entries.map(({ kind }) => commandKinds.indexOf(kind)),
      entries.map(({ command }) => command),
      entries.map(({ hash }) => hex(hash)),
      nonces.map(({ key }) => key),
      nonces.map(({ nonce }) => hex(nonce)),
      nonces.map(({ timestamp }) => timestamp),
      nonces.map(({ receivedAt }) => receivedAt),
      [...floors.keys()],
      [...floors.values()],
      results,
    ];
  }

  /** The epoch of its lease, by which the server knows this owner. */
  get epoch(): string {
    return this.#epoch;
  }

  /** Removes nonces that were received before; until their timestamps, their keys are refused from now on. */
  forgetNonces(receivedBefore: number): Promise<void> {
    return this.#writeAsOwner(
      "while old nonces were removed",
      `WITH held AS (SELECT name FROM world WHERE name = $1 AND lease_epoch = $2 FOR UPDATE),
         gone AS (DELETE FROM nonce USING held WHERE world = held.name AND received_at < $3 RETURNING key, timestamp),
         raised AS (
           INSERT INTO nonce_floor SELECT $1, key, max(timestamp) FROM gone GROUP BY key ${raiseFloor})
       SELECT name FROM held`,
      [receivedBefore],
    );
  }

  /** The world is that node's from now on; null: any node may take it over at once. */
  async release(to: string | null): Promise<void> {
    const text =
      "UPDATE world SET owner = $3, used_at = clock_timestamp() WHERE name = $1 AND lease_epoch = $2";
    await this.#guarded("while the world was released", text, [this.#world, this.#epoch, to]);
  }

  /** The world and all that belongs to it; those that follow it are told. */
  delete(): Promise<void> {
    const text = `WITH gone AS (DELETE FROM world WHERE name = $1 AND lease_epoch = $2 RETURNING name)
      SELECT pg_notify(current_schema(), name) FROM gone`;
    return this.#writeAsOwner("while the world was deleted", text, []);
  }

  /** All entries, and the newest snapshot that is whole. */
  read(): Promise<JournalReader> {
    const reading = readHistory(this.#server, this.#world, this.header, this.#head);
    return this.#read("while the journal was read", reading);
  }

  floors(): Promise<readonly NonceFloor[]> {
    return this.#read("while floors were read", readFloors(this.#server, this.#world));
  }

  nonces(): Promise<readonly NonceRecord[]> {
    return this.#read("while nonces were read", readNonces(this.#server, this.#world));
  }

  /** Besides it, the one before is kept, as in the file. */
  saveSnapshot(snapshot: SnapshotRow): Promise<void> {
    const { seq, hash, engineVersion, body } = snapshot;
    return this.#writeAsOwner(
      `while the snapshot of entry ${seq} was saved`,
      `WITH held AS (SELECT name FROM world WHERE name = $1 AND lease_epoch = $2 FOR UPDATE),
         gone AS (
           DELETE FROM snapshot USING held WHERE world = held.name AND seq <> $3
             AND seq < (SELECT max(seq) FROM snapshot WHERE world = $1 AND seq <> $3))
       INSERT INTO snapshot SELECT name, $3, $4, $5, $6, $7 FROM held
       ON CONFLICT (world, seq) DO UPDATE SET hash = excluded.hash, engine_version = excluded.engine_version,
         checksum = excluded.checksum, body = excluded.body`,
      [seq, hex(hash), engineVersion, checksumOf(snapshot), Buffer.from(body)],
    );
  }

  /** A fork shows of its first entries what the world shows that it was made of. */
  takeResults(of: string): Promise<void> {
    return this.#writeAsOwner(
      "while the world was forked",
      `WITH held AS (SELECT name FROM world WHERE name = $1 AND lease_epoch = $2 FOR UPDATE),
         shown AS (UPDATE journal SET results = origin.results FROM held, journal AS origin
           WHERE journal.world = held.name AND origin.world = $3 AND origin.seq = journal.seq AND origin.hash = journal.hash)
       SELECT name FROM held`,
      [of],
    );
  }

  /** Of no further use, and without a word to the server. */
  close(): void {
    this.#failure ??= new StoreFailure("io", "The journal was closed.");
  }

  async #read<T>(doing: string, reading: Promise<T>): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      throw this.#fail(error, doing, false);
    }
  }

  async #guarded(doing: string, text: string, values: readonly unknown[]): Promise<Answer<object>> {
    this.#requireUsable();
    try {
      return await this.#inTurn(text, values);
    } catch (error) {
      throw this.#fail(error, doing, false);
    }
  }

  /** Writes follow each other, each after the answer to the one before. */
  #inTurn<Row extends object>(...statement: Parameters<StoreServer["ask"]>): Promise<Answer<Row>> {
    const mine = this.#last.then(() => this.#server.ask<Row>(...statement));
    this.#last = mine.catch(() => {});
    return mine;
  }

  /** A write outside a batch, which is nothing without the lease. */
  async #writeAsOwner(doing: string, text: string, values: readonly unknown[]): Promise<void> {
    const { rowCount } = await this.#guarded(doing, text, [this.#world, this.#epoch, ...values]);
    if (rowCount !== 1) throw this.#fail(this.#fenced(), doing, false);
  }

  #fenced(): StoreFailure {
    return new StoreFailure(
      "fenced",
      `Another node has taken the world ${this.#world} over from ${this.#server.node}. Nothing was stored.`,
    );
  }

  #fail(error: unknown, doing: string, isCommit: boolean): StoreFailure {
    const failure = failureOf(error, doing, isCommit);
    this.#failure ??= failure;
    return failure;
  }

  get #open(): Batch {
    this.#requireUsable();
    invariant(this.#batch !== null, "a write stands outside a batch");
    return this.#batch;
  }

  #requireUsable(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
