/**
 * The market clock. `real` follows the wall but never goes back; `manual` changes only when it is moved.
 * Authentication always uses real time: otherwise moving the market would make signatures stale.
 */
export interface MarketClock {
  readonly mode: "real" | "manual";
  /** Milliseconds since the epoch. */
  now(): number;
}

export class RealClock implements MarketClock {
  readonly mode = "real";
  #latest = 0;

  now(): number {
    this.#latest = Math.max(this.#latest, Date.now());
    return this.#latest;
  }
}

export class ManualClock implements MarketClock {
  readonly mode = "manual";
  #time: number;

  constructor(start: number) {
    this.#time = start;
  }

  now(): number {
    return this.#time;
  }

  /** Called by the sequencer as it works through what falls due. */
  set(time: number): void {
    this.#time = Math.max(this.#time, time);
  }
}
