/**
 * The venue as the listener sees it: one sequencer after another over one file.
 *
 * **Purpose.** It owns the life of the sequencer. When a write fails it throws the state in memory away, opens the file
 * again, recovers and goes on; while the disk refuses writes it serves reads from the recovered state and says so.
 *
 * **Invariants.** At most one sequencer lives at a time. `state` is always a state that the file holds. A nonce that was
 * consumed while the disk refused writes is written before the first command is taken again.
 *
 * **Known limits.** A process that dies while it could only read forgets the nonces of reads answered in that time; the
 * requests they belong to changed nothing.
 */
import { InvariantViolation } from "../domain/invariant.ts";
import type { Command } from "../domain/command.ts";
import type { World } from "../domain/world.ts";
import type { Outcome } from "../engine/decision.ts";
import { captureSnapshot } from "../engine/snapshot.ts";
import type { VenueState } from "../engine/state.ts";
import { ManualClock, type MarketClock } from "./clock.ts";
import type { Journal, NonceRecord } from "./ports.ts";
import { recover } from "./recover.ts";
import { Sequencer, type CommittedEntry, type Schedule } from "./sequencer.ts";
import { VenueUnavailable } from "./unavailable.ts";

/** running: all works. read-only: the file could not be written. stopped: an invariant was violated. closed: by request. */
export type VenueMode = "running" | "read-only" | "stopped" | "closed";

export interface VenueOptions {
  readonly world: World;
  readonly clock: MarketClock;
  readonly engineVersion: string;
  /** What an empty journal takes first: rules of the world that are commands. */
  readonly opening: readonly Command[];
  /** Opens the file; throws with a teaching sentence when it cannot. */
  readonly openJournal: () => Journal;
  readonly makeSchedule: (state: VenueState) => Schedule;
  readonly housekeep: (journal: Journal) => void;
  readonly onCommitted: (entries: readonly CommittedEntry[]) => void;
  /** Keeps what is known about a violated invariant and tells whoever runs the venue. */
  readonly onStopped: (evidence: Evidence) => void;
  readonly onNotice: (sentence: string) => void;
  readonly retryMs?: number;
  /** Entries after which a snapshot is written when nothing waits. */
  readonly snapshotEvery?: number;
}

export interface Evidence {
  readonly message: string;
  readonly stack: string;
  readonly seq: number;
  readonly hash: string;
  readonly engineVersion: string;
  readonly seed: number;
}

export class Venue {
  readonly world: World;
  readonly clock: MarketClock;
  private readonly options: VenueOptions;
  private journal: Journal;
  private sequencer: Sequencer;
  private currentMode: VenueMode = "running";
  private notice: string | null = null;
  private retry: NodeJS.Timeout | null = null;
  private sinceSnapshot = 0;
  private snapshotDue = false;
  private unwritten: NonceRecord[] = [];

  constructor(options: VenueOptions) {
    this.options = options;
    this.world = options.world;
    this.clock = options.clock;
    this.journal = options.openJournal();
    this.sequencer = this.makeSequencer();
    if (this.clock instanceof ManualClock) this.clock.set(this.state.now);
    this.sequencer.catchUp(this.state.seq === 0 ? options.opening : []);
  }

  get state(): VenueState {
    return this.sequencer.state;
  }

  get hash(): string {
    return this.sequencer.hash;
  }

  get mode(): VenueMode {
    return this.currentMode;
  }

  get epoch(): number {
    return this.journal.header.epoch;
  }

  /** Why the venue is not running, in one sentence; null while it is. */
  get trouble(): string | null {
    return this.notice;
  }

  submit(command: Command, nonce: NonceRecord | null = null): Promise<Outcome> {
    const refusal = this.refusal();
    if (refusal === null) return this.sequencer.submit(command, nonce);
    if (nonce !== null && this.currentMode === "read-only") this.unwritten.push(nonce);
    return Promise.reject(refusal);
  }

  /** Resolves when the nonce of a read is durable; `state` then is a committed state. */
  async settleNonce(nonce: NonceRecord): Promise<void> {
    if (this.currentMode === "read-only") {
      this.unwritten.push(nonce);
      return;
    }
    const refusal = this.refusal();
    if (refusal !== null) throw refusal;
    await this.sequencer.settleNonce(nonce);
  }

  /** Moves the manual market clock; everything that falls due on the way is committed when this returns. */
  advanceTo(to: number): number {
    if (!(this.clock instanceof ManualClock)) throw new RangeError("only a manual clock can be moved");
    const refusal = this.refusal();
    if (refusal !== null) throw refusal;
    return this.sequencer.advanceTo(this.clock, to);
  }

  /** Commits what waits, writes a snapshot and lets go of the file. */
  close(): void {
    if (this.currentMode === "closed") return;
    if (this.retry !== null) clearTimeout(this.retry);
    if (this.currentMode === "running") {
      this.sequencer.stop();
      this.saveSnapshot();
    }
    this.currentMode = "closed";
    this.journal.close();
  }

  private refusal(): Error | null {
    switch (this.currentMode) {
      case "running":
        return null;
      case "read-only":
        return new VenueUnavailable("not-done", this.notice ?? undefined);
      case "stopped":
      case "closed":
        return new VenueUnavailable("stopped", this.notice ?? undefined);
    }
  }

  private makeSequencer(): Sequencer {
    const { world, clock, makeSchedule } = this.options;
    const { state, hash, replayed } = recover(this.journal, world);
    this.sinceSnapshot = replayed;
    return new Sequencer({
      journal: this.journal,
      state,
      hash,
      clock,
      schedule: makeSchedule(state),
      housekeep: () => this.options.housekeep(this.journal),
      onCommitted: (entries) => this.publish(entries),
      onFailure: (failure) => this.failed(failure),
    });
  }

  private publish(entries: readonly CommittedEntry[]): void {
    this.options.onCommitted(entries);
    this.sinceSnapshot += entries.length;
    if (this.sinceSnapshot < (this.options.snapshotEvery ?? 100_000) || this.snapshotDue) return;
    this.snapshotDue = true;
    setImmediate(() => {
      this.snapshotDue = false;
      if (this.currentMode === "running") this.saveSnapshot();
    });
  }

  private saveSnapshot(): void {
    const { state, hash } = this.sequencer;
    const body = captureSnapshot(state);
    try {
      this.journal.saveSnapshot({ seq: state.seq, hash, engineVersion: this.options.engineVersion, body });
      this.sinceSnapshot = 0;
    } catch (error) {
      this.failed(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private failed(failure: Error): void {
    if (this.currentMode === "closed" || this.currentMode === "stopped") return;
    if (failure instanceof InvariantViolation || !isStoreFailure(failure)) {
      this.stopFor(failure);
      return;
    }
    this.notice = `${failure.message} Reads go on from the last committed state; orders are refused until writing works again.`;
    this.currentMode = "read-only";
    this.options.onNotice(this.notice);
    // The state in memory may be ahead of the file: nobody may see it again.
    this.reopen();
    if (this.mode !== "running") this.scheduleRetry();
  }

  private stopFor(failure: Error): void {
    this.currentMode = "stopped";
    this.notice = `The venue stopped itself: ${failure.message}. The journal holds everything that was acknowledged.`;
    const { state, hash } = this.sequencer;
    const { engineVersion, world } = this.options;
    const stack = failure.stack ?? failure.message;
    this.options.onStopped({ message: failure.message, stack, seq: state.seq, hash, engineVersion, seed: world.seed });
  }

  private scheduleRetry(): void {
    this.retry = setTimeout(() => {
      this.reopen();
      if (this.mode === "read-only") this.scheduleRetry();
    }, this.options.retryMs ?? 1000);
    this.retry.unref();
  }

  /** Opens the file anew and recovers; the venue runs again once a write has worked. */
  private reopen(): void {
    try {
      this.journal.close();
    } catch {
      // The old connection is past use; only the file counts.
    }
    try {
      this.journal = this.options.openJournal();
      this.sequencer = this.makeSequencer();
      const { state, hash } = this.sequencer;
      const body = captureSnapshot(state);
      this.journal.saveSnapshot({ seq: state.seq, hash, engineVersion: this.options.engineVersion, body });
      this.writeForgottenNonces();
      this.currentMode = "running";
      this.notice = null;
      this.sequencer.catchUp();
      this.options.onNotice("Writing works again: the venue takes orders.");
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      if (!isStoreFailure(cause)) this.stopFor(cause);
      else this.currentMode = "read-only";
    }
  }

  private writeForgottenNonces(): void {
    this.journal.begin();
    for (const nonce of this.unwritten) this.journal.appendNonce(nonce);
    this.journal.commit();
    this.unwritten = [];
  }
}

/** Store failures carry what is known about the write; anything else is a bug. */
const isStoreFailure = (error: Error): boolean => "outcome" in error;
