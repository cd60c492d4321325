/**
 * `npm run bench:workers -- --kind sample --only M-041,M-042`: a part of the detection matrix on this machine alone, and then
 * by one, two and three workers over a PostgreSQL. It prints how long each took, and ends with 1 if a verdict differs from that
 * of this machine alone. `--kind all --combinations 200 --properties unconvicted` is the whole matrix.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { PostgresServer } from "../../simulator/store/testing/postgres-server.ts";
import { launcherPath } from "../crash/checkout.ts";

const { values } = parseArgs({
  options: {
    kind: { type: "string", default: "sample" },
    only: { type: "string", default: "*" },
    combinations: { type: "string" },
    properties: { type: "string", default: "off" },
    workers: { type: "string", default: "1,2,3" },
    /** Trials at once, of each worker and of this machine alone. */
    jobs: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
  },
});
const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-workers-"));
const { kind, only, combinations, properties, jobs, seed } = values;
const drawn = combinations === undefined ? "" : ` --combinations ${combinations}`;
const matrix =
  `mutants --kind ${kind} --only ${only} --properties ${properties} --seed ${seed}${drawn} --stop-at-conviction`.split(
    " ",
  );

const started = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [launcherPath, ...args], { cwd: folder, stdio: "ignore" });

/** The outcome of each trial, by its id. */
async function verdictsOf(name: string, flags: readonly string[]): Promise<Map<string, string>> {
  const report = path.join(folder, `${name}.json`);
  const began = performance.now();
  await once(started([...matrix, ...flags, "--report", `json=${report}`]), "exit");
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  // as: that program has just written it.
  const { results } = JSON.parse(readFileSync(report, "utf8")) as {
    readonly results: readonly { readonly id: string; readonly outcome: string; readonly note?: string }[];
  };
  process.stdout.write(`${name}: ${results.length} trials in ${seconds} s`);
  return new Map(
    results.map(({ id, outcome, note = "" }) => [id, outcome === "error" ? `${outcome}: ${note}` : outcome]),
  );
}

async function byWorkers(count: number, url: string): Promise<Map<string, string>> {
  const store = ["--store", url, "--jobs", jobs];
  const workers = Array.from({ length: count }, () => started(["work", ...store]));
  try {
    return await verdictsOf(`${count} workers`, ["--workers", url]);
  } finally {
    const ended = workers.map((worker) => once(worker, "exit"));
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(ended);
  }
}

const postgres = await PostgresServer.start();
try {
  const alone = await verdictsOf("alone", ["--jobs", jobs]);
  process.stdout.write("\n");
  for (const count of values.workers.split(",").map(Number)) {
    const spread = await byWorkers(count, postgres.url);
    const different = [...alone]
      .filter(([id, outcome]) => spread.get(id) !== outcome)
      .map(([id, outcome]) => `${id} (${outcome}, ${spread.get(id)})`);
    const isEqual = different.length === 0 && spread.size === alone.size;
    process.stdout.write(isEqual ? ", verdicts equal\n" : `, verdicts differ: ${different.join(", ")}\n`);
    if (!isEqual) process.exitCode = 1;
  }
} finally {
  await postgres.remove();
  rmSync(folder, { recursive: true });
}
