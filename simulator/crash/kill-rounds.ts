/** `kill-rounds --rounds 300 --seed 1`: the crash test for as long as one has patience. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { killRounds } from "./rounds.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    /** Another checkout's bin/gatewright. */
    launcher: { type: "string" },
  },
});
const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-crash-"));
const began = performance.now();
const { problems, startMs, ...figures } = await killRounds({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  folder,
  ...(values.launcher === undefined ? {} : { launcher: path.resolve(values.launcher) }),
  say: (sentence) => void process.stderr.write(`${sentence}\n`),
});
const sorted = startMs.toSorted((one, other) => one - other);
const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
const seconds = Math.round((performance.now() - began) / 100) / 10;
const summary = { ...figures, startMs: { p50: at(0.5), p99: at(0.99), most: at(1) }, seconds };
process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
for (const problem of problems) process.stdout.write(`PROBLEM: ${problem}\n`);
if (problems.length === 0) rmSync(folder, { recursive: true, force: true });
else process.stdout.write(`The database is kept in ${folder}.\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
