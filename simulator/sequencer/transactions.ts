/**
 * Transactions of the sequencer, one at a time.
 *
 * A journal that commits at once has done so when `run` returns. One that answers later makes `run` return a promise, and
 * nothing may be run until `underWay` is over. Any error is the last: the memory may be ahead of the store.
 */
import type { JournalWriter } from "./ports.ts";
import type { Runner } from "./runner.ts";
import type { CommittedEntry } from "./sequencer-ports.ts";
import type { VenueUnavailable } from "./unavailable.ts";

interface Ears {
  /** `tookMs`: how long the store took to commit them. */
  readonly committed: (entries: readonly CommittedEntry[], tookMs: number) => void;
  /** Returns the answer to the callers that wait for the transaction. */
  readonly failed: (error: unknown) => VenueUnavailable;
}

export class Transactions {
  readonly #journal: JournalWriter;
  readonly #runner: Runner;
  readonly #ears: Ears;
  #underWay: Promise<void> | null = null;

  constructor(journal: JournalWriter, runner: Runner, ears: Ears) {
    this.#journal = journal;
    this.#runner = runner;
    this.#ears = ears;
  }

  /** Resolves when the commit that is under way is over, however it ended; null when there is none. */
  get underWay(): Promise<void> | null {
    return this.#underWay;
  }

  run<T>(work: () => T): T | Promise<T> {
    const hashBefore = this.#runner.hash;
    this.#runner.begin();
    let result: T;
    let commit: void | Promise<void>;
    let begun = 0;
    try {
      this.#journal.begin();
      result = work();
      begun = performance.now();
      commit = this.#journal.commit();
    } catch (error) {
      this.#runner.hash = hashBefore;
      throw this.#ears.failed(error);
    }
    if (commit instanceof Promise) return this.#whenCommitted(commit, begun, result, hashBefore);
    this.#ears.committed(this.#runner.recorded, performance.now() - begun);
    return result;
  }

  async #whenCommitted<T>(commit: Promise<void>, begun: number, result: T, hashBefore: string): Promise<T> {
    const { recorded } = this.#runner;
    const over = (): void => {
      this.#underWay = null;
    };
    this.#underWay = commit.then(over, over);
    try {
      await commit;
    } catch (error) {
      this.#runner.hash = hashBefore;
      throw this.#ears.failed(error);
    }
    this.#ears.committed(recorded, performance.now() - begun);
    return result;
  }
}
