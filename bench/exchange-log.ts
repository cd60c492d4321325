/**
 * The cost of the exchange log for a venue under load: POST /order with the log and without it, in turn, in one run. CPU time is
 * that of the whole process, and counts until the log has written what it holds after a slice.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type RunningServer, startServer } from "./lib/child.ts";
import { replay, signedOrders } from "./lib/load.ts";
import { compare } from "./lib/paired.ts";
import { goal, heading, table } from "./lib/print.ts";
import { refuseBusyMachine } from "./lib/quiet.ts";

refuseBusyMachine();

const connectionCount = 64;
const sliceSize = 10_000;
const untilWrittenMs = 700;
const cycles = Number(process.argv[2] ?? 12);
const baseline = "no exchange log";
const key = { keyId: "gw_trader", secret: "sandbox-only-secret-of-gw_trader" };

const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-bench-"));
const servers = {
  [baseline]: await startServer("venue", [path.join(folder, "silent.db"), "no-log"]),
  "exchange log": await startServer("venue", [path.join(folder, "venue.db")]),
};
let seed = 0;

interface Slice {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

async function slice(server: RunningServer): Promise<Slice> {
  const orders = signedOrders(sliceSize, key, seed++);
  const before = await server.cpuMicros();
  const { perSecond } = await replay(server.port, orders, connectionCount);
  await delay(untilWrittenMs);
  return { perSecond, perCpuSecond: (sliceSize * 1e6) / ((await server.cpuMicros()) - before) };
}

try {
  const measures = [
    ["requests/s", "perSecond"],
    ["requests/s of CPU", "perCpuSecond"],
  ] as const;
  for (const [title, measure] of measures) {
    heading(`${title}: ${connectionCount} connections, ${cycles} slices of ${sliceSize} requests each`);
    const candidates = Object.entries(servers).map(([name, server]) => ({
      name,
      slice: async () => (await slice(server))[measure],
    }));
    const rows = await compare(baseline, candidates, cycles);
    table(rows, baseline, title);
    const ratio = rows.find(({ name }) => name !== baseline)?.ratio.median ?? 0;
    if (measure === "perSecond")
      goal("with the exchange log at least 0.9x of without", ratio >= 0.9, `${ratio.toFixed(2)}x`);
  }
} finally {
  for (const { child } of Object.values(servers)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
