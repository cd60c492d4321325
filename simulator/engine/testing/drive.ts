/**
 * Drives the engine as the sequencer does, without journal and promises: the commands that are due before a command, the
 * command, the stops that it wakes, and the commands that are due behind it. Market time moves only when told to.
 */
import type { Command } from "../../domain/command.ts";
import type { Event } from "../../domain/event.ts";
import { invariant } from "../../domain/invariant.ts";
import type { Order } from "../../domain/order.ts";
import { apply, beginEntry } from "../apply.ts";
import type { Changes } from "../changes.ts";
import { decide } from "../decide.ts";
import type { Outcome } from "../decision.ts";
import { nextDueAt, nextFollowUp } from "../follow-ups.ts";
import { audit, checkTouched } from "../invariants.ts";
import { VenueState } from "../state.ts";
import { type VenueSpec, worldOf } from "./venue-spec.ts";

export interface Entry {
  readonly seq: number;
  readonly at: number;
  readonly command: Command;
  readonly events: readonly Event[];
  readonly changes: Changes;
}

export class Drive {
  readonly state: VenueState;
  now: number;
  /** Entries since the last `take`. */
  #entries: Entry[] = [];

  constructor(start: VenueSpec | VenueState) {
    this.state = start instanceof VenueState ? start : new VenueState(worldOf(start));
    this.now = this.state.now;
  }

  submit(command: Command): Outcome {
    this.#runDue(this.now);
    const outcome = this.#run(command, this.now);
    this.#runDue(this.now);
    return outcome;
  }

  /** Moves market time and runs what falls due on the way, each thing at its own time. */
  advance(ms: number): void {
    this.now += ms;
    this.#runDue(this.now);
  }

  /** Entries since the last call, oldest first. */
  take(): readonly Entry[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  /** Events since the last call, oldest first. */
  takeEvents(): readonly Event[] {
    return this.take().flatMap((entry) => entry.events);
  }

  order(number: number): Order {
    return this.state.order(number);
  }

  audit(): void {
    audit(this.state);
  }

  #runDue(until: number): void {
    for (let due = nextDueAt(this.state); due !== null && due <= until; due = nextDueAt(this.state)) {
      const next = nextFollowUp(this.state, due);
      invariant(next !== null, "something is due and there is nothing to do");
      const before = this.state.seq;
      this.#run(next.command, Math.max(next.at, this.state.now));
      invariant(this.state.seq > before, `${next.command.kind} came to nothing and would be due for ever`);
    }
  }

  #run(command: Command, at: number): Outcome {
    const { outcome, events } = this.#decideAndApply(command, at);
    while (this.state.triggered.length > 0) {
      const next = nextFollowUp(this.state, this.state.now);
      invariant(next !== null, "a stop was triggered and nothing follows");
      const triggered = this.#decideAndApply(next.command, this.state.now);
      invariant(triggered.events.length > 0, "a triggered stop came to nothing");
    }
    invariant(events.length > 0 || outcome.kind !== "accepted", "an accepted order left no trace");
    return outcome;
  }

  #decideAndApply(
    command: Command,
    at: number,
  ): { readonly outcome: Outcome; readonly events: readonly Event[] } {
    const { state } = this;
    const stamp = { seq: state.seq + 1, at };
    const decision = decide(state, stamp, command);
    if (decision.events.length > 0) {
      beginEntry(state, stamp.seq, at);
      for (const event of decision.events) apply(state, event, at);
      checkTouched(state, decision.events);
      this.#entries.push({ ...stamp, command, events: decision.events, changes: state.changes });
    }
    return decision;
  }
}
