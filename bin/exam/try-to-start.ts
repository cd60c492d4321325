/**
 * Starts the client once before anything is graded, until it sends its first request: a command that cannot be started is
 * a mistake of the caller, and not of the client in every situation. This also loads what a situation needs, so that the
 * first one is no slower than the others.
 */

import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { CommandFailure } from "../command-failure.ts";
import { type Examinee, runSituation } from "./run-situation.ts";
import type { Situation, TaskName } from "./situation.ts";
import { first } from "./situations/orders.ts";

const mostLines = 5;

/** `CommandFailure` when it ends before it has sent anything, with a code that says that it failed. */
export async function tryToStart(task: TaskName, examinee: Examinee): Promise<void> {
  const begun = new AbortController();
  const situation: Situation = {
    id: `${task}-start`,
    title: "The client is started",
    task,
    ...(task === "place" || task === "cancel" ? { orders: [first] } : { seconds: 1 }),
    meanwhile: async ({ seen }) => {
      await seen((sent) => sent.length > 0);
      begun.abort();
    },
  };
  const signals = [begun.signal, ...(examinee.signal === undefined ? [] : [examinee.signal])];
  const { end, sent } = await runSituation(situation, { ...examinee, signal: AbortSignal.any(signals) });
  if (sent.length > 0 || end.kind !== "exited" || end.code === 0 || end.code === 3) return;
  const said = end.stderr.trimEnd().split("\n").slice(-mostLines);
  throw new CommandFailure(
    [
      `the client ended with exit code ${end.code} before it sent anything, so nothing was graded. It said:`,
      ...said.map((line) => `  ${kit.printable(line)}`),
      `It was asked for the task ${task}. --client takes its command as a shell does, such as 'python3 client.py'`,
    ].join("\n"),
    exitCodes.usage,
  );
}
