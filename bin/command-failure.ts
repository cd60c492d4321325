import { type ExitCode, exitCodes } from "../conformance/exit-codes.ts";

/** Thrown by a command that cannot go on: the message is for a person, the code for a script. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Exit codes of what kit and simulator refuse, by the name of the error: neither is loaded to tell (docs/kit.md). */
const codes: Readonly<Record<string, ExitCode>> = {
  UsageError: exitCodes.usage,
  StartFailure: exitCodes.usage,
  OutputUnwritten: exitCodes.internalError,
  SafetyStop: exitCodes.safetyStop,
  TargetUnusable: exitCodes.targetUnusable,
};

/** What a person reads of a failure, and its exit code; undefined for a bug of ours. */
export function failureOf(error: unknown): { readonly said: string; readonly code: ExitCode } | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = error instanceof CommandFailure ? error.exitCode : codes[error.name];
  if (code === undefined) return undefined;
  // Of bad input, with the places in the file.
  return { said: "report" in error ? String(error.report) : error.message, code };
}
