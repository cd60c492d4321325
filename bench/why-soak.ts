/** `npm run soak:why -- --commands 1000000 --seed 1`: orders of random sessions whose state their facts do not explain. */
import process from "node:process";
import { parseArgs } from "node:util";
import { storiesOf, unexplained } from "../simulator/explain/testing/stories.ts";

const { values } = parseArgs({
  options: { commands: { type: "string", default: "1000000" }, seed: { type: "string", default: "1" } },
});
const ofSession = 250;
const sessions = Math.ceil(Number(values.commands) / ofSession);
const first = Number(values.seed);
const started = performance.now();
const missing: string[] = [];
let [orders, facts] = [0, 0];

for (let session = 0; session < sessions; session += 1) {
  const seed = first + session;
  const stories = storiesOf(seed, ofSession);
  for (const [number, order] of stories.state.orders) {
    const told = stories.facts.get(number) ?? [];
    orders += 1;
    facts += told.length;
    missing.push(...unexplained(stories.state, order, told).map((what) => `seed ${seed}: ${what}`));
  }
}

const seconds = (performance.now() - started) / 1000;
for (const what of missing.slice(0, 20)) process.stdout.write(`${what}\n`);
process.stdout.write(
  `${sessions * ofSession} commands, ${orders} orders, ${facts} facts: ${missing.length} unexplained; ${seconds.toFixed(1)} s\n`,
);
process.exitCode = missing.length === 0 ? 0 : 1;
