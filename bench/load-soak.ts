/**
 * `npm run soak:load -- --runs 50`: whole runs of the kit on a gateway without a bug, beside a busy loop on each core, and
 * with a tenth of the time stolen from both. A verdict that depends on load shows as a finding. `--from 21` begins with the
 * seed 21, `--loops 4` sets the number of busy loops, `--only P-48` selects. Ends with 1 if there was a finding.
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { conform } from "../conformance/commands.ts";
import { profile } from "../conformance/testing/foreign-gateway/profile.ts";
import { startServer } from "./lib/child.ts";
import { alarmsIn } from "./lib/property-soak.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "50" },
    from: { type: "string", default: "1" },
    loops: { type: "string", default: String(os.availableParallelism()) },
    only: { type: "string", multiple: true, default: [] },
    /** Makes this process do one run with this seed. */
    one: { type: "string" },
  },
});

interface Run {
  readonly verdict: string;
  readonly requests: number;
  readonly alarms: readonly string[];
}

async function oneRun(seed: number): Promise<Run> {
  const { port, child } = await startServer("foreign-gateway");
  try {
    const aimed = profile({ origin: `127.0.0.1:${port}` });
    const report = await conform({ ...aimed, seed, level: "full", expectations: false, only: values.only });
    return { verdict: report.verdict, requests: report.summary.requests, alarms: alarmsIn(report) };
  } finally {
    child.kill("SIGKILL");
  }
}

/** The kit and the gateway are one process group. A busy host stops it for 50 ms of each 500 ms. */
async function robbedRun(seed: number): Promise<Run> {
  const flags = ["--one", String(seed), ...values.only.flatMap((one) => ["--only", one])];
  const child = fork(fileURLToPath(import.meta.url), flags, { detached: true });
  const group = -(child.pid ?? Number.NaN);
  const ended = once(child, "exit");
  const told = once(child, "message");
  const over = new AbortController();
  const thief = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await wait(450);
      process.kill(group, "SIGSTOP");
      await wait(50);
      process.kill(group, "SIGCONT");
    }
  };
  // The group is gone when the run has ended.
  const stealing = thief().catch(() => undefined);
  try {
    const said = await Promise.race([told, ended.then(() => undefined)]);
    if (said === undefined) throw new Error(`the run with seed ${seed} ended without a report`);
    return said[0] as Run;
  } finally {
    over.abort();
    await stealing;
  }
}

async function soak(): Promise<number> {
  const loops = Array.from({ length: Number(values.loops) }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  const started = performance.now();
  const [from, runs] = [Number(values.from), Number(values.runs)];
  let [alarmed, requests] = [0, 0];
  try {
    for (let seed = from; seed < from + runs; seed += 1) {
      const run = await robbedRun(seed);
      requests += run.requests;
      if (run.alarms.length > 0 || run.verdict === "NON_CONFORMANT") alarmed += 1;
      const minutes = ((performance.now() - started) / 60_000).toFixed(1);
      const load = os.loadavg()[0]?.toFixed(1) ?? "?";
      process.stdout.write(
        `seed ${seed}: ${run.verdict}, ${run.requests} requests, ${minutes} min, load ${load}\n`,
      );
      for (const alarm of run.alarms) process.stdout.write(`  ${alarm}\n`);
    }
  } finally {
    for (const loop of loops) loop.kill("SIGKILL");
  }
  process.stdout.write(
    `${runs} runs beside ${loops.length} busy loops: ${alarmed} with a finding; ${requests} requests\n`,
  );
  return alarmed;
}

if (values.one !== undefined) {
  const result = await oneRun(Number(values.one));
  process.send?.(result);
  process.disconnect();
} else process.exitCode = (await soak()) === 0 ? 0 : 1;
