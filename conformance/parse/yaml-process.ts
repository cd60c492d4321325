import { type ChildProcess, spawn } from "node:child_process";
import { childProgram, type RawReading, ready } from "./yaml-child.ts";

const startLimitMs = 20_000;
/** Enough for a busy machine; on an idle one our largest file takes half a second. */
const fileLimitMs = 30_000;
/** Files are short, so optimising the parser's code costs more than it saves. */
const childFlags = ["--max-old-space-size=256", "--no-opt"];

interface Job {
  readonly text: string;
  readonly resolve: (reading: RawReading) => void;
}

/**
 * A child process that parses YAML, because a hostile file can abort the process that parses it; a worker thread does
 * not contain that.
 *
 * Invariants: the parent never runs the parser; a file has thirty seconds and 256 MB, then the child is killed and the
 * next files get a new child; the child has an empty environment, so it cannot read a secret; files are read one after
 * the other, in the order of the calls.
 */
export class YamlProcess {
  #child: ChildProcess | undefined;
  #isReady = false;
  /** All files that were sent and have no answer yet: the child is busy with the first. */
  #jobs: readonly Job[] = [];
  #limit: NodeJS.Timeout | undefined;
  readonly #fileLimitMs: number;

  constructor(limitMs = fileLimitMs) {
    this.#fileLimitMs = limitMs;
  }

  read(text: string): Promise<RawReading> {
    return new Promise((resolve) => {
      this.#jobs = [...this.#jobs, { text, resolve }];
      this.#child ??= this.#startChild();
      this.#child.send(text);
      if (this.#jobs.length === 1) this.#waitForAnswer();
    });
  }

  [Symbol.dispose](): void {
    this.#drop();
    const jobs = this.#jobs;
    this.#jobs = [];
    for (const { resolve } of jobs) resolve(failure("the YAML reader was stopped"));
  }

  #startChild(): ChildProcess {
    const child = spawn(process.execPath, [...childFlags, "-e", childProgram()], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: {},
      cwd: process.cwd(),
    });
    // A child that could not start, and one that ended before all files were sent, also emit one of these events.
    child.on("error", () => this.#fail(child));
    child.on("exit", () => this.#fail(child));
    child.on("message", (message) => {
      if (child !== this.#child) return;
      if (message === ready) this.#isReady = true;
      else this.#answer(message as RawReading);
      this.#waitForAnswer();
    });
    // The child does not keep this process alive; while a file is read, the timer of its limit does.
    child.unref();
    child.channel?.unref();
    return child;
  }

  #waitForAnswer(): void {
    this.#stopWaiting();
    if (this.#jobs.length === 0) return;
    const child = this.#child;
    const [tooLong, limitMs] = this.#isReady
      ? [`the file could not be read within ${this.#fileLimitMs / 1000} s`, this.#fileLimitMs]
      : ["the YAML reader did not start", startLimitMs];
    // An answer that came while this process was busy is read before the limit is held against it.
    const limit = setTimeout(
      () => setImmediate(() => this.#limit === limit && this.#fail(child, tooLong)),
      limitMs,
    );
    this.#limit = limit;
  }

  #stopWaiting(): void {
    clearTimeout(this.#limit);
    this.#limit = undefined;
  }

  /** The file in progress has failed; the files after it go to a new child. */
  #fail(child: ChildProcess | undefined, sentence?: string): void {
    if (child !== this.#child) return;
    const message = this.#isReady ? "the file makes the YAML reader fail" : "the YAML reader did not start";
    this.#drop();
    this.#answer(failure(sentence ?? message));
    if (this.#jobs.length === 0) return;
    this.#child = this.#startChild();
    for (const { text } of this.#jobs) this.#child.send(text);
    this.#waitForAnswer();
  }

  #answer(reading: RawReading): void {
    const [first, ...rest] = this.#jobs;
    this.#jobs = rest;
    first?.resolve(reading);
  }

  #drop(): void {
    this.#stopWaiting();
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
    this.#isReady = false;
  }
}

function failure(message: string): RawReading {
  return { problems: [{ at: 0, message }] };
}
