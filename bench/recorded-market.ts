/**
 * The work of an hour of market time: a recorded market of 20,000 trades, all that a file may hold, beside an hour of a market that
 * walks each second. In CPU seconds of the process, with a venue in memory, all that falls due run by one move of the clock.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Random } from "../simulator/engine/testing/random.ts";
import { startSimulator } from "../simulator/index.ts";
import { goal, heading, print } from "./lib/print.ts";

const start = Date.UTC(2026, 2, 2, 14, 0);
const hourMs = 3_600_000;
const tradeCount = 20_000;
const runs = Number(process.argv[2] ?? 5);
const goalSeconds = 1;

/** Trades of one hour at odd milliseconds, each at another price than the one before. */
function csv(): string {
  const random = new Random(1);
  const times = Array.from({ length: tradeCount }, () => start + random.int(0, hourMs - 1)).sort(
    (a, b) => a - b,
  );
  let cents = 6_425_000;
  const rows = times.map((at) => {
    cents += random.int(1, 500) * (random.chance(0.5) ? 1 : -1);
    return `${at},${cents / 100},${random.int(1, 5000) / 10_000}`;
  });
  return ["time,price,quantity", ...rows].join("\n");
}

const world = (liquidity: object) => ({
  extends: "demo",
  clock: { mode: "manual", start: new Date(start).toISOString() },
  products: [
    {
      id: "BTC-USD",
      baseIncrement: "0.0001",
      priceIncrement: "0.01",
      referencePrice: "64250",
      liquidity,
    },
  ],
});

const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-bench-"));

/** CPU seconds of the hour, and its entries. */
async function hourOf(name: string, liquidity: object): Promise<{ seconds: number; entries: number }> {
  const file = path.join(folder, `${name}.yaml`);
  writeFileSync(file, JSON.stringify(world(liquidity)));
  await using simulator = await startSimulator({ world: file });
  const before = process.cpuUsage();
  const { entries } = await simulator.control.clock.advance({ ms: hourMs });
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, entries };
}

try {
  writeFileSync(path.join(folder, "trades.csv"), csv());
  const markets = {
    walk: { mode: "walk", everyMs: 1000 },
    trades: { mode: "trades", trades: "trades.csv", everyMs: 1000 },
  };
  heading(`An hour of market time, ${runs} runs in turn`);
  const found = Object.keys(markets).map((name) => ({ name, entries: 0, seconds: [] as number[] }));
  for (let run = 0; run < runs; run++)
    for (const market of found) {
      const { seconds, entries } = await hourOf(market.name, markets[market.name as keyof typeof markets]);
      market.seconds.push(seconds);
      market.entries = entries;
    }
  const medianOf = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  print(
    ["market", "entries", "CPU seconds, median", "min", "max"],
    found.map(({ name, entries, seconds }) => [
      name,
      String(entries),
      medianOf(seconds).toFixed(2),
      Math.min(...seconds).toFixed(2),
      Math.max(...seconds).toFixed(2),
    ]),
  );
  const trades = medianOf(found.find(({ name }) => name === "trades")?.seconds ?? []);
  goal(
    `an hour with ${tradeCount} trades takes less than ${goalSeconds} s of CPU`,
    trades < goalSeconds,
    `${trades.toFixed(2)} s`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
