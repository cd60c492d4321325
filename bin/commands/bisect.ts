/** `gatewright bisect -- COMMAND`: the smallest part of hostile behaviour that breaks a client. */
import { availableParallelism } from "node:os";
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import type { Bisected } from "../bisect/bisect.ts";
import { CommandFailure } from "../command-failure.ts";
import { type FlagsOf, wholeNumber } from "../flag-values.ts";
import { programName } from "../program-name.ts";
import { jsonText, show, tell } from "../screen.ts";
import { StopOnSignal } from "../stop-on-signal.ts";

const declare = (program: Command) =>
  program
    .command("bisect")
    .description(
      "Run a client against hostile worlds until it fails, and find the least that breaks it. The client gets GATEWRIGHT_BASE_URL, _WS_URL, _KEY_ID and _SECRET, and ends with another code than 0 when it fails.",
    )
    .argument("[command...]", "the command that runs the client once, after --")
    .option("--runs <number>", "seeds to try", wholeNumber(1, 999_999_999), 40)
    .option("--seed <number>", "the first of them", wholeNumber(1, 999_999_999), 1)
    .option(
      "--time-limit <seconds>",
      "time that one run may take; a longer one has failed",
      wholeNumber(1, 999_999_999),
      30,
    )
    .option(
      "--jobs <number>",
      "runs at once while a seed is looked for",
      wholeNumber(1, 999_999_999),
      jobsByDefault(),
    )
    .option("--out <file>", "write the world that breaks the client")
    .option("--json", "print the result as one line of JSON");

export const register = (program: Command): void => void declare(program).action(run);

type Flags = FlagsOf<typeof declare>;

async function run(words: readonly string[], flags: Flags): Promise<void> {
  const { runs, seed, timeLimit, jobs, out, json } = flags;
  const command = words.length === 1 ? (words[0] ?? "") : words.map(quoted).join(" ");
  if (out !== undefined) await kit.checkOutput("--out", out);
  if (command.trim() === "")
    throw new CommandFailure(
      "the command is missing: gatewright bisect -- node my-client.js",
      exitCodes.usage,
    );
  const { bisect } = await import("../bisect/bisect.ts");
  const { worldText } = await import("../bisect/found-world.ts");
  using stop = new StopOnSignal("the client under way is being ended");
  const found = await bisect({
    command,
    runs,
    seed,
    limitMs: timeLimit * 1000,
    jobs,
    signal: stop.signal,
    onProgress: (line) => tell(`${line}\n`),
  });
  const world = found.points.length === 0 ? undefined : worldText(found.points, kit.printable(command));
  if (out !== undefined && world !== undefined) await kit.writeOutput(out, world);
  const output = lastOutput(found);
  if (json === true) show(`${jsonText({ ...found, end: undefined, output, world })}\n`);
  else show(resultText(found, { world, output, out }));
  process.exitCode = codes[found.kind];
}

const codes: Readonly<Record<Bisected["kind"], number>> = {
  broken: exitCodes.nonConformant,
  unsteady: exitCodes.nonConformant,
  sturdy: exitCodes.ok,
  "broken-anyway": exitCodes.usage,
  interrupted: exitCodes.interrupted,
};

interface Shown {
  readonly world: string | undefined;
  /** The output of the client in the last run that failed. */
  readonly output: string;
  readonly out: string | undefined;
}

function resultText(found: Bisected, { world, output, out }: Shown): string {
  const spent = `${found.runs} runs, ${(found.durationMs / 1000).toFixed(1)} s`;
  const printed = output === "" ? "" : `What it printed when it failed:\n${output}\n`;
  const held = world === undefined ? "" : `\n${world}`;
  switch (found.kind) {
    case "sturdy":
      return `Nothing broke it: ${spent}.\n`;
    case "broken-anyway":
      return `It fails in the demo world as it is, so there is nothing to bisect. Make it end with 0 there first.\n${printed}`;
    case "unsteady":
      return `It failed, and did not fail again with the same: it depends on something that is not in the world. ${spent}.\n${held}${printed}`;
    case "interrupted":
      return `Interrupted; this is the best so far. ${spent}.\n${held}`;
    case "broken":
      return `${found.points.length} of ${found.activated} points break it: ${spent}.\n${held}\n${printed}${nextSteps(out)}`;
  }
}

/** In memory: the database of this folder belongs to another world. */
export function nextSteps(out: string | undefined): string {
  const program = programName();
  const save = out === undefined ? "save these lines as found.yaml, then " : "";
  return `\nTo see it happen: ${save}${program} serve --db :memory: --world ${quoted(out ?? "found.yaml")}, run the client, then ${program} tail and ${program} why.\n`;
}

const mostShown = 2000;

function lastOutput({ end }: Bisected): string {
  if (end === undefined) return "";
  const how = end.kind === "hung" ? "(it ran into the time limit)" : "";
  const printed = [end.stdout, end.stderr, how].map((text) => text.trim()).filter((text) => text !== "");
  return printed
    .join("\n")
    .slice(-mostShown)
    .split("\n")
    .map((line) => kit.printable(line))
    .join("\n");
}

/** For the shell. */
const quoted = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const jobsByDefault = (): number => Math.min(availableParallelism(), 4);
