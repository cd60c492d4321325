import { describe, expect, test } from "vitest";
import { type NonceFloor, NonceMemory, type NonceRecord } from "./nonces.ts";

const T = 1_767_225_600_000;
const window = 30_000;
const retention = 300_000;
const hour = 3_600_000;

const memory = (maxPerKey?: number): NonceMemory =>
  new NonceMemory({
    clockWindowMs: window,
    nonceRetentionMs: retention,
    ...(maxPerKey === undefined ? {} : { maxPerKey }),
  });

const nonce = (number: number): string => number.toString(16).padStart(32, "0");
const record = (number: number, timestamp: number, receivedAt = timestamp, key = 0): NonceRecord => ({
  key,
  nonce: nonce(number),
  timestamp,
  receivedAt,
});

describe("retention", () => {
  test("spans two windows: a timestamp at the late edge is reused for as long as it lives", () => {
    const nonces = memory();
    const stamped = T + window - 1;
    expect(nonces.consume(record(1, stamped, T))).toBe("fresh");
    expect(nonces.consume(record(1, stamped, T + 2 * window - 2))).toBe("reused");
    expect(nonces.consume(record(1, stamped, T + 2 * window - 1))).toBe("reused");
  });

  test("is counted from receipt and holds to the last millisecond, under any timestamp", () => {
    for (const late of [-window, 0, window]) {
      const nonces = memory();
      expect(nonces.consume(record(1, T + late, T))).toBe("fresh");
      expect(nonces.consume(record(1, T + retention, T + retention))).toBe("reused");
    }
  });

  test("ends some time after that, and the timestamp is then below the floor", () => {
    const nonces = memory();
    expect(nonces.consume(record(1, T))).toBe("fresh");
    const later = T + 2 * retention;
    expect(nonces.consume(record(2, later))).toBe("fresh");
    expect(nonces.size).toBe(1);
    expect(nonces.consume(record(1, T, later))).toBe("below-floor");
    expect(nonces.consume(record(3, T, later))).toBe("below-floor");
    expect(nonces.consume(record(4, T + 1, later))).toBe("fresh");
  });

  test("a forgetExpired empties the memory of a key that has fallen silent", () => {
    const nonces = memory();
    nonces.consume(record(1, T));
    nonces.forgetExpired(T + retention);
    expect(nonces.size).toBe(1);
    nonces.forgetExpired(T + 2 * retention);
    expect(nonces.size).toBe(0);
    expect(nonces.takeFloors()).toEqual([{ key: 0, timestamp: T }]);
    expect(nonces.takeFloors()).toEqual([]);
  });
});

test("a clock that jumps two hours ahead, forgets and jumps back opens no replay", () => {
  const nonces = memory();
  expect(nonces.consume(record(1, T))).toBe("fresh");
  expect(nonces.consume(record(2, T + 2 * hour))).toBe("fresh");
  expect(nonces.consume(record(1, T, T + 1000))).toBe("below-floor");
  // An honest request made after the clock was put right is not locked out for two hours.
  expect(nonces.consume(record(3, T + 2000))).toBe("fresh");
  expect(nonces.consume(record(3, T + 2000))).toBe("reused");
});

test("a key does not see the nonces of another", () => {
  const nonces = memory();
  expect(nonces.consume(record(1, T, T, 0))).toBe("fresh");
  expect(nonces.consume(record(1, T, T, 1))).toBe("fresh");
  expect(nonces.consume(record(1, T, T, 1))).toBe("reused");
});

test("at the bound the oldest timestamps are given up, and nothing of them is accepted again", () => {
  const nonces = memory(100);
  const used: NonceRecord[] = [];
  for (let number = 0; number < 1000; number += 1) {
    const next = record(number, T + number * 1000);
    expect(nonces.consume(next)).toBe("fresh");
    used.push(next);
    expect(nonces.size).toBeLessThanOrEqual(100);
  }
  for (const each of used) expect(nonces.consume(each)).not.toBe("fresh");
  expect(nonces.floorOf(0)).toBeGreaterThan(T);
});

test("what is given up first is the oldest in signed time, not in arrival", () => {
  const nonces = memory(3);
  for (const next of [record(1, T + 100_000), record(2, T), record(3, T + 100_001), record(4, T + 100_002)]) {
    expect(nonces.consume({ ...next, receivedAt: T + 100_000 })).toBe("fresh");
  }
  expect(nonces.floorOf(0)).toBe(T);
});

test("the same bound for one key does not touch another", () => {
  const nonces = memory(100);
  nonces.consume(record(0, T, T, 1));
  for (let number = 0; number < 1000; number += 1) nonces.consume(record(number, T + number * 1000));
  expect(nonces.floorOf(1)).toBe(Number.NEGATIVE_INFINITY);
  expect(nonces.consume(record(0, T, T, 1))).toBe("reused");
});

test("a memory restored from the file knows every nonce and every floor", () => {
  const rows: NonceRecord[] = [];
  const floors: NonceFloor[] = [];
  const before = memory();
  for (const next of [record(1, T), record(2, T + 2 * retention), record(3, T + 2 * retention + 5)]) {
    expect(before.consume(next)).toBe("fresh");
    rows.push(next);
    floors.push(...before.takeFloors());
  }
  const after = memory();
  after.restore({ load: () => rows, loadFloors: () => floors });
  expect(after.consume(record(1, T, T + 1))).toBe("below-floor");
  expect(after.consume(rows[1] ?? record(0, 0))).toBe("reused");
  expect(after.consume(rows[2] ?? record(0, 0))).toBe("reused");
  expect(after.consume(record(4, T + 2 * retention))).toBe("fresh");
});

test("a hundred thousand nonces are all remembered, the nil UUID among them", () => {
  const nonces = memory();
  for (let number = 0; number < 100_000; number += 1) nonces.consume(record(number * 2, T));
  expect(nonces.size).toBe(100_000);
  for (let number = 0; number < 100_000; number += 997) {
    expect(nonces.consume(record(number * 2, T))).toBe("reused");
    expect(nonces.consume(record(number * 2 + 1, T))).toBe("fresh");
  }
});
