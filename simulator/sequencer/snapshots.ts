/** When a snapshot is written: after a number of entries, in a turn of its own, and at the end. */
import { StoreFailure } from "./store-failure.ts";
import { causeOf } from "./unavailable.ts";

interface Ports {
  /** Entries after which one is written. */
  readonly every: number;
  /** Writes the state of the moment. */
  readonly write: () => void;
  /** Only a venue that runs has something to write down. */
  readonly isRunning: () => boolean;
  readonly failed: (failure: StoreFailure) => void;
  readonly onNotice: (sentence: string) => void;
}

export class Snapshots {
  readonly #ports: Ports;
  #since = 0;
  #due = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The number of entries that are not in a snapshot. */
  startAt(entries: number): void {
    this.#since = entries;
  }

  count(entries: number): void {
    this.#since += entries;
    if (this.#since < this.#ports.every || this.#due) return;
    this.#due = true;
    setImmediate(() => {
      this.#due = false;
      this.save(false);
    });
  }

  /** Nothing is lost without one: the next start reads more of the journal. */
  save(isLast: boolean): void {
    if (!this.#ports.isRunning()) return;
    try {
      this.write();
    } catch (error) {
      const failure = causeOf(error);
      if (failure instanceof StoreFailure && !isLast) this.#ports.failed(failure);
      else this.#goWithout(failure);
    }
  }

  write(): void {
    this.#ports.write();
    this.#since = 0;
  }

  #goWithout({ message }: Error): void {
    this.#since = 0;
    this.#ports.onNotice(
      `No snapshot was written (${message}). The next start reads more of the journal and takes longer.`,
    );
  }
}
