/** A journal in memory: committed entries survive, others do not, and it fails on request. */
import type { NonceRecord } from "../../domain/account.ts";
import type { Journal, JournalEntry, SnapshotRow, VenueHeader } from "../ports.ts";
import { StoreFailure, type StoreOutcome } from "../store-failure.ts";

interface Rows {
  readonly entries: JournalEntry[];
  readonly nonces: NonceRecord[];
}

const noRows = (): Rows => ({ entries: [], nonces: [] });

export const onFire = (outcome: StoreOutcome): StoreFailure =>
  new StoreFailure("io", "the disk is on fire", { outcome });

export class MemoryJournal implements Journal {
  readonly header: VenueHeader = {
    world: "{}",
    worldDigest: "0".repeat(64),
    seed: 1,
    engineVersion: "test",
    epoch: 0,
    createdAt: 0,
  };
  readonly committed: Rows = noRows();
  readonly log: string[] = [];
  /** Thrown by the next `commit`, `append` or `begin`. */
  failAt: "begin" | "append" | "commit" | null = null;
  failure: Error = onFire("unknown");
  snapshot: SnapshotRow | null = null;
  #pending: Rows | null = null;

  begin(): void {
    this.#fail("begin");
    if (this.#pending !== null) throw new RangeError("a transaction is open already");
    this.#pending = noRows();
  }

  append(entry: JournalEntry): void {
    this.#fail("append");
    this.#open.entries.push(entry);
  }

  appendNonce(row: NonceRecord): void {
    this.#open.nonces.push(row);
  }

  markNonce(): void {
    this.log.push("mark");
  }

  commit(): void {
    this.#fail("commit");
    const { committed } = this;
    const open = this.#open;
    committed.entries.push(...open.entries);
    committed.nonces.push(...open.nonces);
    this.log.push(`commit ${open.entries.length}`);
    this.#pending = null;
  }

  rollback(): void {
    this.log.push("rollback");
    this.#pending = null;
  }

  last(): { readonly seq: number; readonly hash: string; readonly at: number } | null {
    return this.committed.entries.at(-1) ?? null;
  }

  *entriesAfter(seq: number): IterableIterator<JournalEntry> {
    for (const entry of this.committed.entries) if (entry.seq > seq) yield entry;
  }

  latestSnapshot(): SnapshotRow | null {
    return this.snapshot;
  }

  saveSnapshot(snapshot: SnapshotRow): void {
    this.snapshot = snapshot;
  }

  checkpoint(): void {
    this.log.push("checkpoint");
  }

  close(): void {
    this.log.push("close");
  }

  get #open(): Rows {
    if (this.#pending === null) throw new RangeError("no transaction is open");
    return this.#pending;
  }

  #fail(at: "begin" | "append" | "commit"): void {
    if (this.failAt !== at) return;
    this.failAt = null;
    throw this.failure;
  }
}
