import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Redactor } from "../client/redact.ts";
import type { RowResult } from "../model/outcome.ts";
import { NdjsonLines } from "./ndjson.ts";
import { type Report, type ReportStart, reportedCase } from "./report.ts";

/** The facts about a run that is about to send its first request. */
export interface RunStart {
  readonly start: ReportStart;
  readonly redactor: Redactor;
}

/**
 * NDJSON files that grow during the run, so that an aborted run keeps its results.
 *
 * Invariants: a file is moved into its place when its header is written, readable for its owner only; every line is
 * redacted and written before the next case ends. A file that cannot be started or continued is given up here without a
 * message: the end of the run writes it in full, or reports the reason. Pipes and devices wait for the end, too,
 * because opening one may block.
 */
export class LiveNdjson {
  readonly #files: readonly string[];
  readonly #open = new Map<string, number>();
  readonly #lines = new NdjsonLines();
  #redactor: Redactor | undefined;
  #start: ReportStart | undefined;

  constructor(files: readonly string[]) {
    this.#files = files;
  }

  begin({ start, redactor }: RunStart): void {
    this.#redactor = redactor;
    this.#start = start;
    const header = redactor.redact(this.#lines.begin(start));
    for (const file of this.#files) {
      const handle = begun(file, header);
      if (handle !== undefined) this.#open.set(file, handle);
    }
  }

  row(row: RowResult): void {
    if (this.#redactor === undefined || this.#start === undefined || this.#open.size === 0) return;
    const line = this.#lines.case(reportedCase(row, this.#redactor, this.#start));
    this.#write(this.#redactor.redact(line));
  }

  /** Completes the files. The returned files need not be written again. */
  end(report: Report): readonly string[] {
    if (this.#redactor !== undefined) this.#write(this.#redactor.redact(this.#lines.end(report)));
    const complete = [...this.#open.keys()];
    for (const handle of this.#open.values()) closeSync(handle);
    this.#open.clear();
    return complete;
  }

  #write(text: string): void {
    for (const [file, handle] of this.#open) {
      try {
        writeFileSync(handle, text);
      } catch {
        closeSync(handle);
        this.#open.delete(file);
      }
    }
  }
}

const ownersOwn =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW | constants.O_APPEND;

function begun(file: string, header: string): number | undefined {
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.draft`);
  let handle: number | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) return undefined;
    handle = openSync(draft, ownersOwn, 0o600);
    writeFileSync(handle, header);
    renameSync(draft, file);
    return handle;
  } catch {
    if (handle !== undefined) closeSync(handle);
    rmSync(draft, { force: true });
    return undefined;
  }
}
