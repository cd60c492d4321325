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
  [...journal.nonces.load()].map(({ timestamp }) => timestamp);

describe("nonces", () => {
  test("survive with all that was known about them", () => {
    const file = path.join(scratch(), "v.db");
    const journal = openSample(file);
    appendNonces(journal, 1, 2);
    journal.close();
    const again = openSample(file);
    expect([...again.nonces.load()]).toEqual([
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

const all = Number.MAX_SAFE_INTEGER;

describe("purging", () => {
  test("raises the floor of each key to the latest timestamp that is forgotten, and keeps the newest row", () => {
    const journal = openSample(":memory:");
    appendNonces(journal, 1, 6);
    expect(journal.nonces.purge(1005)).toBe(4);
    expect(timestamps(journal)).toEqual([5, 6]);
    expect(journal.nonces.loadFloors()).toEqual([
      { key: 0, timestamp: 4 },
      { key: 1, timestamp: 3 },
    ]);
    expect(journal.nonces.purge(all)).toBe(1);
    expect(timestamps(journal)).toEqual([6]);
    appendNonces(journal, 7, 7);
    expect([...journal.nonces.load()].map(({ id }) => id)).toEqual([6, 7]);
  });

  test("never lowers a floor", () => {
    const journal = openSample(":memory:");
    journal.nonces.raiseFloor(1, 100);
    journal.nonces.raiseFloor(1, 50);
    appendNonces(journal, 1, 3);
    expect(journal.nonces.purge(all)).toBe(2);
    expect(journal.nonces.loadFloors()).toEqual([
      { key: 0, timestamp: 2 },
      { key: 1, timestamp: 100 },
    ]);
  });

  test("removes nonces that a floor refuses anyway, received at any time", () => {
    const journal = openSample(":memory:");
    appendNonces(journal, 1, 10);
    journal.nonces.raiseFloor(1, 5);
    expect(journal.nonces.purge(0)).toBe(3);
    expect(timestamps(journal)).toEqual([2, 4, 6, 7, 8, 9, 10]);
  });

  test("goes by receipt, in batches, oldest first", () => {
    const journal = openSample(":memory:");
    appendNonces(journal, 1, 10);
    expect(journal.nonces.purge(1008, 5)).toBe(5);
    expect(timestamps(journal)).toEqual([6, 7, 8, 9, 10]);
    expect(journal.nonces.purge(1008)).toBe(2);
    expect(journal.nonces.purge(1008)).toBe(0);
  });

  test("removes more than were added since the last time, for any number", () => {
    const journal = openSample(":memory:");
    appendNonces(journal, 1, 10_000);
    journal.nonces.purge(0);
    let last = 10_000;
    for (const came of [1, 3000, 20, 5000]) {
      appendNonces(journal, last + 1, last + came);
      last += came;
      expect(journal.nonces.purge(all)).toBeGreaterThan(came);
    }
  });

  test("is undone together with its floors when its batch is rolled back", () => {
    const file = path.join(scratch(), "v.db");
    const journal = openSample(file);
    appendNonces(journal, 1, 4);
    journal.begin();
    journal.nonces.purge(all);
    journal.rollback();
    journal.close();
    const again = openSample(file);
    expect(timestamps(again)).toEqual([1, 2, 3, 4]);
    expect(again.nonces.loadFloors()).toEqual([]);
    again.close();
  });
});
