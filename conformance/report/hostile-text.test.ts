import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Redactor } from "../client/redact.ts";
import { annotations } from "./annotations.ts";
import { badgeSvg } from "./badge.ts";
import { reportProblem } from "./check-report.ts";
import { consoleReport } from "./console.ts";
import { htmlReport } from "./html/page.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import { ndjsonReport, readNdjson } from "./ndjson.ts";
import { bounded } from "./report.ts";
import { tapReport } from "./tap.ts";
import { hostileTexts } from "./testing/hostile-texts.ts";
import { type Element, elementsOf, readTap, xmlProblems } from "./testing/readers.ts";
import { sampleReport } from "./testing/sample-report.ts";
import { writeReports } from "./write-reports.ts";

const plain = sampleReport();
const reports = Object.values(hostileTexts).map((text) => bounded(sampleReport(text.slice(0, 20_000))));
/** The number of these depends on the lines of the signature and on where a difference is. */
const cells = new Set(["del", "ins", "tr", "td", "th", "code", "mark"]);
const namesOf = (elements: readonly Element[]) =>
  elements.map(({ name }) => name).filter((name) => !cells.has(name));
/** The same report about a harmless target, in every format. */
const harmless = {
  names: namesOf(elementsOf(htmlReport(plain))),
  points: readTap(tapReport(plain)).points.map(({ ok, skip }) => [ok, skip !== false]),
  lines: ndjsonReport(plain).split("\n").length,
  annotations: annotations(plain),
  markdown: markdownReport(plain),
};
/** All characters that reverse text, move a cursor or end a line, except the line ends of the report itself. */
const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

it("every text leaves JUnit well-formed and of the shape that servers read", async () => {
  expect(await xmlProblems(...reports.map(junitReport))).toEqual([]);
});

describe.each(Object.keys(hostileTexts).map((name, at) => [name, reports[at] ?? plain] as const))(
  "a target that sends %s",
  (_, report) => {
    it("puts no element, attribute or address into the page", () => {
      const page = htmlReport(report);
      const elements = elementsOf(page);
      expect(namesOf(elements)).toEqual(harmless.names);
      for (const { name, attributes } of elements) {
        expect(Object.keys(attributes).filter((key) => /^on|^style$|^srcdoc$/.test(key))).toEqual([]);
        expect(attributes["href"] ?? "#").toMatch(/^#/);
        expect(attributes["src"], name).toBeUndefined();
      }
      expect(page).not.toMatch(unprintable);
    });

    it("changes no line of TAP", () => {
      const reading = readTap(tapReport(report));
      expect(reading.extra).toBe("");
      expect(reading.points.map(({ ok, skip }) => [ok, skip !== false])).toEqual(harmless.points);
    });

    it("is unchanged after reading JSON and NDJSON", () => {
      expect(reportProblem(JSON.parse(JSON.stringify(report)))).toBeUndefined();
      const lines = ndjsonReport(report);
      expect(readNdjson(lines)).toEqual(JSON.parse(JSON.stringify(report)));
      expect(lines.split("\n")).toHaveLength(harmless.lines);
    });

    it("holds no raw character that a terminal obeys, in JSON and NDJSON", async () => {
      const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
      const formats = ["json", "ndjson"] as const;
      await writeReports(
        formats.map((format) => ({ format, file: join(folder, format) })),
        report,
        new Redactor(new Map()),
      );
      for (const format of formats)
        expect(await readFile(join(folder, format), "utf8")).not.toMatch(unprintable);
    });

    it("neither moves the cursor nor speaks to the CI", () => {
      const shown = consoleReport(report);
      expect(shown).not.toMatch(unprintable);
      expect(shown).not.toMatch(/^\s*::|##\[|##vso\[/m);
      const commands = annotations(report);
      expect(commands).not.toMatch(unprintable);
      expect(commands.split("\n")).toHaveLength(harmless.annotations.split("\n").length);
      expect(commands.match(/^::(\w+) /gm)).toEqual(harmless.annotations.match(/^::(\w+) /gm));
    });

    it("stays text in Markdown", () => {
      const hostile = markdownReport(report);
      const { markdown } = harmless;
      expect(hostile.split("\n")).toHaveLength(markdown.split("\n").length);
      expect(hostile.match(/\|/g)).toHaveLength(markdown.match(/\|/g)?.length ?? 0);
      expect(hostile.match(/<[^>]*>/g)).toEqual(markdown.match(/<[^>]*>/g));
      expect(hostile).not.toMatch(/\]\(|@everyone|`|www\./);
    });

    it("does not fill a report with one text", () => {
      for (const written of [
        consoleReport(report),
        markdownReport(report),
        annotations(report),
        badgeSvg(report),
      ])
        expect(written.length).toBeLessThan(200_000);
    });
  },
);
