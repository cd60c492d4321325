/** Runs `child.ts`. Node 20 does not read TypeScript, so it is compiled into a scratch folder first. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const root = path.resolve(import.meta.dirname, "../../..");
const nobody = 65_534;

/** Started and not killed yet: a test that fails in between leaves none behind. */
const running = new Set<ChildProcess>();

export interface ChildResult {
  readonly status: number | null;
  readonly signal: string | null;
  /** Its output, one JSON value a line. */
  readonly said: readonly unknown[];
  readonly stderr: string;
}

/** Compiles the child and returns the path of its program. */
export function buildChild(scratch: string): string {
  const out = path.join(scratch, "child");
  mkdirSync(out);
  writeFileSync(path.join(out, "package.json"), '{"type":"module"}');
  symlinkSync(path.join(root, "node_modules"), path.join(out, "node_modules"), "junction");
  const options =
    "--ignoreConfig --module nodenext --target es2023 --types node --skipLibCheck " +
    "--allowImportingTsExtensions " +
    "--rewriteRelativeImportExtensions --noCheck";
  execFileSync(
    process.execPath,
    [
      path.join(root, "node_modules/typescript/bin/tsc"),
      ...options.split(" "),
      "--rootDir",
      path.join(root, "simulator"),
      "--outDir",
      out,
      path.join(root, "simulator/store/testing/child.ts"),
    ],
    { cwd: root },
  );
  chmodSync(scratch, 0o755);
  return path.join(out, "store/testing/child.js");
}

/** Runs to the end. `command` replaces the plain call of Node, for limits that only a shell can set. */
export function runChild(
  program: string,
  mode: string,
  file: string,
  options: { unprivileged?: boolean; shell?: string } = {},
): ChildResult {
  const call = [process.execPath, program, mode, file];
  const [command = "", ...args] =
    options.shell === undefined ? call : ["sh", "-c", `${options.shell}; exec "$0" "$@"`, ...call];
  // Root may write to what is read-only, so such a test takes another user's place.
  const isRoot = process.getuid?.() === 0;
  const user = options.unprivileged === true && isRoot ? { uid: nobody, gid: nobody } : {};
  const { status, signal, stdout, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    timeout: 60_000,
    ...user,
  });
  return { status, signal, said: parse(stdout), stderr };
}

/** Starts one and returns when it has opened the file. */
export async function startChild(
  program: string,
  mode: string,
  file: string,
): Promise<{ child: ChildProcess; output: () => readonly unknown[] }> {
  const child = spawn(process.execPath, [program, mode, file], { stdio: ["pipe", "pipe", "inherit"] });
  running.add(child);
  let text = "";
  child.stdout?.setEncoding("utf8");
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve();
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`the child ended early: ${text}`)));
  });
  return { child, output: () => parse(text) };
}

export async function killChild(child: ChildProcess): Promise<void> {
  // "close" comes after the last of its output was read.
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGKILL");
  await ended;
  running.delete(child);
}

export async function killAll(): Promise<void> {
  await Promise.all(
    [...running]
      .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      .map(killChild),
  );
}

/** A line that the kill cut off was not acknowledged. */
const parse = (text: string): readonly unknown[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
