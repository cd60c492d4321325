/**
 * Wakes a venue when something falls due without a request, on a clock that runs. In mode `skip-idle` it does not wait:
 * when no command has come for a moment, the clock jumps to the next thing that is due on an order.
 *
 * **Rules of the jump.** Reads do not put it off: a client that polls is waiting. The synthetic market is no reason for
 * one, or time would race on for ever; the commands that fall due on the way are run.
 */
import type { MarketClock } from "./clock.ts";

/** The time without a command after which a venue is idle. It is longer than the pause of a client between two commands. */
const idlePauseMs = 20;
/** A full agenda falls due at every millisecond; together, its entries cost a fifth of the commits. */
const leastPauseMs = 5;
const longestPauseMs = 60_000;

export interface Agenda {
  readonly clock: MarketClock;
  /** When the venue or the synthetic market acts next; infinity when neither ever does. */
  readonly firstDue: () => number;
  /** When something is due on an order, or null. */
  readonly nextDueOnOrder: () => number | null;
  readonly wake: () => void;
  readonly skipTo: (time: number) => Promise<unknown>;
}

export class WakeUp {
  readonly #agenda: Agenda;
  #timer: NodeJS.Timeout | null = null;
  #skip: NodeJS.Timeout | null = null;
  #skipping = false;
  #stopped = false;

  constructor(agenda: Agenda) {
    this.#agenda = agenda;
  }

  /** After each commit, and when the mode of the clock has changed. `isBusy`: the commit held an entry. */
  arm(isBusy: boolean): void {
    const { mode } = this.#agenda.clock;
    if (isBusy || mode !== "skip-idle") this.#clearSkip();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (mode === "manual" || this.#stopped) return;
    if (mode === "skip-idle") this.#armSkip();
    const first = this.#agenda.firstDue();
    if (first === Infinity) return;
    const delay = Math.min(Math.max(leastPauseMs, first - this.#agenda.clock.now()), longestPauseMs);
    this.#timer = setTimeout(this.#agenda.wake, delay).unref();
  }

  stop(): void {
    this.#stopped = true;
    this.#clearSkip();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #clearSkip(): void {
    if (this.#skip !== null) clearTimeout(this.#skip);
    this.#skip = null;
  }

  #armSkip(): void {
    const due = this.#agenda.nextDueOnOrder();
    if (due === null || this.#skip !== null || this.#skipping) return;
    this.#skip = setTimeout(() => void this.#skipTo(due), idlePauseMs).unref();
  }

  async #skipTo(due: number): Promise<void> {
    this.#skip = null;
    this.#skipping = true;
    try {
      await this.#agenda.skipTo(due);
    } catch {
      // The sequencer has reported a failed commit itself; a stop needs no report.
    }
    this.#skipping = false;
    this.arm(true);
  }
}
