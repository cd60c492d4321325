/**
 * `npm run soak:properties -- --seeds 1000`: looks for false alarms of the properties on a venue without a bug. Can be
 * taken up where it was left: `--from 401 --seeds 600`. `--runs` is the number of plans per property and seed, two by
 * default; `--runs 0` is the usual number of each. Ends with 1 when there was an alarm.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { soak } from "./lib/property-soak.ts";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    seeds: { type: "string", default: "1000" },
    runs: { type: "string", default: "2" },
    lanes: { type: "string", default: "4" },
    minutes: { type: "string", default: "1440" },
    counterexamples: { type: "string", default: "counterexamples" },
  },
});
const [from, seeds, runs] = [values.from, values.seeds, values.runs].map(Number);
const started = performance.now();
const minutes = (): number => (performance.now() - started) / 60_000;
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());

const results = await soak({
  from: from ?? 1,
  seeds: seeds ?? 1000,
  runs: runs === 0 ? undefined : runs,
  lanes: Number(values.lanes),
  seedsPerVenue: 25,
  counterexamples: values.counterexamples,
  signal: stop.signal,
  onSeed: ({ seed, alarms }) => {
    for (const alarm of alarms) process.stdout.write(`seed ${seed}: ${alarm}\n`);
    if (minutes() > Number(values.minutes)) stop.abort();
  },
});
const alarmed = results.filter(({ alarms }) => alarms.length > 0);
const requests = results.reduce((sum, { requests: sent }) => sum + sent, 0);
const held = results.reduce((sum, { passed }) => sum + passed.length, 0);
const idle = results.reduce((sum, { idle: none }) => sum + none.length, 0);
const last = Math.max(...results.map(({ seed }) => seed));
process.stdout.write(
  `${results.length} seeds from ${from} to ${last}: ${alarmed.length} with an alarm; properties held ${held} times, showed nothing ${idle} times; ` +
    `${requests} requests, ${minutes().toFixed(1)} min, ${(process.cpuUsage().user / 1e6).toFixed(0)} s of CPU\n`,
);
if (last < (from ?? 1) + (seeds ?? 0) - 1)
  process.stdout.write(`to go on: --from ${last + 1} --seeds ${(from ?? 1) + (seeds ?? 0) - 1 - last}\n`);
process.exitCode = alarmed.length === 0 ? 0 : 1;
