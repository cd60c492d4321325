/**
 * Damage that the store itself finds, and damage that it does not. One case here is a *limit*: a changed byte
 * inside a row that still reads as a row passes the store, and is found by recovery, which recomputes the
 * hash chain.
 */
import {
  copyFileSync,
  linkSync,
  readFileSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { markOf, walOf } from "./database-file.ts";
import { SqliteDatabase } from "./driver.ts";
import { runChild } from "./testing/child-process.ts";
import { makeVenue, openSample, sampleEntry } from "./testing/sample.ts";
import { contentOf, failureOf, tamper, useChild, useScratch } from "./testing/scratch.ts";

const scratch = useScratch();
const crashedAfter = 40;

const child = useChild();
let crashed: string;
beforeAll(() => {
  crashed = path.join(path.dirname(child()), "crashed.db");
  expect(runChild(child(), "leave", crashed).signal).toBe("SIGKILL");
});

/** A copy of a venue that crashed with all of its entries in the log. */
function crashedVenue(): string {
  const file = path.join(scratch(), "v.db");
  for (const side of ["", "-wal", ".mark"]) copyFileSync(crashed + side, file + side);
  return file;
}

/** A venue that was closed in good order: everything is in the database, there is no log. */
function closedVenue(): string {
  const file = path.join(scratch(), "v.db");
  makeVenue(file, 300);
  return file;
}

/** Where the first page of a table begins. */
function pageOf(file: string, table: string): number {
  const db = new SqliteDatabase(file, { readonly: true });
  const page = db
    .prepare<[string], number>("SELECT rootpage FROM sqlite_schema WHERE name = ?")
    .pluck()
    .get(table);
  db.close();
  return ((page ?? 0) - 1) * 4096;
}

function flip(file: string, offset: number): void {
  const bytes = readFileSync(file);
  bytes[offset] = (bytes[offset] ?? 0) ^ 0x5a;
  writeFileSync(file, bytes);
}

test("a crash alone loses nothing", () => {
  const journal = openSample(crashedVenue());
  expect([...journal.entriesAfter(0)]).toEqual(
    Array.from({ length: crashedAfter }, (_, index) => sampleEntry(index + 1)),
  );
  journal.close();
});

describe("damage that is refused, the files left as they are", () => {
  const cases: readonly (readonly [
    name: string,
    make: () => string,
    damage: (file: string) => void,
    kinds: readonly string[],
  ])[] = [
    ["the log deleted", crashedVenue, (file) => unlinkSync(walOf(file)), ["gap"]],
    [
      "the log cut in half",
      crashedVenue,
      (file) => truncateSync(walOf(file), statSync(walOf(file)).size / 2),
      ["gap"],
    ],
    [
      "the log and the mark deleted",
      crashedVenue,
      (file) => {
        unlinkSync(walOf(file));
        unlinkSync(markOf(file));
      },
      ["gap"],
    ],
    [
      "the log and the mark emptied",
      crashedVenue,
      (file) => {
        truncateSync(walOf(file), 0);
        truncateSync(markOf(file), 0);
      },
      ["gap"],
    ],
    ["a second name for the database", crashedVenue, (file) => linkSync(file, `${file}.too`), ["other"]],
    ["a second name for the log", crashedVenue, (file) => linkSync(walOf(file), `${file}.too`), ["other"]],
    ["a second name for the mark", crashedVenue, (file) => linkSync(markOf(file), `${file}.too`), ["other"]],
    ["the log emptied", crashedVenue, (file) => truncateSync(walOf(file), 0), ["gap"]],
    [
      "a byte in the middle of the log flipped",
      crashedVenue,
      (file) => flip(walOf(file), statSync(walOf(file)).size >> 1),
      ["gap"],
    ],
    ["the header of the log flipped", crashedVenue, (file) => flip(walOf(file), 17), ["gap"]],
    ["the database deleted, its log left", crashedVenue, (file) => unlinkSync(file), ["gap"]],
    ["the database deleted", closedVenue, (file) => unlinkSync(file), ["gap"]],
    ["the database emptied", closedVenue, (file) => truncateSync(file, 0), ["gap"]],
    ["the database emptied, its log left", crashedVenue, (file) => truncateSync(file, 0), ["gap"]],
    [
      "the last page of the database cut off",
      closedVenue,
      (file) => truncateSync(file, statSync(file).size - 4096),
      ["corrupt", "not-a-database"],
    ],
    [
      "the database cut within a page",
      closedVenue,
      (file) => truncateSync(file, 5000),
      ["corrupt", "not-a-database"],
    ],
    [
      "the database cut to a few bytes",
      closedVenue,
      (file) => truncateSync(file, 10),
      ["corrupt", "not-a-database"],
    ],
    [
      "garbage",
      closedVenue,
      (file) => writeFileSync(file, "no database at all, but long enough. ".repeat(300)),
      ["not-a-database"],
    ],
    ["the header of the database flipped", closedVenue, (file) => flip(file, 3), ["not-a-database"]],
    [
      "the header of a page flipped",
      closedVenue,
      (file) => flip(file, statSync(file).size - 4096),
      ["corrupt"],
    ],
    [
      "a page of another table flipped",
      closedVenue,
      (file) => flip(file, pageOf(file, "posting")),
      ["corrupt"],
    ],
    [
      "an entry missing in the middle",
      closedVenue,
      (file) => tamper(file, "DELETE FROM journal WHERE seq = 100"),
      ["gap"],
    ],
    [
      "the last entry missing",
      closedVenue,
      (file) => tamper(file, "DELETE FROM journal WHERE seq = 300"),
      ["gap"],
    ],
    ["all entries missing", closedVenue, (file) => tamper(file, "DELETE FROM journal"), ["gap"]],
    [
      "another entry where the mark is",
      closedVenue,
      (file) => tamper(file, "UPDATE journal SET hash = zeroblob(16) WHERE seq = 300"),
      ["gap"],
    ],
    ["the header row missing", closedVenue, (file) => tamper(file, "DELETE FROM venue"), ["gap"]],
    ["another venue in this place", closedVenue, (file) => copyFileSync(closedVenue(), file), ["gap"]],
  ];

  test.each(cases)("%s", (_name, make, damage, kinds) => {
    const file = make();
    damage(file);
    const before = contentOf(file);
    const failure = failureOf(() => openSample(file));
    expect(kinds).toContain(failure.kind);
    expect(failure.outcome).toBe("none");
    expect(failure.message).toContain(file);
    expect(contentOf(file)).toEqual(before);
  });
});

test("without the mark, a start continues with the remaining entries", () => {
  const file = closedVenue();
  tamper(file, "DELETE FROM journal WHERE seq > 200");
  expect(failureOf(() => openSample(file)).message).toContain("move the mark away");
  unlinkSync(markOf(file));
  const journal = openSample(file);
  expect(journal.last()?.seq).toBe(200);
  journal.close();
});

test("a row that no writer can have written is refused when it is read", () => {
  const file = closedVenue();
  tamper(file, "UPDATE journal SET kind = 77 WHERE seq = 100");
  const journal = openSample(file);
  const failure = failureOf(() => [...journal.entriesAfter(0)]);
  expect(failure.kind).toBe("corrupt");
  expect(failure.message).toContain("entry 100");
  expect(failureOf(() => journal.begin())).toBe(failure);
  journal.close();
});

test("a changed byte inside a row passes the store and waits for the hash chain", () => {
  const file = closedVenue();
  const bytes = readFileSync(file);
  // The last place, since pages that were split keep old rows in their free space.
  flip(file, bytes.lastIndexOf(sampleEntry(150).command) + 60);
  const journal = openSample(file);
  const entries = [...journal.entriesAfter(0)];
  const changed = entries.filter(({ seq, command }) => command !== sampleEntry(seq).command);
  expect(changed.map(({ seq }) => seq)).toEqual([150]);
  journal.close();
});
