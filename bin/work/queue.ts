/**
 * The queue of jobs in PostgreSQL. It is pg-boss, which is loaded here, and only here.
 *
 * **Invariants.** A job belongs to the worker that fetched it as long as that gives signs of life, and to the next one
 * then. Its result is written with its completion, and only one completion finds it open: it is counted once.
 *
 * **Bounds.** `lease` without a sign of life, `mostRuns` and `mostOutput` of a job, a few connections for each process.
 */
import type PgBoss from "pg-boss";
import { CommandFailure } from "../command-failure.ts";
import { tell } from "../screen.ts";

export type Queue = PgBoss;

const schema = "gatewright_work";
const lease = { seconds: 10, beatMs: 3000, lookSeconds: 3 };
export const mostRuns = 10;
/** Characters of what came of a job: the report of the largest run. */
const mostOutput = 64 * 1024 * 1024;

/** A job that this process has fetched. */
export interface HeldJob {
  readonly id: string;
  readonly queue: string;
  readonly data: unknown;
  /** How often it was fetched before. */
  readonly again: number;
}

export interface JobState {
  readonly id: string;
  readonly state: PgBoss.JobWithMetadata["state"];
  readonly again: number;
  readonly output: unknown;
}

/** Connects, and makes the queues that are not there. */
export async function openQueue(url: string, names: readonly string[]): Promise<Queue> {
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new CommandFailure("the store is the address of a PostgreSQL: postgres://user@host/name");
  const Boss = await loadBoss();
  const connections = { connectionString: url, max: 4, connectionTimeoutMillis: 10_000, keepAlive: true };
  const upkeep = { schedule: false, maintenanceIntervalSeconds: lease.lookSeconds };
  const queue = new Boss({ ...connections, ...upkeep, schema, application_name: "gatewright work" });
  queue.on("error", tellOnce());
  try {
    await queue.start();
    for (const name of names) {
      const limits = { retryLimit: mostRuns - 1, expireInSeconds: lease.seconds };
      await queue.createQueue(name, { name, ...limits });
    }
  } catch (error) {
    await closeQueue(queue);
    throw new CommandFailure(`the store cannot be used: ${reasonOf(error)}`);
  }
  return queue;
}

export const closeQueue = (queue: Queue): Promise<void> => queue.stop({ graceful: false }).catch(() => {});

export const reasonOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message === "" ? (code ?? "no reason was given") : message;
};

async function loadBoss(): Promise<typeof PgBoss> {
  try {
    return (await import("pg-boss")).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new CommandFailure(
      "workers and those who ask them need the package pg-boss, which is installed only by who wants it: npm install pg-boss@10",
    );
  }
}

/** A server that is away fails every question to it in the same way. */
function tellOnce(): (error: Error) => void {
  const told = new Set<string>();
  return (error) => {
    const reason = reasonOf(error);
    if (told.has(reason)) return;
    told.add(reason);
    tell(`gatewright: the store does not answer, and is asked again: ${reason}\n`);
  };
}

/** The next job of the first queue that has one. */
export async function fetchJob(queue: Queue, names: readonly string[]): Promise<HeldJob | undefined> {
  for (const name of names) {
    const [job] = await queue.fetch<unknown>(name, { includeMetadata: true });
    if (job !== undefined) return { id: job.id, queue: name, data: job.data, again: job.retryCount };
  }
  return undefined;
}

/**
 * Gives signs of life until it is disposed of. `lost` is called when the job is another's, or is not wanted any more; not
 * when it is done, which a sign under way finds, too.
 */
export function keepAlive(queue: Queue, job: HeldJob, lost: () => void): Disposable {
  let isOver = false;
  const beat = (): void => {
    // A sign that did not arrive is made up for by the next one, or the job goes to another worker.
    signOfLife(queue, job).then(
      (isHeld) => void (isHeld || isOver || lost()),
      () => {},
    );
  };
  const timer = setInterval(beat, lease.beatMs);
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      clearInterval(timer);
    },
  };
}

/** pg-boss 10 counts the time of a job from its start, so a sign of life starts it anew. */
async function signOfLife(queue: Queue, { id, queue: name, again }: HeldJob): Promise<boolean> {
  const { rows } = await queue.getDb().executeSql(
    `UPDATE ${schema}.job SET started_on = now()
     WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3 RETURNING id`,
    [name, id, again],
  );
  return rows.length > 0;
}

export async function statesOf(queue: Queue, name: string, ids: readonly string[]): Promise<JobState[]> {
  const { rows } = await queue.getDb().executeSql(
    `SELECT id, state, retry_count AS again, CASE WHEN length(output::text) <= $3 THEN output END AS output
       FROM ${schema}.job WHERE name = $1 AND id = ANY($2::uuid[])`,
    [name, ids, mostOutput],
  );
  // as: the columns of that statement.
  return rows as JobState[];
}

/** Jobs that are not done, those of other workers included. */
export async function jobsLeft(queue: Queue, names: readonly string[]): Promise<number> {
  const counts = await Promise.all(names.map((name) => queue.getQueueSize(name, { before: "completed" })));
  return counts.reduce((sum, one) => sum + one, 0);
}
