/**
 * One writer, group commit, fail-stop.
 *
 * **Purpose.** Requests hand over commands; the sequencer takes all that arrived until a turn of the event loop brought no
 * more, and in ONE transaction stamps, decides, records and applies each, and then the commands that are due.
 *
 * **Invariants.** Nothing awaits between decide and apply. An answer leaves only after the commit that it depends on; so
 * does the answer to a read, because the nonce it consumed must be as durable as an order (F-nonce-durability). Sequence
 * numbers have no gap; market time never goes back. While a commit is under way nothing is decided: what arrives waits for
 * the next batch.
 *
 * **Ordering.** Arrival order. A command's follow-ups (stops triggered by its trades) come directly after it. When they are too
 * many for one transaction, the batch is cut: the next turns go on with the stops, then with the rest of the batch at the time of
 * the batch, so the entries are the same wherever it was cut. The command is answered after its last stop. Requests without a
 * command are answered in between, and so may pass waiting commands.
 *
 * **Failure.** An error at commit is an unknown outcome: the requests of that batch are answered so, and the state is
 * rebuilt from the file before another command is taken (recover.ts). A violated invariant stops the venue for good.
 *
 * **Known limits.** A commit to a file blocks the event loop for one fsync. That is the price of one writer and no races.
 * A store that answers later does not block it, and the state is ahead of the store meanwhile: only an answer of the
 * sequencer says that it may be shown. What the synthetic market does at one time is not cut.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NonceRecord } from "../domain/account.ts";
import type { Command } from "../domain/command.ts";
import type { Outcome } from "../engine/decision.ts";
import { nextDueAt } from "../engine/follow-ups.ts";
import type { VenueState } from "../engine/state.ts";
import {
  type Awaited,
  type Batch,
  batchSize,
  type Ends,
  newBatch,
  noBatch,
  type Ran,
  serveBatch,
  settle,
} from "./batch.ts";
import { Runner } from "./runner.ts";
import type { CommittedEntry, Executed, Move, MoveEnd, SequencerPorts, Waiting } from "./sequencer-ports.ts";
import { Transactions } from "./transactions.ts";
import { VenueUnavailable } from "./unavailable.ts";
import { WakeUp } from "./wake-up.ts";

export type * from "./sequencer-ports.ts";

const interrupted =
  "The venue is stopping: the clock was moved a part of the way, and what fell due until then has happened";

export class Sequencer {
  readonly state: VenueState;
  readonly #ports: SequencerPorts;
  readonly #runner: Runner;
  readonly #waiting: Waiting[] = [];
  /** The current batch, or the last. */
  #batch: Batch = noBatch();
  #awaited: Awaited | null = null;
  #scheduled = false;
  #failure: Error | null = null;
  #interrupted = false;
  readonly #transactions: Transactions;
  readonly #wakeUp: WakeUp;

  constructor(ports: SequencerPorts) {
    this.#ports = ports;
    this.state = ports.state;
    this.#runner = new Runner(ports);
    this.#transactions = new Transactions(ports.journal, this.#runner, {
      committed: (entries, tookMs) => this.#publish(entries, tookMs),
      failed: (error) => this.#fail(error),
    });
    this.#wakeUp = new WakeUp({
      clock: ports.clock,
      firstDue: () => this.#runner.firstDue,
      nextDueOnOrder: () => nextDueAt(this.state),
      wake: () => this.#schedule(),
      skipTo: (time) => this.advanceTo(time, { until: () => ports.clock.mode !== "skip-idle" }),
    });
  }

  /** Chain hash of the last committed entry. */
  get hash(): string {
    return this.#runner.hash;
  }

  /** Resolves when the commit under way is over: then the state is that of the store. Null when there is none. */
  get underWay(): Promise<void> | null {
    return this.#transactions.underWay;
  }

  /** Requests that wait for a batch. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs a command, if there is one, and tells after the commit what came of it; `nonce` becomes durable with it. */
  execute(command: Command | null, nonce: NonceRecord | null): Promise<Executed> {
    return new Promise((settle, refuse) => {
      if (this.#failure !== null) return refuse(this.#failure);
      this.#waiting.push({ command, nonce, settle, refuse });
      this.#schedule();
    });
  }

  /** The outcome alone. */
  async submit(command: Command | null, nonce: NonceRecord | null = null): Promise<Outcome> {
    return (await this.execute(command, nonce)).outcome;
  }

  /**
   * Moves the market clock and runs what falls due on the way, a piece in each turn; between two pieces, waiting requests are
   * served at the time that the clock has reached. Resolves with its end when all until then is committed.
   */
  async advanceTo(to: number, move: Move = {}): Promise<MoveEnd> {
    let fresh: readonly CommittedEntry[] = [];
    for (;;) {
      while (this.#transactions.underWay !== null || (this.#waiting.length > 0 && !this.#runner.isCut)) {
        if (this.#transactions.underWay !== null) await this.#transactions.underWay.then(() => nextTurn());
        else this.#flush();
      }
      if (this.#failure !== null) throw this.#failure;
      if (this.#runner.isCut) {
        await nextTurn();
        continue;
      }
      // Between two pieces, a request may have met it.
      if (move.until?.(fresh) === true) return "met";
      if (move.signal?.aborted === true) return "ended";
      if (this.#interrupted) throw new VenueUnavailable("stopped", interrupted);
      this.#batch = noBatch();
      const ran = this.#transactions.run(() => this.#runner.runPiece(to, move));
      const { recorded } = this.#runner;
      const piece = ran instanceof Promise ? await ran : ran;
      move.committed?.(recorded);
      if (typeof piece === "string") return piece;
      fresh = piece;
      if (this.#runner.isCut) {
        const stops = await this.#stopsDone();
        move.committed?.(stops);
        fresh = [...piece, ...stops];
      } else await nextTurn();
    }
  }

  /** Ends a move of the clock after its current piece: the work so far is committed, and the clock keeps that time. */
  interruptMove(): void {
    this.#interrupted = true;
  }

  /** When the venue or the synthetic market acts next, or null. */
  get nextDueAt(): number | null {
    const first = this.#runner.firstDue;
    return first === Infinity ? null : first;
  }

  /** The mode of the clock has changed. */
  clockChanged(): void {
    this.#rest();
  }

  /** Runs `opening` and what is due already; called once before the first request is taken. */
  catchUp(opening: readonly Command[] = []): void {
    const at = this.#ports.clock.now();
    this.#batch = newBatch(at, []);
    const ran = this.#transactions.run(() => {
      this.#runner.runStops();
      this.#runner.runTogether(opening, at);
      this.#runner.runDue(at);
    });
    // The failure has been reported, and whoever waits until it is settled gets it.
    if (ran instanceof Promise) ran.catch(() => {});
    this.#rest();
  }

  /** Resolves when no commit is under way and nothing waits for one. */
  async settled(): Promise<void> {
    while (this.#transactions.underWay !== null || (this.#failure === null && this.#isBusy)) {
      if (this.#transactions.underWay !== null) await this.#transactions.underWay.then(() => nextTurn());
      else this.#flush();
    }
    if (this.#failure !== null) throw this.#failure;
  }

  /** Commits what is waiting and the stops that are left, unless a commit is under way, then lets go of the timer. */
  stop(): void {
    while (this.#isBusy && this.#failure === null && this.#transactions.underWay === null) this.#flush();
    this.abandon(
      new VenueUnavailable(
        "stopped",
        "The venue is stopping: nothing was done. Send the request again later",
      ),
    );
  }

  /**
   * Ends its life: lets go of the timer and refuses what waits, none of which was begun. A command whose stops are left has
   * happened, but not all that it causes.
   */
  abandon(reason: VenueUnavailable): void {
    this.#wakeUp.stop();
    this.#failure ??= reason;
    for (const item of [...this.#batch.items.splice(0), ...this.#waiting.splice(0)]) item.refuse(reason);
    this.#awaited?.refuse(new VenueUnavailable("unknown"));
  }

  get #isBusy(): boolean {
    return this.#waiting.length > 0 || this.#runner.isCut;
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
      if (count > seen && count < batchSize && !this.#runner.isCut) {
        this.#flushWhenQuiet(count);
        return;
      }
      this.#scheduled = false;
      this.#flush();
    });
  }

  /** One transaction per flush: answered callers read the state before the next begins to change it. */
  #flush(): void {
    const { underWay } = this.#transactions;
    if (underWay !== null) void underWay.then(() => this.#schedule());
    else if (this.#failure === null) this.#commitBatch();
  }

  #rest(): void {
    if (this.#failure !== null) return;
    const { underWay } = this.#transactions;
    if (underWay !== null) {
      void underWay.then(() => this.#rest());
      return;
    }
    if (this.#isBusy) {
      this.#schedule();
      return;
    }
    this.#wakeUp.arm(this.#runner.recorded.length > 0);
    this.#runner.begin();
  }

  /** A new batch as far as its stops allow, or a part of the one that was cut. */
  #commitBatch(): void {
    if (!this.#runner.isCut)
      this.#batch = newBatch(this.#ports.clock.now(), this.#waiting.splice(0, batchSize));
    const begun: Waiting[] = [];
    const awaited = this.#awaited;
    const answer = ({ ran, cut }: Ends): void => {
      if (this.#awaited === null) awaited?.done(awaited.stops);
      for (const one of ran) settle(one);
      if (cut !== undefined) this.#settleAfterStops(cut);
      this.#rest();
    };
    const refuse = (): void => {
      for (const item of begun) item.refuse(this.#failure ?? new VenueUnavailable("unknown"));
      awaited?.refuse(new VenueUnavailable("unknown"));
    };
    let ends: Ends | Promise<Ends>;
    try {
      ends = this.#transactions.run(() => {
        this.#runner.runStops();
        awaited?.stops.push(...this.#runner.recorded);
        if (!this.#runner.isCut) this.#awaited = null;
        return serveBatch(this.#batch, this.#waiting, begun, this.#runner, this.#ports);
      });
    } catch {
      refuse();
      return;
    }
    if (ends instanceof Promise) void ends.then(answer, refuse);
    else answer(ends);
  }

  #settleAfterStops({ item, outcome, entries: { first, last } }: Ran): void {
    this.#stopsDone().then(
      (stops) => settle({ item, outcome, entries: { first, last: stops.at(-1)?.seq ?? last } }),
      item.refuse,
    );
  }

  /** The entries of the stops that are left, once they are committed. */
  #stopsDone(): Promise<readonly CommittedEntry[]> {
    this.#schedule();
    return new Promise((done, refuse) => {
      if (this.#failure !== null) refuse(new VenueUnavailable("unknown"));
      this.#awaited = { stops: [], done, refuse };
    });
  }

  /** A commit is valid even if a follower fails: the batch is answered, and the venue stops because of our bug. */
  #publish(entries: readonly CommittedEntry[], tookMs: number): void {
    try {
      this.#ports.onCommitted(entries, tookMs);
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
}
