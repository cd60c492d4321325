/**
 * Waiting that was in vain a few times is not tried again until it helps: at a target whose cancels fail, every case would
 * wait for seconds, and nothing could be learnt from it. Where most cancels are confirmed, fifteen waits in vain are
 * enough, too.
 */
export class CleanUpWaits {
  /** For a refused cancel to be accepted. */
  readonly retries = new Wait(Number.POSITIVE_INFINITY);
  /** For an accepted cancel to be confirmed. */
  readonly confirmations = new Wait(15);
}

class Wait {
  #inARow = 0;
  #inVain = 0;
  readonly #mostInVain: number;

  constructor(mostInVain: number) {
    this.#mostInVain = mostInVain;
  }

  get isLeft(): boolean {
    return this.#inARow < mostInARow && this.#inVain < this.#mostInVain;
  }

  note(helped: boolean): void {
    this.#inARow = helped ? 0 : this.#inARow + 1;
    if (!helped) this.#inVain += 1;
  }
}

const mostInARow = 5;
