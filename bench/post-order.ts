/**
 * Signed, validated, matched and durably committed POST /order against a bare Fastify echo in the same run.
 * All servers are alive at once; slices run in shuffled order. The CPU time of the server's process is the steadier figure:
 * the load generator and other tenants share the cores. It counts from one slice to the next, so also what an order causes
 * after its answer.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type RunningServer, startServer } from "./lib/child.ts";
import { replay, signedOrders } from "./lib/load.ts";
import { compare, spread } from "./lib/paired.ts";
import { goal, heading, print, table } from "./lib/print.ts";
import { refuseBusyMachine } from "./lib/quiet.ts";

refuseBusyMachine();

const connectionCount = 64;
const sliceSize = 3000;
const cycles = Number(process.argv[2] ?? 12);
const baseline = "fastify echo";
const key = { keyId: "gw_trader", secret: "sandbox-only-secret-of-gw_trader" };

const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-bench-"));
const servers = {
  [baseline]: await startServer("echo"),
  "venue, file, fsync": await startServer("venue", [path.join(folder, "venue.db")]),
  "venue, in memory": await startServer("venue", [":memory:"]),
  "one transaction per order": await startServer("one-by-one", [path.join(folder, "plain.db"), key.secret]),
};

/** CPU time of each server at the start of each of its slices, and at the end. */
const marks = new Map<string, number[]>();

async function mark(name: string, { cpuMicros }: RunningServer): Promise<void> {
  const known = marks.get(name) ?? [];
  known.push(await cpuMicros());
  marks.set(name, known);
}

/** CPU per request against the echo. The first slice warms up and does not count. */
function printCpu(): (name: string) => number {
  const rows = [...marks].map(([name, known]) => {
    const slices = known.slice(2).map((micros, at) => (micros - (known[at + 1] ?? Number.NaN)) / sliceSize);
    return { name, ...spread(slices) };
  });
  const echo = rows.find(({ name }) => name === baseline)?.median ?? Number.NaN;
  print(
    ["", "CPU us/request", `x ${baseline}`, "min", "max"],
    rows.map(({ name, min, median, max }) => [
      name,
      median.toFixed(0),
      (median / echo).toFixed(2),
      min.toFixed(0),
      max.toFixed(0),
    ]),
  );
  return (name) => (rows.find((row) => row.name === name)?.median ?? Number.NaN) / echo;
}

try {
  let seed = 0;
  const candidates = Object.entries(servers).map(([name, server]) => ({
    name,
    slice: async () => {
      const orders = signedOrders(sliceSize, key, seed++);
      await mark(name, server);
      return (await replay(server.port, orders, connectionCount)).perSecond;
    },
  }));
  heading(`POST /order, ${connectionCount} connections, ${cycles} slices of ${sliceSize} requests each`);
  const rows = await compare(baseline, candidates, cycles);
  table(rows, baseline, "requests/s");
  for (const [name, server] of Object.entries(servers)) await mark(name, server);
  console.log();
  const cpu = printCpu()("venue, file, fsync");
  goal(
    "a signed durable POST /order takes at most 2x the CPU of a bare Fastify echo",
    cpu <= 2,
    `${cpu.toFixed(2)}x`,
  );
  const of = (name: string): number => rows.find((row) => row.name === name)?.ratio.median ?? 0;
  const durable = of("venue, file, fsync");
  goal(
    "signed durable POST /order at least 0.65x of a bare Fastify echo",
    durable >= 0.65,
    `${durable.toFixed(2)}x`,
  );
  const grouped = durable / of("one transaction per order");
  goal(
    "group commit at least 3x one transaction per order with full rows",
    grouped >= 3,
    `${grouped.toFixed(1)}x`,
  );
  const cost = durable / of("venue, in memory");
  goal("durable at least 0.85x of the same venue in memory", cost >= 0.85, `${cost.toFixed(2)}x`);
} finally {
  for (const { child } of Object.values(servers)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
