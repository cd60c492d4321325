/**
 * `npm run detection:foreign`: what the kit makes of a gateway that is not our simulator, and of each of its bugs.
 * `--only F-07` for some, `--jobs 2`, `--json FILE`. Each run has a process of its own.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { bugs } from "../conformance/testing/foreign-gateway/bugs.ts";
import { judge, legal, type Trial, tryBug } from "./lib/foreign-trial.ts";
import { print } from "./lib/print.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "2" },
    json: { type: "string" },
    /** Makes this process the one that runs one bug, and prints what came of it. */
    one: { type: "string" },
  },
});

async function inItsOwnProcess(id: string): Promise<Trial> {
  const flags = ["--one", id, "--seed", values.seed];
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), ...flags], {
    maxBuffer: 2 ** 26,
  });
  const trial = JSON.parse(stdout) as Trial;
  process.stderr.write(`${id} ${trial.seconds.toFixed(0)} s ${trial.violated.join(" ")}\n`);
  return trial;
}

async function all(ids: readonly string[]): Promise<Trial[]> {
  const left = [...ids];
  const trials: Trial[] = [];
  const lane = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) trials.push(await inItsOwnProcess(id));
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, lane));
  return trials;
}

async function table(): Promise<void> {
  const chosen = bugs.filter(({ id }) => values.only.length === 0 || values.only.includes(id));
  const trials = await all([legal, ...chosen.map(({ id }) => id)]);
  const trialOf = (id: string): Trial => {
    const trial = trials.find((one) => one.id === id);
    if (trial === undefined) throw new Error(`${id} has not run`);
    return trial;
  };
  const baseline = trialOf(legal);
  const rows = chosen.map(({ id, says, clauses, hard, kind }) => {
    const trial = trialOf(id);
    const judged = judge(trial, baseline);
    const own = judged.clauses.filter((clause) => clauses.includes(clause));
    return {
      id,
      kind,
      hard,
      says,
      breaks: clauses,
      ...judged,
      own,
      seconds: trial.seconds,
      reason: trial.reason,
    };
  });
  const count = (of: typeof rows) =>
    Object.fromEntries(
      (["convicted", "warned", "unnoticed", "refused"] as const).map((word) => [
        word,
        of.filter(({ noticed }) => noticed === word).length,
      ]),
    );
  const summary = { all: count(rows), hard: count(rows.filter(({ hard }) => hard)) };
  console.log(`the legal gateway: ${baseline.verdict} (${baseline.reason})`);
  print(
    ["bug", "kind", "hard", "noticed", "clauses", "its own", "seconds"],
    rows.map((row) => [
      row.id,
      row.kind,
      row.hard ? "hard" : "",
      row.noticed,
      row.clauses.slice(0, 6).join(" "),
      row.own.join(" "),
      row.seconds.toFixed(0),
    ]),
  );
  for (const { id, says } of rows.filter(({ noticed }) => noticed === "unnoticed"))
    console.log(`${id} ${says}`);
  console.log(`all ${JSON.stringify(summary.all)}, hard ${JSON.stringify(summary.hard)}`);
  if (values.json !== undefined)
    writeFileSync(
      values.json,
      `${JSON.stringify({ seed: Number(values.seed), legal: baseline, summary, rows }, null, 1)}\n`,
    );
}

if (values.one === undefined) await table();
else {
  const trial = await tryBug(values.one, { seed: Number(values.seed), level: "full", properties: "on" });
  process.stdout.write(JSON.stringify(trial));
}
