/**
 * `npm run soak:capsule -- --sessions 1000 --seed 1`: random sessions, the capsule of each, and each capsule replayed. With
 * `--write FOLDER` the files are kept, and `--replay FOLDER` replays those that another version of Node has written.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { playOrders, playSession } from "../simulator/capsule/testing/sessions.ts";
import { openCapsule, startSimulator } from "../simulator/index.ts";

const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "1000" },
    orders: { type: "string", default: "2000" },
    steps: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    write: { type: "string" },
    replay: { type: "string" },
  },
});

interface Sum {
  capsules: number;
  entries: number;
  answers: number;
  uncompared: number;
  differing: number;
}
const sum: Sum = { capsules: 0, entries: 0, answers: 0, uncompared: 0, differing: 0 };
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

async function judge(name: string, file: Buffer): Promise<void> {
  const replay = (await openCapsule(file, name)).replay();
  while (replay.next() !== undefined);
  const { difference } = replay;
  sum.capsules += 1;
  sum.entries += replay.entries;
  sum.answers += replay.answers;
  for (const count of replay.uncompared.values()) sum.uncompared += count;
  if (difference === null) return;
  sum.differing += 1;
  say(`${name} differs: ${difference.what}\n  recorded ${difference.recorded}\n  now      ${difference.now}`);
}

async function soak(): Promise<void> {
  await using simulator = await startSimulator({});
  const long = await playOrders(simulator, 1, Number(values.orders));
  await judge("the long session", long.file);
  say(
    `${long.orders} orders, a quarter cancelled and a quarter read: ${(long.file.length / long.orders).toFixed(1)} bytes an order`,
  );
  const first = Number(values.seed);
  for (let at = 0; at < Number(values.sessions); at += 1) {
    const { file } = await playSession(simulator, first + at, Number(values.steps));
    if (values.write !== undefined) writeFileSync(path.join(values.write, `${first + at}.capsule`), file);
    await judge(`session ${first + at}`, file);
  }
}

const started = performance.now();
if (values.write !== undefined) mkdirSync(values.write, { recursive: true });
if (values.replay === undefined) await soak();
else
  for (const name of readdirSync(values.replay))
    await judge(name, readFileSync(path.join(values.replay, name)));

const { capsules, entries, answers, uncompared, differing } = sum;
say(
  `Node ${process.versions.node}: ${capsules} capsules, ${entries} entries, ${answers} answers compared, ${uncompared} not; ` +
    `${differing} differ; ${((performance.now() - started) / 1000).toFixed(1)} s`,
);
process.exitCode = differing === 0 && capsules > 0 ? 0 : 1;
