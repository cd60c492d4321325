import { copyFileSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { backUp } from "./backup.ts";
import { SqliteDatabase } from "./driver.ts";
import { killChild, runChild, startChild } from "./testing/child-process.ts";
import { appendSamples, lastSeqOf, makeVenue, openSample, sampleEntry } from "./testing/sample.ts";
import { contentOf, failureOf, tamper, useChild, useScratch } from "./testing/scratch.ts";

const scratch = useScratch();
const program = useChild();

async function venueAndCopy(entries: number) {
  const folder = scratch();
  const file = path.join(folder, "v.db");
  const target = path.join(folder, "b.db");
  makeVenue(file, entries);
  const backup = await backUp(file, target);
  return { folder, file, target, backup };
}

test("a copy of a running venue holds all that was acknowledged before, and none of it halfway", async () => {
  const folder = scratch();
  const file = path.join(folder, "v.db");
  const { child, output } = await startChild(program(), "load", file);
  for (let round = 0; round < 5; round++) {
    while (output().length < 40 * (round + 1)) await new Promise((resolve) => setTimeout(resolve, 5));
    const acknowledged = Number(output().at(-1));
    const target = path.join(folder, `b${round}.db`);
    const { last } = await backUp(file, target);
    expect(last?.seq).toBeGreaterThanOrEqual(acknowledged);
    // A batch of the child holds eight entries.
    expect((last?.seq ?? 0) % 8).toBe(0);
    expect(last?.hash).toBe(sampleEntry(last?.seq ?? 0).hash);
    expect(lastSeqOf(target)).toBe(last?.seq);
  }
  await killChild(child);
  expect(lastSeqOf(file)).toBeGreaterThan(0);
});

test("a copy is made again when the log began anew between its two halves", async () => {
  const folder = scratch();
  const journal = openSample(path.join(folder, "v.db"));
  appendSamples(journal, 20_000);
  let copies = 0;
  const { last } = await backUp(journal.file, path.join(folder, "b.db"), () => {
    if (copies++ > 0) return;
    for (let commit = 0; commit < 20; commit++) appendSamples(journal, 2000);
  });
  journal.close();
  expect({ copies, seq: last?.seq }).toEqual({ copies: 2, seq: 60_000 });
  expect(lastSeqOf(path.join(folder, "b.db"))).toBe(60_000);
});

test("entries that a crash left in the log are in the copy, and the venue's files are unchanged", async () => {
  const folder = scratch();
  const file = path.join(folder, "v.db");
  runChild(program(), "leave", file);
  const before = contentOf(file);
  await backUp(file, path.join(folder, "b.db"));
  expect(contentOf(file)).toEqual(before);
  expect(lastSeqOf(path.join(folder, "b.db"))).toBe(40);
});

test("a copy is one readable file with its mark, for its owner alone", async () => {
  const { folder, target, backup } = await venueAndCopy(3);
  expect(backup).toEqual({
    file: target,
    last: expect.objectContaining({ seq: 3, hash: sampleEntry(3).hash }),
  });
  expect(readdirSync(folder).filter((name) => !name.startsWith("v.db"))).toEqual(["b.db", "b.db.mark"]);
  if (process.platform !== "win32") expect(statSync(target).mode & 0o777).toBe(0o600);
  const copy = new SqliteDatabase(target, { readonly: true });
  // A file that expects a log cannot be read from a read-only folder.
  expect(copy.pragma("journal_mode", { simple: true })).toBe("delete");
  copy.close();
});

test("a copy refuses requests that were signed before its first start", async () => {
  const { target } = await venueAndCopy(3);
  const now = Date.UTC(2026, 0, 1);
  const warnings: string[] = [];
  const options = { authNow: now, onWarning: (message: string) => void warnings.push(message) };
  const first = openSample(target, options);
  expect(first.nonces.loadFloors()[0]?.timestamp).toBe(now);
  first.close();
  openSample(target, options).close();
  expect(warnings).toEqual([
    expect.stringMatching(/is a backup: nonces .*2026-01-01T00:00:00\.000Z are refused/),
  ]);
});

test("a venue without an entry is copied, too", async () => {
  const { target, backup } = await venueAndCopy(0);
  expect(backup.last).toBeNull();
  expect(lastSeqOf(target)).toBe(0);
});

test("a copy that lost entries, was cut or is another venue's is refused at a start", async () => {
  const { target } = await venueAndCopy(300);
  const keep = `${target}.kept`;
  copyFileSync(target, keep);
  tamper(target, "DELETE FROM journal WHERE seq = 300");
  expect(failureOf(() => openSample(target)).message).toMatch(
    /left at entry 300, and the journal ends at entry 299/,
  );
  copyFileSync(keep, target);
  truncateSync(target, statSync(target).size - 8192);
  expect(failureOf(() => openSample(target)).kind).toBe("corrupt");
  makeVenue(`${keep}2`, 300);
  copyFileSync(`${keep}2`, target);
  expect(failureOf(() => openSample(target)).message).toMatch(/belongs to another venue/);
});

test("a damaged venue is not copied", async () => {
  const folder = scratch();
  const file = path.join(folder, "v.db");
  makeVenue(file, 300);
  tamper(file, "DELETE FROM journal WHERE seq = 300");
  await expect(backUp(file, path.join(folder, "b.db"))).rejects.toThrow(/v\.db.*left at entry 300/);
  truncateSync(file, statSync(file).size - 8192);
  await expect(backUp(file, path.join(folder, "b.db"))).rejects.toThrow(/v\.db is damaged/);
  await expect(backUp(path.join(folder, "none.db"), path.join(folder, "b.db"))).rejects.toThrow(
    /There is no database .*none\.db/,
  );
  expect(readdirSync(folder).filter((name) => !name.startsWith("v.db"))).toEqual([]);
});

test.each(["b.db", "b.db.mark", "b.db-wal"])("a copy replaces no file: %s", async (name) => {
  const folder = scratch();
  const file = path.join(folder, "v.db");
  const journal = openSample(file);
  appendSamples(journal, 1);
  journal.close();
  writeFileSync(path.join(folder, name), "mine");
  await expect(backUp(file, path.join(folder, "b.db"))).rejects.toThrow(`${name} exists already`);
  expect(readdirSync(folder).filter((each) => !each.startsWith("v.db"))).toEqual([name]);
  await expect(backUp(file, path.join(folder, "absent", "c.db"))).rejects.toThrow(
    /absent.*: there is no such file or folder\. Check the spelling/,
  );
});
