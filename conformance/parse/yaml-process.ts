import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { childProgram, type RawReading } from "./yaml-child.ts";

const startLimitMs = 20_000;
const fileLimitMs = 10_000;
/** Files are short: code that is optimised for one has cost more than it can save before the file is read. */
export const childFlags = ["--max-old-space-size=256", "--no-opt"] as const;

/**
 * A child process that parses YAML, because a hostile file can abort the process that parses it; a
 * worker thread does not contain that. Invariants: the parent never runs the parser; one file has ten seconds
 * and 256 MB, then the child is killed and the next file gets a new one; the child has an empty environment, so
 * no secret can be read from it; files are read one after the other.
 */
export class YamlProcess {
  readonly #library: string | undefined;
  #child: Child | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  /** `library` is what the child requires instead of the package. */
  constructor(library?: string) {
    this.#library = library;
  }

  /** The first file starts the child, too; who starts it before has it load while there is other work to do. */
  start(): void {
    this.#child ??= startChild(this.#library);
  }

  read(text: string): Promise<RawReading> {
    const reading = this.#queue.then(() => this.#readNow(text));
    this.#queue = reading.catch(() => undefined);
    return reading;
  }

  [Symbol.dispose](): void {
    this.#drop();
  }

  async #readNow(text: string): Promise<RawReading> {
    this.#child ??= startChild(this.#library);
    const { process: child, ready } = this.#child;
    if (!(await ready) || !child.connected) {
      this.#drop();
      return failure("the YAML reader did not start");
    }
    child.send(text);
    const answer = await answerOf(child, fileLimitMs);
    if (answer.kind === "message") return answer.value as RawReading;
    this.#drop();
    return failure(
      answer.kind === "timeout"
        ? `the file could not be read within ${fileLimitMs / 1000} s`
        : "the file makes the YAML reader fail",
    );
  }

  #drop(): void {
    this.#child?.process.kill("SIGKILL");
    this.#child = undefined;
  }
}

interface Child {
  readonly process: ChildProcess;
  readonly ready: Promise<boolean>;
}

function startChild(library: string | undefined): Child {
  const child = spawn(process.execPath, [...childFlags, "-e", childProgram(library)], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: {},
    cwd: process.cwd(),
  });
  child.on("error", () => undefined);
  const ready = answerOf(child, startLimitMs).then(({ kind }) => kind === "message");
  // Only a file that is being read keeps us from ending, by the timer of its limit.
  child.unref();
  child.channel?.unref();
  return { process: child, ready };
}

type Answer = { readonly kind: "message"; readonly value: unknown } | { readonly kind: "exit" | "timeout" };

async function answerOf(child: ChildProcess, limitMs: number): Promise<Answer> {
  const abort = new AbortController();
  const { signal } = abort;
  const timer = setTimeout(() => abort.abort("timeout"), limitMs);
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([value]): Answer => ({ kind: "message", value })),
      once(child, "exit", { signal }).then((): Answer => ({ kind: "exit" })),
    ]);
  } catch {
    return { kind: signal.aborted ? "timeout" : "exit" };
  } finally {
    clearTimeout(timer);
    abort.abort("settled");
  }
}

function failure(message: string): RawReading {
  return { problems: [{ at: 0, message }] };
}
