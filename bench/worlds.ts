/**
 * Worlds of one process: how long it takes to make, reset and fork one beside 1,000 open orders, through the control
 * surface, and what idle ones weigh. The memory is that of the whole process, SQLite included.
 */
import { setTimeout as pause } from "node:timers/promises";
import { startSimulator } from "../simulator/index.ts";
import { replay, signedOrders } from "./lib/load.ts";
import { spread } from "./lib/paired.ts";
import { goal, heading, print } from "./lib/print.ts";

const orders = 1000;
const rounds = Number(process.argv[2] ?? 100);
const idle = 1000;
const mostMs = 10;
const mostKib = 300;

const timesOf = async (work: (name: string) => Promise<unknown>): Promise<number[]> => {
  const times: number[] = [];
  for (let round = 0; round < rounds + 5; round++) {
    const began = performance.now();
    await work(`w${round}`);
    times.push(performance.now() - began);
  }
  // The first ones compile.
  return times.slice(5);
};

const residentKib = async (): Promise<number> => {
  await pause(500);
  return process.memoryUsage().rss / 1024;
};

const settings = { maxOpenOrders: 2 * orders, rateLimit: { enabled: false } };
await using simulator = await startSimulator({ world: { extends: "demo", market: "ladder", settings } });
const { control, baseUrl } = simulator;
const trader = simulator.keys.find(({ name }) => name === "trader");
if (trader === undefined) throw new Error("the demo world has no trader");
await replay(Number(new URL(baseUrl).port), signedOrders(orders, trader, 1), 8);

heading("Worlds of one process");
const rows = [
  { what: "made from the demo world", ...spread(await timesOf((name) => control.world.new({ name }))) },
];
await deleteAll();
// The forks are what is reset: each has its 1,000 open orders.
rows.push(
  { what: "forked", ...spread(await timesOf((name) => control.world.fork({ world: "main", name }))) },
  { what: "reset", ...spread(await timesOf((world) => control.world.reset({ world }))) },
);
await deleteAll();
print(
  ["", "ms", "min", "max"],
  rows.map(({ what, median, min, max }) => [what, median.toFixed(1), min.toFixed(1), max.toFixed(1)]),
);
for (const { what, median } of rows)
  goal(`${what} in at most ${mostMs} ms`, median <= mostMs, `${median.toFixed(1)} ms`);

const before = await residentKib();
for (let count = 0; count < idle; count++)
  await control.world.new({ name: `idle-${count}`, clock: "manual" });
const each = ((await residentKib()) - before) / idle;
goal(`an idle world of ${idle} weighs at most ${mostKib} KiB`, each <= mostKib, `${each.toFixed(0)} KiB`);

async function deleteAll(): Promise<void> {
  for (const { name } of await control.world.list())
    if (name !== "main") await control.world.delete({ world: name });
}
