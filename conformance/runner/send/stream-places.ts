/**
 * How many cases may have connections at the same time: gateways bound them per key, and a case that waits for its second while others
 * do the same would wait for ever. So a place is a case's, for all of its connections, until it ends; whoever came first goes first.
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

/** What a case of the suite has at most. */
const connectionsOfACase = 2;
