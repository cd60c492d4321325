/**
 * `npm run detection:foreign`: runs the kit against a gateway that is not our simulator, and against each of its bugs.
 * `--only F-07` for some, `--jobs 2`, `--json FILE`. Each run has a process of its own.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { bugs } from "../conformance/testing/foreign-gateway/bugs.ts";
import { judge, legal, type Noticed, refused, type Trial, tryBug } from "./lib/foreign-trial.ts";
import { print } from "./lib/print.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "2" },
    json: { type: "string" },
    /** Makes this process run one bug and print the result. */
    one: { type: "string" },
  },
});
const seed = Number(values.seed);
const words: readonly Noticed[] = ["convicted", "warned", "unnoticed", "refused"];

async function inItsOwnProcess(id: string): Promise<Trial> {
  const flags = [fileURLToPath(import.meta.url), "--one", id, "--seed", values.seed];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 300_000 });
    return JSON.parse(stdout) as Trial;
  } catch (error) {
    return refused(id, `the run ended by itself: ${String(error).slice(0, 500)}`, 0);
  }
}

/** The table of results; the file is written after each run, so that it is complete at any time. */
function tableOf(baseline: Trial, trials: readonly Trial[]) {
  const rows = bugs.flatMap(({ install, shows, ...bug }) => {
    const trial = trials.find(({ id }) => id === bug.id);
    if (trial === undefined) return [];
    const judged = judge(trial, baseline);
    const own = judged.clauses.filter((clause) => bug.clauses.includes(clause));
    const { reason, failedRows, seconds } = trial;
    return [{ ...bug, ...judged, own, reason, failedRows, seconds }];
  });
  const count = (of: typeof rows) =>
    Object.fromEntries(words.map((word) => [word, of.filter(({ noticed }) => noticed === word).length]));
  const summary = { all: count(rows), hard: count(rows.filter(({ hard }) => hard)) };
  const table = { seed, legal: baseline, summary, rows };
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(table, null, 1)}\n`);
  return table;
}

async function detection(): Promise<void> {
  const left = bugs.map(({ id }) => id).filter((id) => values.only.length === 0 || values.only.includes(id));
  const baseline = await inItsOwnProcess(legal);
  console.log(`the legal gateway: ${baseline.verdict} (${baseline.reason})`);
  const trials: Trial[] = [];
  const lane = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const trial = await inItsOwnProcess(id);
      trials.push(trial);
      tableOf(baseline, trials);
      process.stderr.write(`${id} ${trial.seconds.toFixed(0)} s ${trial.violated.join(" ")}\n`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, lane));
  const { rows, summary } = tableOf(baseline, trials);
  print(
    ["bug", "kind", "hard", "noticed", "clauses", "its own", "seconds"],
    rows.map(({ id, kind, hard, noticed, clauses, own, seconds }) => [
      id,
      kind,
      hard ? "hard" : "",
      noticed,
      clauses.slice(0, 6).join(" "),
      own.join(" "),
      seconds.toFixed(0),
    ]),
  );
  for (const { id, says } of rows.filter(({ noticed }) => noticed === "unnoticed"))
    console.log(`${id} ${says}`);
  console.log(`all ${JSON.stringify(summary.all)}, hard ${JSON.stringify(summary.hard)}`);
}

if (values.one === undefined) await detection();
else {
  const trial = await tryBug(values.one, { seed, level: "full", properties: "on" });
  process.stdout.write(JSON.stringify(trial));
}
