/**
 * Asks workers: puts jobs into a queue, waits for what comes of each, and tells meanwhile how far they are. Jobs that
 * are not wanted any more are taken back, and whoever has one gives it up.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import * as kit from "../../conformance/commands.ts";
import { type ExitCode, exitCodes } from "../../conformance/exit-codes.ts";
import type { Shape } from "../answer-shape.ts";
import { CommandFailure } from "../command-failure.ts";
import { tell } from "../screen.ts";
import { isOutcome, type Outcome } from "./jobs.ts";
import { closeQueue, type JobState, mostRuns, openQueue, type Queue, reasonOf, statesOf } from "./queue.ts";

const lookMs = 500;
const tellMs = 5000;
/** After this time without a worker, whoever waits is told how to start one. */
const aloneMs = 10_000;
/** A server may be away for so long. */
const retryMs = 60_000;

export interface Asked {
  readonly url: string;
  readonly queue: string;
  readonly jobs: readonly object[];
  /** Jobs in the queue or under way. */
  readonly atOnce: number;
  readonly signal: AbortSignal;
  /** The command that starts a worker for them. */
  readonly workerCommand: string;
  readonly onOutcome: (outcome: Outcome, index: number) => void;
}

/** Answers with how many jobs were under way at once, at most. */
export async function askWorkers(asked: Asked): Promise<number> {
  const { url, queue: name, jobs, atOnce, signal, onOutcome } = asked;
  const queue = await openQueue(url, [name]);
  const ids = jobs.map((): string => randomUUID());
  const progress = progressOf(asked);
  const open = new Set<string>();
  let sent = 0;
  try {
    while (sent < ids.length || open.size > 0) {
      const next = ids.slice(sent, sent + atOnce - open.size);
      await send(queue, name, next, jobs.slice(sent), signal);
      for (const id of next) open.add(id);
      sent += next.length;
      const states = await retried(() => statesOf(queue, name, [...open]), signal);
      if (states.length < open.size)
        throw new CommandFailure("jobs of this run were removed from the store", exitCodes.incomplete);
      for (const state of states.filter(isDone)) {
        open.delete(state.id);
        const outcome = outcomeIn(state);
        progress.done(outcome, state.again);
        onOutcome(outcome, ids.indexOf(state.id));
      }
      progress.look(states.filter(({ state }) => state === "active").length);
      await pause(open.size === 0 ? 0 : lookMs, undefined, { signal });
    }
  } finally {
    await queue.deleteJob(name, ids).catch(() => {});
    await closeQueue(queue);
  }
  return progress.end();
}

/** The result of a part that the whole cannot do without. */
export function resultIn<Result>(
  { worker, value, problem, code }: Outcome,
  what: string,
  isResult: Shape<Result>,
): Result {
  const result: unknown = JSON.parse(value ?? "null");
  if (isResult(result)) return result;
  const known = Object.values(exitCodes).find((one): one is ExitCode => one === code);
  throw new CommandFailure(
    `${what} at worker ${kit.printable(worker)}: ${problem ?? "its result has another form"}`,
    known ?? exitCodes.incomplete,
  );
}

/** Sent twice it is one job: the id is ours. */
async function send(
  queue: Queue,
  name: string,
  ids: readonly string[],
  jobs: readonly object[],
  signal: AbortSignal,
): Promise<void> {
  const rows = ids.map((id, index) => ({ id, name, data: jobs[index] ?? {} }));
  if (rows.length > 0) await retried(() => queue.insert(rows), signal);
}

async function retried<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const until = Date.now() + retryMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > until) throw new CommandFailure(`the store does not answer: ${reasonOf(error)}`);
      await pause(lookMs, undefined, { signal });
    }
  }
}

const isDone = ({ state }: JobState): boolean =>
  state === "completed" || state === "failed" || state === "cancelled";

function outcomeIn({ state, output }: JobState): Outcome {
  if (state === "completed" && isOutcome(output)) return output;
  const problem = {
    completed: "what a worker has written down has another form",
    cancelled: "somebody has cancelled the job",
  };
  const lost = `${mostRuns} workers were lost or stopped while they had the job`;
  return { worker: "", problem: state === "completed" || state === "cancelled" ? problem[state] : lost };
}

function progressOf({ jobs, workerCommand }: Asked) {
  const doneBy = new Map<string, number>();
  const began = Date.now();
  let [done, begunAgain, most, toldAt, told] = [0, 0, 0, began, ""];
  return {
    done({ worker }: Outcome, again: number): void {
      done += 1;
      begunAgain += again;
      doneBy.set(worker, (doneBy.get(worker) ?? 0) + 1);
    },
    look(active: number): void {
      most = Math.max(most, active);
      const now = `gatewright: ${done} of ${jobs.length} done, ${active} under way\n`;
      const isAlone = done + most === 0;
      if (now === told || Date.now() - toldAt < (isAlone ? aloneMs : tellMs)) return;
      [toldAt, told] = [Date.now(), now];
      tell(isAlone ? `gatewright: no worker has taken a job yet; to start one: ${workerCommand}\n` : now);
    },
    end(): number {
      const workers = [...doneBy].map(([worker, count]) => `${worker} ${count}`).join(", ");
      const again = begunAgain === 0 ? "" : `; begun again after a worker was lost: ${begunAgain}`;
      tell(
        `gatewright: ${kit.counted(jobs.length, "job")} done by ${kit.counted(doneBy.size, "worker")} (${workers})${again}\n`,
      );
      return Math.max(most, 1);
    },
  };
}
