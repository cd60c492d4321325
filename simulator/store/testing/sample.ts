/** Entries and openings that the store's tests share, children included. */
import { createHash } from "node:crypto";
import type { World } from "../../domain/world.ts";
import type { JournalEntry } from "../../sequencer/ports.ts";
import type { SqliteJournal } from "../journal.ts";
import { openJournal } from "../open-journal.ts";
import { smallWorld } from "./small-world.ts";

export const start = 1_750_000_000_000;

/** The nth entry of every test: a BUY of alice. */
export function sampleEntry(seq: number): JournalEntry {
  const id = `3f2504e0-4f89-41d3-9a0c-${String(seq).padStart(12, "0")}`;
  return {
    seq,
    at: start + seq * 1000 + 7,
    kind: "PlaceOrder",
    command: JSON.stringify([0, id, "BTC-USD", "BUY", "LIMIT", "0.5", "59990.05", null, null, null]),
    hash: createHash("sha256").update(String(seq)).digest("hex").slice(0, 32),
  };
}

/** Appends `count` entries in one batch. */
export function appendSamples(journal: SqliteJournal, count: number): void {
  const after = journal.last()?.seq ?? 0;
  journal.begin();
  for (let seq = after + 1; seq <= after + count; seq++) journal.append(sampleEntry(seq));
  journal.commit();
}

export interface SampleOptions {
  readonly world?: World;
  readonly maxPages?: number;
  readonly authNow?: number;
  readonly onWarning?: (message: string) => void;
}

export const openSample = (file: string, options: SampleOptions = {}): SqliteJournal =>
  openJournal({ file, world: smallWorld, now: start, engineVersion: "test", ...options });

/** Number of the last entry, 0 when there is none. */
export function lastSeqOf(file: string): number {
  const journal = openSample(file);
  const seq = journal.last()?.seq ?? 0;
  journal.close();
  return seq;
}

/** Makes a venue with `count` entries and closes it in good order. */
export function makeVenue(file: string, count: number): void {
  const journal = openSample(file);
  if (count > 0) appendSamples(journal, count);
  journal.close();
}
