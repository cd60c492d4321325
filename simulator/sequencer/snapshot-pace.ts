/** When a snapshot is written: after a number of entries, in a turn of its own. */
export class SnapshotPace {
  readonly #every: number;
  readonly #write: () => void;
  #since = 0;
  #due = false;

  constructor(every: number, write: () => void) {
    this.#every = every;
    this.#write = write;
  }

  /** The number of entries that are not in a snapshot. */
  startAt(entries: number): void {
    this.#since = entries;
  }

  count(entries: number): void {
    this.#since += entries;
    if (this.#since < this.#every || this.#due) return;
    this.#due = true;
    setImmediate(() => {
      this.#due = false;
      this.#write();
    });
  }
}
