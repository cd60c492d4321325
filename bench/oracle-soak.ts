/** `npm run soak:oracle -- --commands 1000000 --seed 1`: the random comparison for as long as one likes. */
import process from "node:process";
import { parseArgs } from "node:util";
import type { Coverage } from "../simulator/engine/testing/coverage.ts";
import { compareStream, streamLength } from "../simulator/engine/testing/differential.ts";

const { values } = parseArgs({
  options: { commands: { type: "string", default: "1000000" }, seed: { type: "string", default: "1" } },
});
const commands = Number(values.commands);
const first = Number(values.seed);
const streams = Math.ceil(commands / streamLength);
const coverage: Coverage = new Map();
const started = performance.now();

for (let stream = 0; stream < streams; stream++) compareStream(first + stream, streamLength, coverage);

const seconds = (performance.now() - started) / 1000;
for (const [what, times] of [...coverage].sort(([a], [b]) => (a < b ? -1 : 1))) {
  process.stdout.write(`${String(times).padStart(9)}  ${what}\n`);
}
process.stdout.write(
  `${streams * streamLength} commands in ${streams} streams from seed ${first} agree; ${seconds.toFixed(1)} s\n`,
);
