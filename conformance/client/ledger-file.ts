import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  rmSync,
  writeSync,
} from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileReason } from "../model/file-reason.ts";
import { UsageError } from "../model/position.ts";
import { mostBytes, readCapped } from "../parse/read-capped.ts";

/** The folder for ledgers of runs, below the working directory of the command. */
export const ledgerFolder = join(".gatewright", "runs");

/** A unique name; names sort by time. */
export function newLedgerPath(): string {
  const at = new Date().toISOString().replace(/[:.]/g, "-");
  return join(ledgerFolder, `${at}-${randomUUID().slice(0, 8)}.ledger`);
}

export interface LedgerHeader {
  readonly run: string;
  readonly startedAt: string;
  readonly target: string;
  readonly baseUrl: string;
  readonly pid: number;
}

/** One line of a ledger. `n` counts the orders that were sent. Lines have ids and names, never a secret. */
export type LedgerLine =
  | ({ readonly event: "run" } & LedgerHeader)
  | {
      readonly event: "sending";
      readonly n: number;
      readonly role: string;
      readonly product: string;
      readonly clientOrderId: string;
      readonly caseId: string;
      readonly market: boolean;
    }
  | { readonly event: "open"; readonly n: number; readonly id: string; readonly product: string }
  | { readonly event: "nothing"; readonly n: number }
  | { readonly event: "closed"; readonly n: number };

/** Appends to the file, and never follows a link. */
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW;

/**
 * The file behind a ledger: one JSON line per event, appended before the order that it describes is sent
 * (docs/live-safety.md). Only the last line can be incomplete. An existing file is never opened, because it may be the
 * only record of orders that another run left open.
 */
export class LedgerFile {
  readonly path: string;
  readonly #descriptor: number;
  readonly #durable: boolean;

  // biome-ignore lint/style/useConsistentMemberAccessibility: only `create` and `reopen` make one, and a constructor has no other word
  private constructor(path: string, durable: boolean, flags: number) {
    this.path = path;
    this.#durable = durable;
    this.#descriptor = openSync(path, appending | flags, 0o600);
  }

  /** Opens the ledger of another run to append to it; an incomplete last line is cut off. */
  static reopen({ path, wholeBytes }: LedgerReading): LedgerFile {
    let file: LedgerFile;
    try {
      file = new LedgerFile(path, false, 0);
    } catch (error) {
      throw new UsageError(`the ledger ${path} cannot be written: ${fileReason(error)}`);
    }
    ftruncateSync(file.#descriptor, wholeBytes);
    return file;
  }

  /** `durable`: an order is on the disk before it is sent, for targets that outlive this machine. */
  static async create(path: string, header: LedgerHeader, durable: boolean): Promise<LedgerFile> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = new LedgerFile(path, durable, constants.O_CREAT | constants.O_EXCL);
      file.append({ event: "run", ...header });
      return file;
    } catch (error) {
      const isThere = existsSync(path);
      const reason = isThere
        ? "the file or folder already exists; if it is the ledger of an earlier run, gatewright cleanup reads it"
        : fileReason(error);
      throw new UsageError(`the ledger ${path} cannot be created: ${reason}`);
    }
  }

  append(line: LedgerLine): void {
    writeSync(this.#descriptor, `${JSON.stringify(line)}\n`);
    if (this.#durable && line.event === "sending") fdatasyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  remove(): void {
    this.close();
    rmSync(this.path, { force: true });
  }
}

export interface LedgerReading {
  readonly path: string;
  readonly header: LedgerHeader;
  readonly lines: readonly LedgerLine[];
  /** The length up to the end of the last complete line. */
  readonly wholeBytes: number;
}

/** The complete lines of a ledger. */
export async function readLedger(path: string): Promise<LedgerReading> {
  const text = await readCapped("ledger", path, mostBytes.large);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const [first, ...rest] = whole
    .split("\n")
    .slice(0, -1)
    .map((line, index): LedgerLine => {
      try {
        return JSON.parse(line) as LedgerLine;
      } catch {
        throw new UsageError(`${path}:${index + 1} is not a line of a ledger: ${line.slice(0, 80)}`);
      }
    });
  if (first?.event !== "run") throw new UsageError(`${path} is not the ledger of a run`);
  return { path, header: first, lines: rest, wholeBytes: Buffer.byteLength(whole) };
}

/** All ledgers below the state folder, oldest first by the name of the run. */
export async function ledgersIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names
    .filter((name) => name.endsWith(".ledger"))
    .sort()
    .map((name) => join(folder, name));
}
