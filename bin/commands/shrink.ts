/** `gatewright shrink FILE`: the least of a scenario or a recording in which the failure is still there. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { CommandFailure } from "../command-failure.ts";
import { collect, type FlagsOf, wholeNumber } from "../flag-values.ts";
import { show, tell } from "../screen.ts";

import { StopOnSignal } from "../stop-on-signal.ts";
import { withTargetFlags } from "../target-flags.ts";

type Shrunk = Awaited<ReturnType<(typeof kit)["shrinkFile"]>>;

const declare = (program: Command) =>
  withTargetFlags(
    program
      .command("shrink")
      .description(
        "Reduce a scenario or a recording to the least that still fails. Without a target, each try gets a new simulator.",
      )
      .argument("<file>", "a scenario, or any file that `gatewright export` reads"),
  )
    .requiredOption("--out <file>", "the scenario that is left; its name becomes the id")
    .option("--while <command>", "for the shell: ends with 0 while the failure is there; {} is the scenario")
    .option("--violates <clause>", "the failure is that this clause is violated")
    .option("--differs", "the failure is an answer that is not as the file expects")
    .option(
      "--defect <id>",
      "the built-in bug of the new simulators, such as M-041 (repeatable)",
      collect,
      [],
    )
    .option("--world <file>", "the world of the new simulators; default: the demo world")
    .option("--tries <number>", "tries at most", wholeNumber(1, 999_999_999), 2000)
    .option("--time-limit <seconds>", "time at most", wholeNumber(1, 999_999_999), 300);

export const register = (program: Command): void => void declare(program).action(shrink);

type Flags = FlagsOf<typeof declare>;

async function shrink(file: string, flags: Flags): Promise<void> {
  const { out, tries: mostTries, timeLimit, violates, differs } = flags;
  await kit.checkOutput("--out", out);
  const said = [flags.while, violates, differs].filter((one) => one !== undefined).length;
  if (said !== 1)
    throw new CommandFailure("say what the failure is with one of --while, --violates and --differs");
  using stop = new StopOnSignal("what is under way is being ended, and the best so far written");
  const limitMs = timeLimit * 1000;
  const { WhileCommand } = await import("../shrink/while-command.ts");
  const { questionOf } = await import("../shrink/targets.ts");
  await using command =
    flags.while === undefined ? undefined : new WhileCommand(flags.while, limitMs, stop.signal);
  const shrunk = await kit.shrinkFile({
    file,
    out,
    question: command === undefined ? await questionOf(flags) : { kind: "command", fails: command.fails },
    mostTries,
    limitMs,
    signal: stop.signal,
    onProgress: (line) => tell(`${line}\n`),
  });
  for (const remark of shrunk.remarks) tell(`gatewright shrink: ${kit.printable(remark)}\n`);
  if (shrunk.text !== "") await kit.writeOutput(out, shrunk.text);
  show(`${kit.printable(resultText(shrunk, { out, isStopped: stop.signal.aborted }))}\n`);
  process.exitCode = stop.signal.aborted
    ? exitCodes.interrupted
    : shrunk.kind === "absent" || shrunk.kind === "unsteady"
      ? exitCodes.nonConformant
      : exitCodes.ok;
}

interface Shown {
  readonly out: string;
  readonly isStopped: boolean;
}

function resultText(shrunk: Shrunk, { out, isStopped }: Shown): string {
  const { kind, steps, stepsAtFirst, tries, durationMs, passesClean, sentence } = shrunk;
  const spent = `${kit.counted(tries, "try", "tries")}, ${(durationMs / 1000).toFixed(1)} s`;
  if (kind === "absent")
    return isStopped
      ? "Interrupted before the failure was seen; nothing is written."
      : `The failure is not there, so there is nothing to reduce. ${sentence}`;
  const left = `${out} has ${steps} of ${kit.counted(stepsAtFirst, "step")}: ${spent}.`;
  if (kind === "unsteady") return `It failed, and did not fail again with the same. ${left}`;
  const clean = passesClean ? " It passes on a simulator without the bug." : "";
  if (isStopped) return `Interrupted; this is the best so far. ${left}${clean}`;
  return `${kind === "stopped" ? "The tries or the time are used up; this is the best so far. " : ""}${left}${clean}`;
}
