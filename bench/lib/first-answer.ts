/** Measures the time from the start of a program to its first answer with 200. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export interface Start {
  readonly args: readonly string[];
  readonly cwd: string;
  /** The address to ask, from the first line that the program prints: only it knows its port. */
  readonly address: (line: string) => string;
}

/**
 * Nanoseconds until the first 200. A slow machine makes this a large number and nothing else: the wait ends when the
 * program answers or ends, and a program that ends before it answers is an error with its own words.
 */
export async function firstAnswer({ args, cwd, address }: Start): Promise<bigint> {
  const began = process.hrtime.bigint();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], cwd });
  const gone = new AbortController();
  let said = "";
  child.stderr.on("data", (text) => (said += String(text)));
  const ended = once(child, "close").then(([code, signal]): never => {
    gone.abort();
    throw new Error(`${args.join(" ")} ended with ${code ?? signal} before it answered: ${said}`);
  });
  try {
    const url = address(await Promise.race([firstLine(child), ended]));
    await Promise.race([untilAnswered(url, gone.signal), ended]);
    return process.hrtime.bigint() - began;
  } finally {
    // The next start is measured alone: this one has to be gone.
    child.kill("SIGKILL");
    await ended.catch(() => undefined);
  }
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    stdout?.on("data", (chunk) => {
      text += String(chunk);
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
  });
}

async function untilAnswered(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if ((await statusOf(url, signal)) === 200) return;
    await sleep(2);
  }
}

/** Undefined when nothing answers yet. */
function statusOf(url: string, signal: AbortSignal): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = http.get(url, { signal, agent: false }, (response) => {
      response.resume().on("close", () => resolve(response.statusCode));
    });
    request.on("error", () => resolve(undefined));
  });
}
