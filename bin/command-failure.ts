import { type ExitCode, exitCodes } from "./exit-codes.ts";

/** What a command throws when it cannot go on: the person reads the message, the script reads the code. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
