/** A venue in a process of its own, started as a user starts it, so that it can be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import process from "node:process";
import { launcherPath } from "./checkout.ts";

export interface ServedKey {
  readonly name: string;
  readonly keyId: string;
  readonly secret: string;
  readonly client: string | null;
}

export interface Ready {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly keys: readonly ServedKey[];
  readonly pid: number;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  /** Without one, the flags say where the venue is. */
  readonly db?: string;
  /** Flags in addition to `--json`, `--port 0` and `--db`. */
  readonly flags?: readonly string[];
  /** Another checkout's launcher: how the test is shown a venue that does lose things. */
  readonly launcher?: string;
  /** Program and arguments in front of Node: strace, a shell with limits. */
  readonly under?: readonly string[];
  /** Runs as this user, where that is allowed. */
  readonly user?: number;
}

/** A started process, which may or may not become a venue. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Rejects with the output of the process if it ends before it is ready. */
  readonly ready: Promise<Ready>;
}

export interface ServedVenue {
  readonly ready: Ready;
  readonly ended: Promise<Ended>;
  stderr(): string;
  signal(signal: NodeJS.Signals): void;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<Ended>;
  /** SIGTERM, and waits until it is gone. */
  stop(): Promise<Ended>;
}

/** A failure in between leaves no process behind: `killAllVenues`. */
const running = new Set<ChildProcess>();

export function launch(options: StartOptions): Started & { readonly stderr: () => string } {
  const { db, flags = [], launcher = launcherPath, under = [], user } = options;
  const call = [...under, process.execPath, launcher, "serve", "--json"];
  const [command = process.execPath, ...args] = call;
  const child = spawn(command, [...args, ...withPort(flags), ...(db === undefined ? [] : ["--db", db])], {
    stdio: ["ignore", "pipe", "pipe"],
    // A venue that is killed leaves its run file in the folder in which it was started.
    cwd: tmpdir(),
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  running.add(child);
  let stdout = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => {
      running.delete(child);
      resolve({ code, signal, stdout, stderr });
    });
  });
  const ready = new Promise<Ready>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      // as: the one line that `serve --json` promises.
      if (stdout.endsWith("\n")) resolve(JSON.parse(stdout) as Ready);
    });
    child.once("error", reject);
    child.once("close", () => reject(new Error(`the venue ended before it was ready: ${stderr}`)));
  });
  // A caller that only waits for the end need not handle this.
  ready.catch(() => undefined);
  return { child, ended, ready, stderr: () => stderr };
}

export async function startVenue(options: StartOptions): Promise<ServedVenue> {
  const { child, ended, ready: becoming, stderr } = launch(options);
  const ready = await becoming;
  const signal = (name: NodeJS.Signals): void => {
    // Under strace the child is strace; the ready line has the pid of the venue.
    if (child.exitCode === null && child.signalCode === null) process.kill(ready.pid, name);
  };
  const end = (name: NodeJS.Signals): Promise<Ended> => {
    signal(name);
    return ended;
  };
  return { ready, ended, stderr, signal, kill: () => end("SIGKILL"), stop: () => end("SIGTERM") };
}

export function killAllVenues(): void {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
}

const withPort = (flags: readonly string[]): readonly string[] =>
  flags.includes("--port") ? flags : ["--port", "0", ...flags];
