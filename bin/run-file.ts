/**
 * The run file of a sandbox, `.gatewright/run-PORT.json` in the folder in which it was started: the ready line and the
 * names of its worlds, for its owner alone. Through it other commands find the sandbox without a copied token.
 *
 * Known limit: a sandbox that is killed leaves its file. The file is ignored while no process has its id, and the next
 * sandbox on that port replaces it.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { ReadyLine } from "../simulator/index.ts";
import { CommandFailure } from "./command-failure.ts";
import { jsonText } from "./screen.ts";

const folderName = ".gatewright";
const names = /^run-\d{1,5}\.json$/;

/** Returns the removal of the file. */
export function writeRunFile(ready: ReadyLine, place = process.cwd()): () => void {
  const folder = path.join(place, folderName);
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `run-${new URL(ready.baseUrl).port}.json`);
  // Made anew and put in its place at once: the mode is ours, no link is followed, and no reader finds half of it.
  const fresh = `${file}.${ready.pid}`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${jsonText({ ...ready, worlds: ["main"] })}\n`, { mode: 0o600, flag: "wx" });
  renameSync(fresh, file);
  return () => {
    if (runIn(file)?.pid === ready.pid) rmSync(file, { force: true });
  };
}

/**
 * The file of the sandbox that a command is about: `--ready-file`; without it, and without `others`, which name a target
 * in another way, GATEWRIGHT_READY_FILE; then the one sandbox that runs in this folder. Undefined if there is none.
 */
export function readyFileFor(
  flag: string | undefined,
  others: readonly (string | undefined)[],
  place = "",
): string | undefined {
  if (flag !== undefined || others.some((other) => other !== undefined)) return flag;
  const named = process.env["GATEWRIGHT_READY_FILE"] ?? "";
  if (named !== "") return named;
  const running = runFiles(path.join(place, folderName)).flatMap((file) => {
    const run = runIn(file);
    return run === undefined || !isAlive(run.pid) ? [] : [{ file, ...run }];
  });
  if (running.length > 1) {
    const list = running.map(({ file, baseUrl }) => `  --ready-file ${file}  ${baseUrl}`);
    throw new CommandFailure(
      [`${running.length} sandboxes run in this folder; name one:`, ...list].join("\n"),
    );
  }
  return running[0]?.file;
}

function runFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => names.test(name))
      .sort()
      .map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

interface Run {
  readonly pid: number;
  readonly baseUrl: string;
}

/** Undefined if the file is gone or was written by another program. */
function runIn(file: string): Run | undefined {
  try {
    // as: any value is possible, so each member is checked.
    const { pid, baseUrl } = JSON.parse(readFileSync(file, "utf8")) as Partial<Run>;
    return Number.isSafeInteger(pid) && Number(pid) > 0 && typeof baseUrl === "string"
      ? { pid: Number(pid), baseUrl }
      : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is alive.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
