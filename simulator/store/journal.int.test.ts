import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import type { SqliteJournal } from "./journal.ts";
import { killChild, runChild, startChild } from "./testing/child-process.ts";
import { appendSamples, lastSeqOf, openSample, sampleEntry } from "./testing/sample.ts";
import { failureOf, useChild, useScratch } from "./testing/scratch.ts";

const scratch = useScratch();
const venueFile = (): string => path.join(scratch(), "v.db");
const sequenceOf = (journal: SqliteJournal, after = 0): readonly number[] =>
  [...journal.entriesAfter(after)].map(({ seq }) => seq);

function stored(file: string, after = 0): readonly number[] {
  const journal = openSample(file);
  const seqs = sequenceOf(journal, after);
  journal.close();
  return seqs;
}

const child = useChild();

describe("a batch", () => {
  test("is completely there after commit and not at all after rollback", () => {
    const file = venueFile();
    const journal = openSample(file);
    appendSamples(journal, 2);
    journal.begin();
    journal.append(sampleEntry(3), [{ kind: "OrderClosed", order: 1, status: "CANCELLED", reason: null }]);
    expect(journal.last()?.seq).toBe(2);
    journal.rollback();
    expect(sequenceOf(journal)).toEqual([1, 2]);
    appendSamples(journal, 1);
    journal.close();
    expect(stored(file, 1)).toEqual([2, 3]);
  });

  test("that was never committed is gone after closing", () => {
    const file = venueFile();
    const journal = openSample(file);
    appendSamples(journal, 1);
    journal.begin();
    journal.append(sampleEntry(2));
    journal.close();
    expect(stored(file)).toEqual([1]);
  });

  test("takes no entry that does not follow the last one", () => {
    const journal = openSample(":memory:");
    appendSamples(journal, 2);
    journal.begin();
    expect(() => journal.append(sampleEntry(2))).toThrow(InvariantViolation);
    expect(() => journal.append(sampleEntry(4))).toThrow("entry 4 cannot follow entry 2");
    journal.append(sampleEntry(3));
    journal.commit();
    expect(sequenceOf(journal)).toEqual([1, 2, 3]);
  });

  test("takes no hash that cannot be read back", () => {
    const journal = openSample(":memory:");
    journal.begin();
    const entry = sampleEntry(1);
    expect(() => journal.append({ ...entry, hash: "abc" })).toThrow("not 32 hex digits");
    expect(() => journal.append({ ...entry, hash: `${entry.hash.slice(2)}zz` })).toThrow("not 32 hex digits");
    expect(() => journal.append({ ...entry, hash: `${entry.hash}00` })).toThrow("not 32 hex digits");
    journal.rollback();
  });

  test("is a bug when it is missing or begun twice", () => {
    const journal = openSample(":memory:");
    expect(() => journal.append(sampleEntry(1))).toThrow(InvariantViolation);
    expect(() => journal.commit()).toThrow(InvariantViolation);
    journal.begin();
    expect(() => journal.begin()).toThrow(InvariantViolation);
  });
});

test("entries can be written while others are read", () => {
  const journal = openSample(":memory:");
  appendSamples(journal, 2500);
  let count = 0;
  for (const { seq } of journal.entriesAfter(0)) {
    expect(seq).toBe(++count);
    if (seq === 1) appendSamples(journal, 1);
  }
  expect(count).toBe(2501);
});

describe("a disk without room", () => {
  test("takes back the batch that found no room and keeps the one before", () => {
    const file = venueFile();
    const journal = openSample(file, { maxPages: 40 });
    appendSamples(journal, 5);
    const failure = failureOf(() => {
      for (;;) appendSamples(journal, 100);
    });
    const acknowledged = journal.last()?.seq ?? 0;
    expect({ kind: failure.kind, outcome: failure.outcome }).toEqual({ kind: "full", outcome: "none" });
    expect(failure.message).toMatch(
      /no room left.*v\.db.*while entry \d+ was stored.*Nothing of this batch was stored/,
    );
    journal.rollback();
    journal.close();
    const again = openSample(file);
    expect(again.last()?.seq).toBe(acknowledged);
    appendSamples(again, 1);
    again.close();
  });

  test("ends the instance: every use throws the first failure", () => {
    const journal = openSample(venueFile(), { maxPages: 40 });
    const failure = failureOf(() => {
      for (;;) appendSamples(journal, 100);
    });
    const uses: readonly (() => unknown)[] = [
      () => journal.begin(),
      () => journal.commit(),
      () => journal.append(sampleEntry(1)),
      () => journal.appendNonce({ key: 0, nonce: "0".repeat(32), timestamp: 1, receivedAt: 1 }),
      () => journal.latestSnapshot(),
      () => [...journal.entriesAfter(0)],
      () => journal.nonces.purge(0),
      () => journal.checkpoint(),
    ];
    for (const use of uses) expect(failureOf(use)).toBe(failure);
    journal.close();
  });

  // A limit on file sizes lets statements through, which only touch memory, and stops the write of the log at
  // COMMIT.
  test.skipIf(process.platform === "win32")(
    "says that the outcome is unknown when COMMIT failed, and loses nothing it acknowledged",
    () => {
      const file = venueFile();
      const { said, status } = runChild(child(), "load", file, { shell: "ulimit -f 600" });
      const acknowledged = said.filter((value) => typeof value === "number").at(-1) ?? 0;
      expect(status).toBe(3);
      expect(acknowledged).toBeGreaterThan(0);
      expect(said.at(-1)).toMatchObject({
        kind: "io",
        outcome: "unknown",
      });
      expect(JSON.stringify(said.at(-1))).toContain("unknown until the file is opened again");
      const journal = openSample(file);
      // The batch in doubt is there as a whole or not at all.
      expect([acknowledged, acknowledged + 8]).toContain(journal.last()?.seq);
      expect([...journal.entriesAfter(0)].every((entry) => entry.hash === sampleEntry(entry.seq).hash)).toBe(
        true,
      );
      journal.close();
    },
  );
});

test("a process that is killed under load loses no acknowledged entry", async () => {
  const file = venueFile();
  for (const round of sampled(2, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])) {
    const { child: running, output } = await startChild(child(), "load", file);
    await sleep(10 + round * 9);
    await killChild(running);
    const acknowledged =
      output()
        .filter((value) => typeof value === "number")
        .at(-1) ?? 0;
    const journal = openSample(file);
    expect(journal.last()?.seq ?? 0).toBeGreaterThanOrEqual(acknowledged);
    expect((journal.last()?.seq ?? 0) % 8).toBe(0);
    for (const { seq, hash } of journal.entriesAfter(0))
      if (hash !== sampleEntry(seq).hash) expect.unreachable(`entry ${seq}`);
    journal.close();
  }
  expect(lastSeqOf(file)).toBeGreaterThan(10);
});
