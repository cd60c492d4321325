/**
 * One open database with its batch and its failure.
 *
 * Invariants:
 * - After the first failure of the disk every further use throws that same failure: an instance that has seen
 *   an error knows less than the file does, and only opening the file again can tell what is in it.
 * - Writes happen inside a batch. A statement that fails ends the batch at once by rolling it back: outcome
 *   "none". A COMMIT that fails says "unknown" and leaves the judgement to the next open.
 */
import { invariant } from "../domain/invariant.ts";
import { StoreFailure } from "../sequencer/store-failure.ts";
import { memory } from "./database.ts";
import type { Sqlite } from "./driver.ts";
import { storeFailureFrom } from "./store-failure.ts";

export class Connection {
  readonly db: Sqlite;
  readonly file: string;
  #batch = false;
  #failed: StoreFailure | null = null;
  readonly #beginStatement;
  readonly #commitStatement;
  readonly #rollbackStatement;

  constructor(db: Sqlite, file: string) {
    this.db = db;
    this.file = file;
    this.#beginStatement = db.prepare("BEGIN IMMEDIATE");
    this.#commitStatement = db.prepare("COMMIT");
    this.#rollbackStatement = db.prepare("ROLLBACK");
  }

  get isMemory(): boolean {
    return this.file === memory;
  }

  begin(): void {
    this.requireUsable();
    invariant(!this.#batch, "a batch begins inside another batch");
    try {
      this.#beginStatement.run();
    } catch (error) {
      throw this.fail(error, "while a batch began");
    }
    this.#batch = true;
  }

  commit(): void {
    this.requireBatch();
    this.#batch = false;
    try {
      this.#commitStatement.run();
    } catch (error) {
      throw this.fail(error, "while a batch was committed", "unknown");
    }
  }

  rollback(): void {
    // The failure that ended the batch has rolled it back already; the caller that cleans up need not know.
    if (!this.#batch) return;
    this.#batch = false;
    try {
      if (this.db.inTransaction) this.#rollbackStatement.run();
    } catch (error) {
      throw this.fail(error, "while a batch was rolled back");
    }
  }

  /** Joins the open batch, or makes one of its own. */
  inTransaction<T>(doing: string, run: () => T): T {
    const isOwn = !this.#batch;
    if (isOwn) this.begin();
    else this.requireUsable();
    try {
      const result = run();
      if (isOwn) this.commit();
      return result;
    } catch (error) {
      const failure = this.fail(error, doing);
      if (isOwn) this.rollback();
      throw failure;
    }
  }

  /** Runs a read. */
  read<T>(doing: string, run: () => T): T {
    this.requireUsable();
    try {
      return run();
    } catch (error) {
      throw this.fail(error, doing);
    }
  }

  /** Remembers an error of the disk, takes the open batch back and returns what to throw. */
  fail(error: unknown, doing: string, outcome: "none" | "unknown" = "none"): unknown {
    const failure = storeFailureFrom(error, { file: this.file, doing, outcome });
    if (!(failure instanceof StoreFailure) || this.#failed !== null) return failure;
    this.#failed = failure;
    this.#batch = false;
    this.#abandonTransaction();
    return failure;
  }

  requireBatch(): void {
    this.requireUsable();
    invariant(this.#batch, "a write stands outside a batch");
  }

  requireUsable(): void {
    if (this.#failed !== null) throw this.#failed;
  }

  close(): void {
    this.#abandonTransaction();
    this.#batch = false;
    this.db.close();
  }

  #abandonTransaction(): void {
    if (!this.db.open || !this.db.inTransaction) return;
    try {
      this.#rollbackStatement.run();
    } catch {
      // The disk that failed may fail this too. Frames without a commit record are not recovered: nothing to
      // undo.
    }
  }
}
