/**
 * `kill-rounds --rounds 300 --seed 1`: the crash test for as long as one likes, and 1000 requests with one id. With `--nodes`
 * the world is in a PostgreSQL that it starts, and each start is another node: `startMs` then is the time of a takeover.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { PostgresServer } from "../../simulator/store/testing/postgres-server.ts";
import { killRounds } from "./rounds.ts";
import { countsOf, placeAtOnce } from "./same-id.ts";
import { startVenue } from "./served-venue.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    nodes: { type: "boolean", default: false },
    /** Another checkout's bin/gatewright. */
    launcher: { type: "string" },
  },
});
const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-crash-"));
const postgres = values.nodes ? await PostgresServer.start() : null;
const began = performance.now();
const { problems, startMs, ...figures } = await killRounds({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  folder,
  ...(postgres === null ? {} : { store: postgres.url }),
  ...(values.launcher === undefined ? {} : { launcher: path.resolve(values.launcher) }),
  say: (sentence) => void process.stderr.write(`${sentence}\n`),
});
const atOnce = await oneThousandAtOnce();
await postgres?.remove();
const sorted = startMs.toSorted((one, other) => one - other);
const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
const seconds = Math.round((performance.now() - began) / 100) / 10;
const summary = { ...figures, atOnce, startMs: { p50: at(0.5), p99: at(0.99), most: at(1) }, seconds };
process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
for (const problem of problems) process.stdout.write(`PROBLEM: ${problem}\n`);
if (problems.length === 0) rmSync(folder, { recursive: true, force: true });
else process.stdout.write(`The database is kept in ${folder}.\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** One client_order_id over 200 sockets and two keys of one client. */
async function oneThousandAtOnce(): Promise<ReturnType<typeof countsOf>> {
  const world = path.join(folder, "crash-world.yaml");
  const venue = await startVenue({ db: path.join(folder, "at-once.db"), flags: ["--world", world] });
  const keys = venue.ready.keys.filter(({ name }) => name === "trader" || name === "write-orders");
  const order = await placeAtOnce(venue.ready, keys, { requests: 1000, sockets: 200 });
  await venue.stop();
  const counts = countsOf(order);
  const sound = counts["new"] === 1 && counts["replay"] === 999 && counts["ids"] === 1;
  if (!sound) problems.push(`1000 requests with one client_order_id: ${JSON.stringify(counts)}`);
  return counts;
}
