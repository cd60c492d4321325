import { describe, expect, it } from "vitest";
import { compareReports } from "./compare-reports.ts";
import { comparisonText } from "./comparison-text.ts";
import type { Report, ReportedCase } from "./report.ts";
import { clause, row, sampleReport } from "./testing/sample-report.ts";

function reportOf(cases: readonly ReportedCase[], changes: Partial<Report> = {}): Report {
  return sampleReport("plain", { cases, ambient: [], clauses: [], verdict: "CONFORMANT", ...changes });
}

const passed = row("a", "passed");

describe("two reports", () => {
  const worse: readonly (readonly [string, ReportedCase["outcome"], ReportedCase["outcome"]])[] = [
    ["newlyFailing", "passed", "failed"],
    ["newlyFailing", "blocked", "error"],
    ["newlyBlocked", "passed", "blocked"],
    ["newlyBlocked", "failed", "blocked"],
    ["newlyWarned", "passed", "warned"],
    ["gone", "passed", "filtered"],
  ];
  it.each(worse)("%s, when a case was %s and is %s", (list, from, to) => {
    const comparison = compareReports(reportOf([row("a", from)]), reportOf([row("a", to)]));
    expect(comparison.worse).toBe(true);
    expect(comparison).toMatchObject({ [list]: [{ id: "a", from, to }] });
  });

  it("are not worse because of cases that are fixed, new, or failed before", () => {
    const before = reportOf([row("a", "failed"), row("b", "blocked"), row("c", "failed")]);
    const after = reportOf([row("a", "passed"), row("b", "passed"), row("c", "failed"), row("d", "passed")]);
    const comparison = compareReports(before, after);
    expect(comparison).toMatchObject({
      worse: false,
      newlyFailing: [],
      fixed: [{ id: "a" }],
      added: [{ id: "d" }],
    });
    expect(comparisonText(comparison)).toMatch(
      /FIXED {4}a: failed → passed[^]*0 newly failing, 1 fixed[^]*NOT WORSE\n$/,
    );
  });

  it("are worse if a required clause or the verdict is lost, with any outcome of the cases", () => {
    const lost = compareReports(
      reportOf([passed], { clauses: [clause("AUTH-26", "satisfied", [])] }),
      reportOf([passed], { clauses: [clause("AUTH-26", "unverified", [])] }),
    );
    expect(lost).toMatchObject({
      worse: true,
      clauses: [{ id: "AUTH-26", from: "satisfied", to: "unverified" }],
    });
    expect(compareReports(reportOf([passed]), reportOf([passed], { verdict: "INCOMPLETE" })).worse).toBe(
      true,
    );
    expect(compareReports(reportOf([passed]), reportOf([passed])).worse).toBe(false);
  });

  it("show other behaviour, but no identifier or time that is merely new", () => {
    const noted = (message: string, id: string) =>
      reportOf([row("a", "passed", { observations: { "refused /message": message, "placed /id": id } })]);
    const comparison = compareReports(
      noted("the price must be positive", "31d7e07a-988c-49d3-88e4-f93b92bd1f56"),
      noted("the price must be greater than zero", "21a40267-16b1-488f-b415-ff206bb80d8b"),
    );
    expect(comparison.worse).toBe(false);
    expect(comparison.behaviour.map(({ what }) => what)).toEqual(["a refused /message"]);
    expect(comparisonText(comparison)).toContain("the price must be [-positive-]{+greater than zero+}");
  });
});
