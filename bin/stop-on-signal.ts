import { type ExitCode, exitCodes } from "../conformance/exit-codes.ts";
import { CommandFailure } from "./command-failure.ts";
import { tell } from "./screen.ts";

/**
 * The first SIGINT or SIGTERM asks for an orderly end: current requests are finished, orders cancelled, a report written.
 * The second ends the process at once; the ledger on the disk then has the orders that are left.
 */
export class StopOnSignal {
  readonly #abort = new AbortController();
  #code: ExitCode | undefined;

  readonly #meanwhile: string;

  /** `meanwhile` is called between the signal and the end. */
  constructor(meanwhile = "orders of this run are being cancelled") {
    this.#meanwhile = meanwhile;
    process.on("SIGINT", this.#stop).on("SIGTERM", this.#stop);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** A run that was stopped before there was anything to report failed for no other reason than that. */
  orRethrow(error: unknown, sentence = "interrupted before the first case"): never {
    if (this.#code === undefined) throw error;
    throw new CommandFailure(sentence, this.#code);
  }

  [Symbol.dispose](): void {
    process.off("SIGINT", this.#stop).off("SIGTERM", this.#stop);
  }

  readonly #stop = (name: NodeJS.Signals): void => {
    const code = name === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated;
    if (this.#code !== undefined) process.exit(code);
    this.#code = code;
    tell(`gatewright: stopping; ${this.#meanwhile} (a second signal stops at once)\n`);
    this.#abort.abort(name);
  };
}
