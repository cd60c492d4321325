/**
 * `npm run bench:store -- --seconds 5`: signed `POST /order` with the world in a file, and in a PostgreSQL on the same disk with
 * one to eight worlds on one node and on two, in one run. Requests a second, and the CPU time of the nodes for each.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { crashWorld, crashWorldText } from "../crash/market.ts";
import { type ServedKey, type ServedVenue, startVenue } from "../crash/served-venue.ts";
import { SignedClient } from "../crash/signed-client.ts";
import { Cluster, usageOf } from "./cluster.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "5" }, clients: { type: "string", default: "16" } },
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

async function measure(
  what: string,
  places: readonly Place[],
  venues: readonly ServedVenue[],
): Promise<void> {
  const cpuOf = (): number => venues.reduce((total, venue) => total + usageOf(venue).cpuMs, 0);
  const before = cpuOf();
  const until = performance.now() + seconds * 1000;
  let [taken, refused] = [0, 0];
  await Promise.all(
    Array.from({ length: clients }, async (_, n) => {
      const place = places[n % places.length];
      if (place === undefined) return;
      const client = new SignedClient(place.venue.ready, place.key);
      while (performance.now() < until) {
        const order = {
          product: "BTC-USD",
          side: "BUY",
          type: "LIMIT",
          base_quantity: "0.0001",
          price: "30000.00",
        };
        const { status } = await client.post("/order", { ...order, client_order_id: crypto.randomUUID() });
        if (status === 200) taken += 1;
        else refused += 1;
      }
      client.close();
    }),
  );
  const cpuMs = (cpuOf() - before) / (taken + refused);
  process.stdout.write(
    `${what.padEnd(44)} ${String(Math.round(taken / seconds)).padStart(6)}/s  ${cpuMs.toFixed(2)} ms CPU  ${refused} refused\n`,
  );
}

const file = await startVenue({ db: path.join(folder, "v.db"), flags });
const cluster = await Cluster.start(["a", "b"], flags);
try {
  const [a, b] = [...cluster.nodes.values()];
  if (a === undefined || b === undefined) throw new Error("two nodes were started");
  await measure("a file", [{ venue: file, key: keyIn(file.ready.keys) }], [file]);
  await measure("PostgreSQL, one world", [{ venue: a, key: keyIn(a.ready.keys) }], [a]);
  await measure(
    "PostgreSQL, one world, through another node",
    [{ venue: b, key: keyIn(a.ready.keys) }],
    [a, b],
  );
  for (const worlds of [2, 4, 8]) {
    const places: Place[] = [];
    for (let n = 0; n < worlds; n += 1) places.push(await worldAt(n % 2 === 0 ? a : b, `w${worlds}-${n}`));
    await measure(`PostgreSQL, ${worlds} worlds on two nodes`, places, [a, b]);
  }
} finally {
  await file.kill();
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}
