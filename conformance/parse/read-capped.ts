import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { fileReason } from "../model/file-reason.ts";
import { UsageError } from "../model/position.ts";

/** The largest sizes of files that a user names. Scenarios and profiles have their own limits (prescan.ts). */
export const mostBytes = {
  /** A key, a body, or the ready line of a simulator. */
  small: 1024 * 1024,
  /** A report or a ledger of the largest run. */
  large: 64 * 1024 * 1024,
} as const;

/**
 * The text of a file that a user has named; `what` describes the file in messages. All files of users are read here, so
 * an unreadable path always gives a sentence and exit code 2, and no file can fill the memory.
 */
export async function readCapped(what: string, file: string, most: number, advice = ""): Promise<string> {
  return textIn(await readBytesCapped(what, file, most, advice));
}

/** The text of a file: a byte order mark is no part of it, and what PowerShell 5 writes is UTF-16. */
export const textIn = (bytes: Buffer): string => utf8In(bytes).toString("utf8");

/** The same as bytes of UTF-8; those of another coding stay. */
export function utf8In(bytes: Buffer): Buffer {
  const mark = bytes.toString("latin1", 0, 3);
  if (mark === "\u00ef\u00bb\u00bf") return bytes.subarray(3);
  const coding = mark.startsWith("\u00ff\u00fe")
    ? "utf-16le"
    : mark.startsWith("\u00fe\u00ff")
      ? "utf-16be"
      : undefined;
  return coding === undefined ? bytes : Buffer.from(new TextDecoder(coding).decode(bytes), "utf8");
}

export async function readBytesCapped(
  what: string,
  file: string,
  most: number,
  advice = "",
): Promise<Buffer> {
  try {
    // Opening a pipe blocks until its other end is open, unless this flag is set.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = await handle.stat();
    if (!status.isFile() && !status.isDirectory()) throw new Error("it is a pipe or a device, not a file");
    if (status.isFile() && status.size > most)
      throw new Error(`it has more than ${most} bytes, the most that is read`);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > most) throw new Error(`it has more than ${most} bytes, the most that is read`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    throw new UsageError(`the ${what} ${shown(file)} cannot be read: ${fileReason(error)}${advice}`);
  }
}

const shown = (file: string): string => (file === "" ? "with the empty path" : file);
