import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { UsageError } from "../model/position.ts";
import { readCapped } from "./read-capped.ts";

const folder = await mkdtemp(join(tmpdir(), "gatewright-read-"));
const file = join(folder, "file");
await writeFile(file, "ten bytes.");

describe("a file that a person has named", () => {
  it("is read to its end, and not beyond its limit", async () => {
    expect(await readCapped("report", file, 10)).toBe("ten bytes.");
    await expect(readCapped("report", file, 9)).rejects.toThrow(
      `the report ${file} cannot be read: it has more than 9 bytes`,
    );
    await expect(readCapped("report", "/dev/zero", 1000)).rejects.toThrow("more than 1000 bytes");
  });

  it.each([
    ["that is not there", join(folder, "none"), "there is no such file or folder; check the spelling"],
    ["that is a folder", folder, "it is a folder; name a file"],
    ["below a file", join(file, "below"), "a part of the path is a file, not a folder"],
    ["with a NUL byte in its name", "a\0b", "the path holds a NUL byte"],
    ["without a name", "", "the report with the empty path cannot be read: there is no such file"],
  ])("%s is a mistake of the person, in a sentence", async (_what, path, sentence) => {
    const error: unknown = await readCapped("report", path, 10).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toContain(sentence);
    expect(String(error)).not.toMatch(/\b(?:ENOENT|EISDIR|ENOTDIR|ERR_)/);
  });
});
