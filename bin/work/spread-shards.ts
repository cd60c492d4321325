/** The shards of a run on workers, merged into the run that they are parts of. */
import { randomInt } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import * as kit from "../../conformance/commands.ts";
import { askWorkers, resultIn } from "./ask.ts";
import { isShardResult, type ShardJob, type ShardResult } from "./jobs.ts";
import { queueOfProfile } from "./shard.ts";

export interface SpreadRun extends Omit<ShardJob, "shard" | "seed"> {
  readonly url: string;
  readonly profile: string;
  readonly seed: number | undefined;
  readonly shards: number;
  /** How many of them may meet at the target. */
  readonly atOnce: number;
  readonly signal: AbortSignal;
}

export async function spreadShards(run: SpreadRun) {
  const { url, profile, shards, atOnce, signal, seed = randomInt(1, 2 ** 31), ...rest } = run;
  const results: ShardResult[] = [];
  await askWorkers({
    url,
    queue: await queueOfProfile(profile, kit.kitVersion()),
    jobs: Array.from(
      { length: shards },
      (_, index): ShardJob => ({ ...rest, seed, shard: { index: index + 1, count: shards } }),
    ),
    atOnce,
    signal,
    workerCommand: `gatewright work --store URL --profile ${profile}, with the same profile`,
    onOutcome: (outcome, index) =>
      results.push(resultIn(outcome, `shard ${index + 1}/${shards}`, isShardResult)),
  });
  for (const { name, text } of results.flatMap(({ counterexamples }) => counterexamples))
    await kit.writeOutput(path.join(run.counterexamples, name), text);
  return merged(results);
}

async function merged(results: readonly ShardResult[]) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "gatewright-"));
  try {
    const files = results.map((_, index) => path.join(folder, `${index}.json`));
    for (const [index, { report }] of results.entries()) await writeFile(files[index] ?? "", report);
    return await kit.mergeReportFiles(files);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
