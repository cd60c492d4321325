/** A process of its own for trials, one after the other: `process.send` brings the result of each. */
import process from "node:process";
import type { Trial } from "./catalogue.ts";
import { runTrial, type TrialSettings } from "./trial.ts";

export interface Job {
  readonly trial: Trial;
  readonly settings: TrialSettings;
}

// The parent is gone, so the rest is not needed.
process.on("disconnect", () => process.exit());
process.on("message", (job: Job) => {
  runTrial(job.trial, job.settings).then(
    (result) => void (process.connected && process.send?.(result)),
    (error: unknown) => {
      process.stderr.write(`${job.trial.id}: ${String(error)}\n`);
      process.exit(1);
    },
  );
});
