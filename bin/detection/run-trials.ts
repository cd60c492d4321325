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

export async function runTrials(trials: readonly Trial[], running: Running): Promise<TrialResult[]> {
  const waiting = [...trials];
  const results = new Map<string, TrialResult>();
  const lane = async (): Promise<void> => {
    let child: ChildProcess | undefined;
    for (let trial = waiting.shift(); trial !== undefined; trial = waiting.shift()) {
      if (running.signal?.aborted === true) break;
      child ??= fork(worker);
      const result = await inChild(child, trial, running);
      if (hasEnded(child)) child = undefined;
      results.set(trial.id, result);
      running.onResult(result);
    }
    child?.disconnect();
  };
  await Promise.all(Array.from({ length: Math.max(1, running.jobs) }, lane));
  return trials.flatMap(({ id }) => results.get(id) ?? []);
}

const hasEnded = ({ killed, exitCode, signalCode }: ChildProcess): boolean =>
  killed || exitCode !== null || signalCode !== null;

const tooLong = `it took longer than ${longestMs / 1000} s`;

function inChild(
  child: ChildProcess,
  trial: Trial,
  { jobs: _, onResult: __, signal: ___, ...settings }: Running,
): Promise<TrialResult> {
  const lost = (note: string): TrialResult => ({
    id: trial.id,
    title: trial.title,
    expected: trial.violates,
    outcome: "error",
    violated: [],
    warned: [],
    cases: [],
    verdict: "none",
    note,
    durationMs: longestMs,
  });
  return new Promise((resolve) => {
    const done = (result: TrialResult): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(result);
    };
    const timer = setTimeout(() => {
      done(lost(tooLong));
      child.kill("SIGKILL");
    }, longestMs);
    child.once("message", (result) => done(result as TrialResult));
    child.once("exit", (code) => done(lost(`its process ended with ${code}`)));
    child.send({ trial, settings });
  });
}
