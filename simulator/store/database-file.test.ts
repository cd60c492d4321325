import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { StoreFailure } from "../sequencer/store-failure.ts";
import { fileFailure, locateDatabase } from "./database-file.ts";

const folder = mkdtempSync(path.join(tmpdir(), "gatewright-"));
afterAll(() => rmSync(folder, { recursive: true }));

function refusal(look: () => unknown): StoreFailure {
  try {
    look();
  } catch (error) {
    if (error instanceof StoreFailure) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a database that the operating system refuses", () => {
  writeFileSync(path.join(folder, "file"), "");
  symlinkSync("circle", path.join(folder, "circle"));

  it.each([
    ["absent/v.db", /there is no such file or folder\. .*spelling/],
    ["file/v.db", /file is not a folder\. Choose another file/],
    ["circle/v.db", /links lead in a circle\. Name the file itself/],
    [`${"n".repeat(300)}/v.db`, /longer than the system allows\. Choose a shorter one/],
  ])("is told why in words, and what to do: %s", (name, said) => {
    const { message } = refusal(() => locateDatabase(path.join(folder, name)));
    expect(message).toMatch(said);
    expect(message).not.toMatch(/\bE[A-Z]{3,}\b/);
  });

  it.each([
    ["EACCES", "readonly"],
    ["EPERM", "readonly"],
    ["EROFS", "readonly"],
    ["ENOSPC", "full"],
    ["EDQUOT", "full"],
    ["EMFILE", "io"],
    ["EIO", "io"],
    ["EBUSY", "io"],
  ])("has no bare code in its sentence, whichever it is: %s", (code, kind) => {
    const error = Object.assign(new Error(`${code}: some reason, open 'v.db'`), { code });
    const found = fileFailure(error, "The database v.db could not be created") as StoreFailure;
    expect(found).toMatchObject({ kind, cause: error });
    expect(found.message).toMatch(/^The database v\.db could not be created: [a-z].*\. [A-Z].*\.$/);
    expect(found.message).not.toContain(code);
  });
});
