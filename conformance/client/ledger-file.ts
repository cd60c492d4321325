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

/** Where runs keep their ledgers, below the folder that the command is started in. */
export const ledgerFolder = join(".gatewright", "runs");

/** A name that no other run has, so that names sort by time. */
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

/** One line of a ledger. `n` counts the orders that were sent; ids and names only, never a secret. */
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

/** At its end, and never through a link. */
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW;

/**
 * The file behind a ledger: one JSON line an event, appended before the order it is about leaves (docs/live-safety.md).
 * A line is complete or it is the last one. A file that exists is never opened: it may be all that is known of orders
 * that somebody left.
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

  /** To write on what another run left; the line that it was killed in is cut off. */
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

  /** `durable`: an order is on the disk itself before it leaves, for targets that outlive this machine. */
  static async create(path: string, header: LedgerHeader, durable: boolean): Promise<LedgerFile> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = new LedgerFile(path, durable, constants.O_CREAT | constants.O_EXCL);
      file.append({ event: "run", ...header });
      return file;
    } catch (error) {
      const isThere = existsSync(path);
      const reason = isThere
        ? "there is such a file or folder already; if it is the ledger of an earlier run, gatewright cleanup reads it"
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
  /** Up to the end of the last whole line. */
  readonly wholeBytes: number;
}

/** What a run wrote, up to the line that it was killed in. */
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
        throw new UsageError(`${path}:${index + 1} is no line of a ledger: ${line.slice(0, 80)}`);
      }
    });
  if (first?.event !== "run") throw new UsageError(`${path} is not the ledger of a run`);
  return { path, header: first, lines: rest, wholeBytes: Buffer.byteLength(whole) };
}

/** All ledgers below the state folder, oldest first by name of run. */
export async function ledgersIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names
    .filter((name) => name.endsWith(".ledger"))
    .sort()
    .map((name) => join(folder, name));
}
