/**
 * `npm run bench:store -- --seconds 5`: signed `POST /order` with the world in a file, and in a PostgreSQL on the same disk with
 * one to eight worlds on one node and on two; then signed `GET /wallet` at the owner, at a node that passes it on, at one that
 * follows the world, and at both; all in one run. Requests a second, and the CPU time of the nodes for each. `--only reads`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { crashWorld, crashWorldText } from "../crash/market.ts";
import { type ServedKey, type ServedVenue, startVenue } from "../crash/served-venue.ts";
import { type Answer, SignedClient } from "../crash/signed-client.ts";
import { Cluster, usageOf } from "./cluster.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    clients: { type: "string", default: "16" },
    only: { type: "string" },
  },
});
const [seconds, clients] = [Number(values.seconds), Number(values.clients)];
const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-store-"));
const world = path.join(folder, "world.yaml");
writeFileSync(world, crashWorldText);
const flags = ["--world", world, "--clock", "manual", "--no-exchanges"];

interface Place {
  readonly venue: ServedVenue;
  readonly key: ServedKey;
}

function keyIn(keys: readonly ServedKey[]): ServedKey {
  const key = keys.find(({ name }) => name === "trader");
  if (key === undefined) throw new Error("the world has no trader");
  return key;
}

async function worldAt(venue: ServedVenue, name: string): Promise<Place> {
  const { controlUrl, controlToken } = venue.ready;
  const answer = await fetch(`${controlUrl}/worlds`, {
    method: "POST",
    headers: { authorization: `Bearer ${controlToken}`, "content-type": "application/json" },
    body: JSON.stringify({ name, world: crashWorld, clock: "manual" }),
  });
  // as: a world is answered with its keys.
  const { data } = (await answer.json()) as { data: { keys: ServedKey[] } };
  return { venue, key: keyIn(data.keys) };
}

const order = (client: SignedClient): Promise<Answer> =>
  client.post("/order", {
    product: "BTC-USD",
    side: "BUY",
    type: "LIMIT",
    base_quantity: "0.0001",
    price: "30000.00",
    client_order_id: crypto.randomUUID(),
  });

const wallet = (client: SignedClient): Promise<Answer> => client.get("/wallet");

interface Figures {
  readonly perSecond: number;
  /** Of the nodes, for each request. */
  readonly cpuMs: number;
  readonly refused: number;
}

async function measure(
  places: readonly Place[],
  venues: readonly ServedVenue[],
  ask = order,
  forSeconds = seconds,
): Promise<Figures> {
  const cpuOf = (): number => venues.reduce((total, venue) => total + usageOf(venue).cpuMs, 0);
  const before = cpuOf();
  const until = performance.now() + forSeconds * 1000;
  let [taken, refused] = [0, 0];
  await Promise.all(
    Array.from({ length: clients }, async (_, n) => {
      const place = places[n % places.length];
      if (place === undefined) return;
      const client = new SignedClient(place.venue.ready, place.key);
      while (performance.now() < until) {
        const { status } = await ask(client);
        if (status === 200) taken += 1;
        else refused += 1;
      }
      client.close();
    }),
  );
  return { perSecond: taken / forSeconds, cpuMs: (cpuOf() - before) / (taken + refused), refused };
}

function show(what: string, { perSecond, cpuMs, refused }: Figures): void {
  process.stdout.write(
    `${what.padEnd(44)} ${String(Math.round(perSecond)).padStart(6)}/s  ${cpuMs.toFixed(2)} ms CPU  ${refused} refused\n`,
  );
}

async function orders(a: ServedVenue, b: ServedVenue): Promise<void> {
  const file = await startVenue({ db: path.join(folder, "v.db"), flags });
  show("a file", await measure([{ venue: file, key: keyIn(file.ready.keys) }], [file]));
  await file.kill();
  const key = keyIn(a.ready.keys);
  show("PostgreSQL, one world", await measure([{ venue: a, key }], [a]));
  show("PostgreSQL, one world, through another node", await measure([{ venue: b, key }], [a, b]));
  for (const worlds of [2, 4, 8]) {
    const places: Place[] = [];
    for (let n = 0; n < worlds; n += 1) places.push(await worldAt(n % 2 === 0 ? a : b, `w${worlds}-${n}`));
    show(`PostgreSQL, ${worlds} worlds on two nodes`, await measure(places, [a, b]));
  }
}

/** Resolves when the node follows `main`. */
async function following({ ready: { controlUrl, controlToken } }: ServedVenue): Promise<void> {
  for (;;) {
    const answer = await fetch(`${controlUrl}/nodes`, {
      headers: { authorization: `Bearer ${controlToken}` },
    });
    // as: the control names the worlds that each node follows.
    const { data } = (await answer.json()) as { data: { follows: { entry: number }[] }[] };
    if (data.some(({ follows }) => follows.some(({ entry }) => entry > 0))) return;
    await sleep(100);
  }
}

async function reads(a: ServedVenue, b: ServedVenue, c: ServedVenue): Promise<void> {
  const key = keyIn(a.ready.keys);
  const first = new SignedClient(a.ready, key);
  await order(first);
  first.close();
  await following(c);
  const rows = [
    { what: "reads at the owner", at: [a], nodes: [a] },
    { what: "reads through a node that passes them on", at: [b], nodes: [a, b] },
    { what: "reads at a node that follows", at: [c], nodes: [a, c] },
    { what: "reads at the owner and at that node", at: [a, c], nodes: [a, c] },
  ].map((row) => ({ ...row, found: new Array<Figures>() }));
  // By turns and a second each, because a machine is not equally busy all the time.
  for (let round = 0; round < seconds; round += 1)
    for (const { at, nodes, found } of rows) {
      const places = at.map((venue) => ({ venue, key }));
      found.push(await measure(places, nodes, wallet, 1));
    }
  for (const { what, found } of rows) show(what, middleOf(found));
}

/** The medians; all that was refused. */
function middleOf(found: readonly Figures[]): Figures {
  const middle = (of: (one: Figures) => number): number =>
    found.map(of).toSorted((one, other) => one - other)[Math.floor(found.length / 2)] ?? Number.NaN;
  const refused = found.reduce((sum, one) => sum + one.refused, 0);
  return { perSecond: middle((one) => one.perSecond), cpuMs: middle((one) => one.cpuMs), refused };
}

const cluster = await Cluster.start(["a", "b"], flags);
try {
  const [a, b] = [...cluster.nodes.values()];
  if (a === undefined || b === undefined) throw new Error("two nodes were started");
  if (values.only !== "reads") await orders(a, b);
  await reads(a, b, await cluster.add("c", ["--follow", "main"]));
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}
