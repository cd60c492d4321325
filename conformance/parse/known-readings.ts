import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RawNode } from "./yaml-child.ts";

/**
 * Readings of the files that ship with the kit, made when the kit was built. Each is named by the digest of its text, so
 * none is ever taken for a file that somebody has edited: such a file is a stranger's and goes to the child process.
 */
export function knownReading(folder: string, text: string): RawNode | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(folder, text), "utf8")) as RawNode;
  } catch {
    return undefined;
  }
}

export function keepReading(folder: string, text: string, root: RawNode): void {
  writeFileSync(fileOf(folder, text), JSON.stringify(root));
}

function fileOf(folder: string, text: string): string {
  return join(folder, `${createHash("sha256").update(text).digest("hex")}.json`);
}
