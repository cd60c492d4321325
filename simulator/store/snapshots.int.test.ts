import path from "node:path";
import { expect, test } from "vitest";
import type { SnapshotRow } from "../sequencer/ports.ts";
import { SqliteDatabase } from "./driver.ts";
import { appendSamples, openSample, sampleEntry } from "./testing/sample.ts";
import { useScratch } from "./testing/scratch.ts";

const scratch = useScratch();

const snapshotOf = (seq: number): SnapshotRow => ({
  seq,
  hash: sampleEntry(seq).hash,
  engineVersion: "test",
  body: Buffer.from([0, 255, seq]),
});

function venueWithSnapshots(...seqs: readonly number[]): string {
  const file = path.join(scratch(), "v.db");
  const journal = openSample(file);
  appendSamples(journal, 9);
  for (const seq of seqs) journal.saveSnapshot(snapshotOf(seq));
  journal.close();
  return file;
}

function latestOf(file: string): { latest: SnapshotRow | null; warnings: readonly string[] } {
  const warnings: string[] = [];
  const journal = openSample(file, { onWarning: (message) => warnings.push(message) });
  const latest = journal.latestSnapshot();
  journal.close();
  return { latest, warnings };
}

function edit(file: string, sql: string): unknown {
  const db = new SqliteDatabase(file);
  const rows = sql.startsWith("SELECT") ? db.prepare(sql).all() : db.exec(sql);
  db.close();
  return rows;
}

test("the newest snapshot is returned as it was saved, and two are kept", () => {
  const file = venueWithSnapshots(3, 5, 9);
  expect(latestOf(file)).toEqual({ latest: snapshotOf(9), warnings: [] });
  expect(edit(file, "SELECT seq FROM snapshot")).toEqual([{ seq: 5 }, { seq: 9 }]);
});

test("a venue without a snapshot reports it", () => {
  expect(latestOf(venueWithSnapshots())).toEqual({ latest: null, warnings: [] });
});

test.each([
  ["body", "UPDATE snapshot SET body = x'00ff08' WHERE seq = 9", "damaged"],
  ["checksum", "UPDATE snapshot SET checksum = zeroblob(32) WHERE seq = 9", "damaged"],
  ["engine version", "UPDATE snapshot SET engine_version = 'other' WHERE seq = 9", "damaged"],
])("a newest snapshot with a changed %s gives way to the one before, with a warning", (_what, sql, word) => {
  const file = venueWithSnapshots(5, 9);
  edit(file, sql);
  expect(latestOf(file)).toEqual({
    latest: snapshotOf(5),
    warnings: [expect.stringContaining(`entry 9 in ${file} is ${word}`)],
  });
});

test("a snapshot of another history is not used", () => {
  const file = path.join(scratch(), "v.db");
  const journal = openSample(file);
  appendSamples(journal, 9);
  journal.saveSnapshot({ ...snapshotOf(9), hash: "ab".repeat(16) });
  journal.saveSnapshot(snapshotOf(5));
  journal.close();
  const { latest, warnings } = latestOf(file);
  expect(latest?.seq).toBe(5);
  expect(warnings).toEqual([expect.stringContaining("another history")]);
});

test("when both are damaged the journal alone is left", () => {
  const file = venueWithSnapshots(5, 9);
  edit(file, "UPDATE snapshot SET body = zeroblob(3)");
  const { latest, warnings } = latestOf(file);
  expect(latest).toBeNull();
  expect(warnings).toHaveLength(2);
});
