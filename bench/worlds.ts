/**
 * Worlds of one process: how long it takes to make, reset and fork one beside 1,000 open orders, through the control
 * surface, and what idle ones weigh. The memory is that of the whole process, SQLite included.
 */
import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startSimulator } from "../simulator/index.ts";
import { replay, signedOrders } from "./lib/load.ts";
import { spread } from "./lib/paired.ts";
import { goal, heading, print } from "./lib/print.ts";
import { refuseBusyMachine } from "./lib/quiet.ts";

refuseBusyMachine();

const orders = 1000;
const rounds = Number(process.argv[2] ?? 100);
const idle = 1000;
const mostMs = 10;
const mostKib = 300;

/** In turn, so that all meet the same load of the machine. The first rounds compile. */
async function timesOf(
  works: Readonly<Record<string, (name: string) => Promise<unknown>>>,
): Promise<{ readonly what: string; readonly times: number[] }[]> {
  const rows = Object.entries(works).map(([what, work]) => ({ what, work, times: [] as number[] }));
  for (let round = 0; round < rounds + 5; round++) {
    for (const { work, times } of rows) {
      const began = performance.now();
      await work(`w${round}`);
      times.push(performance.now() - began);
    }
    await deleteAll();
  }
  return rows.map(({ what, times }) => ({ what, times: times.slice(5) }));
}

const residentKib = async (): Promise<number> => {
  await pause(500);
  return process.memoryUsage().rss / 1024;
};

if (process.argv[2] === "idle") {
  await weigh();
  process.exit();
}

heading("Worlds of one process");
execFileSync(process.execPath, [fileURLToPath(import.meta.url), "idle"], { stdio: "inherit" });

const settings = { maxOpenOrders: 2 * orders, rateLimit: { enabled: false } };
await using simulator = await startSimulator({ world: { extends: "demo", market: "ladder", settings } });
const { control, baseUrl } = simulator;
const trader = simulator.keys.find(({ name }) => name === "trader");
if (trader === undefined) throw new Error("the demo world has no trader");
await replay(Number(new URL(baseUrl).port), signedOrders(orders, trader, 1), 8);

const measured = await timesOf({
  "made from the demo world": (name) => control.world.new({ name: `made-${name}` }),
  forked: (name) => control.world.fork({ world: "main", name }),
  // The fork, with its 1,000 open orders.
  reset: (world) => control.world.reset({ world }),
});
const rows = measured.map(({ what, times }) => ({ what, ...spread(times) }));
print(
  ["", "ms", "min", "max"],
  rows.map(({ what, median, min, max }) => [what, median.toFixed(1), min.toFixed(1), max.toFixed(1)]),
);
for (const { what, median } of rows)
  goal(`${what} in at most ${mostMs} ms`, median <= mostMs, `${median.toFixed(1)} ms`);

/** In a process of its own, which has made few before: these would use the room that many earlier worlds leave behind. */
async function weigh(): Promise<void> {
  await using simulator = await startSimulator();
  const { world } = simulator.control;
  for (let count = 0; count < 20; count++) {
    await world.new({ name: "first" });
    await world.delete({ world: "first" });
  }
  const before = await residentKib();
  for (let count = 0; count < idle; count++) await world.new({ name: `idle-${count}`, clock: "manual" });
  const each = ((await residentKib()) - before) / idle;
  goal(`an idle world of ${idle} weighs at most ${mostKib} KiB`, each <= mostKib, `${each.toFixed(0)} KiB`);
}

async function deleteAll(): Promise<void> {
  for (const { name } of await control.world.list())
    if (name !== "main") await control.world.delete({ world: name });
}
