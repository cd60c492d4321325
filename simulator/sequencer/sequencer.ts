/**
 * One writer, group commit, fail-stop.
 *
 * **Purpose.** Requests hand over commands; the sequencer takes all that arrived until a turn of the event loop brought no
 * more, and in ONE transaction stamps, decides, records and applies each, and then the commands that are due.
 *
 * **Invariants.** Nothing awaits between decide and apply. An answer leaves only after the commit that it depends on; so
 * does the answer to a read, because the nonce it consumed must be as durable as an order (F-nonce-durability). Sequence
 * numbers have no gap; market time never goes back.
 *
 * **Ordering.** Arrival order. A command's follow-ups (stops triggered by its trades) come directly after it.
 *
 * **Failure.** An error at commit is an unknown outcome: the requests of that batch are answered so, and the state is
 * rebuilt from the file before another command is taken (recover.ts). A violated invariant stops the venue for good.
 *
 * **Known limits.** A commit blocks the event loop for one fsync. That is the price of one writer and no races.
 */
import type { NonceRecord } from "../domain/account.ts";
import type { Command } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import { apply, beginEntry } from "../engine/apply.ts";
import { decide } from "../engine/decide.ts";
import type { Outcome } from "../engine/decision.ts";
import { nextDueAt, nextFollowUp } from "../engine/follow-ups.ts";
import { checkTouched } from "../engine/invariants.ts";
import type { VenueState } from "../engine/state.ts";
import { type Ran, settleAll } from "./batch.ts";
import { chainHash } from "./chain.ts";
import type { MarketClock } from "./clock.ts";
import { encodeCommand } from "./codec.ts";
import type { Caused, CommittedEntry, Move, MoveEnd, SequencerPorts, Waiting } from "./sequencer-ports.ts";
import { VenueUnavailable } from "./unavailable.ts";
import { WakeUp } from "./wake-up.ts";

export type * from "./sequencer-ports.ts";

/** Commands of one transaction; the rest waits for the next turn. */
const batchSize = 512;
/** How long one transaction runs while the clock is moved: so long others wait. */
const pieceMs = 25;
/** So many run between two looks at the time. */
const betweenLooks = 32;

const interrupted =
  "The venue is stopping: the clock was moved a part of the way, and what fell due until then has happened";

/** The result of a request without a command. */
export const nothingDone: Outcome = { kind: "done", number: 0 };

export class Sequencer {
  readonly state: VenueState;
  readonly #ports: SequencerPorts;
  readonly #waiting: Waiting[] = [];
  #scheduled = false;
  #failure: Error | null = null;
  #interrupted = false;
  readonly #wakeUp: WakeUp;
  #lastHash: string;
  #recorded: CommittedEntry[] = [];

  constructor(ports: SequencerPorts) {
    this.#ports = ports;
    this.state = ports.state;
    this.#lastHash = ports.hash;
    this.#wakeUp = new WakeUp({
      clock: ports.clock,
      firstDue: () => this.#firstDue(),
      nextDueOnOrder: () => nextDueAt(this.state),
      wake: () => this.#schedule(),
      skipTo: (time) => this.advanceTo(time, { until: () => ports.clock.mode !== "skip-idle" }),
    });
  }

  /** Chain hash of the last committed entry. */
  get hash(): string {
    return this.#lastHash;
  }

  /**
   * Runs a command, if there is one, and gives its outcome after the commit; `nonce` becomes durable with it. `caused`
   * hears of the entries before the outcome is given.
   */
  submit(command: Command | null, nonce: NonceRecord | null = null, caused?: Caused): Promise<Outcome> {
    return new Promise((settle, refuse) => {
      if (this.#failure !== null) return refuse(this.#failure);
      this.#waiting.push({ command, nonce, caused, settle, refuse });
      this.#schedule();
    });
  }

  /**
   * Moves the market clock and runs what falls due on the way, a piece in each turn; between two pieces, waiting requests are
   * served at the time that the clock has reached. Resolves with its end when all until then is committed.
   */
  async advanceTo(to: number, move: Move = {}): Promise<MoveEnd> {
    for (;;) {
      this.#drain();
      // Between two pieces, a request may have met it.
      if (move.until?.([]) === true) return "met";
      if (move.signal?.aborted === true) return "ended";
      if (this.#failure !== null) throw this.#failure;
      if (this.#interrupted) throw new VenueUnavailable("stopped", interrupted);
      const end = this.#transaction(() => this.#runPiece(to, move));
      move.committed?.(this.#recorded);
      if (end !== null) return end;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Ends a move of the clock after its current piece: the work so far is committed, and the clock keeps that time. */
  interruptMove(): void {
    this.#interrupted = true;
  }

  /** When the venue or the synthetic market acts next, or null. */
  get nextDueAt(): number | null {
    const first = this.#firstDue();
    return first === Infinity ? null : first;
  }

  /** The mode of the clock has changed. */
  clockChanged(): void {
    this.#rest();
  }

  /** Runs `opening` and what is due already; called once before the first request is taken. */
  catchUp(opening: readonly Command[] = []): void {
    this.#transaction(() => {
      const now = this.#ports.clock.now();
      for (const command of opening) this.#run(command, now);
      this.#runDue(now);
    });
    this.#rest();
  }

  /** Commits what is waiting, then lets go of the timer. */
  stop(): void {
    this.#drain();
    this.abandon(
      new VenueUnavailable(
        "stopped",
        "The venue is stopping: nothing was done. Send the request again later",
      ),
    );
  }

  /** Ends its life: lets go of the timer and refuses what waits, none of which was begun. */
  abandon(reason: VenueUnavailable): void {
    this.#wakeUp.stop();
    this.#failure ??= reason;
    for (const item of this.#waiting.splice(0)) item.refuse(reason);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#flushWhenQuiet(0);
  }

  /** While turns bring more commands, those that came wait for them: one flush of the disk serves all. */
  #flushWhenQuiet(seen: number): void {
    setImmediate(() => {
      const count = this.#waiting.length;
      if (count > seen && count < batchSize) {
        this.#flushWhenQuiet(count);
        return;
      }
      this.#scheduled = false;
      this.#flush();
    });
  }

  /** One batch per flush: answered callers read the state before the next batch begins to change it. */
  #flush(): void {
    if (this.#failure !== null) return;
    this.#commitBatch(this.#waiting.splice(0, batchSize));
    if (this.#failure !== null) return;
    if (this.#waiting.length > 0) this.#schedule();
    else this.#rest();
  }

  /** Nothing waits any more. */
  #rest(): void {
    this.#wakeUp.arm(this.#recorded.length > 0);
    this.#recorded = [];
  }

  #drain(): void {
    while (this.#waiting.length > 0 && this.#failure === null) this.#flush();
  }

  #commitBatch(batch: readonly Waiting[]): void {
    const ran: Ran[] = [];
    try {
      this.#transaction(() => {
        const now = this.#ports.clock.now();
        this.#runDue(now);
        for (const { nonce, command } of batch) {
          if (nonce !== null) this.#ports.journal.appendNonce(nonce);
          const first = this.state.seq + 1;
          const outcome = command === null ? nothingDone : this.#run(command, now);
          ran.push({ outcome, entries: { first, last: this.state.seq } });
        }
        this.#ports.maintain();
        this.#runDue(now);
      });
    } catch {
      for (const item of batch) item.refuse(this.#failure ?? new VenueUnavailable("unknown"));
      return;
    }
    settleAll(batch, ran);
  }

  /** One transaction. Any error ends the life of this sequencer: its memory may be ahead of the file. */
  #transaction<T>(work: () => T): T {
    const { journal } = this.#ports;
    const hashBefore = this.#lastHash;
    this.#recorded = [];
    let result: T;
    try {
      journal.begin();
      result = work();
      journal.commit();
    } catch (error) {
      this.#lastHash = hashBefore;
      throw this.#fail(error);
    }
    this.#publish();
    return result;
  }

  /** A commit is valid even if a follower fails: the batch is answered, and the venue stops because of our bug. */
  #publish(): void {
    try {
      this.#ports.onCommitted(this.#recorded);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Returns the answers to the callers that wait for the transaction. */
  #fail(error: unknown): VenueUnavailable {
    const cause = error instanceof Error ? error : new Error(String(error));
    try {
      this.#ports.journal.rollback();
    } catch {
      // A journal that failed may refuse to roll back as well; recovery starts from the file either way.
    }
    const reason = VenueUnavailable.because(cause);
    this.#failure = reason;
    this.abandon(reason.outcome === "unknown" ? new VenueUnavailable("not-done") : reason);
    this.#ports.onFailure(cause);
    return reason;
  }

  /** Runs a command and the stops that its trades wake: each at once, as its own entry, in a queue and without recursion. */
  #run(command: Command, now: number): Outcome {
    const { state } = this;
    const outcome = this.#step(command, Math.max(now, state.now));
    for (let [stop] = state.triggered; stop !== undefined; [stop] = state.triggered) {
      this.#step({ kind: "TriggerStop", order: stop }, state.now);
      if (state.triggered[0] === stop) throw new InvariantViolation("a triggered stop came to nothing");
    }
    return outcome;
  }

  #step(command: Command, at: number): Outcome {
    const seq = this.state.seq + 1;
    const { outcome, events } = decide(this.state, { seq, at }, command);
    if (events.length > 0) this.#applyAndRecord(seq, at, command, events);
    return outcome;
  }

  #applyAndRecord(seq: number, at: number, command: Command, events: readonly Event[]): void {
    const { state } = this;
    beginEntry(state, seq, at);
    for (const event of events) apply(state, event, at);
    checkTouched(state, events);
    const text = encodeCommand(command);
    this.#lastHash = chainHash(this.#lastHash, { seq, at, kind: command.kind, command: text, events });
    const entry = { seq, at, kind: command.kind, command: text, hash: this.#lastHash };
    this.#ports.journal.append(entry, events, state.changes.lines);
    this.#recorded.push({ seq, at, command, events, changes: state.changes });
  }

  /** Why the move ends with this piece; null while it goes on. */
  #runPiece(to: number, { until }: Move): MoveEnd | null {
    const { clock } = this.#ports;
    const end = performance.now() + pieceMs;
    for (let ran = 1; ran % betweenLooks !== 0 || performance.now() < end; ran++) {
      const before = this.#recorded.length;
      if (!this.#runNextDue(to, clock)) {
        clock.set(to);
        this.#run({ kind: "MoveClock" }, to);
        return "there";
      }
      if (until?.(this.#recorded.slice(before)) === true) return "met";
    }
    return null;
  }

  #runDue(now: number): void {
    while (this.#runNextDue(now, null));
  }

  /** Runs the one thing that falls due first; false when nothing is due at or before `until`. */
  #runNextDue(until: number, clock: MarketClock | null): boolean {
    const { state } = this;
    const market = this.#ports.schedule.nextAt(state) ?? Infinity;
    const first = Math.min(market, nextDueAt(state) ?? Infinity);
    if (first > until) return false;
    // On a clock that is moved a thing happens exactly when it is due; on one that runs, when it is done.
    clock?.set(first);
    const isExact = clock !== null || this.#ports.clock.mode === "manual";
    const at = isExact ? Math.max(first, state.now) : until;
    // At one time the market acts first: of an entry, all that the market had to do until its time has happened.
    if (market === first && state.triggered.length === 0) {
      for (const command of this.#ports.schedule.commandsAt(state, at)) this.#run(command, at);
      return true;
    }
    const next = nextFollowUp(state, first);
    if (next !== null) this.#run(next.command, at);
    return true;
  }

  /** When the venue or the synthetic market acts next; infinity when neither ever does. */
  #firstDue(): number {
    return Math.min(nextDueAt(this.state) ?? Infinity, this.#ports.schedule.nextAt(this.state) ?? Infinity);
  }
}
