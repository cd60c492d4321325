/**
 * `npm run bench:nodes -- --worlds 1000 --seconds 30`: that many worlds on three nodes, with traffic through random nodes on
 * some of them while others move and sleep. It prints what a world costs and how long things take, and ends with 1 if a request
 * was refused, or an order was seen in another world than its own.
 */
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Random } from "../../simulator/engine/testing/random.ts";
import type { ServedKey } from "../crash/served-venue.ts";
import { SignedClient } from "../crash/signed-client.ts";
import { Cluster, usageOf } from "./cluster.ts";

const { values } = parseArgs({
  options: {
    worlds: { type: "string", default: "1000" },
    busy: { type: "string", default: "50" },
    moves: { type: "string", default: "100" },
    seconds: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
  },
});
const [worlds, busy, moves] = [Number(values.worlds), Number(values.busy), Number(values.moves)];
const random = new Random(Number(values.seed));
const names = ["a", "b", "c"];
const cluster = await Cluster.start(names, ["--clock", "manual", "--no-exchanges"]);
const nodeOf = () => random.pick([...cluster.nodes.values()]);

interface MadeWorld {
  readonly name: string;
  readonly key: ServedKey;
  readonly orders: Set<string>;
}

async function control(path: string, body?: object): Promise<unknown> {
  const { controlUrl, controlToken } = nodeOf().ready;
  const headers = { authorization: `Bearer ${controlToken}`, "content-type": "application/json" };
  const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${controlUrl}${path}`, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  // as: an answer is an envelope with its data.
  return (JSON.parse(text) as { data: unknown }).data;
}

const percentile = (list: readonly number[], share: number): number =>
  Math.round(list.toSorted((one, other) => one - other)[Math.floor((list.length - 1) * share)] ?? 0);
const megabytes = (bytes: number): number => Math.round(bytes / 104_857.6) / 10;
const usage = () => [...cluster.nodes.values()].map(usageOf);
const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);

async function makeWorlds(): Promise<MadeWorld[]> {
  const made: MadeWorld[] = [];
  for (let n = 0; n < worlds; n += 1) {
    const name = `w${n}`;
    // as: a world is answered with its keys.
    const { keys } = (await control("/worlds", { name, clock: "manual" })) as { keys: ServedKey[] };
    const key = keys.find((one) => one.name === "trader");
    if (key !== undefined) made.push({ name, key, orders: new Set() });
  }
  return made;
}

const refused: string[] = [];
let requests = 0;

async function trade(world: MadeWorld, until: number): Promise<void> {
  const clients = [...cluster.nodes.values()].map(({ ready }) => new SignedClient(ready, world.key));
  while (performance.now() < until) {
    const order = {
      product: "BTC-USD",
      side: "BUY",
      type: "LIMIT",
      base_quantity: "0.001",
      price: "30000.00",
    };
    const body = { ...order, client_order_id: crypto.randomUUID() };
    const { status, body: answer } = await random.pick(clients).post("/order", body);
    requests += 1;
    // Not by its id: worlds of one seed count alike.
    if (status === 200) world.orders.add(body.client_order_id);
    else if (status !== 429) refused.push(`${world.name}: ${status} ${JSON.stringify(answer)}`);
    await sleep(random.int(0, 200));
  }
  for (const client of clients) client.close();
}

async function moveSome(list: readonly MadeWorld[], until: number): Promise<number[]> {
  const took: number[] = [];
  while (took.length < moves && performance.now() < until) {
    const began = performance.now();
    await control(`/worlds/${random.pick(list).name}/move`, { node: random.pick(names) });
    took.push(performance.now() - began);
  }
  return took;
}

/** Orders that are missing in their world, or are in another one. */
async function misplaced(list: readonly MadeWorld[]): Promise<string[]> {
  const owner = new Map(list.flatMap((world) => [...world.orders].map((id) => [id, world.name])));
  const found: string[] = [];
  for (const world of list) {
    const shown = JSON.stringify(await control(`/worlds/${world.name}/orders?limit=1000`));
    for (const [id, name] of owner)
      if (shown.includes(id) !== (name === world.name))
        found.push(`${id} of ${name}, looked for in ${world.name}`);
  }
  return found;
}

/** The first request to worlds that nobody has, because their node has ended: it opens them. */
async function openSome(list: readonly MadeWorld[]): Promise<number[]> {
  const ended = cluster.nodes.get("c");
  cluster.nodes.delete("c");
  await ended?.stop();
  const took: number[] = [];
  for (const { key } of list) {
    const client = new SignedClient(nodeOf().ready, key);
    const began = performance.now();
    const { status } = await client.get("/order/open");
    if (status === 200) took.push(performance.now() - began);
    else refused.push(`${key.keyId} was answered ${status} when it was opened`);
    client.close();
  }
  return took;
}

let problems: string[] = [];
try {
  const before = usage();
  const began = performance.now();
  const made = await makeWorlds();
  const madeMs = (performance.now() - began) / worlds;
  const after = usage();
  await sleep(5000);
  const idle = usage();
  const list = Array.from({ length: busy }, () => random.pick(made));
  const until = performance.now() + Number(values.seconds) * 1000;
  const [took] = await Promise.all([
    moveSome(list, until),
    ...[...new Set(list)].map((world) => trade(world, until)),
  ]);
  // Those of the other nodes are awake, and answer at once.
  const asked = await openSome(made.slice(0, 300));
  const opened = asked.toSorted((one, other) => other - one).slice(0, 80);
  problems = [...refused.slice(0, 10), ...(await misplaced([...new Set(list)]))];
  const cpu = (from: typeof before, to: typeof before): number =>
    sum(to.map(({ cpuMs }, n) => cpuMs - (from[n]?.cpuMs ?? 0)));
  const figures = {
    worlds,
    nodes: names.length,
    makeMs: Math.round(madeMs * 10) / 10,
    megabytesOfNodes: after.map(({ bytes }) => megabytes(bytes)),
    kilobytesAWorld: Math.round(
      (sum(after.map(({ bytes }) => bytes)) - sum(before.map(({ bytes }) => bytes))) / worlds / 1024,
    ),
    cpuMsASecondIdle: Math.round(cpu(after, idle) / 5),
    requests,
    refused: refused.length,
    moves: took.length,
    moveMs: { p50: percentile(took, 0.5), p99: percentile(took, 0.99) },
    openMs: { p50: percentile(opened, 0.5), p99: percentile(opened, 0.99) },
    misplaced: problems.length - Math.min(refused.length, 10),
  };
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  for (const problem of problems.slice(0, 20)) process.stdout.write(`PROBLEM: ${problem}\n`);
} finally {
  await cluster.close();
}
process.exitCode = problems.length === 0 ? 0 : 1;
