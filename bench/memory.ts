/**
 * Memory of a process with many resting orders that came over HTTP, durable and with the exchange log: what it holds at rest,
 * before and after. The whole process counts: objects, buffers, and what SQLite keeps. Each collection gives back a part of
 * what a busy process had taken in reserve, so it is collected until nothing more is given back.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startServer } from "./lib/child.ts";
import { replay, signedOrders } from "./lib/load.ts";
import { goal, heading, print } from "./lib/print.ts";

const connectionCount = 64;
const sliceSize = 5000;
/** Until all code is compiled and every cache is full. */
const warmUp = 20_000;
const mostCollections = 30;
const orders = Number(process.argv[2] ?? 100_000);
const key = { keyId: "gw_trader", secret: "sandbox-only-secret-of-gw_trader" };
/** The exchange log writes what waits once nothing has come for a while. */
const settlesWithinMs = 4000;

const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-bench-"));
const server = await startServer("venue", [path.join(folder, "venue.db")], ["--expose-gc"]);

async function place(count: number, seed: number): Promise<void> {
  for (let sent = 0; sent < count; sent += sliceSize)
    await replay(
      server.port,
      signedOrders(Math.min(sliceSize, count - sent), key, seed + sent),
      connectionCount,
    );
  await pause(settlesWithinMs);
}

async function atRest(): Promise<NodeJS.MemoryUsage> {
  let least = await server.memory();
  for (let [count, unchanged] = [0, 0]; count < mostCollections && unchanged < 4; count += 1) {
    await pause(500);
    const next = await server.memory();
    unchanged = next.rss < least.rss * 0.99 ? 0 : unchanged + 1;
    if (next.rss < least.rss) least = next;
  }
  return least;
}

try {
  heading(`Memory of ${orders} resting orders`);
  await place(warmUp, 1);
  const before = await atRest();
  await place(orders, 1 + warmUp);
  const after = await atRest();
  const rows = (["rss", "heapUsed", "external"] as const).map((name) => ({
    name,
    anOrder: (after[name] - before[name]) / orders,
    whole: after[name],
  }));
  print(
    ["", "bytes an order", "MiB in all"],
    rows.map(({ name, anOrder, whole }) => [name, anOrder.toFixed(0), (whole / 2 ** 20).toFixed(0)]),
  );
  const whole = rows.find(({ name }) => name === "rss")?.anOrder ?? Number.NaN;
  goal("a resting order takes at most 1 KiB of the process", whole <= 1024, `${whole.toFixed(0)} bytes`);
} finally {
  server.child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
