/** Works that run one after the other: each finds the clock where the one before has left it. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Set<AbortController>();

  /** The signal of a work tells it that its caller has gone, or that all were ended. */
  take<T>(work: (signal: AbortSignal) => Promise<T> | T, caller: AbortSignal): Promise<T> {
    const turn = new AbortController();
    this.#waiting.add(turn);
    caller.addEventListener("abort", () => turn.abort());
    const done = this.#last.then(() => work(turn.signal)).finally(() => this.#waiting.delete(turn));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Ends the work under way and those that wait for it. */
  endAll(): void {
    for (const turn of this.#waiting) turn.abort();
  }
}
