import { readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { commandKinds } from "../domain/command.ts";
import { openDatabase, settingOf } from "./database.ts";
import { removeVenueFiles } from "./database-file.ts";
import { driverPackage, SqliteDatabase } from "./driver.ts";
import { migrate, schemaVersion } from "./migrations.ts";
import { storeFailureFrom } from "./store-failure.ts";
import { createVenue, newVenueId } from "./stored-venue.ts";
import { killChild, runChild, startChild } from "./testing/child-process.ts";
import { appendSamples, lastSeqOf, makeVenue, openSample, sampleEntry, start } from "./testing/sample.ts";
import { failureOf, useChild, useScratch } from "./testing/scratch.ts";
import { smallWorld } from "./testing/small-world.ts";

const scratch = useScratch();
const hasModes = process.platform !== "win32";

const child = useChild();

describe("opening a venue", () => {
  test("flushes every commit on the second open as on the first", () => {
    const file = path.join(scratch(), "v.db");
    makeVenue(file, 1);
    const db = openDatabase(file);
    expect(settingOf(db, "synchronous")).toBe(2);
    expect(settingOf(db, "journal_mode")).toBe("wal");
    expect(settingOf(db, "locking_mode")).toBe("exclusive");
    expect(settingOf(db, "trusted_schema")).toBe(0);
    expect(settingOf(db, "fullfsync")).toBe(1);
    expect(settingOf(db, "checkpoint_fullfsync")).toBe(1);
    expect(settingOf(db, "cell_size_check")).toBe(1);
    expect(settingOf(db, "foreign_keys")).toBe(1);
    db.close();
  });

  test("keeps entries and header from one open to the next", () => {
    const file = path.join(scratch(), "v.db");
    makeVenue(file, 3);
    const journal = openSample(file);
    expect([...journal.entriesAfter(0)]).toEqual([1, 2, 3].map(sampleEntry));
    expect(journal.last()).toEqual({ seq: 3, at: sampleEntry(3).at, hash: sampleEntry(3).hash });
    expect(journal.header).toEqual({
      world: smallWorld.canonical,
      worldDigest: smallWorld.digest,
      seed: 1,
      engineVersion: "test",
      epoch: 0,
      createdAt: start,
    });
    journal.close();
  });

  test("warns of nothing while nothing is wrong", () => {
    const file = path.join(scratch(), "v.db");
    const warnings: string[] = [];
    for (let round = 0; round < 3; round++) {
      const journal = openSample(file, { onWarning: (message) => warnings.push(message) });
      appendSamples(journal, 2);
      journal.close();
    }
    expect(warnings).toEqual([]);
  });

  test.runIf(hasModes)("makes files that only their owner reads", () => {
    const file = path.join(scratch(), "v.db");
    const journal = openSample(file);
    appendSamples(journal, 1);
    const modes = [file, `${file}-wal`, `${file}.mark`].map((each) => statSync(each).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    journal.close();
  });

  test("creates a venue in an empty file, and in one whose creation was cut short", () => {
    const folder = scratch();
    const empty = path.join(folder, "empty.db");
    writeFileSync(empty, "");
    makeVenue(empty, 1);
    const cut = path.join(folder, "cut.db");
    openDatabase(cut).close();
    makeVenue(cut, 1);
    expect(lastSeqOf(empty)).toBe(1);
    expect(lastSeqOf(cut)).toBe(1);
  });

  test("brings a file of every older version up to date, entries and all", () => {
    for (let version = 1; version < schemaVersion; version++) {
      const file = path.join(scratch(), "old.db");
      const db = openDatabase(file);
      migrate(db, version);
      createVenue(db, newVenueId(), { world: smallWorld, now: start, engineVersion: "test" });
      const { seq, kind, command, hash } = sampleEntry(1);
      db.prepare("INSERT INTO journal VALUES (?, 1007, ?, ?, ?)").run(
        seq,
        commandKinds.findIndex((known) => known === kind),
        command,
        Buffer.from(hash, "hex"),
      );
      db.close();
      const journal = openSample(file);
      expect([...journal.entriesAfter(0)]).toEqual([sampleEntry(1)]);
      journal.close();
      expect(lastSeqOf(file)).toBe(1);
    }
  });

  test("leaves no file behind when a venue cannot be created", () => {
    const folder = scratch();
    expect(failureOf(() => openSample(path.join(folder, "v.db"), { maxPages: 5 })).kind).toBe("full");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("starts again from nothing after a reset", () => {
    const file = path.join(scratch(), "v.db");
    makeVenue(file, 3);
    removeVenueFiles(file);
    const journal = openSample(file);
    expect(journal.last()).toBeNull();
    journal.close();
  });
});

describe("one venue, one process", () => {
  test("a second process is refused at once, with the name of the file", async () => {
    const file = path.join(scratch(), "v.db");
    makeVenue(file, 1);
    const { child: holder } = await startChild(child(), "hold", file);
    const started = performance.now();
    const failure = failureOf(() => openSample(file));
    expect(performance.now() - started).toBeLessThan(4_500);
    expect(failure.kind).toBe("busy");
    expect(failure.message).toContain(file);
    expect(failure.message).toContain("another process");
    await killChild(holder);
    openSample(file).close();
  });

  test("the lock is taken by opening alone, before anything is written", () => {
    const file = path.join(scratch(), "v.db");
    makeVenue(file, 1);
    const db = openDatabase(file);
    const started = performance.now();
    expect(failureOf(() => openDatabase(file)).kind).toBe("busy");
    expect(performance.now() - started).toBeLessThan(4_500);
    db.close();
  });

  test("the first process works on unharmed while others try", () => {
    const file = path.join(scratch(), "v.db");
    const journal = openSample(file);
    appendSamples(journal, 1);
    const { status, said } = runChild(child(), "open", file);
    expect({ status, said }).toMatchObject({ status: 3, said: [{ kind: "busy" }] });
    appendSamples(journal, 1);
    journal.close();
    expect(lastSeqOf(file)).toBe(2);
  });
});

test("a driver that was built for another Node, or not at all, is named with its repair", () => {
  const causes: unknown[] = [
    new Error("Could not locate the bindings file. Tried:\n → build/better_sqlite3.node"),
  ];
  try {
    new SqliteDatabase(":memory:", { nativeBinding: path.join(scratch(), "absent.node") });
  } catch (error) {
    causes.push(error);
  }
  expect(causes).toHaveLength(2);
  for (const cause of causes) {
    expect(String(storeFailureFrom(cause, { file: "v.db", doing: "" }))).toContain(
      `npm rebuild ${driverPackage}`,
    );
  }
});

test("a venue in memory forgets everything, and has no files", () => {
  const before = readdirSync(".");
  const journal = openSample(":memory:");
  appendSamples(journal, 3);
  journal.saveSnapshot({ seq: 3, hash: sampleEntry(3).hash, engineVersion: "test", body: Buffer.of(1) });
  expect(journal.latestSnapshot()?.seq).toBe(3);
  expect([...journal.entriesAfter(1)].map(({ seq }) => seq)).toEqual([2, 3]);
  journal.close();
  expect(openSample(":memory:").last()).toBeNull();
  expect(readdirSync(".")).toEqual(before);
});
