/** The requests of a batch: how they wait for their turn in it, and what each learns at its end. */
import type { CommittedEntry, Executed, Waiting } from "./sequencer-ports.ts";

/** Requests that are served at one time of the market clock. */
export interface Batch {
  readonly at: number;
  /** Those that have not run. */
  readonly items: Waiting[];
  /** All that was due at its time has run: the requests follow. */
  isBegun: boolean;
}

export const newBatch = (at: number, items: Waiting[]): Batch => ({ at, items, isBegun: false });

/** A move of the clock itself runs what is due. */
export const noBatch = (): Batch => newBatch(-Infinity, []);

/** A request that has run. */
export interface Ran extends Executed {
  readonly item: Waiting;
}

/** To be called after the commit. */
export const settle = ({ item, outcome, entries }: Ran): void => item.settle({ outcome, entries });

/** Takes at most `most` requests without a command out of the lines; the others keep their order. */
export function takeReads(lines: readonly Waiting[][], most: number): Waiting[] {
  const reads: Waiting[] = [];
  for (const line of lines) {
    let kept = 0;
    for (const item of line) {
      if (item.command === null && reads.length < most) reads.push(item);
      else line[kept++] = item;
    }
    line.length = kept;
  }
  return reads;
}

/** Waits for the stops of a command that is committed. */
export interface Awaited {
  readonly stops: CommittedEntry[];
  readonly done: (stops: readonly CommittedEntry[]) => void;
  readonly refuse: (reason: Error) => void;
}
