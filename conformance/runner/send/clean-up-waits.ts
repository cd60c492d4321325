/**
 * Waiting that was in vain a few times is not tried again until it helps: at a target whose cancels fail, every case would
 * wait for seconds, and nothing could be learnt from it.
 */
export class CleanUpWaits {
  /** For a refused cancel to be accepted. */
  readonly retries = new Wait();
  /** For an accepted cancel to be confirmed. */
  readonly confirmations = new Wait();
}

class Wait {
  #left = mostInVain;

  get isLeft(): boolean {
    return this.#left > 0;
  }

  note(helped: boolean): void {
    this.#left = helped ? mostInVain : Math.max(0, this.#left - 1);
  }
}

const mostInVain = 5;
