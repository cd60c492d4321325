/**
 * Signed, validated, matched and durably committed POST /order against a bare Fastify echo in the same run (goals 1 to 3).
 * All servers are alive at once; slices run in shuffled order.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { startServer } from "./lib/child.ts";
import { replay, signedOrders } from "./lib/load.ts";
import { compare } from "./lib/paired.ts";
import { goal, heading, table } from "./lib/print.ts";

const CONNECTIONS = 64;
const SLICE = 3000;
const CYCLES = Number(process.argv[2] ?? 12);
const KEY = { keyId: "gw_trader", secret: "sandbox-only-secret-of-gw_trader" };

const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-bench-"));
const servers = {
  "fastify echo": await startServer("echo"),
  "venue, file, fsync": await startServer("venue", [path.join(folder, "venue.db")]),
  "venue, in memory": await startServer("venue", [":memory:"]),
  "one transaction per order": await startServer("one-by-one", [path.join(folder, "plain.db"), KEY.secret]),
};
try {
  let seed = 0;
  const candidates = Object.entries(servers).map(([name, { port }]) => ({
    name,
    slice: async () => (await replay(port, signedOrders(SLICE, KEY, seed++), CONNECTIONS)).perSecond,
  }));
  heading(`POST /order, ${CONNECTIONS} connections, ${CYCLES} slices of ${SLICE} requests each`);
  const rows = await compare("fastify echo", candidates, CYCLES);
  table(rows, "fastify echo", "requests/s");
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
