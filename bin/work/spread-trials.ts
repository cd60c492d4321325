/** Trials of the detection matrix on workers: each gives the result that it would have given here. */
import * as kit from "../../conformance/commands.ts";
import type { Trial } from "../detection/catalogue.ts";
import { lostTrial, type Running } from "../detection/run-trials.ts";
import type { TrialResult } from "../detection/trial.ts";
import { askWorkers } from "./ask.ts";
import { isTrialResult, type Outcome, type TrialJob, trialQueue } from "./jobs.ts";

export interface Spread {
  readonly results: readonly TrialResult[];
  /** How many were under way at once, at most. */
  readonly jobs: number;
}

export async function spreadTrials(
  url: string,
  trials: readonly Trial[],
  { onResult, signal, ...settings }: Omit<Running, "jobs"> & { readonly signal: AbortSignal },
): Promise<Spread> {
  const results = new Map<string, TrialResult>();
  const jobs = await askWorkers({
    url,
    queue: trialQueue(kit.kitVersion()),
    jobs: trials.map((trial): TrialJob => ({ trial, settings })),
    atOnce: trials.length,
    signal,
    workerCommand: "gatewright work --store URL",
    onOutcome: (outcome, index) => {
      const trial = trials[index];
      if (trial === undefined) return;
      const result = resultIn(outcome, trial);
      results.set(trial.id, result);
      onResult(result);
    },
  });
  return { results: trials.flatMap(({ id }) => results.get(id) ?? []), jobs };
}

function resultIn({ worker, value, problem }: Outcome, trial: Trial): TrialResult {
  const result: unknown = JSON.parse(value ?? "null");
  if (isTrialResult(result) && result.id === trial.id) return result;
  return lostTrial(trial, `${worker}: ${problem ?? "its result has another form"}`);
}
