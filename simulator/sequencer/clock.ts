/**
 * The market clock. Authentication always uses real time: otherwise moving the market would make signatures stale.
 *
 *   real        goes at the pace of the wall
 *   manual      stays until it is moved
 *   skip-idle   goes at the pace of the wall, and jumps to the next due thing when no command comes (sequencer.ts)
 *
 * **Invariant.** It never goes back. A clock that was frozen or moved goes on from where it stands.
 */
import type { ClockMode } from "../domain/world.ts";

export class MarketClock {
  #mode: ClockMode;
  #latest: number;
  /** How far market time is ahead of the wall (negative: behind it) while it runs. */
  #aheadMs = 0;
  readonly #wall: () => number;

  /** `start`: time of a manual clock, milliseconds since the epoch. */
  constructor(mode: ClockMode, start = 0, wall: () => number = Date.now) {
    this.#mode = mode;
    this.#latest = mode === "manual" ? start : wall();
    this.#wall = wall;
  }

  get mode(): ClockMode {
    return this.#mode;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    if (this.#mode !== "manual") this.#latest = Math.max(this.#latest, this.#wall() + this.#aheadMs);
    return this.#latest;
  }

  /** Moves forward, never back. */
  set(time: number): void {
    if (time <= this.now()) return;
    this.#latest = time;
    this.#aheadMs = time - this.#wall();
  }

  change(mode: ClockMode): void {
    const now = this.now();
    this.#mode = mode;
    this.#aheadMs = now - this.#wall();
  }
}
