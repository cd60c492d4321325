import { lstat, mkdir, mkdtemp, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Redactor } from "../client/redact.ts";
import { mergeReportFiles } from "../merge-reports.ts";
import { SafetyStop } from "../model/outcome.ts";
import { UsageError } from "../model/position.ts";
import { OutputUnwritten } from "./output-file.ts";
import { readReport } from "./read-report.ts";
import { sampleReport } from "./testing/sample-report.ts";
import { parseReportTarget, reportFormats, reportTargets, writeReports } from "./write-reports.ts";

const secret = "a-secret-of-the-tests";
const redactor = new Redactor(new Map([["trader.secret", secret]]));
const report = sampleReport();
let folder = "";

vi.mock("node:fs/promises", async (actual) => {
  const real = await actual<typeof import("node:fs/promises")>();
  return { ...real, rename: vi.fn<typeof real.rename>(real.rename) };
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatewright-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe("the flag", () => {
  it("takes every format, and teaches the one that was meant", () => {
    for (const format of reportFormats)
      expect(parseReportTarget(`${format}=a=b`, reportFormats)).toEqual({ format, file: "a=b" });
    expect(() => parseReportTarget("jnuit=x", reportFormats)).toThrow(
      /not "jnuit=x": did you mean "junit"\?/,
    );
    expect(() => parseReportTarget("json", reportFormats)).toThrow(UsageError);
    expect(() => parseReportTarget("html", reportFormats)).toThrow(
      /expects FORMAT=FILE .*, not "html": it names no file; write html=FILE/,
    );
    expect(() => parseReportTarget("run/report.html", reportFormats)).toThrow(/write html=run\/report\.html/);
  });
});

describe("written reports", () => {
  it("are readable for their owner only, in folders that are made, and leave no draft behind", async () => {
    const targets = reportFormats.map((format) => ({
      format,
      file: join(folder, "deep", `report.${format}`),
    }));
    await writeReports(targets, report, redactor);
    const files = await readdir(join(folder, "deep"));
    expect(files.sort()).toEqual(
      [...reportFormats.map((name) => `report.${name}`), "report.badge.endpoint.json"].sort(),
    );
    for (const name of files) expect((await lstat(join(folder, "deep", name))).mode & 0o777).toBe(0o600);
    expect(await readReport(join(folder, "deep", "report.json"))).toEqual(report);
    expect(await readReport(join(folder, "deep", "report.ndjson"))).toEqual(report);
  });

  it("replace an older report and follow no link", async () => {
    const file = join(folder, "report.json");
    await writeFile(file, "old");
    await writeReports([{ format: "json", file }], report, redactor);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ verdict: "NON_CONFORMANT" });
    const victim = join(folder, "victim");
    await writeFile(victim, "precious");
    await symlink(victim, join(folder, "link.json"));
    const written = writeReports([{ format: "json", file: join(folder, "link.json") }], report, redactor);
    await expect(written).rejects.toThrow(/link\.json cannot be written: it is a link/);
    expect(await readFile(victim, "utf8")).toBe("precious");
  });

  it("say which could not be written, after writing the others", async () => {
    await mkdir(join(folder, "taken"));
    await writeFile(join(folder, "file"), "");
    const targets = [
      { format: "json", file: join(folder, "taken") },
      { format: "tap", file: join(folder, "file", "below.tap") },
      { format: "markdown", file: join(folder, "fine.md") },
    ] as const;
    const error = await writeReports(targets, report, redactor).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OutputUnwritten);
    expect(String(error)).toMatch(
      /taken cannot be written: it is a folder; name a file\n.*below\.tap cannot be written/,
    );
    expect(await readdir(folder)).toEqual(["file", "fine.md", "taken"]);
  });

  it("hold no secret even when the value did", async () => {
    const file = join(folder, "report.json");
    await writeReports([{ format: "json", file }], sampleReport(`echo ${secret}`), redactor);
    expect(await readFile(file, "utf8")).toContain("echo «trader.secret»");
  });

  it("are deleted when a secret is found in them after all, and the run stops", async () => {
    const targets = (["json", "html"] as const).map((format) => ({
      format,
      file: join(folder, `r.${format}`),
    }));
    const blind = Object.assign(Object.create(redactor) as Redactor, {
      redact: (text: string) => text,
      finds: (text: string) => text.includes(secret),
    });
    const error = await writeReports(targets, sampleReport(secret), blind).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SafetyStop);
    expect(String(error)).toMatch(/r\.json, .*r\.html/);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("a report for a place that is not ours alone", () => {
  const target = (format: "json" | "markdown", file: string) => [{ format, file }] as const;

  it("is added to the summary of a step", async () => {
    const file = join(folder, "summary.md");
    await writeFile(file, "# Deploy\n");
    vi.stubEnv("GITHUB_STEP_SUMMARY", file);
    for (const name of ["one", "two"])
      await writeReports(
        target("markdown", file),
        { ...report, target: { ...report.target, name } },
        redactor,
      );
    expect((await readFile(file, "utf8")).match(/^# Deploy|^one|^two/gm)).toEqual(["# Deploy", "one", "two"]);
  });

  it("replaces any other file of markdown", async () => {
    const file = join(folder, "other.md");
    await writeFile(file, "old");
    await writeReports(target("markdown", file), report, redactor);
    expect(await readFile(file, "utf8")).not.toContain("old");
  });

  it("goes to stdout with the name -, one report alone, and no file of this name appears", async () => {
    const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    expect(await reportTargets(["json=-"], reportFormats, { stdout: "free" })).toEqual(target("json", "-"));
    await writeReports(target("json", "-"), report, redactor);
    expect(JSON.parse(String(written.mock.calls[0]?.[0]))).toMatchObject({ verdict: "NON_CONFORMANT" });
    expect(await readdir(".")).not.toContain("-");
    const both = reportTargets(["json=-", "junit=-"], reportFormats, { stdout: "free" });
    await expect(both).rejects.toThrow(/one report alone/);
    await expect(reportTargets(["json=-"], ["json"])).rejects.toThrow(/write \.\/-/);
    await expect(reportTargets(["badge=-"], reportFormats, { stdout: "free" })).rejects.toThrow(UsageError);
  });

  it("is not written at all when a secret is found in it after redaction", async () => {
    const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const blind = Object.assign(Object.create(redactor) as Redactor, {
      redact: (text: string) => text,
      finds: () => true,
    });
    await expect(writeReports(target("json", "-"), report, blind)).rejects.toBeInstanceOf(SafetyStop);
    expect(written).not.toHaveBeenCalled();
  });

  it("is written into a file that is mounted and cannot be replaced", async () => {
    const file = join(folder, "mounted.json");
    await writeFile(file, "something longer than nothing");
    const { ino } = await lstat(file);
    vi.mocked(rename).mockRejectedValueOnce(Object.assign(new Error("busy"), { code: "EBUSY" }));
    await writeReports(target("json", file), report, redactor);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ verdict: "NON_CONFORMANT" });
    expect((await lstat(file)).ino).toBe(ino);
    expect(await readdir(folder)).toEqual(["mounted.json"]);
  });
});

describe("a report that is read back", () => {
  it.each([
    ["at its head", "json", /^/, `{"verdict":"CONFORMANT",`, 'the member "verdict" of it occurs twice'],
    ["in a case", "json", /"id": ?"[^"]*",\s*"title"/, `"outcome":"passed",`, "occurs twice"],
    [
      "in its footer",
      "ndjson",
      /^\{"line":"footer",/m,
      `{"line":"footer","exitCode":0,`,
      'the member "exitCode"',
    ],
  ] as const)("is refused when a member stands in it twice: %s", async (_, format, where, more, reason) => {
    const file = join(folder, `r.${format}`);
    await writeReports([{ format, file }], report, redactor);
    const text = await readFile(file, "utf8");
    const changed =
      where.source === "^"
        ? more + text.slice(text.indexOf("{") + 1)
        : text.replace(where, (found) => (found.startsWith("{") ? more : more + found));
    expect(changed).not.toBe(text);
    await writeFile(file, changed);
    await expect(readReport(file)).rejects.toThrow(reason);
    await expect(mergeReportFiles([file])).rejects.toThrow(reason);
  });

  it.each([
    ["{}", "is not a report of this version: the report must have required property 'type'"],
    ["not json", "is not a report: it is not JSON"],
    ['{"line":"header"}\n', "the footer is missing"],
  ])("is refused when it is %s", async (text, reason) => {
    const file = join(folder, "odd");
    await writeFile(file, text);
    await expect(readReport(file)).rejects.toThrow(reason);
    await expect(readReport(file)).rejects.toBeInstanceOf(UsageError);
  });
});
