/** A small seeded generator for tests (mulberry32): the same seed gives the same venue, commands and times. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let h = this.#state;
    h = Math.imul(h ^ (h >>> 15), h | 1);
    h ^= h + Math.imul(h ^ (h >>> 7), h | 61);
    return ((h ^ (h >>> 14)) >>> 0) / 0x100000000;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.int(0, choices.length - 1)];
    if (choice === undefined) throw new RangeError("nothing to pick from");
    return choice;
  }

  /** One of the names, each as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(weights) as Name[];
    let at = this.next() * names.reduce((sum, name) => sum + weights[name], 0);
    for (const name of names) {
      at -= weights[name];
      if (at < 0) return name;
    }
    return this.pick(names);
  }

  uuid(): string {
    const word = (): string => this.int(0, 0xffffffff).toString(16).padStart(8, "0");
    const [first, second, third, fourth] = [word(), word(), word(), word()];
    const variant = this.pick(["8", "9", "a", "b"]);
    return `${first}-${second.slice(0, 4)}-4${second.slice(5)}-${variant}${third.slice(1, 4)}-${third.slice(4)}${fourth}`;
  }
}
