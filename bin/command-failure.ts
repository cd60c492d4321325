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
