/** Work for idle moments. */

/** A venue is idle after this long without a commit. */
const idleMs = 250;
/** How often it is asked then whether there is something to do. */
const stillIdleMs = 10_000;
/** Work is done in pieces, with a pause for requests between two of them. */
const nextPieceMs = 10;

export class IdleTime {
  /** One piece; says whether there is more. */
  readonly #work: () => boolean;
  #timer: NodeJS.Timeout | null = null;

  constructor(work: () => boolean) {
    this.#work = work;
  }

  /** Something was done just now. */
  postpone(): void {
    this.#after(idleMs);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #after(ms: number): void {
    this.stop();
    this.#timer = setTimeout(() => this.#after(this.#work() ? nextPieceMs : stillIdleMs), ms).unref();
  }
}
