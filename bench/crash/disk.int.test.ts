/** Disks that give out under a venue that is in use (design decision 5), over HTTP. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { afterEach, describe, expect, it } from "vitest";
import { Random } from "../../simulator/engine/testing/random.ts";
import type { Simulator } from "../../simulator/index.ts";
import { useScratch } from "../../simulator/store/testing/scratch.ts";
import { type Faults, through } from "../../simulator/testing/failing-journal.ts";
import { onCopy, problemsInBooks } from "./books.ts";
import { runThroughFault, workersFor } from "./disk.ts";
import { problemsOf } from "./history.ts";
import { control, open } from "./signed-client.ts";
import { startHere, type Told } from "./testing/in-process.ts";
import { emptyMemory, type Memory, read, repeat, type Worker, work } from "./workload.ts";

const scratch = useScratch();
const opened: Simulator[] = [];

afterEach(async () => {
  for (const simulator of opened.splice(0)) await simulator.close();
});

interface Scene extends Told {
  readonly db: string;
  readonly faults: Faults;
  readonly memory: Memory;
  readonly worker: Worker;
}

async function scene(): Promise<Scene> {
  const db = path.join(scratch(), "venue.db");
  const faults: Faults = {
    commit: "works",
    times: Number.POSITIVE_INFINITY,
    snapshotFails: false,
    isGone: false,
  };
  // Under a manual clock only requests cause writes, so that the fault meets the intended request.
  const told = await startHere(db, { clock: "manual", throughJournal: through(faults) });
  opened.push(told.simulator);
  const [worker] = workersFor(told.simulator, new Random(1));
  if (worker === undefined) throw new Error("there is no worker");
  return { ...told, db, faults, memory: emptyMemory(), worker };
}

/** One order, a sell far above the market that nothing touches. */
async function placeOne({
  worker,
  memory,
}: Pick<Scene, "worker" | "memory">): Promise<(typeof worker.placed)[number]> {
  const id = crypto.randomUUID();
  const order = memory.history.of(worker.account, id);
  memory.bodies.set(order, {
    product: "BTC-USD",
    side: "SELL",
    type: "LIMIT",
    base_quantity: "0.001",
    price: "900000",
    client_order_id: id,
  });
  worker.placed.push(order);
  await repeat(worker, memory, order);
  return order;
}

const outcomes = ({ attempts }: { readonly attempts: readonly { readonly outcome: string }[] }): string[] =>
  attempts.map(({ outcome }) => outcome);

const readiness = async ({ simulator }: Scene): Promise<number> =>
  (await open(simulator, "/health/ready")).status;

async function becomesReady(stage: Scene): Promise<void> {
  while ((await readiness(stage)) !== 200) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** An orderly end, and then a comparison of the file with all answers of the clients. */
async function closeAndAsk({ simulator, db, memory, worker }: Scene): Promise<string[]> {
  worker.client.close();
  await simulator.close();
  return [
    ...memory.oddities,
    ...memory.history.problems(),
    ...onCopy(db, (file) => problemsInBooks(file, memory.history, memory.balances)),
  ];
}

describe("a commit with an unknown outcome", () => {
  it.each([
    ["had been stored", "stores and fails", "replay"],
    ["had not been stored", "loses", "new"],
  ] as const)(
    "is answered OUTCOME_UNKNOWN; when it %s, the same client_order_id tells",
    async (_, commit, then) => {
      const stage = await scene();
      await placeOne(stage);
      Object.assign(stage.faults, { commit, times: 1 });
      const order = await placeOne(stage);
      expect(outcomes(order)).toEqual(["unknown"]);
      await becomesReady(stage);
      await repeat(stage.worker, stage.memory, order);
      expect(outcomes(order)).toEqual(["unknown", then]);
      expect(await closeAndAsk(stage)).toEqual([]);
      expect(stage.notices.at(-1)).toBe("Writing works again: the venue takes orders.");
    },
  );

  it("is reported to each request of the commit and to no other", async () => {
    const stage = await scene();
    const workers = [1, 2].flatMap((seed) => workersFor(stage.simulator, new Random(seed)));
    // One of each before, so that the sockets are there.
    await Promise.all(workers.map((worker) => placeOne({ ...stage, worker })));
    Object.assign(stage.faults, { commit: "loses", times: 1 });
    const placing = workers.map((worker) => placeOne({ ...stage, worker }));
    await oneTurnForAll();
    const orders = await Promise.all(placing);
    expect(orders.map(outcomes)).toEqual(orders.map(() => ["unknown"]));
    await becomesReady(stage);
    for (const [index, worker] of workers.entries()) {
      const order = orders[index];
      if (order !== undefined) await repeat(worker, stage.memory, order);
      worker.client.close();
    }
    expect(orders.map(outcomes)).toEqual(orders.map(() => ["unknown", "new"]));
    expect(await closeAndAsk(stage)).toEqual([]);
  });
});

/** Keeps this thread, which is also the venue's, busy until all requests have arrived. */
async function oneTurnForAll(): Promise<void> {
  await new Promise((resolve) => process.nextTick(resolve));
  const end = performance.now() + 100;
  while (performance.now() < end);
}

describe("a disk that refuses every write", () => {
  it("keeps reads working from the last committed state, is reported, and needs no restart afterwards", async () => {
    const stage = await scene();
    const seen = await runThroughFault(stage.simulator, [stage.worker], stage.memory, {
      begin: () => void Object.assign(stage.faults, { commit: "loses" }),
      end: () => void Object.assign(stage.faults, { commit: "works" }),
    });
    expect(seen.problems).toEqual([]);
    expect(seen.readiness?.body).toMatchObject({
      message: expect.stringContaining("Reads go on from the last committed state") as string,
      data: { status: "error", error: { database: { status: "down" } } },
    });
    expect(seen.refusal?.body).toMatchObject({
      code: "NOT_READY",
      message: expect.stringMatching(
        /^Nothing was done\. The venue's disk does not work\. Check it; /,
      ) as string,
    });
    // An answer of a venue contains no paths of its machine.
    expect(JSON.stringify([seen.refusal, seen.readiness])).not.toContain(path.dirname(stage.db));
    expect(await closeAndAsk(stage)).toEqual([]);
  });

  it("and cannot be opened again refuses reads, too: the state in memory may be ahead of the file", async () => {
    const stage = await scene();
    const before = await placeOne(stage);
    Object.assign(stage.faults, { commit: "loses", isGone: true });
    const lost = await placeOne(stage);
    const id = String(before.attempts[0]?.order?.["id"]);
    expect((await stage.worker.client.get(`/order/${id}`)).status).toBe(503);
    expect((await stage.worker.client.get("/order")).status).toBe(503);
    const { control: access } = stage.simulator;
    if (access === null) throw new Error("there is no control surface");
    const controls = { controlUrl: access.url, controlToken: access.token };
    expect((await control(controls, "GET", "/state-hash")).status).toBe(503);
    Object.assign(stage.faults, { commit: "works", isGone: false });
    await becomesReady(stage);
    await read(stage.worker, stage.memory, before);
    await repeat(stage.worker, stage.memory, lost);
    expect(outcomes(lost)).toEqual(["unknown", "new"]);
    expect(await closeAndAsk(stage)).toEqual([]);
  });

  it("at the very end loses only the snapshot: the venue closes and does not write to the file again", async () => {
    const stage = await scene();
    await placeOne(stage);
    Object.assign(stage.faults, { snapshotFails: true });
    expect(await closeAndAsk(stage)).toEqual([]);
    expect(stage.notices).toEqual([expect.stringMatching(/^No snapshot was written \(There is no room/)]);
    const { simulator } = await startHere(stage.db, { clock: "manual" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await simulator.close();
    expect(stage.stops).toEqual([]);
  });
});

describe("a full disk", () => {
  it("refuses orders, not reads, and takes orders again when there is room", async () => {
    const db = path.join(scratch(), "venue.db");
    let pages: number | undefined = 50;
    const { simulator } = await startHere(db, { maxPages: () => pages });
    opened.push(simulator);
    const memory = emptyMemory();
    const workers = workersFor(simulator, new Random(2));
    const seen = await runThroughFault(simulator, workers, memory, {
      begin: () => undefined,
      end: () => {
        pages = undefined;
      },
    });
    expect(seen.problems).toEqual([]);
    expect(seen.refusal?.body["message"]).toMatch(/^Nothing was done/);
    expect(seen.readiness?.body["message"]).toMatch(/there is no room left on its disk\. Free some space/);
    await simulator.close();
    expect(onCopy(db, (file) => problemsInBooks(file, memory.history, memory.balances))).toEqual([]);
  });
});

describe("a venue whose file is removed while it runs", () => {
  it("stops instead of creating a new one, keeps the evidence and refuses everything", async () => {
    const stage = await scene();
    const before = await placeOne(stage);
    for (const ending of ["", "-wal", ".mark"]) rmSync(stage.db + ending, { force: true });
    Object.assign(stage.faults, { commit: "loses", times: 1 });
    await placeOne(stage);
    expect(stage.stops).toEqual([
      expect.stringMatching(/^The venue stopped itself at entry [0-9]+: .* is gone/),
    ]);
    const order = await placeOne(stage);
    expect(outcomes(order)).toEqual(["refused"]);
    const id = String(before.attempts[0]?.order?.["id"]);
    expect((await stage.worker.client.get(`/order/${id}`)).status).toBe(503);
    expect(await readiness(stage)).toBe(503);
    expect(readdirSync(path.dirname(stage.db))).toEqual([
      expect.stringMatching(/^venue\.db\.violation-[0-9]+\.json$/),
    ]);
    expect(existsSync(stage.db)).toBe(false);
  });
});

describe("a second venue on the same file", () => {
  it("is refused in one sentence, and the first does not notice", async () => {
    const stage = await scene();
    await placeOne(stage);
    await expect(startHere(stage.db, { clock: "manual" })).rejects.toThrow(/is in use by another process/);
    await work(stage.worker, stage.memory, 10);
    expect(stage.worker.placed.flatMap(problemsOf)).toEqual([]);
    expect(stage.notices).toEqual([]);
    expect(await closeAndAsk(stage)).toEqual([]);
  });
});
