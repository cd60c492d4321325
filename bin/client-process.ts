/**
 * Runs the program of a client to its end, and ends it where it does not end by itself: after a time limit, and when it
 * prints without end. Everything that it started ends with it: its process group, and on Linux every process that
 * inherited its task or its limit of the size of a file. No file reaches that limit, and a process keeps it when it clears
 * its environment, closes its files or begins a session.
 *
 * Known limits: a process that has changed that limit too, and one that another service has started for it (a container,
 * `at`, `systemd-run`).
 */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { environmentWithoutOurs } from "./environment.ts";

type Stopped = "hung" | "flooded" | "interrupted";

export interface ClientEnd {
  /** It ended itself, was ended by a signal, ran out of time, printed too much, or was not wanted any more. */
  readonly kind: "exited" | "signalled" | Stopped;
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** Processes that were still there when it had ended, and were ended then. */
  readonly leftRunning: number;
}

export interface ClientRun {
  /** For the shell. */
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Part of its environment that no other process has. */
  readonly mark: string;
  readonly limitMs: number;
  /** Ends it at once. */
  readonly signal?: AbortSignal | undefined;
}

/** Of both outputs together. */
export const mostOutput = 1_048_576;

/** Output that is on its way when the program ends still counts. */
const drainMs = 200;

export async function runClient(run: ClientRun): Promise<ClientEnd> {
  const { command, environment, mark, limitMs, signal: wish } = run;
  const begun = performance.now();
  const blocks = randomInt(2 ** 40, 2 ** 41);
  const child = spawn("/bin/sh", ["-c", limited, String(blocks), command], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...environmentWithoutOurs(), ...environment },
  });
  const output = { stdout: "", stderr: "" };
  let stopped: Stopped | undefined;
  const stop = (why: Stopped): void => {
    stopped ??= why;
    endGroup(child.pid);
  };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      if (output.stdout.length + output.stderr.length > mostOutput) stop("flooded");
      else output[name] += text;
    });
  const limit = setTimeout(() => stop("hung"), limitMs);
  const interrupt = (): void => stop("interrupted");
  wish?.addEventListener("abort", interrupt);
  if (wish?.aborted === true) interrupt();
  const closed = new Promise((resolve) => child.once("close", resolve));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once("error", reject).once("exit", (...how) => resolve(how));
  });
  clearTimeout(limit);
  wish?.removeEventListener("abort", interrupt);
  await Promise.race([closed, pause(drainMs)]);
  const leftRunning = await endAll(child.pid, {
    mark,
    limit: new RegExp(`^Max file size +${blocks * 512} `, "m"),
  });
  for (const name of ["stdout", "stderr"] as const) child[name].destroy();
  const kind = stopped ?? (signal === null ? "exited" : "signalled");
  return { kind, code, signal, ...output, durationMs: Math.round(performance.now() - begun), leftRunning };
}

/** The shell keeps its process id. Where a limit cannot be set, it goes on without one. */
const limited = 'ulimit -S -f "$0" 2>/dev/null; exec /bin/sh -c "$1"';

/** What a process inherits from the client. */
interface Marks {
  /** Part of its environment. */
  readonly mark: string;
  /** In its list of limits. */
  readonly limit: RegExp;
}

/** False when nothing of the group is there any more. */
function endGroup(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(-pid, "SIGKILL");
  } catch {
    return false;
  }
}

const mostRounds = 50;

/** The number of processes that were ended. A program that forks while it is being ended takes several rounds. */
async function endAll(pid: number | undefined, marks: Marks): Promise<number> {
  const ended = new Set<number>();
  for (let round = 0; round < mostRounds; round += 1) {
    const found = await marked(marks);
    for (const one of found) ended.add(one);
    const hadGroup = endGroup(pid);
    for (const one of found) endOne(one);
    if (found.length === 0) return Math.max(ended.size, hadGroup ? 1 : 0);
    await pause(5);
  }
  return ended.size;
}

function endOne(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** Where there is no /proc, the process group is all that is known. */
async function marked(marks: Marks): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => ((await holds(pid, marks)) ? [pid] : [])));
  return found.flat();
}

async function holds(pid: number, { mark, limit }: Marks): Promise<boolean> {
  const [environment, limits] = await Promise.all(
    ["environ", "limits"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "")),
  );
  return environment?.includes(mark) === true || (limits !== undefined && limit.test(limits));
}
