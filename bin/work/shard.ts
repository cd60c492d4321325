/** A shard of `conform`, run by a worker that has the profile and the secrets: neither is ever in the database. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import * as kit from "../../conformance/commands.ts";
import { tell } from "../screen.ts";
import { type ShardJob, type ShardResult, shardQueue } from "./jobs.ts";

/** Those who ask and those who work find each other by the bytes of the file. */
export async function queueOfProfile(file: string, version: string): Promise<string> {
  return shardQueue(version, await kit.readBytesCapped("profile", file, kit.mostBytes.small));
}

export async function runShard(job: ShardJob, profile: string, signal: AbortSignal): Promise<ShardResult> {
  const { counterexamples: folder, ...selection } = job;
  const counterexamples: ShardResult["counterexamples"][number][] = [];
  const ledger = kit.newLedgerPath();
  const running = kit.runConformance({
    ...selection,
    profile,
    signal,
    ledger,
    counterexamples: (name, text) => {
      counterexamples.push({ name, text });
      return path.join(folder, name);
    },
  });
  const run = await running.catch((error: unknown) => {
    // The verdict of such a run is in its report, too.
    if (error instanceof kit.UnusableRun) return error.run;
    throw error;
  });
  if (existsSync(ledger))
    tell(`gatewright: orders are left open; to cancel them: gatewright cleanup --ledger ${ledger} …\n`);
  return { report: await reportText(run), counterexamples };
}

/** As it would be in a file, which is looked through for secrets. */
export async function reportText({
  report,
  redactor,
}: Pick<kit.ConformRun, "report" | "redactor">): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "gatewright-"));
  try {
    const file = path.join(folder, "report.json");
    await kit.writeReports([{ format: "json", file }], report, redactor);
    return kit.textIn(await kit.readBytesCapped("report", file, kit.mostBytes.large));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
