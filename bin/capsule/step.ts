/** Through the journal of a capsule, entry by entry: forward by deciding, back by what was shown before. */

import process from "node:process";
import { createInterface } from "node:readline";
import type { CapsuleReplay } from "../../simulator/index.ts";
import { show } from "../screen.ts";
import { entryText } from "./shown.ts";

const help = "n: next entry; p: back; a number: that entry; q: end\n";

export class Steps {
  readonly #replay: CapsuleReplay;
  /** The output for each entry. */
  readonly #texts: string[] = [];
  /** The number of the entry that is shown. */
  #at = 0;

  constructor(replay: CapsuleReplay) {
    this.#replay = replay;
  }

  /** Undefined for a word that is none of ours. */
  take(word: string): string | undefined {
    if (word === "n" || word === "") return this.go(this.#at + 1);
    if (word === "p") return this.go(Math.max(this.#at - 1, 1));
    return /^[0-9]{1,9}$/.test(word) ? this.go(Math.max(Number(word), 1)) : undefined;
  }

  go(to: number): string {
    while (this.#texts.length < to) {
      const next = this.#replay.next();
      if (next === undefined) break;
      this.#texts.push(entryText(next));
    }
    this.#at = Math.min(to, this.#texts.length);
    const last = to > this.#at ? "the replay ends here\n" : "";
    return (this.#texts[this.#at - 1] ?? "") + last;
  }
}

/** Commands come from a person or a pipe, one or several to a line. */
export async function stepThrough(replay: CapsuleReplay, first: number): Promise<void> {
  const steps = new Steps(replay);
  const isPerson = process.stdin.isTTY;
  if (isPerson) show(help);
  show(steps.go(first));
  for await (const line of createInterface({ input: process.stdin, terminal: isPerson })) {
    for (const word of line.trim().split(/\s+/)) {
      if (word === "q") return;
      show(steps.take(word) ?? help);
    }
  }
}
