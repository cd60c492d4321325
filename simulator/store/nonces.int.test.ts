import path from "node:path";
import { describe, expect, test } from "vitest";
import type { SqliteJournal } from "./journal.ts";
import { openSample } from "./testing/sample.ts";
import { useScratch } from "./testing/scratch.ts";

const scratch = useScratch();
const nonceOf = (n: number): string => n.toString(16).padStart(32, "0");

/** Nonce `n` of key `n % 2`, signed at `n` and received at `1000 + n`. */
function appendNonces(journal: SqliteJournal, from: number, to: number): void {
  journal.begin();
  for (let n = from; n <= to; n++)
    journal.appendNonce({ key: n % 2, nonce: nonceOf(n), timestamp: n, receivedAt: 1000 + n });
  journal.commit();
}

const timestamps = (journal: SqliteJournal): readonly number[] =>
  [...journal.loadNonces()].map(({ timestamp }) => timestamp);

describe("nonces", () => {
  test("survive with all that was known about them", () => {
    const file = path.join(scratch(), "v.db");
    const journal = openSample(file);
    appendNonces(journal, 1, 2);
    journal.close();
    const again = openSample(file);
    expect([...again.loadNonces()]).toEqual([
      { id: 1, key: 1, nonce: nonceOf(1), timestamp: 1, receivedAt: 1001 },
      { id: 2, key: 0, nonce: nonceOf(2), timestamp: 2, receivedAt: 1002 },
    ]);
    again.close();
  });

  test("of a batch that was rolled back were never used", () => {
    const journal = openSample(":memory:");
    journal.begin();
    expect(journal.appendNonce({ key: 0, nonce: nonceOf(1), timestamp: 1, receivedAt: 1 })).toBe(1);
    journal.rollback();
    expect(timestamps(journal)).toEqual([]);
  });

  test("are read completely when they fill more than a page", () => {
    const journal = openSample(":memory:");
    appendNonces(journal, 1, 25_000);
    expect(timestamps(journal)).toHaveLength(25_000);
  });
});

describe("purging", () => {
  test("raises the floor of each key to the latest timestamp that is forgotten", () => {
    const journal = openSample(":memory:");
    appendNonces(journal, 1, 6);
    expect(journal.purgeNonces({ throughId: 4 })).toEqual({
      removed: 4,
      floors: [
        { key: 0, timestamp: 4 },
        { key: 1, timestamp: 3 },
      ],
    });
    expect(timestamps(journal)).toEqual([5, 6]);
    expect(journal.loadFloors()).toEqual([
      { key: 0, timestamp: 4 },
      { key: 1, timestamp: 3 },
    ]);
  });

  test("never lowers a floor", () => {
    const journal = openSample(":memory:");
    journal.raiseFloor(1, 100);
    journal.raiseFloor(1, 50);
    appendNonces(journal, 1, 2);
    expect(journal.purgeNonces({}).floors).toEqual([
      { key: 0, timestamp: 2 },
      { key: 1, timestamp: 100 },
    ]);
  });

  test("goes by receipt, in batches, oldest first", () => {
    const journal = openSample(":memory:");
    appendNonces(journal, 1, 10);
    expect(journal.purgeNonces({ receivedBefore: 1008, limit: 5 }).removed).toBe(5);
    expect(timestamps(journal)).toEqual([6, 7, 8, 9, 10]);
    expect(journal.purgeNonces({ receivedBefore: 1008 }).removed).toBe(2);
    expect(journal.purgeNonces({ receivedBefore: 1008 })).toEqual({ removed: 0, floors: [] });
  });

  test("is undone together with its floors when its batch is rolled back", () => {
    const file = path.join(scratch(), "v.db");
    const journal = openSample(file);
    appendNonces(journal, 1, 4);
    journal.begin();
    journal.purgeNonces({});
    journal.rollback();
    journal.close();
    const again = openSample(file);
    expect(timestamps(again)).toEqual([1, 2, 3, 4]);
    expect(again.loadFloors()).toEqual([]);
    again.close();
  });
});
