/** Reads the journal back, and tells a damaged row apart from a good one. */
import { commandKinds } from "../domain/command.ts";
import type { JournalEntry } from "../sequencer/ports.ts";
import { StoreFailure } from "../sequencer/store-failure.ts";
import { hashBytes } from "./columns.ts";
import type { Connection } from "./connection.ts";
import { adviceToRestore } from "./store-failure.ts";

type RawEntry = readonly [seq: unknown, elapsed: unknown, kind: unknown, command: unknown, hash: unknown];

const pageSize = 1000;

/** Entries after `seq`, in pages, so that the connection is free for other statements between two of them. */
export function* readEntries(
  connection: Connection,
  origin: number,
  seq: number,
): IterableIterator<JournalEntry> {
  const page = connection.db
    .prepare<[number, number], RawEntry>(
      "SELECT seq, elapsed, kind, command, hex(hash) FROM journal WHERE seq > ? ORDER BY seq LIMIT ?",
    )
    .raw(true);
  let after = seq;
  for (;;) {
    const entries = connection.read("while the journal was read", () =>
      page
        .all(after, pageSize)
        .map((row, index) => decodeEntry(row, after + index + 1, origin, connection.file)),
    );
    yield* entries;
    if (entries.length < pageSize) return;
    after += pageSize;
  }
}

/** A value that no writer of ours can have written means that the file is damaged. */
function decodeEntry(
  [seq, elapsed, code, command, hash]: RawEntry,
  expected: number,
  origin: number,
  file: string,
): JournalEntry {
  const kind = typeof code === "number" ? commandKinds[code] : undefined;
  if (seq !== expected) throw damaged(file, "gap", expected, `entry ${String(seq)} is in its place`);
  if (
    typeof elapsed !== "number" ||
    !Number.isSafeInteger(elapsed) ||
    kind === undefined ||
    typeof command !== "string" ||
    typeof hash !== "string" ||
    hash.length !== 2 * hashBytes
  ) {
    throw damaged(file, "corrupt", expected, "its row holds values that no entry can have");
  }
  return { seq: expected, at: origin + elapsed, kind, command, hash: hash.toLowerCase() };
}

const damaged = (file: string, kind: "gap" | "corrupt", expected: number, found: string): StoreFailure =>
  new StoreFailure(
    kind,
    `The journal in ${file} is damaged at entry ${expected}: ${found}. ${adviceToRestore}`,
  );
