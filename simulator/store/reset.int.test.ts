import { existsSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { markOf, shmOf, walOf } from "./database-file.ts";
import { SqliteDatabase } from "./driver.ts";
import { resetFiles } from "./reset.ts";
import { runChild } from "./testing/child-process.ts";
import { appendSamples, makeVenue, openSample } from "./testing/sample.ts";
import { contentOf, failureOf, useChild, useScratch } from "./testing/scratch.ts";

const scratch = useScratch();
const child = useChild();

function venue(): string {
  const file = path.join(scratch(), "v.db");
  makeVenue(file, 3);
  return file;
}

function expectNew(file: string): void {
  const warnings: string[] = [];
  const journal = openSample(file, { onWarning: (message) => warnings.push(message) });
  expect([journal.last(), warnings]).toEqual([null, []]);
  journal.close();
}

describe("a reset", () => {
  test("removes and lists everything that belongs to a venue, and the next start is new", () => {
    const file = venue();
    writeFileSync(shmOf(file), "");
    expect(resetFiles(file)).toEqual({ removed: [markOf(file), file, shmOf(file)], evidence: [] });
    expect(readdirSync(path.dirname(file))).toEqual([]);
    expectNew(file);
  });

  test("removes a venue that crashed, with its log", () => {
    const file = path.join(scratch(), "v.db");
    expect(runChild(child(), "leave", file).signal).toBe("SIGKILL");
    expect(resetFiles(file).removed).toContain(walOf(file));
    expectNew(file);
  });

  test("finishes a removal that was begun with rm", () => {
    const file = venue();
    rmSync(file);
    expect(failureOf(() => openSample(file)).message).toContain(`gatewright reset --db ${file}`);
    expect(resetFiles(file).removed).toEqual([markOf(file)]);
    expectNew(file);
  });

  test("removes a damaged venue, an empty file, and nothing where nothing is", () => {
    const file = venue();
    truncateSync(file, 5000);
    expect(resetFiles(file).removed).toContain(file);
    writeFileSync(file, "");
    expect(resetFiles(file).removed).toEqual([file]);
    expect(resetFiles(file)).toEqual({ removed: [], evidence: [] });
  });

  test("keeps evidence and all other files", () => {
    const file = venue();
    const kept = [`${file}.violation-7.json`, `${file}.backup`];
    for (const each of kept) writeFileSync(each, "{}");
    expect(resetFiles(file).evidence).toEqual([`${file}.violation-7.json`]);
    expect(readdirSync(path.dirname(file)).length).toBe(2);
  });

  test("removes a link together with its target", () => {
    const file = venue();
    const link = path.join(path.dirname(file), "link.db");
    symlinkSync("v.db", link);
    expect(resetFiles(link).removed).toEqual([markOf(file), file, link]);
    expect(existsSync(file)).toBe(false);
  });
});

describe("a reset is refused, and nothing is removed,", () => {
  const refused = (file: string): string => {
    const before = contentOf(file);
    const { message } = failureOf(() => resetFiles(file));
    expect(contentOf(file)).toEqual(before);
    return message;
  };

  test("while a venue runs on the file", () => {
    const file = venue();
    const journal = openSample(file);
    expect(refused(file)).toMatch(/is in use by a running process\. Stop it first; nothing was removed/);
    appendSamples(journal, 1);
    journal.close();
  });

  test("for a file of another program", () => {
    const file = path.join(scratch(), "letter.db");
    writeFileSync(file, "This is a letter.");
    expect(refused(file)).toContain("does not begin like a venue");
    rmSync(file);
    const db = new SqliteDatabase(file);
    db.exec("CREATE TABLE other (x)");
    db.close();
    expect(refused(file)).toContain("does not begin like a venue");
  });

  test("for a folder, and in memory", () => {
    expect(failureOf(() => resetFiles(scratch())).message).toContain("is not a regular file");
    expect(failureOf(() => resetFiles(":memory:")).message).toContain("has no file");
  });
});
