/**
 * `kill-rounds --rounds 300 --seed 1`: the crash test for as long as one likes, and 1000 requests with one id. With `--nodes`
 * the world is in a PostgreSQL that it starts, served by two nodes, and `--fault NAME` says what happens to them
 * (`two-nodes.ts` lists the names; `all` is each in turn). `startMs` then is how long nobody served the world.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { PostgresServer } from "../../simulator/store/testing/postgres-server.ts";
import { type KillFigures, killRounds } from "./rounds.ts";
import { countsOf, placeAtOnce } from "./same-id.ts";
import { startVenue } from "./served-venue.ts";
import { type Fault, faults } from "./two-nodes.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    nodes: { type: "boolean", default: false },
    fault: { type: "string", multiple: true, default: ["kill"] },
    /** Another checkout's bin/gatewright. */
    launcher: { type: "string" },
  },
});
const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-crash-"));
const problems: string[] = [];
const rows: string[][] = [
  [
    "fault",
    "rounds",
    "acknowledged",
    "orders",
    "lost",
    "doubled",
    "unknown",
    "balances",
    "takeover p50, p99, most",
    "longest answer",
  ],
]; // prettier-ignore

for (const fault of values.nodes ? chosenFaults() : [null]) {
  const began = performance.now();
  const { problems: found, ...figures } = await killRounds({
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    folder,
    ...(fault === null ? {} : { nodes: { server: await PostgresServer.start(), fault } }),
    ...(values.launcher === undefined ? {} : { launcher: path.resolve(values.launcher) }),
    say: (sentence) => void process.stderr.write(`${fault ?? "file"}, ${sentence}\n`),
  });
  problems.push(...found);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const startMs = {
    p50: at(figures.startMs, 0.5),
    p99: at(figures.startMs, 0.99),
    most: at(figures.startMs, 1),
  };
  process.stdout.write(`${JSON.stringify({ ...figures, startMs, seconds }, null, 2)}\n`);
  rows.push(rowOf(fault ?? "kill", figures, found));
}
if (!values.nodes) await oneThousandAtOnce();
for (const row of rows) process.stdout.write(`| ${row.join(" | ")} |\n`);
for (const problem of problems) process.stdout.write(`PROBLEM: ${problem}\n`);
if (problems.length === 0) rmSync(folder, { recursive: true, force: true });
else process.stdout.write(`The database is kept in ${folder}.\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function chosenFaults(): readonly Fault[] {
  if (values.fault.includes("all")) return faults;
  return values.fault.map((name) => {
    const fault = faults.find((each) => each === name);
    if (fault === undefined)
      throw new RangeError(`--fault is one of ${faults.join(", ")}, all, and not ${name}`);
    return fault;
  });
}

function rowOf(name: string, figures: Omit<KillFigures, "problems">, found: readonly string[]): string[] {
  const { rounds, acknowledged, orders, unanswered, balancesChecked, startMs, longestAnswerMs } = figures;
  const count = (sentence: RegExp): number => found.filter((problem) => sentence.test(problem)).length;
  return [
    name,
    ...[rounds, acknowledged, orders].map(String),
    ...[count(/did not find it|is not in the file/), count(/NEW_ORDER \d+ times|has \d+ ids|of orders/)].map(
      String,
    ),
    ...[unanswered, balancesChecked].map(String),
    `${[0.5, 0.99, 1].map((share) => at(startMs, share)).join(", ")} ms`,
    `${longestAnswerMs} ms`,
  ];
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/** One client_order_id over 200 sockets and two keys of one client. */
async function oneThousandAtOnce(): Promise<void> {
  const world = path.join(folder, "crash-world.yaml");
  const venue = await startVenue({ db: path.join(folder, "at-once.db"), flags: ["--world", world] });
  const keys = venue.ready.keys.filter(({ name }) => name === "trader" || name === "write-orders");
  const order = await placeAtOnce(venue.ready, keys, { requests: 1000, sockets: 200 });
  await venue.stop();
  const counts = countsOf(order);
  process.stdout.write(`1000 requests with one client_order_id: ${JSON.stringify(counts)}\n`);
  const sound = counts["new"] === 1 && counts["replay"] === 999 && counts["ids"] === 1;
  if (!sound) problems.push("1000 requests with one client_order_id made more than one order");
}
