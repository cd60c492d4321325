/**
 * The run file of a sandbox, `.gatewright/run-PORT.json` in the folder in which it was started: the ready line and the
 * names of its worlds, for its owner alone. Through it other commands find the sandbox without a copied token.
 *
 * **Invariant.** A folder may come from a stranger, so a file in it is believed only when it is the caller's own, private,
 * and about this machine and the port of its name. What is said of the other files goes to stderr.
 *
 * Known limits: a sandbox that is killed leaves its file. The file is ignored once its process is gone, and the next
 * sandbox on that port replaces it. Without /proc, another process that has got the id of that process counts as it.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import process from "node:process";
import type { ReadyLine } from "../simulator/index.ts";
import { CommandFailure } from "./command-failure.ts";
import { jsonText, tell } from "./screen.ts";
import { isThisMachine } from "./this-machine.ts";

const folderName = ".gatewright";
const names = /^run-(\d{1,5})\.json$/;
/** A run file with a thousand keys has a fifth of it. */
const mostBytes = 1_048_576;

/** Returns the removal of the file. */
export function writeRunFile(ready: ReadyLine, place = process.cwd()): () => void {
  const folder = path.join(place, folderName);
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `run-${new URL(ready.baseUrl).port}.json`);
  // Made anew and put in its place at once: the mode is ours, no link is followed, and no reader finds half of it.
  const fresh = `${file}.${ready.pid}`;
  rmSync(fresh, { force: true });
  const content = { ...ready, worlds: ["main"], started: startOf(ready.pid) };
  writeFileSync(fresh, `${jsonText(content)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(fresh, file);
  return () => {
    if (runIn(file)?.pid === ready.pid) rmSync(file, { force: true });
  };
}

/** The ready file that a command is about. */
export interface ReadyFile {
  readonly file: string;
  /** By a flag or by the environment, and not found in this folder. */
  readonly isNamed: boolean;
}

/**
 * The file of the sandbox that a command is about: `--ready-file`; without it, and without `others`, which name a target
 * in another way, GATEWRIGHT_READY_FILE; then the one sandbox that runs in this folder. Undefined if there is none.
 */
export function findReadyFile(
  flag: string | undefined,
  others: readonly (string | undefined)[],
  place = "",
): ReadyFile | undefined {
  if (flag !== undefined) return { file: flag, isNamed: true };
  if (others.some((other) => other !== undefined)) return undefined;
  const named = process.env["GATEWRIGHT_READY_FILE"] ?? "";
  if (named !== "") return { file: named, isNamed: true };
  const running = runFiles(path.join(place, folderName)).flatMap((file) => {
    const run = runIn(file);
    if (run === undefined || !isAlive(run)) return [];
    const doubt = doubtAbout(file, run);
    if (doubt !== undefined) tell(`gatewright: ${file} is not used: ${doubt}\n`);
    return doubt === undefined ? [{ file, ...run }] : [];
  });
  if (running.length > 1) {
    const list = running.map(({ file, urls }) => `  --ready-file ${file}  ${urls[0] ?? ""}`);
    throw new CommandFailure(
      [`${running.length} sandboxes run in this folder; name one:`, ...list].join("\n"),
    );
  }
  return running[0] === undefined ? undefined : { file: running[0].file, isNamed: false };
}

export const readyFileFor = (...of: Parameters<typeof findReadyFile>): string | undefined =>
  findReadyFile(...of)?.file;

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
  readonly started: string | undefined;
  /** The base address is the first. */
  readonly urls: readonly string[];
  /** Whether nobody else has written it, or can read or replace it. */
  readonly isPrivate: boolean;
}

const addresses = ["baseUrl", "wsUrl", "controlUrl", "consoleUrl"] as const;

/** Undefined if the file is gone or was written by another program. */
function runIn(file: string): Run | undefined {
  let descriptor: number | undefined;
  try {
    // Neither a link nor a pipe: what is read is what lies in the folder. Windows has neither flag.
    descriptor = openSync(
      file,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    const found = fstatSync(descriptor);
    if (!found.isFile() || found.size > mostBytes) return undefined;
    // as: any value is possible, so each member is checked.
    const line = JSON.parse(readFileSync(descriptor, "utf8")) as Readonly<Record<string, unknown>>;
    const { pid, baseUrl, started } = line;
    if (!Number.isSafeInteger(pid) || Number(pid) <= 0 || typeof baseUrl !== "string") return undefined;
    return {
      pid: Number(pid),
      started: typeof started === "string" ? started : undefined,
      urls: addresses.flatMap((name) =>
        line[name] === undefined || line[name] === null ? [] : [String(line[name])],
      ),
      isPrivate: isOurs(found, 0o077) && isOurs(lstatSync(path.dirname(file)), 0o002),
    };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Windows has neither owners nor modes. */
const isOurs = ({ uid, mode }: { readonly uid: number; readonly mode: number }, others: number): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & others) === 0);

/** Why a sandbox that seems to run is not taken for one that the caller has started here. */
function doubtAbout(file: string, { urls, isPrivate }: Run): string | undefined {
  if (!isPrivate) return "it, or its folder, is not yours alone. If it is right, name it with --ready-file";
  const port = String(Number(names.exec(path.basename(file))?.[1]));
  const strange = urls.find((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url === undefined || !isThisMachine(url) || (url.port || "80") !== port;
  });
  if (strange === undefined) return undefined;
  return `${JSON.stringify(strange)} is not port ${port} of this machine. If it is right, name it with --ready-file`;
}

/** The process of the file, and not a later one that has got its id. */
function isAlive({ pid, started }: Run): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user is alive.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return startOf(pid) === started;
}

/** When a process began, in ticks since the start of the machine; undefined if it has ended, and where there is no /proc. */
function startOf(pid: number): string | undefined {
  try {
    // The name of the program stands in brackets and may hold anything; the state and 18 numbers are between it and the start.
    const [state, ...numbers] = (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1) ?? "").split(
      " ",
    );
    return state === "Z" || state === "X" ? undefined : numbers[18];
  } catch {
    return undefined;
  }
}
