/**
 * The venue as the listener sees it: one sequencer after another over one file.
 *
 * **Purpose.** It owns the life of the sequencer. When a write fails it throws the state in memory away, opens the file
 * again, recovers and goes on; while the disk refuses writes it serves reads from the recovered state and says so.
 *
 * **Invariants.** At most one sequencer lives at a time. No answer is made from a state that the file does not hold:
 * when the file cannot even be read, reads are refused, too. Before a command is taken again, the whole log has been
 * written and flushed a second time (pages that a failed flush left behind may be only in the cache of the kernel), and
 * so have the nonces that were consumed while the disk refused writes.
 *
 * **Nonces while the disk refuses writes.** Before a read is answered, the mark beside the file counts its nonce: should
 * the process end before it can be committed, the next start refuses everything signed until then. When the mark cannot
 * be written either, reads are refused, too.
 *
 * **Idle moments.** When nothing was committed for a moment, old nonces are removed and the log is folded into the file, which
 * is complete by itself then.
 */

import type { NonceRecord } from "../domain/account.ts";
import type { Command } from "../domain/command.ts";
import type { ClockMode, World } from "../domain/world.ts";
import type { Outcome } from "../engine/decision.ts";
import { captureSnapshot } from "../engine/snapshot.ts";
import type { VenueState } from "../engine/state.ts";
import { nothingDone } from "./batch.ts";
import type { MarketClock } from "./clock.ts";
import { IdleTime } from "./idle.ts";
import type { Journal, SnapshotRow } from "./ports.ts";
import { recover } from "./recover.ts";
import { Sequencer } from "./sequencer.ts";
import type { CommittedEntry, Executed, Follower, Move, MoveEnd } from "./sequencer-ports.ts";
import { Snapshots } from "./snapshots.ts";
import { isDamage, reasonOf, StoreFailure } from "./store-failure.ts";
import { Turns } from "./turns.ts";
import { causeOf, type VenueMode, VenueUnavailable, worldIsFull } from "./unavailable.ts";
import { UnwrittenNonces } from "./unwritten-nonces.ts";
import type { VenueOptions } from "./venue-options.ts";

export class Venue {
  readonly world: World;
  readonly clock: MarketClock;
  /** Works that move the clock. */
  readonly moves = new Turns();
  readonly #options: VenueOptions;
  #journal: Journal;
  #sequencer: Sequencer;
  /** A failure before the venue runs ends the start. */
  #currentMode: VenueMode = "closed";
  #notice: string | null = null;
  #retry: NodeJS.Timeout | null = null;
  readonly #idle = new IdleTime(() => this.#workWhenIdle());
  readonly #snapshots: Snapshots;
  /** The state in memory may be ahead of the file. */
  #dirty = false;
  #reopening = false;
  readonly #unwritten = new UnwrittenNonces();
  readonly #followers: Follower[] = [];

  /** `snapshot`: the state at the end of the journal as it is opened, when it is at hand. */
  constructor(options: VenueOptions, snapshot?: SnapshotRow) {
    this.#options = options;
    this.world = options.world;
    this.clock = options.clock;
    this.#snapshots = new Snapshots({
      every: options.snapshotEvery ?? 100_000,
      write: () => this.#journal.saveSnapshot(this.snapshot()),
      isRunning: () => this.#currentMode === "running",
      failed: (failure) => this.#failed(failure),
      onNotice: options.onNotice,
    });
    this.#journal = options.openJournal(false);
    try {
      this.#sequencer = this.#makeSequencer(snapshot);
      this.clock.set(this.state.now);
      this.#sequencer.catchUp(this.state.seq === 0 ? options.opening : []);
    } catch (error) {
      this.#journal.close();
      throw causeOf(error);
    }
    this.#currentMode = "running";
  }

  /** From now on, `follower` is told what becomes of the venue. */
  follow(follower: Follower): void {
    this.#followers.push(follower);
  }

  get state(): VenueState {
    return this.#sequencer.state;
  }

  get hash(): string {
    return this.#sequencer.hash;
  }

  /** Time of the next action without a request, or null. */
  get nextDueAt(): number | null {
    return this.#sequencer.nextDueAt;
  }

  get mode(): VenueMode {
    return this.#currentMode;
  }

  get epoch(): number {
    return this.#journal.header.epoch;
  }

  /** Why the venue is not running, in a sentence or two; null while it is. */
  get trouble(): string | null {
    return this.#notice;
  }

  /** The state after the last entry. */
  snapshot(): SnapshotRow {
    const { state, hash } = this;
    return { seq: state.seq, hash, engineVersion: this.#options.engineVersion, body: captureSnapshot(state) };
  }

  /** While this is not null, the state in memory is ahead of the store; then it resolves. */
  get underWay(): Promise<void> | null {
    return this.#sequencer.underWay;
  }

  /** Requests that wait for a batch. */
  get waiting(): number {
    return this.#sequencer.waiting;
  }

  /** The store has failed outside a commit, or belongs to another owner now. */
  storeFailed(failure: StoreFailure): void {
    this.#failed(failure);
  }

  /** Resolves when the command and the nonce are durable; a read has no command, and `state` then is a committed state. */
  async execute(command: Command | null, nonce: NonceRecord | null): Promise<Executed> {
    const refusal = this.#refusal(command);
    if (refusal === null) return this.#sequencer.execute(command, nonce);
    const isReadable = this.#currentMode === "read-only" && !this.#dirty;
    const isKept = nonce !== null && isReadable && this.#unwritten.keep(nonce, this.#journal);
    if (command !== null || !isKept) throw refusal;
    return { outcome: nothingDone, entries: { first: this.state.seq + 1, last: this.state.seq } };
  }

  /** The outcome alone. */
  async submit(command: Command | null, nonce: NonceRecord | null = null): Promise<Outcome> {
    return (await this.execute(command, nonce)).outcome;
  }

  /** Throws when `state` is not a state that the file holds. */
  requireReadable(): void {
    const refusal = this.#refusal();
    if (refusal !== null && (this.#currentMode !== "read-only" || this.#dirty)) throw refusal;
  }

  /** Changes the pace of the market clock. A start takes its mode from the flag or the world again. */
  setClockMode(mode: ClockMode): void {
    const refusal = this.#refusal();
    if (refusal !== null) throw refusal;
    this.clock.change(mode);
    this.#sequencer.clockChanged();
  }

  /** Moves the market clock; everything that falls due on the way is committed when this resolves. */
  async advanceTo(to: number, move?: Move): Promise<MoveEnd> {
    const refusal = this.#refusal();
    if (refusal !== null) throw refusal;
    try {
      return await this.#sequencer.advanceTo(to, move);
    } catch (error) {
      // The failure itself went to `failed`; the caller gets the same answer as every other request now.
      throw this.#refusal() ?? error;
    }
  }

  /** Before the listener waits for what is in flight: a long move of the clock is not waited for. */
  interruptMove(): void {
    this.#sequencer.interruptMove();
  }

  /** Commits what waits, writes a snapshot and lets go of the file. */
  close(): void {
    if (this.#currentMode === "closed") return;
    if (this.#currentMode === "running") this.#sequencer.stop();
    // The last batch may have failed.
    this.#snapshots.save(true);
    this.#currentMode = "closed";
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#idle.stop();
    this.#sequencer.abandon(new VenueUnavailable("stopped"));
    this.#journal.close();
  }

  #refusal(command: Command | null = null): VenueUnavailable | null {
    const isFull = command !== null && this.state.seq >= (this.#options.mostEntries ?? Infinity);
    return VenueUnavailable.in(this.#currentMode, this.#notice ?? "") ?? (isFull ? worldIsFull() : null);
  }

  #makeSequencer(snapshot?: SnapshotRow): Sequencer {
    const { world, clock, makeSchedule } = this.#options;
    const journal = this.#journal;
    const { state, hash, replayed, passedOver } = recover(journal, world, snapshot);
    if (passedOver !== null) this.#options.onNotice(passedOver);
    this.#snapshots.startAt(replayed);
    return new Sequencer({
      journal,
      state,
      hash,
      clock,
      schedule: makeSchedule(state),
      maintain: () => this.#options.maintain(false),
      onCommitted: (entries, tookMs) => this.#publish(entries, tookMs),
      onFailure: (failure) => this.#failed(failure, journal),
    });
  }

  #publish(entries: readonly CommittedEntry[], tookMs: number): void {
    if (entries.length > 0) for (const follower of this.#followers) follower.committed(entries, tookMs);
    this.#idle.postpone();
    this.#snapshots.count(entries.length);
  }

  /** The commit looks for the file, too: a deleted file is noticed even without a request. */
  #workWhenIdle(): boolean {
    if (this.#currentMode !== "running") return false;
    if (this.underWay !== null) return true;
    try {
      this.#journal.begin();
      const isMore = this.#options.maintain(true);
      this.#watch(this.#journal.commit());
      this.#journal.checkpoint();
      return isMore;
    } catch (error) {
      this.#failed(causeOf(error));
      return false;
    }
  }

  /** Nobody waits for this commit; its failure is one of the venue all the same. */
  #watch(commit: void | Promise<void>, journal = this.#journal): void {
    if (commit instanceof Promise) commit.catch((error: unknown) => this.#failed(causeOf(error), journal));
  }

  #failed(failure: Error, journal = this.#journal): void {
    // The caller of a start or a reopening gets the error, a venue that is not running tries again already, and what became
    // of a commit is past once its journal has been opened anew.
    if (this.#reopening || this.#currentMode !== "running" || journal !== this.#journal) return;
    this.#dirty = true;
    if (!(failure instanceof StoreFailure)) {
      this.#stopFor(failure);
      return;
    }
    this.#currentMode = "read-only";
    this.#notice = `${reasonOf(failure)} Reads go on from the last committed state; orders are refused until writing works again.`;
    this.#options.onNotice(`${failure.message} Orders are refused until writing works again.`);
    this.#sequencer.abandon(new VenueUnavailable("not-done"));
    this.#reopen();
  }

  #stopFor(failure: Error): void {
    this.#currentMode = "stopped";
    this.#notice = `The venue stopped itself: ${failure.message.replace(/\.$/, "")}. The journal holds everything that was acknowledged.`;
    const { state, hash } = this.#sequencer;
    this.#sequencer.abandon(new VenueUnavailable("stopped"));
    const { engineVersion, world } = this.#options;
    const { message, stack = message } = failure;
    for (const follower of this.#followers) follower.stopped();
    this.#options.onStopped({ message, stack, seq: state.seq, hash, engineVersion, seed: world.seed });
  }

  /** Opens the file anew and recovers; the venue runs again once a write has worked. Otherwise it tries again later. */
  #reopen(): void {
    const began = performance.now();
    this.#reopening = true;
    try {
      this.#restore();
      this.#proveWritable();
      this.#dirty = true;
      this.#sequencer.catchUp();
      this.#dirty = false;
      this.#currentMode = "running";
      this.#notice = null;
    } catch (error) {
      this.#stayReadOnly(causeOf(error));
    } finally {
      this.#reopening = false;
    }
    if (this.mode === "running") this.#options.onNotice("Writing works again: the venue takes orders.");
    else if (this.mode === "read-only") this.#scheduleRetry(performance.now() - began);
  }

  #stayReadOnly(cause: Error): void {
    if (!(cause instanceof StoreFailure) || isDamage(cause)) return this.#stopFor(cause);
    if (!this.#dirty) return;
    try {
      this.#restore();
    } catch {
      // Reads are refused as well until the file can be opened.
    }
  }

  /** The state in memory becomes what the file holds. */
  #restore(): void {
    try {
      this.#journal.close();
    } catch {
      // The old connection is past use; only the file counts.
    }
    this.#journal = this.#options.openJournal(true);
    this.#sequencer.abandon(new VenueUnavailable("not-done"));
    this.#sequencer = this.#makeSequencer();
    this.#dirty = false;
    for (const follower of this.#followers) follower.restored();
  }

  #proveWritable(): void {
    this.#journal.checkpoint();
    this.#snapshots.write();
    this.#watch(this.#unwritten.commitTo(this.#journal));
  }

  /** Opening a large file takes its time, during which nothing is answered: never more than a fifth of all time. */
  #scheduleRetry(tookMs: number): void {
    this.#retry = setTimeout(() => this.#reopen(), Math.max(this.#options.retryMs ?? 1000, 4 * tookMs));
    this.#retry.unref();
  }
}
