/** The use of the mark when a venue is opened; mark.test.ts tests the file alone. */
import { copyFileSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { markOf } from "./database-file.ts";
import { MarkFile } from "./mark.ts";
import { appendSamples, lastSeqOf, makeVenue, openSample, start } from "./testing/sample.ts";
import { failureOf, useScratch } from "./testing/scratch.ts";
import { smallWorld } from "./testing/small-world.ts";

const scratch = useScratch();

function venueOf(entries: number): string {
  const file = path.join(scratch(), "v.db");
  makeVenue(file, entries);
  return file;
}

function open(file: string): { last: number | undefined; warnings: readonly string[] } {
  const warnings: string[] = [];
  const journal = openSample(file, { onWarning: (message) => warnings.push(message) });
  const last = journal.last()?.seq;
  journal.close();
  return { last, warnings };
}

test("a missing mark is a warning, and a new one is written", () => {
  const file = venueOf(30);
  unlinkSync(markOf(file));
  expect(open(file)).toEqual({ last: 30, warnings: [expect.stringContaining(`${file}.mark is missing`)] });
  expect(open(file)).toEqual({ last: 30, warnings: [] });
});

test("a mark without a slot that can be read is a warning", () => {
  const file = venueOf(30);
  writeFileSync(markOf(file), "x".repeat(5000));
  expect(open(file).warnings).toEqual([expect.stringContaining("is unreadable")]);
  expect(open(file).warnings).toEqual([]);
});

test("a venue without a single entry is opened by its mark alone", () => {
  const file = venueOf(0);
  expect(open(file)).toEqual({ last: undefined, warnings: [] });
  for (const spoil of [unlinkSync, (mark: string) => writeFileSync(mark, "x".repeat(5000))]) {
    spoil(markOf(file));
    const { kind, message } = failureOf(() => openSample(file));
    expect(kind).toBe("gap");
    expect(message).toContain("without a single entry");
    expect(message).toContain(`gatewright reset --db ${file}`);
  }
});

const nonce = { key: 1, nonce: "ab".repeat(16), timestamp: start + 5, receivedAt: start };

function openAt(
  file: string,
  authNow: number,
): { floors: unknown; nonces: number; warnings: readonly string[] } {
  const warnings: string[] = [];
  const journal = openSample(file, { authNow, onWarning: (message) => warnings.push(message) });
  const seen = { floors: journal.nonces.loadFloors(), nonces: [...journal.nonces.load()].length, warnings };
  journal.close();
  return seen;
}

function useNonce(file: string): void {
  const journal = openSample(file);
  journal.begin();
  journal.appendNonce(nonce);
  journal.commit();
  journal.close();
}

test("without its mark, requests signed until now are refused for every key", () => {
  const file = venueOf(3);
  unlinkSync(markOf(file));
  const { floors, warnings } = openAt(file, start + 77);
  expect(floors).toEqual(smallWorld.keys.map((_, key) => ({ key, timestamp: start + 77 })));
  expect(warnings).toEqual([expect.stringContaining(`signed until ${new Date(start + 77).toISOString()}`)]);
});

test("nonces that the mark counts and the file lost raise the floors to the last signed time, once", () => {
  const file = venueOf(3);
  const before = readFileSync(file);
  useNonce(file);
  writeFileSync(file, before);
  const floors = smallWorld.keys.map((_, key) => ({ key, timestamp: nonce.timestamp }));
  expect(openAt(file, start + 900)).toEqual({
    floors,
    nonces: 0,
    warnings: [
      expect.stringMatching(/Nonces that were used are missing .* knows 1, and the last one in it is 0/),
    ],
  });
  expect(openAt(file, start + 900)).toEqual({ floors, nonces: 0, warnings: [] });
});

test("a nonce that could only be marked is refused by time at the next start", () => {
  const file = venueOf(3);
  const journal = openSample(file);
  journal.markNonce(nonce);
  journal.close();
  const { floors, warnings } = openAt(file, start + 900);
  expect(floors).toEqual(smallWorld.keys.map((_, key) => ({ key, timestamp: nonce.timestamp })));
  expect(warnings).toHaveLength(1);
});

test("a nonce that was marked first and committed later is no loss", () => {
  const file = venueOf(3);
  const journal = openSample(file);
  journal.markNonce(nonce);
  journal.begin();
  journal.appendNonce(nonce);
  journal.commit();
  journal.close();
  expect(openAt(file, start + 900)).toEqual({ floors: [], nonces: 1, warnings: [] });
});

test("a mark whose newest slot is torn still finds that the log is gone", () => {
  const file = path.join(scratch(), "v.db");
  const journal = openSample(file);
  for (let batch = 0; batch < 10; batch++) appendSamples(journal, 4);
  // As a crash would leave it: a copy made while the venue is open.
  const copy = path.join(scratch(), "v.db");
  copyFileSync(file, copy);
  const mark = readFileSync(markOf(file));
  journal.close();
  mark.fill(0x77, newestSlotOf(mark) + 30, newestSlotOf(mark) + 50);
  writeFileSync(markOf(copy), mark);
  expect(failureOf(() => openSample(copy)).message).toContain("left at entry 36");
});

test("a mark may lag behind the journal, as it does after a power cut", () => {
  const file = venueOf(2);
  const old = readFileSync(markOf(file));
  makeVenue(file, 2);
  writeFileSync(markOf(file), old);
  expect(open(file)).toEqual({ last: 4, warnings: [] });
});

test("a mark that cannot be moved is a warning, once: the batch is stored by then", () => {
  const file = path.join(scratch(), "v.db");
  const warnings: string[] = [];
  const journal = openSample(file, { onWarning: (message) => warnings.push(message) });
  vi.spyOn(MarkFile.prototype, "write").mockImplementation(() => {
    throw new Error("no space");
  });
  appendSamples(journal, 1);
  appendSamples(journal, 1);
  expect(warnings).toEqual([expect.stringMatching(/mark of .*v\.db could not be moved \(no space\)/)]);
  vi.restoreAllMocks();
  journal.close();
  expect(lastSeqOf(file)).toBe(2);
});

test("a mark of another venue refuses the file", () => {
  const file = venueOf(2);
  copyFileSync(markOf(venueOf(2)), markOf(file));
  const failure = failureOf(() => openSample(file));
  expect(failure.kind).toBe("gap");
  expect(failure.message).toContain("another venue");
});

const newestSlotOf = (mark: Buffer): number =>
  mark.readUIntBE(10, 6) > mark.readUIntBE(4096 + 10, 6) ? 0 : 4096;
