/** Situations of an exam on workers: each worker has the client, and names the command that starts it. */
import * as kit from "../../conformance/commands.ts";
import { runExam, type Turns } from "../exam/exam.ts";
import { taskNames } from "../exam/situation.ts";
import { askWorkers, resultIn } from "./ask.ts";
import { isSituationResult, type SituationJob, type SituationResult, situationQueue } from "./jobs.ts";
import { reportText } from "./shard.ts";

/** Those that nobody has run when the exam is interrupted stay as they are. */
export const spreadSituations =
  (url: string): Turns =>
  async (asked, { command, limitMs, seed, signal = new AbortController().signal }, done) => {
    const running = askWorkers({
      url,
      queue: situationQueue(kit.kitVersion(), command),
      jobs: asked.map(({ id }): SituationJob => ({ situation: id, limitMs, seed })),
      atOnce: asked.length,
      signal,
      workerCommand: "gatewright work --store URL --client COMMAND, with the same command",
      onOutcome: (outcome, index) => {
        const id = asked[index]?.id ?? "";
        const { report } = resultIn(outcome, id, isSituationResult);
        done(kit.situationIn(report, id));
      },
    });
    await running.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  };

export async function runSituationJob(
  { situation, limitMs, seed }: SituationJob,
  command: string,
  signal: AbortSignal,
): Promise<SituationResult> {
  const name = "the client of a worker";
  const options = { command, name, again: "", tasks: taskNames, only: [situation], jobs: 1 };
  return { report: await reportText(await runExam({ ...options, limitMs, seed, signal })) };
}
