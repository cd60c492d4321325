import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { schemaVersion } from "./migrations.ts";
import { runChild } from "./testing/child-process.ts";
import { appendSamples, lastSeqOf, makeVenue, openSample } from "./testing/sample.ts";
import { contentOf, failureOf, tamper, useChild, useScratch } from "./testing/scratch.ts";

const scratch = useScratch();
const hasModes = process.platform !== "win32";

const child = useChild();

describe("a file that is refused is not touched", () => {
  const cases: readonly (readonly [
    name: string,
    spoil: (file: string) => void,
    kind: string,
    sentence: RegExp,
  ])[] = [
    [
      "a newer schema",
      (file) => tamper(file, `PRAGMA user_version = ${schemaVersion + 1}`),
      "newer-version",
      /schema version \d+.*Update Gatewright/,
    ],
    [
      "another program's database",
      (file) => tamper(file, "PRAGMA application_id = 77"),
      "not-a-database",
      /another program/,
    ],
    [
      "codes with other meanings",
      (file) => tamper(file, "UPDATE command_kind SET name = 'Reshuffled' WHERE code = 1"),
      "other",
      /"Reshuffled".*"CancelOrder"/,
    ],
    [
      "another world",
      (file) => tamper(file, "UPDATE venue SET world_digest = 'ff'"),
      "other",
      /another world.*--world.*--db.*reset/,
    ],
    [
      "another seed",
      (file) => tamper(file, "UPDATE venue SET seed = 9"),
      "other",
      /seed 9.*seed 1.*--seed 9/,
    ],
  ];

  test.each(cases)("%s", (_name, spoil, kind, sentence) => {
    const file = path.join(scratch(), "v.db");
    makeVenue(file, 2);
    spoil(file);
    const before = contentOf(file);
    const failure = failureOf(() => openSample(file));
    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(sentence);
    expect(failure.message).toContain(file);
    expect(contentOf(file)).toEqual(before);
  });

  test("a link that leaves its folder, a link that leads nowhere, a linked mark, a folder", () => {
    const folder = scratch();
    const elsewhere = path.join(scratch(), "target.db");
    makeVenue(elsewhere, 1);
    const before = contentOf(elsewhere);
    const link = path.join(folder, "link.db");
    symlinkSync(elsewhere, link);
    expect(failureOf(() => openSample(link)).message).toContain("leaves its folder");

    const dangling = path.join(folder, "dangling.db");
    symlinkSync(path.join(folder, "nothing.db"), dangling);
    expect(failureOf(() => openSample(dangling)).message).toContain("leads nowhere");

    const marked = path.join(folder, "marked.db");
    symlinkSync(elsewhere, `${marked}.mark`);
    expect(failureOf(() => openSample(marked)).message).toContain("is a link");

    mkdirSync(path.join(folder, "folder.db"));
    expect(failureOf(() => openSample(path.join(folder, "folder.db"))).message).toContain(
      "not a regular file",
    );
    expect(failureOf(() => openSample(path.join(folder, "absent", "v.db"))).message).toContain("absent");
    expect(contentOf(elsewhere)).toEqual(before);
    expect(existsSync(marked)).toBe(false);
  });

  test("a link inside its folder is followed, and the mark is beside its target", () => {
    const folder = scratch();
    makeVenue(path.join(folder, "real.db"), 1);
    symlinkSync("real.db", path.join(folder, "link.db"));
    const journal = openSample(path.join(folder, "link.db"));
    appendSamples(journal, 1);
    journal.close();
    expect(readdirSync(folder).toSorted()).toEqual(["link.db", "real.db", "real.db.mark"]);
    expect(lastSeqOf(path.join(folder, "real.db"))).toBe(2);
  });

  test.runIf(hasModes)("a read-only file and a read-only folder", () => {
    const folder = scratch();
    const file = path.join(folder, "v.db");
    makeVenue(file, 1);
    const before = contentOf(file);
    chmodSync(folder, 0o777);
    chmodSync(file, 0o444);
    const readOnlyFile = runChild(child(), "open", file, { unprivileged: true });
    expect(readOnlyFile).toMatchObject({ status: 3, said: [{ kind: "readonly" }] });
    expect(JSON.stringify(readOnlyFile.said)).toContain(`The database ${file} cannot be written to`);
    chmodSync(folder, 0o555);
    for (const name of [file, path.join(folder, "new.db")]) {
      const readOnlyFolder = runChild(child(), "open", name, { unprivileged: true });
      expect(readOnlyFolder).toMatchObject({ status: 3, said: [{ kind: "readonly" }] });
      expect(JSON.stringify(readOnlyFolder.said)).toContain(`The folder ${folder} cannot be written to`);
    }
    expect(contentOf(file)).toEqual(before);
    expect(readdirSync(folder).toSorted()).toEqual(["v.db", "v.db.mark"]);
  });
});
