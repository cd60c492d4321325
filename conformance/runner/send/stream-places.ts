/**
 * Limits the number of cases with connections, because gateways limit connections per key, and two cases that each wait
 * for a second connection would wait for ever. So a case gets one place for all of its connections until it ends, in
 * the order of the calls.
 */
export class StreamPlaces {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(connections: number) {
    this.#free = Math.max(1, Math.floor(connections / connectionsOfACase));
  }

  async take(): Promise<void> {
    if (this.#free === 0) await new Promise<void>((go) => this.#queue.push(go));
    else this.#free -= 1;
  }

  giveBack(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

/** The most connections of a case of the suite. */
const connectionsOfACase = 2;
