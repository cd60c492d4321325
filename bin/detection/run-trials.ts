/** Runs trials in several processes. A trial that takes too long proves nothing: its process is ended, and it is an error. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Trial } from "./catalogue.ts";
import type { TrialResult, TrialSettings } from "./trial.ts";

const worker = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url),
);
/** A venue that answers slowly or shows no amounts takes ten minutes with all properties; a hang has no end. */
const longestMs = 1_200_000;

export interface Running extends TrialSettings {
  readonly jobs: number;
  readonly onResult: (result: TrialResult) => void;
  readonly signal?: AbortSignal;
}

export async function runTrials(
  trials: readonly Trial[],
  { jobs, onResult, signal, ...settings }: Running,
): Promise<TrialResult[]> {
  const waiting = [...trials];
  const results = new Map<string, TrialResult>();
  const lane = async (): Promise<void> => {
    const { run, end } = trialProcess();
    for (let trial = waiting.shift(); trial !== undefined; trial = waiting.shift()) {
      if (signal?.aborted === true) break;
      const result = await run(trial, settings);
      results.set(trial.id, result);
      onResult(result);
    }
    end();
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, lane));
  return trials.flatMap(({ id }) => results.get(id) ?? []);
}

/** Trials one after the other, in one process as long as none is lost with it. */
export function trialProcess(): TrialProcess {
  let child: ChildProcess | undefined;
  return {
    run: async (trial, settings) => {
      const mine = (child ??= fork(worker));
      const result = await inChild(mine, trial, settings);
      if (hasEnded(mine) && child === mine) child = undefined;
      return result;
    },
    end: () => {
      if (child?.connected === true) child.disconnect();
      child = undefined;
    },
  };
}

export interface TrialProcess {
  readonly run: (trial: Trial, settings: TrialSettings) => Promise<TrialResult>;
  /** What it is doing is lost. */
  readonly end: () => void;
}

const hasEnded = ({ killed, exitCode, signalCode }: ChildProcess): boolean =>
  killed || exitCode !== null || signalCode !== null;

const tooLong = `it took longer than ${longestMs / 1000} s`;

/** A trial of which nothing is known. */
export const lostTrial = ({ id, title, violates }: Trial, note: string): TrialResult => ({
  id,
  title,
  expected: violates,
  outcome: "error",
  violated: [],
  warned: [],
  cases: [],
  verdict: "none",
  note,
  durationMs: longestMs,
});

function inChild(child: ChildProcess, trial: Trial, settings: TrialSettings): Promise<TrialResult> {
  return new Promise((resolve) => {
    const done = (result: TrialResult): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(result);
    };
    const timer = setTimeout(() => {
      done(lostTrial(trial, tooLong));
      child.kill("SIGKILL");
    }, longestMs);
    child.once("message", (result) => done(result as TrialResult));
    child.once("exit", (code) => done(lostTrial(trial, `its process ended with ${code}`)));
    child.send({ trial, settings });
  });
}
