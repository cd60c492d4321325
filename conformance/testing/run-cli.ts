import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * The real program as a child process, in its own folder, as in a shell or a CI job. Started in the project's folder.
 */
const launcher = resolve("bin", "gatewright");
export const smallSuite = resolve("conformance", "testing", "scenarios");

export interface CliResult {
  /** The exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliRun {
  readonly child: ChildProcess;
  readonly done: Promise<CliResult>;
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "gatewright-cli-"));
}

export function startCli(
  args: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): CliRun {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => (stdout += String(text)));
  child.stderr.on("data", (text) => (stderr += String(text)));
  const done = new Promise<CliResult>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, done };
}

export function writeProfile(folder: string, lines: readonly string[]): string {
  const file = join(folder, "profile.yaml");
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}
