/**
 * Runs commands in the open transaction: decides, applies and records each, with the stops that it triggers, and what is due.
 *
 * **Invariant.** Nothing changes the state before a triggered stop: while `isCut`, only `runStops` may be called.
 */
import type { Command } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import { apply, beginEntry } from "../engine/apply.ts";
import { decide } from "../engine/decide.ts";
import type { Outcome } from "../engine/decision.ts";
import { nextDueAt, nextFollowUp } from "../engine/follow-ups.ts";
import { checkTouched } from "../engine/invariants.ts";
import type { VenueState } from "../engine/state.ts";
import { nextStop } from "../engine/stops.ts";
import { chainHash } from "./chain.ts";
import type { MarketClock } from "./clock.ts";
import { encodeCommand } from "./codec.ts";
import type { CommittedEntry, Move, MoveEnd, SequencerPorts } from "./sequencer-ports.ts";

/** Triggered stops of one transaction. A number, not a time: then a test can say where a batch is cut. */
const stopsAtOnce = 64;
/** Longest transaction while the clock is moved; other commands wait that long. */
const pieceMs = 25;
/** Steps between two reads of the time. */
const betweenLooks = 32;

export class Runner {
  readonly state: VenueState;
  /** Chain hash of the last entry. */
  hash: string;
  readonly #ports: SequencerPorts;
  #recorded: CommittedEntry[] = [];
  /** The number of stops that may still run in this transaction. */
  #stopsLeft = 0;

  constructor(ports: SequencerPorts) {
    this.#ports = ports;
    this.state = ports.state;
    this.hash = ports.hash;
  }

  /** Before a transaction; what was recorded is forgotten. */
  begin(): void {
    this.#recorded = [];
    this.#stopsLeft = this.#ports.stopsAtOnce ?? stopsAtOnce;
  }

  /** The entries of this transaction, or of the last. */
  get recorded(): readonly CommittedEntry[] {
    return this.#recorded;
  }

  /** Triggered stops are left, perhaps for another transaction. */
  get isCut(): boolean {
    return this.state.triggered.length > 0;
  }

  /** Runs a command and the stops that its trades wake. */
  run(command: Command, at: number): Outcome {
    const outcome = this.#step(command, Math.max(at, this.state.now));
    this.runStops();
    return outcome;
  }

  /** Runs commands of the market in one transaction: its schedule takes what it has given for done. */
  runTogether(commands: readonly Command[], at: number): void {
    for (const command of commands) {
      this.runStops(Infinity);
      this.#step(command, Math.max(at, this.state.now));
    }
    this.runStops();
  }

  /** Runs triggered stops, each as its own entry, in a queue and without recursion. */
  runStops(most = this.#stopsLeft): void {
    const { state } = this;
    for (let ran = 0; ran < most; ran++) {
      const stop = nextStop(state);
      if (stop === null) return;
      this.#stopsLeft -= 1;
      this.#step(stop, state.now);
      if (state.triggered[0] === stop.order) throw new InvariantViolation("a triggered stop came to nothing");
    }
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
    this.hash = chainHash(this.hash, { seq, at, kind: command.kind, command: text, events });
    const entry = { seq, at, kind: command.kind, command: text, hash: this.hash };
    this.#ports.journal.append(entry, events, state.changes.lines);
    this.#recorded.push({ seq, at, command, events, changes: state.changes });
  }

  /** Runs what is due, until stops are left. */
  runDue(now: number): void {
    while (!this.isCut && this.#runNextDue(now, null));
  }

  /** Why the move ends with this piece; while it goes on, the entries whose stops are left. */
  runPiece(to: number, { until }: Move): MoveEnd | readonly CommittedEntry[] {
    const { clock } = this.#ports;
    const end = performance.now() + pieceMs;
    for (let ran = 1; ran % betweenLooks !== 0 || performance.now() < end; ran++) {
      const before = this.#recorded.length;
      if (!this.#runNextDue(to, clock)) {
        clock.set(to);
        this.run({ kind: "MoveClock" }, to);
        return "there";
      }
      if (this.isCut) return this.#recorded.slice(before);
      if (until?.(this.#recorded.slice(before)) === true) return "met";
    }
    return [];
  }

  /** Runs the one thing that falls due first; false when nothing is due at or before `until`. */
  #runNextDue(until: number, clock: MarketClock | null): boolean {
    const { state } = this;
    const market = this.#ports.schedule.nextAt(state);
    const first = this.firstDue;
    if (first > until) return false;
    // On a clock that is moved a thing happens exactly when it is due; on one that runs, when it is done.
    clock?.set(first);
    const isExact = clock !== null || this.#ports.clock.mode === "manual";
    const at = isExact ? Math.max(first, state.now) : until;
    // At one time the market acts first: of an entry, all that the market had to do until its time has happened.
    if (market === first) {
      this.runTogether(this.#ports.schedule.commandsAt(state, at), at);
      return true;
    }
    const command = nextFollowUp(state, first)?.command;
    if (command !== undefined) this.run(command, at);
    return true;
  }

  /** When the venue or the synthetic market acts next; infinity when neither ever does. */
  get firstDue(): number {
    return Math.min(nextDueAt(this.state) ?? Infinity, this.#ports.schedule.nextAt(this.state) ?? Infinity);
  }
}
