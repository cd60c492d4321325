import { exitCodes } from "../conformance/exit-codes.ts";
import { CommandFailure } from "./command-failure.ts";

type Kit = typeof import("../conformance/commands.ts");

/** Runs a command of the kit and turns what it refuses into a sentence and an exit code (docs/kit.md). */
export async function withKit(run: (kit: Kit) => Promise<void>): Promise<void> {
  const kit = await import("../conformance/commands.ts");
  try {
    await run(kit);
  } catch (error) {
    throw failureOf(error, kit);
  }
}

function failureOf(error: unknown, kit: Kit): unknown {
  if (error instanceof kit.UsageError) {
    const problems = error.problems.map(kit.renderProblem);
    return new CommandFailure([error.message, ...problems].join("\n"), exitCodes.usage);
  }
  if (error instanceof kit.OutputUnwritten) return new CommandFailure(error.message, exitCodes.internalError);
  if (error instanceof kit.SafetyStop) return new CommandFailure(error.message, exitCodes.safetyStop);
  if (error instanceof kit.TargetUnusable) return new CommandFailure(error.message, exitCodes.targetUnusable);
  return error;
}

/** The secret named on the command line: only ever the name of a variable, because arguments are public. */
export function secretFrom(variable: string): string {
  const secret = process.env[variable];
  if (secret === undefined || secret === "")
    throw new CommandFailure(
      `the environment variable ${variable} is ${secret === "" ? "set, and empty" : "not set"}`,
    );
  return secret;
}

export function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}
