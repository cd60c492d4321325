/**
 * A worker: takes one job after the other, and writes down what came of it. A worker that is stopped gives its jobs back.
 *
 * **Bounds.** As many trials and situations at once as there are lanes, and one shard: two would be in each other's way at the target
 * that both find in this environment.
 */
import { setMaxListeners } from "node:events";
import os from "node:os";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { CommandFailure, failureOf } from "../command-failure.ts";
import { type TrialProcess, trialProcess } from "../detection/run-trials.ts";
import { tell } from "../screen.ts";
import {
  isShardJob,
  isSituationJob,
  isTrialJob,
  type Outcome,
  situationQueue,
  trialQueue,
  versionOf,
} from "./jobs.ts";
import {
  closeQueue,
  fetchJob,
  type HeldJob,
  jobsLeft,
  keepAlive,
  openQueue,
  type Queue,
  reasonOf,
} from "./queue.ts";
import { queueOfProfile, runShard } from "./shard.ts";

/** How often a worker without a job looks for one. */
const idleMs = 1000;

export interface Work {
  readonly url: string;
  readonly version: string;
  /** Trials and situations at once. */
  readonly jobs: number;
  /** Files of the profiles whose shards this worker runs. */
  readonly profiles: readonly string[];
  /** Commands of the clients whose situations this worker runs. */
  readonly clients: readonly string[];
  readonly untilEmpty: boolean;
  readonly signal: AbortSignal;
}

/** Does a job. When it is aborted it ends early, and its result is not used. */
type Doing = (data: unknown, signal: AbortSignal) => Promise<object>;
/** By the name of the queue. */
type Kinds = ReadonlyMap<string, Doing>;

export async function work(options: Work): Promise<void> {
  const { url, version, jobs, profiles, clients, signal } = options;
  // Each lane listens to it.
  setMaxListeners(0, signal);
  const trials = trialQueue(version);
  const shards = new Map<string, Doing>();
  for (const file of profiles) {
    const name = await queueOfProfile(file, version);
    shards.set(
      name,
      shardsOf(file, async () => name === (await queueOfProfile(file, version))),
    );
  }
  const situations = clients.map(
    (client) => [situationQueue(version, client), situationsOf(client)] as const,
  );
  const names = [...shards.keys(), ...situations.map(([name]) => name), trials];
  const queue = await openQueue(url, names);
  const lane = async (index: number): Promise<void> => {
    const inProcess = trialProcess();
    const kinds = new Map([
      ...(index === 0 ? shards : []),
      ...situations,
      [trials, trialsIn(inProcess)] as const,
    ]);
    await takeJobs(queue, kinds, names, options);
    inProcess.end();
  };
  try {
    tell(`gatewright: a worker of version ${version} takes jobs\n`);
    await tellOfOthers(queue, version);
    await Promise.all(Array.from({ length: jobs }, (_, index) => lane(index)));
  } finally {
    await closeQueue(queue);
  }
}

function trialsIn({ run, end }: TrialProcess): Doing {
  return (data, signal) => {
    if (!isTrialJob(data)) throw new CommandFailure("the job is not a trial of this version");
    signal.addEventListener("abort", end);
    // The next trial runs in the same process.
    return run(data.trial, data.settings).finally(() => signal.removeEventListener("abort", end));
  };
}

function shardsOf(file: string, isSame: () => Promise<boolean>): Doing {
  return async (data, signal) => {
    if (!isShardJob(data)) throw new CommandFailure("the job is not a shard of this version");
    if (!(await isSame())) throw new CommandFailure(`${file} has changed: start the worker again`);
    return runShard(data, file, signal);
  };
}

function situationsOf(client: string): Doing {
  return async (data, signal) => {
    if (!isSituationJob(data)) throw new CommandFailure("the job is not a situation of this version");
    // It loads the simulator.
    const { runSituationJob } = await import("./situations.ts");
    return runSituationJob(data, client, signal);
  };
}

async function takeJobs(
  queue: Queue,
  kinds: Kinds,
  all: readonly string[],
  { untilEmpty, signal }: Work,
): Promise<void> {
  while (!signal.aborted) {
    const job = await fetchJob(queue, [...kinds.keys()]);
    const doing = kinds.get(job?.queue ?? "");
    if (job !== undefined && doing !== undefined) await perform(queue, job, doing, signal);
    else if (untilEmpty && (await jobsLeft(queue, all)) === 0) return;
    else await pause(idleMs, undefined, { signal }).catch(() => {});
  }
}

async function perform(queue: Queue, job: HeldJob, doing: Doing, signal: AbortSignal): Promise<void> {
  const lost = new AbortController();
  using _ = keepAlive(queue, job, () => lost.abort());
  const outcome = await outcomeOf(() => doing(job.data, AbortSignal.any([signal, lost.signal])));
  if (lost.signal.aborted) return;
  try {
    if (signal.aborted) await queue.fail(job.queue, job.id, { worker, problem: "its worker was stopped" });
    else await queue.complete(job.queue, job.id, outcome);
  } catch (error) {
    tell(`gatewright: what came of a job was not written down, so it runs again: ${reasonOf(error)}\n`);
  }
}

const worker = `${os.hostname()}:${process.pid}`;

async function outcomeOf(done: () => Promise<object>): Promise<Outcome> {
  try {
    return { worker, value: JSON.stringify(await done()) };
  } catch (error) {
    const { said, code } = failureOf(error) ?? { said: String(error), code: exitCodes.internalError };
    return { worker, problem: said, code };
  }
}

/** Jobs of another version stay where they are. */
async function tellOfOthers(queue: Queue, version: string): Promise<void> {
  const found = await queue.getQueues();
  const others = found.filter(({ name }) => (versionOf(name) ?? version) !== version);
  for (const { name } of others) {
    const left = await jobsLeft(queue, [name]);
    if (left === 0) continue;
    const jobs = `${kit.counted(left, "job")} in the store ${left === 1 ? "is" : "are"}`;
    tell(`gatewright: ${jobs} for workers of version ${versionOf(name)}; this is ${version}\n`);
  }
}
