import { execFileSync } from "node:child_process";
import { mkdtemp, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { certify, verify } from "../certify.ts";
import { runConformance } from "../conform.ts";
import { readSuite } from "../load-suite.ts";
import { UsageError } from "../model/position.ts";
import { readReport } from "../report/read-report.ts";
import { mostBytes, readCapped, utf8In } from "./read-capped.ts";

const folder = await mkdtemp(join(tmpdir(), "gatewright-read-"));
const file = join(folder, "file");
await writeFile(file, "ten bytes.");

describe("a file that a person has named", () => {
  it("is read to its end, and not beyond its limit", async () => {
    expect(await readCapped("report", file, 10)).toBe("ten bytes.");
    await expect(readCapped("report", file, 9)).rejects.toThrow(
      `the report ${file} cannot be read: it has more than 9 bytes`,
    );
  });

  it.skipIf(process.platform === "win32")(
    "is a file, not a pipe that waits or a device that never ends",
    async () => {
      const pipe = join(folder, "pipe.yaml");
      execFileSync("mkfifo", [pipe]);
      for (const path of [pipe, "/dev/zero", "/dev/tty"]) {
        const error: unknown = await readCapped("report", path, 10).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(UsageError);
        expect(String(error)).toMatch(/a pipe or a device, not a file|without a reader/);
      }
    },
  );

  it("is not read when it is larger than its limit: three gigabytes of nothing", async () => {
    const sparse = join(folder, "sparse.yaml");
    await writeFile(sparse, "");
    await truncate(sparse, 3 * 1024 ** 3);
    const before = process.memoryUsage().rss;
    await expect(readCapped("report", sparse, mostBytes.large)).rejects.toThrow("more than 67108864 bytes");
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
  });

  it.each([
    ["with a byte order mark", Buffer.from("\ufeff{ ä\ud83d\ude00")],
    ["in UTF-16, as PowerShell writes it", Buffer.from("\ufeff{ ä\ud83d\ude00", "utf16le")],
    ["in UTF-16 of the other order", Buffer.from("\ufeff{ ä\ud83d\ude00", "utf16le").swap16()],
  ])("is the same %s", async (_, bytes) => {
    const marked = join(folder, "marked.txt");
    await writeFile(marked, bytes);
    expect(await readCapped("report", marked, 100)).toBe("{ ä\ud83d\ude00");
    expect(utf8In(bytes).toString()).toBe("{ ä\ud83d\ude00");
  });

  it("is refused so by every command that reads one", async () => {
    const [pipe, sparse] = [join(folder, "other.yaml"), join(folder, "sparse.yaml")];
    execFileSync("mkfifo", [pipe]);
    await writeFile(sparse, "");
    await truncate(sparse, 3 * 1024 ** 3);
    const target = { target: "http://127.0.0.1:9/api/v1/trading", keyId: "k", secret: "s" };
    for (const path of [pipe, sparse, "/dev/zero"]) {
      const readers: readonly (() => Promise<unknown>)[] = [
        () => (path.endsWith(".yaml") ? readSuite([path]) : Promise.reject(new UsageError(path))),
        () => readReport(path),
        () => verify({ certificate: path, report: file }),
        () => verify({ certificate: file, report: path }),
        () => runConformance({ profile: path }),
        () => runConformance({ ...target, expectations: path }),
        () => certify({ ...target, level: "core", key: path, challenge: "c" }),
      ];
      for (const read of readers) await expect(read(), path).rejects.toBeInstanceOf(UsageError);
    }
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
