/**
 * The journal of a world in PostgreSQL, with a copy of it in the memory of this process.
 *
 * **Purpose.** The server says what is durable; the copy is what recovery, forks, `why` and capsules read, which cannot
 * wait for a server.
 *
 * **Invariants.** The copy gets a batch after the server has committed it, never before: it holds nothing that the server
 * may not hold. A snapshot that the server could not take is only missed at the next start.
 *
 * **Known limits.** The whole journal is read at the start and kept in memory: about 150 bytes an entry.
 */
import type { LedgerLine, NonceRecord } from "../../domain/account.ts";
import type { Event } from "../../domain/event.ts";
import type { World } from "../../domain/world.ts";
import type { Journal, JournalEntry, SnapshotRow, VenueHeader } from "../../sequencer/ports.ts";
import { StoreFailure } from "../../sequencer/store-failure.ts";
import type { SqliteJournal } from "../journal.ts";
import type { NonceFloor, StoredNonce } from "../nonces.ts";
import { openJournal } from "../open-journal.ts";
import type { PostgresJournal } from "./journal.ts";

/** Rows of nonces that nobody needs any more are deleted this often. */
const purgeEveryMs = 60_000;

export async function copyOf(log: PostgresJournal, world: World): Promise<CopiedJournal> {
  const [history, nonces, floors] = await Promise.all([log.read(), log.nonces(), log.floors()]);
  const { createdAt, epoch, engineVersion } = log.header;
  const copy = openJournal({ file: ":memory:", world, now: createdAt, epoch, engineVersion });
  copy.begin();
  for (const entry of history.entriesAfter(0)) copy.append(entry);
  for (const nonce of nonces) copy.appendNonce(nonce);
  for (const { key, timestamp } of floors) copy.nonces.raiseFloor(key, timestamp);
  copy.commit();
  const snapshot = history.latestSnapshot();
  if (snapshot !== null) copy.saveSnapshot(snapshot);
  return new CopiedJournal(log, copy);
}

/** A journal that is there already: of a fork of a world in the same store. */
export interface Forked {
  readonly journal: SqliteJournal;
  readonly of: string;
}

/** The copy has no readable rows of what came before its node had the world; the store has. */
export async function fill(log: PostgresJournal, { journal, of }: Forked): Promise<void> {
  log.begin();
  for (const entry of journal.entriesAfter(0)) log.append(entry);
  await log.commit();
  await log.takeResults(of);
}

export class CopiedJournal implements Journal {
  readonly log: PostgresJournal;
  readonly nonces;
  readonly #copy: SqliteJournal;
  #pending: (() => void)[] = [];
  #purgedAt = performance.now();

  constructor(log: PostgresJournal, copy: SqliteJournal) {
    this.log = log;
    this.#copy = copy;
    this.nonces = {
      load: (): Iterable<StoredNonce> => copy.nonces.load(),
      loadFloors: (): readonly NonceFloor[] => copy.nonces.loadFloors(),
      raiseFloor: (key: number, timestamp: number): void => {
        log.raiseFloor(key, timestamp);
        this.#pending.push(() => copy.nonces.raiseFloor(key, timestamp));
      },
      purge: (receivedBefore: number, most?: number): number => {
        this.#purgeLog(receivedBefore);
        return copy.nonces.purge(receivedBefore, most);
      },
    };
  }

  get header(): VenueHeader {
    return this.#copy.header;
  }

  begin(): void {
    this.#pending = [];
    this.log.begin();
  }

  append(entry: JournalEntry, events: readonly Event[], lines: readonly LedgerLine[]): void {
    this.log.append(entry, events, lines);
    this.#pending.push(() => this.#copy.append(entry, events, lines));
  }

  appendNonce(row: NonceRecord): void {
    this.log.appendNonce(row);
    this.#pending.push(() => this.#copy.appendNonce(row));
  }

  commit(): void | Promise<void> {
    const pending = this.#pending;
    const copied = (): void => {
      this.#copy.begin();
      for (const write of pending) write();
      this.#copy.commit();
    };
    return this.log.commit()?.then(copied);
  }

  rollback(): void {
    this.log.rollback();
  }

  /** There is no second place in which a nonce could be kept. */
  markNonce(): void {
    throw new StoreFailure("io", "PostgreSQL cannot be reached.");
  }

  entriesAfter(seq: number): IterableIterator<JournalEntry> {
    return this.#copy.entriesAfter(seq);
  }

  last(): ReturnType<Journal["last"]> {
    return this.#copy.last();
  }

  latestSnapshot(): SnapshotRow | null {
    return this.#copy.latestSnapshot();
  }

  saveSnapshot(snapshot: SnapshotRow): void {
    this.#copy.saveSnapshot(snapshot);
    this.#inBackground(this.log.saveSnapshot(snapshot));
  }

  image(): Buffer {
    return this.#copy.image();
  }

  /** The server keeps its log itself. */
  checkpoint(): void {}

  /** The log outlives it: the world is released by it. */
  close(): void {
    this.#copy.close();
  }

  #purgeLog(receivedBefore: number): void {
    const now = performance.now();
    if (now - this.#purgedAt < purgeEveryMs) return;
    this.#purgedAt = now;
    this.#inBackground(this.log.forgetNonces(receivedBefore));
  }

  /** A failure is one of the journal: the next batch ends with it. */
  #inBackground(work: Promise<void>): void {
    work.catch(() => {});
  }
}
