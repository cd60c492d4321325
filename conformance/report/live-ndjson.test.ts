import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Redactor } from "../client/redact.ts";
import type { RowResult } from "../model/outcome.ts";
import { readReport } from "./read-report.ts";
import { reportedCase } from "./report.ts";
import { sampleReport } from "./testing/sample-report.ts";
import { liveReports, writeReports } from "./write-reports.ts";

const secret = "a-secret-of-the-tests";
const redactor = new Redactor(new Map([["trader.secret", secret]]));
let folder = "";
let file = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatewright-"));
  file = join(folder, "out", "report.ndjson");
});

const row = (id: string, title = "a title", outcome: RowResult["outcome"] = "passed"): RowResult => ({
  id,
  title,
  outcome,
  clauses: [],
  findings: [],
  observations: {},
  durationMs: 1,
  place: "a.yaml:1",
});

/** The kinds of lines in the file, and the ids of cases. */
const linesIn = (path: string): unknown[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .map((value) => value["id"] ?? value["line"]);

describe("an NDJSON report", () => {
  it("grows while the run goes, is complete at its end, and belongs to its owner", async () => {
    const rows = [row("one"), row("two", "second"), row("three")];
    const report = sampleReport("plain", {
      cases: rows.map((one) => ({
        ...reportedCase(one, redactor, sampleReport()),
        ...(one.id === "two" ? { reason: "late" } : {}),
      })),
    });
    const targets = [{ format: "ndjson", file }] as const;
    const live = liveReports(targets);
    live.begin({ start: report, redactor });
    expect(linesIn(file)).toEqual(["header"]);
    for (const one of ["two", "one"]) live.row(row(one, one === "two" ? "second" : "a title"));
    expect(linesIn(file)).toEqual(["header", "two", "one"]);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    await expect(readReport(file)).rejects.toThrow("the footer is missing: the run did not end");
    await writeReports(targets, report, redactor, live);
    const cases = linesIn(file).filter((one) => rows.some(({ id }) => id === one));
    expect(cases, "a case comes again only when the verdict has changed it").toEqual([
      "two",
      "one",
      "two",
      "three",
    ]);
    expect(await readReport(file)).toEqual(report);
    expect(readdirSync(join(folder, "out"))).toEqual(["report.ndjson"]);
  });

  it("holds no secret at any time", async () => {
    const live = liveReports([{ format: "ndjson", file }]);
    live.begin({ start: sampleReport("plain", { command: `gatewright ${secret}` }), redactor });
    live.row(row("one", `the target said ${secret}`));
    expect(readFileSync(file, "utf8")).not.toContain(secret);
    expect(readFileSync(file, "utf8")).toMatch(/gatewright «trader\.secret»[\s\S]*said «trader\.secret»/);
  });

  it("replaces an older file, follows no link, and a report that cannot be started is reported at the end", async () => {
    const [old, victim, link] = ["old.ndjson", "victim", "link.ndjson"].map((name) => join(folder, name)) as [
      ...[string, string, string],
    ];
    writeFileSync(old, "older", { mode: 0o644 });
    writeFileSync(victim, "precious");
    symlinkSync(victim, link);
    mkdirSync(join(folder, "taken"));
    const targets = [old, link, join(folder, "taken")].map(
      (one) => ({ format: "ndjson", file: one }) as const,
    );
    const live = liveReports(targets);
    const report = sampleReport();
    live.begin({ start: report, redactor });
    live.row(row("one"));
    expect(linesIn(old)).toEqual(["header", "one"]);
    const written = writeReports(targets, report, redactor, live);
    await expect(written).rejects.toThrow(
      /link\.ndjson cannot be written: it is a link[\s\S]*taken cannot be/,
    );
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(await readReport(old)).toEqual(report);
  });

  it("is written completely if no run has started it", async () => {
    const targets = [{ format: "ndjson", file }] as const;
    const report = sampleReport();
    await writeReports(targets, report, redactor, liveReports(targets));
    expect(await readReport(file)).toEqual(report);
  });
});
