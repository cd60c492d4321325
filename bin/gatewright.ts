import { Command, CommanderError, Help, type Option } from "@commander-js/extra-typings";
import { type ExitCode, exitCodes } from "../conformance/exit-codes.ts";
import { failureOf } from "./command-failure.ts";
import { type CommandEntry, commands } from "./commands.ts";
import { examplesOf } from "./examples.ts";
import { hangingLines, show, tell } from "./screen.ts";

/**
 * Runs the program and says with which code the process should end. `argv` is that of the process, program included.
 * A command that goes on in the background (a server) has started when this returns.
 */
export async function main(
  argv: readonly string[],
  version: string,
  entries: readonly CommandEntry[] = commands,
): Promise<number> {
  // Only once, however often a process calls this: a listener for each call would be a warning of Node at the eleventh.
  process.stdout.off("error", endQuietly).on("error", endQuietly);
  // The code is that of this call, and not of one before it in the same process.
  process.exitCode = undefined;
  try {
    const program = await buildProgram(argv.slice(2), version, entries);
    await program.parseAsync(askedOf(argv, entries));
    return Number(process.exitCode ?? exitCodes.ok);
  } catch (error) {
    return explain(error);
  }
}

/** Help on a command that does not exist is refused as the command is. */
function askedOf(argv: readonly string[], entries: readonly CommandEntry[]): readonly string[] {
  const chosen = chosenName(argv.slice(2));
  if (chosen === undefined || entries.some(({ name }) => name === chosen)) return argv;
  return argv.filter((word) => word !== "--help" && word !== "-h");
}

/** Only the command that will run is loaded; the others are known by name, for the help text and for suggestions. */
export async function buildProgram(
  args: readonly string[],
  version: string,
  entries: readonly CommandEntry[] = commands,
): Promise<Command> {
  const program = new Command("gatewright")
    .description("A local exchange simulator and a conformance test kit for the Order Trading Gateway.")
    .version(version)
    .configureHelp({ optionDescription })
    .showSuggestionAfterError()
    .showHelpAfterError("(add --help for the flags)")
    .configureOutput({ writeOut: show, writeErr: tell })
    .addHelpText(
      "after",
      "\nGuide: /__gatewright/guide of a running sandbox, or docs/README.md of the package.",
    )
    .exitOverride();
  const chosen = chosenName(args);
  for (const { name, summary, load } of entries) {
    if (name === chosen) {
      (await load()).register(program);
      program.commands.find((one) => one.name() === name)?.addHelpText("after", examplesOf(name));
    } else program.command(name).summary(summary).description(summary);
  }
  return program;
}

/** An empty list is not worth showing as a default. */
function optionDescription(option: Option): string {
  const shown = new Help().optionDescription(option);
  return shown.replace(/ \(default: \[\]\)$/, "");
}

/** The program itself has no flag that takes a value, so the first word is the command: `help serve` means serve. */
function chosenName(args: readonly string[]): string | undefined {
  const words = args.filter((arg) => !arg.startsWith("-"));
  return words[0] === "help" ? words[1] : words[0];
}

/** What is left of `npm start --port 0`. */
const lostByNpm = new Set(["commander.excessArguments", "commander.unknownOption"]);

function explain(error: unknown): ExitCode {
  if (error instanceof CommanderError) {
    if (process.env["npm_lifecycle_event"] === "start" && lostByNpm.has(error.code))
      tell("gatewright: npm keeps flags for itself; write them after two dashes: npm start -- --port 0\n");
    // Commander has already written its message. Help that was asked for is no error; help instead of a command is.
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  }
  const failure = failureOf(error);
  if (failure !== undefined) {
    tell(`gatewright: ${hangingLines(failure.said)}\n`);
    return failure.code;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  tell(`gatewright: this is a bug in gatewright, not in your input.\n  ${hangingLines(detail)}\n`);
  return exitCodes.internalError;
}

/** `gatewright list | head` closes our output early; that is no error. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit(process.exitCode ?? exitCodes.ok);
}
