/** The requests of a batch: how they wait for their turn in it, and what each learns at its end. */
import type { Outcome } from "../engine/decision.ts";
import type { Runner } from "./runner.ts";
import type { CommittedEntry, Executed, SequencerPorts, Waiting } from "./sequencer-ports.ts";

/** Commands of one transaction; the rest waits for the next turn. */
export const batchSize = 512;

/** The result of a request without a command. */
export const nothingDone: Outcome = { kind: "done", number: 0 };

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

/** The requests that a transaction has served; `cut`: the last one, when stops of it are left. */
export interface Ends {
  readonly ran: readonly Ran[];
  readonly cut: Ran | undefined;
}

/** To be called after the commit. */
export const settle = ({ item, outcome, entries }: Ran): void => item.settle({ outcome, entries });

/** Takes at most `most` requests without a command out of the lines; the others keep their order. */
function takeReads(lines: readonly Waiting[][], most: number): Waiting[] {
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

/**
 * Serves the requests of a batch in the open transaction, as far as its stops allow; then the reads that wait behind them.
 * `begun` gets each request before it is served.
 */
export function serveBatch(
  batch: Batch,
  waiting: Waiting[],
  begun: Waiting[],
  runner: Runner,
  { journal, maintain }: Pick<SequencerPorts, "journal" | "maintain">,
): Ends {
  const { at, items } = batch;
  const serve = (item: Waiting): Ran => {
    begun.push(item);
    const { nonce, command } = item;
    if (nonce !== null) journal.appendNonce(nonce);
    const first = runner.state.seq + 1;
    const outcome = command === null ? nothingDone : runner.run(command, at);
    return { item, outcome, entries: { first, last: runner.state.seq } };
  };
  if (!batch.isBegun) {
    runner.runDue(at);
    batch.isBegun = !runner.isCut;
  }
  const ran: Ran[] = [];
  while (!runner.isCut) {
    const item = items.shift();
    if (item === undefined) break;
    ran.push(serve(item));
  }
  const cut = runner.isCut ? ran.pop() : undefined;
  if (!runner.isCut) {
    maintain();
    runner.runDue(at);
  }
  if (runner.isCut) for (const read of takeReads([items, waiting], batchSize)) ran.push(serve(read));
  return { ran, cut };
}
