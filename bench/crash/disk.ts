/**
 * A venue whose disk fails while clients are at work, and recovers. The requirements are the same for every failure of
 * the disk: no client gets "done" for a command that is not done, readiness reports the failure, reads continue, orders
 * work again without a restart, and afterwards nothing that was acknowledged is missing.
 */

import { randomUUID } from "node:crypto";
import type { Random } from "../../simulator/engine/testing/random.ts";
import { isAcknowledged, lastShown } from "./history.ts";
import type { ServedKey } from "./served-venue.ts";
import { type Answer, open, SignedClient, type Where } from "./signed-client.ts";
import { type Memory, read, readAll, repeat, type Worker, work } from "./workload.ts";

export interface VenueOnFaultyDisk extends Where {
  readonly keys: readonly ServedKey[];
}

export interface DiskFault {
  /** Makes writing fail, from now on or within the next few requests. */
  begin(): void | Promise<void>;
  /** Makes writing work again. */
  end(): void | Promise<void>;
}

export interface DiskFaultSeen {
  /** Sentences about violated requirements. */
  readonly problems: string[];
  /** The messages of the venue about the fault, once per channel. */
  readonly refusal: Answer | undefined;
  readonly readiness: Answer;
  /** Until the venue was ready again. */
  readonly recoveredMs: number;
}

const mostSteps = 30;
const timeoutMs = 20_000;

export async function runThroughFault(
  venue: VenueOnFaultyDisk,
  workers: readonly Worker[],
  memory: Memory,
  fault: DiskFault,
): Promise<DiskFaultSeen> {
  const problems: string[] = [];
  await all(workers, memory, mostSteps);
  const before = memory.acknowledged;
  if (before === 0) problems.push("nothing was acknowledged before the fault began");
  await fault.begin();
  const refusal = await firstRefusal(workers, memory);
  if (refusal === undefined) problems.push("the fault refused nothing");
  else problems.push(...problemsInRefusal(refusal));
  const readiness = await open(venue, "/health/ready");
  if (readiness.status !== 503) problems.push(`readiness was ${readiness.status} during the fault`);
  problems.push(...(await problemsInReads(workers, memory)));
  await fault.end();
  const began = performance.now();
  if (!(await becomesReady(venue))) problems.push("the venue did not become ready again");
  const recoveredMs = Math.round(performance.now() - began);
  problems.push(...(await problemsAfterwards(workers, memory)));
  await all(workers, memory, mostSteps);
  for (const { client } of workers) client.close();
  return { problems: [...problems, ...memory.oddities.splice(0)], refusal, readiness, recoveredMs };
}

export function workersFor(venue: VenueOnFaultyDisk, random: Random): Worker[] {
  return ["trader", "other", "counterparty"].map((name) => {
    const key = venue.keys.find((each) => each.name === name);
    if (key === undefined || key.client === null) throw new RangeError(`no key ${name}`);
    return { client: new SignedClient(venue, key), account: key.client, random, placed: [], open: [] };
  });
}

const all = async (workers: readonly Worker[], memory: Memory, steps: number): Promise<void> => {
  await Promise.all(workers.map((worker) => work(worker, memory, steps)));
};

/** Sends orders until one is refused for the fault. */
async function firstRefusal(workers: readonly Worker[], memory: Memory): Promise<Answer | undefined> {
  const [worker] = workers;
  if (worker === undefined) throw new RangeError("there is no worker");
  const order = { product: "BTC-USD", side: "BUY", type: "LIMIT", base_quantity: "0.001", price: "1000" };
  for (let tries = 0; tries < 200; tries++) {
    await all(workers, memory, 5);
    const answer = await worker.client.post("/order", { ...order, client_order_id: randomUUID() });
    if (answer.status === 503) return answer;
  }
  return undefined;
}

function problemsInRefusal({ status, body }: Answer): string[] {
  const said = `${status} ${JSON.stringify(body)}`;
  const known = body["code"] === "OUTCOME_UNKNOWN" || body["code"] === "NOT_READY";
  return status === 503 && known ? [] : [`an order was refused with ${said}`];
}

/** Everything acknowledged can be read while nothing can be written. */
async function problemsInReads(workers: readonly Worker[], memory: Memory): Promise<string[]> {
  const problems: string[] = [];
  for (const worker of workers) {
    // If a list shows an order now and a later request creates it again, it was never committed.
    await readAll(worker, memory);
    for (const order of worker.placed.filter(isAcknowledged).slice(-5)) {
      const id = String(lastShown(order)?.["id"]);
      const { status } = await worker.client.get(`/order/${id}`);
      if (status !== 200) problems.push(`the read of ${id} was answered ${status} during the fault`);
      else await read(worker, memory, order);
    }
  }
  return problems;
}

async function becomesReady(venue: Where): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (performance.now() < end) {
    if ((await open(venue, "/health/ready")).status === 200) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

/** Every order whose outcome was unknown or refused resolves when it is sent again. */
async function problemsAfterwards(workers: readonly Worker[], memory: Memory): Promise<string[]> {
  const problems: string[] = [];
  for (const worker of workers) {
    for (const order of worker.placed) {
      const last = order.attempts.at(-1);
      if (last === undefined || last.outcome !== "unknown") continue;
      const { outcome } = await repeat(worker, memory, order);
      if (outcome !== "new" && outcome !== "replay")
        problems.push(`the repeated ${order.clientOrderId} was answered "${outcome}" after the fault`);
    }
  }
  return [...problems, ...memory.history.problems()];
}
