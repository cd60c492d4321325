import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { runClient } from "../client-process.ts";

/** How many times as long as the first try a later one may take. */
const laterTries = { times: 3, moreMs: 5000 } as const;

/** A command that ends with 0 while the failure is there: it is given the path of a candidate. */
export class WhileCommand {
  readonly #command: string;
  readonly #signal: AbortSignal;
  readonly #folder: Promise<string>;
  #limitMs: number;
  #isFirst = true;

  constructor(command: string, limitMs: number, signal: AbortSignal) {
    this.#command = command;
    this.#limitMs = limitMs;
    this.#signal = signal;
    this.#folder = mkdtemp(path.join(tmpdir(), "gatewright-shrink-"));
  }

  readonly fails = async (text: string): Promise<boolean> => {
    const file = path.join(await this.#folder, "case.yaml");
    await writeFile(file, text, { mode: 0o600 });
    const { kind, code, durationMs } = await runClient({
      command: this.#command.replaceAll("{}", `'${file.replaceAll("'", "'\\''")}'`),
      environment: { ...ours(), GATEWRIGHT_CASE: file },
      mark: `GATEWRIGHT_CASE=${file}\0`,
      limitMs: this.#limitMs,
      signal: this.#signal,
    });
    if (this.#isFirst)
      this.#limitMs = Math.min(this.#limitMs, durationMs * laterTries.times + laterTries.moreMs);
    this.#isFirst = false;
    return kind === "exited" && code === 0;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(await this.#folder, { recursive: true, force: true });
  }
}

/** The variables that choose a sandbox, which a client would not get. */
const ours = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith("GATEWRIGHT_") && value !== undefined ? [[name, value]] : [],
    ),
  );
