import { closeSync, constants, ftruncateSync, openSync, writeSync } from "node:fs";
import { fileReason } from "../model/file-reason.ts";
import { UsageError } from "../model/position.ts";
import { jsonText } from "../model/printable.ts";
import { mostBytes } from "../parse/read-capped.ts";
import {
  type RecordedExchange,
  type RecordedFrame,
  type RecordingEnd,
  type RecordingHeader,
  recordingVersion,
} from "./recording.ts";

export interface RecordingFileOptions {
  readonly file: string;
  readonly target: string;
  /** Hears once why nothing more is kept. */
  readonly notice: (sentence: string) => void;
  readonly most?: number;
}

/** Room for the last line. */
const reserve = 1024;

/**
 * A recording as it grows, one write for each line, readable for its owner only. A process that is killed leaves its
 * lines. A file that is full, or cannot be written any more, ends with a whole line, and the traffic goes on.
 */
export class RecordingFile {
  readonly #options: Required<RecordingFileOptions>;
  readonly #handle: number;
  #bytes = 0;
  #isOpen = true;
  #stopped = false;
  #exchanges = 0;
  #frames = 0;
  #leftOut = 0;

  constructor(options: RecordingFileOptions) {
    this.#options = { most: mostBytes.large, ...options };
    this.#handle = created(options.file);
    this.#write({
      kind: "recording",
      version: recordingVersion,
      target: options.target,
      started: new Date().toISOString(),
    });
  }

  append(line: RecordedExchange | RecordedFrame): void {
    if (!this.#write(line)) this.#leftOut += 1;
    else if (line.kind === "exchange") this.#exchanges += 1;
    else this.#frames += 1;
  }

  /** Returns the last line. */
  end(at: number): RecordingEnd {
    const [exchanges, frames, leftOut] = [this.#exchanges, this.#frames, this.#leftOut];
    const line: RecordingEnd = { kind: "end", at, exchanges, frames, leftOut };
    if (this.#isOpen) {
      this.#put(`${jsonText(line)}\n`);
      this.#isOpen = false;
      closeSync(this.#handle);
    }
    return line;
  }

  #write(line: RecordingHeader | RecordedExchange | RecordedFrame): boolean {
    if (!this.#isOpen || this.#stopped) return false;
    const text = `${jsonText(line)}\n`;
    const { file, most } = this.#options;
    if (this.#bytes + Buffer.byteLength(text) > most - reserve) {
      this.#stop(`${file} has ${most} bytes, the most that is kept: nothing more is recorded`);
      return false;
    }
    return this.#put(text);
  }

  #put(text: string): boolean {
    const bytes = Buffer.from(text);
    try {
      // A disk that becomes full may take the beginning of a line.
      if (writeSync(this.#handle, bytes) < bytes.length) throw new Error("the disk took a part of a line");
      this.#bytes += bytes.length;
      return true;
    } catch (error) {
      this.#cutBack();
      this.#stop(`${this.#options.file} cannot be written: ${fileReason(error)}: nothing more is recorded`);
      return false;
    }
  }

  #cutBack(): void {
    try {
      ftruncateSync(this.#handle, this.#bytes);
    } catch {
      // The reader names the cut line.
    }
  }

  #stop(sentence: string): void {
    if (!this.#stopped) this.#options.notice(sentence);
    this.#stopped = true;
  }
}

const ownersOwn =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW | constants.O_APPEND;

function created(file: string): number {
  try {
    return openSync(file, ownersOwn, 0o600);
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === "EEXIST"
        ? "it is there already; move it away, or name another file"
        : fileReason(error);
    throw new UsageError(`the recording ${file} cannot be written: ${reason}`);
  }
}
