/**
 * `npm run soak:nodes -- --runs 20 --level full`: the kit against a gateway of three nodes, whose connections go to one after
 * the other. With `--follow` all go to one more node, which follows the world of another. With `--kill` the node that serves
 * is killed every ten seconds: what is indeterminate then is counted, and no required clause may be violated. Ends with 1 if a
 * run was not as wanted.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { launcherPath } from "../crash/checkout.ts";
import { Cluster } from "./cluster.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    from: { type: "string", default: "1" },
    level: { type: "string", default: "full" },
    kill: { type: "boolean", default: false },
    follow: { type: "boolean", default: false },
  },
});
const killEveryMs = 10_000;
const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-nodes-"));
const names = ["a", "b", "c"];

interface Outcome {
  readonly verdict: string;
  readonly summary: { readonly cases: Readonly<Record<string, number>> };
  readonly clauses: readonly { readonly id: string; readonly level: string; readonly outcome: string }[];
}

async function run(seed: number): Promise<boolean> {
  const cluster = await Cluster.start(names);
  try {
    const ready = path.join(folder, "ready.json");
    const report = path.join(folder, `report-${seed}.json`);
    const follower = values.follow ? await cluster.add("d", ["--follow", "main"]) : undefined;
    writeFileSync(ready, JSON.stringify(follower?.ready ?? (await cluster.balanced())));
    const flags = ["--ready-file", ready, "--seed", String(seed), "--level", values.level];
    const kit = spawn(process.execPath, [launcherPath, "conform", ...flags, "--report", `json=${report}`], {
      stdio: "ignore",
      cwd: folder,
    });
    underWay = kit;
    const ended = once(kit, "exit");
    let kills = 0;
    const killing = new AbortController();
    const killer = async (): Promise<void> => {
      for (; ; kills += 1) {
        await sleep(killEveryMs, undefined, { signal: killing.signal });
        await cluster.replace(names[kills % names.length] ?? "a");
      }
    };
    const killed = values.kill ? killer().catch(() => undefined) : Promise.resolve();
    await ended;
    killing.abort();
    await killed;
    const { verdict, summary, clauses } = JSON.parse(readFileSync(report, "utf8")) as Outcome;
    const violated = clauses.filter(({ outcome }) => outcome === "violated").map(({ id }) => id);
    const { passed = 0, failed = 0, warned = 0, blocked = 0 } = summary.cases;
    process.stdout.write(
      `seed ${seed}: ${verdict}, ${passed} passed, ${failed} failed, ${warned} warned, ${blocked} blocked, ${kills} kills${violated.length > 0 ? `, violated ${violated.join(", ")}` : ""}\n`,
    );
    return values.kill ? violated.length === 0 : verdict === "CONFORMANT";
  } finally {
    await cluster.close();
  }
}

// The run that is under way ends, and with it its nodes and their server.
let underWay: ChildProcess | undefined;
let isInterrupted = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    isInterrupted = true;
    underWay?.kill(signal);
  });

const [from, runs] = [Number(values.from), Number(values.runs)];
let wrong = 0;
for (let seed = from; seed < from + runs && !isInterrupted; seed += 1) if (!(await run(seed))) wrong += 1;
process.stdout.write(isInterrupted ? "interrupted\n" : `${runs} runs: ${wrong} not as wanted\n`);
rmSync(folder, { recursive: true, force: true });
process.exitCode = isInterrupted ? 130 : wrong === 0 ? 0 : 1;
