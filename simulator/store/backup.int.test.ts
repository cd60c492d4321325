import { copyFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { expect, test, vi } from "vitest";
import { SqliteDatabase } from "./driver.ts";
import { appendSamples, openSample } from "./testing/sample.ts";
import { failureOf, useScratch } from "./testing/scratch.ts";

const scratch = useScratch();

test("a backup is one readable file, made while the venue works on", async () => {
  const folder = scratch();
  const journal = openSample(path.join(folder, "v.db"));
  appendSamples(journal, 3000);
  const target = path.join(folder, "backup.db");
  const done = journal.backupTo(target);
  appendSamples(journal, 10);
  await done;
  appendSamples(journal, 10);
  journal.close();
  expect(readdirSync(folder).filter((name) => name.startsWith("backup"))).toEqual(["backup.db"]);
  if (process.platform !== "win32") expect(statSync(target).mode & 0o777).toBe(0o600);

  const copy = new SqliteDatabase(target, { readonly: true });
  // A file that expects a log cannot be read from a folder that nobody may write to.
  expect(copy.pragma("journal_mode", { simple: true })).toBe("delete");
  const count = copy.prepare("SELECT id FROM orders").all().length;
  copy.close();
  expect([3000, 3010]).toContain(count);

  const warnings: string[] = [];
  const restored = openSample(target, { onWarning: (message) => warnings.push(message) });
  expect(restored.last()?.seq).toBe(count);
  expect(warnings).toEqual([expect.stringContaining("restored backup")]);
  restored.close();
});

test("a backup never replaces a file, and leaves nothing when it fails", async () => {
  const folder = scratch();
  const target = path.join(folder, "b.db");
  const journal = openSample(path.join(folder, "v.db"));
  appendSamples(journal, 1);
  await journal.backupTo(target);
  await expect(journal.backupTo(target)).rejects.toThrow("exists already");
  await expect(journal.backupTo(path.join(folder, "absent", "b.db"))).rejects.toThrow(
    /absent.*: there is no such file or folder\. Check the spelling/,
  );
  vi.spyOn(SqliteDatabase.prototype, "backup").mockRejectedValue(new Error("cut short"));
  await expect(journal.backupTo(path.join(folder, "c.db"))).rejects.toThrow("cut short");
  expect(readdirSync(folder).filter((name) => !name.startsWith("v.db"))).toEqual(["b.db"]);
  journal.close();
});

test("a backup in place of a longer history is refused", async () => {
  const folder = scratch();
  const file = path.join(folder, "v.db");
  const journal = openSample(file);
  appendSamples(journal, 1);
  await journal.backupTo(path.join(folder, "b.db"));
  appendSamples(journal, 1);
  journal.close();
  copyFileSync(path.join(folder, "b.db"), file);
  expect(failureOf(() => openSample(file)).message).toMatch(
    /left at entry 2, and the journal ends at entry 1.*restored backup/,
  );
});
