import { describe, expect, it } from "vitest";
import { causesOf } from "./causes.ts";
import { consoleReport } from "./console.ts";
import { htmlReport } from "./html/page.ts";
import { markdownReport } from "./markdown.ts";
import { problemsOf } from "./problems.ts";
import { clause, sampleReport } from "./testing/sample-report.ts";

const found = (id: string, ...clauses: readonly string[]) => ({
  id,
  findings: [{ severity: "fail", clauses }],
});
const line = (name: string, ...cases: readonly string[]) => ({
  clause: name,
  severity: "fail" as const,
  pointer: "/x",
  expected: "a",
  actual: "b",
  count: cases.length,
  firstRequest: "GET /x",
  cases,
});

describe("the cause of a broken clause", () => {
  it("is the one that is broken wherever it is, and elsewhere", () => {
    const cases = [found("a", "PLC-11", "PLC-12"), found("b", "PLC-11"), found("c", "GEN-04")];
    expect([...causesOf(cases, [])]).toEqual([["PLC-12", "PLC-11"]]);
  });

  it("is the clause of the case, before a rule for every reply that is broken in the same cases", () => {
    expect([...causesOf([found("a", "PLC-11")], [line("ORD-41", "a")])]).toEqual([["ORD-41", "PLC-11"]]);
  });

  it("is the last one of a chain, so that all others are listed below one head", () => {
    const cases = [found("a", "A-1", "B-1", "C-1"), found("b", "A-1", "B-1"), found("c", "A-1")];
    expect(Object.fromEntries(causesOf(cases, []))).toEqual({ "B-1": "A-1", "C-1": "A-1" });
  });

  it("is not known where two are broken in the same cases alone, or each has cases of its own", () => {
    expect(causesOf([found("a", "A-1", "B-1")], []).size).toBe(0);
    expect(causesOf([found("a", "A-1", "B-1"), found("b", "A-1"), found("c", "B-1")], []).size).toBe(0);
  });

  it("of an amount is the one that it is made of, although it is broken in more cases", () => {
    const cases = [
      found("a", "ORD-53", "ORD-54", "PLC-31"),
      found("b", "ORD-54", "PLC-31"),
      found("c", "ORD-54"),
    ];
    const causes = Object.fromEntries(causesOf(cases, []));
    expect(causes).toEqual({ "ORD-54": "ORD-53", "PLC-31": "ORD-53" });
    expect(causesOf([found("a", "ORD-53"), found("b", "ORD-54")], []).size).toBe(0);
  });

  it("is the rule that the same orders broke in an earlier answer, although the other one is seen more often", () => {
    const list = { ...line("ORD-44", "a", "b"), after: "PLC-12" };
    expect([...causesOf([], [list, line("PLC-12", "a")])]).toEqual([["ORD-44", "PLC-12"]]);
    const elsewhere = { ...line("ORD-44", "c"), pointer: "/y" };
    expect([...causesOf([], [list, elsewhere, line("PLC-12", "a")])]).toEqual([["PLC-12", "ORD-44"]]);
  });

  it("of a violation is never a warning", () => {
    const warned = { id: "b", findings: [{ severity: "warn", clauses: ["STA-02"] }] };
    const both = {
      id: "a",
      findings: [
        { severity: "warn", clauses: ["STA-02"] },
        { severity: "fail", clauses: ["PLC-11"] },
      ],
    };
    expect(causesOf([warned, both], []).size).toBe(0);
  });
});

describe("the list of violated clauses", () => {
  const clauses = [
    { ...clause("ENV-03", "violated", ["auth-140-nonce"]), followsFrom: "AUTH-26" },
    clause("AUTH-26", "violated", ["auth-140-nonce"]),
  ];
  const report = sampleReport("plain", { clauses });

  it("continues with the clause that most cases show", () => {
    const [first, second] = report.cases.filter(({ outcome }) => outcome === "failed");
    const shown = (id: string, ...clauses: readonly string[]) => ({
      ...(first ?? second),
      id,
      findings: clauses.map((one) => ({ ...first?.findings[0], clauses: [one], clause: one })),
    });
    const cases = [shown("a", "AUTH-27", "AUTH-28"), shown("b", "AUTH-28")] as typeof report.cases;
    const order = ["AUTH-27", "AUTH-28"].map((id) => clause(id, "violated", ["a"]));
    const problems = problemsOf({ ...report, clauses: order, cases, ambient: [] }, "fail");
    expect(problems.map(({ id }) => id)).toEqual(["AUTH-28", "AUTH-27"]);
  });

  it("begins with the likely cause, in every report", () => {
    expect(problemsOf(report, "fail").map(({ id }) => id)).toEqual(["AUTH-26", "ENV-03"]);
    const summary = markdownReport(report).replaceAll("&#45;", "-");
    for (const text of [consoleReport(report), summary])
      expect(text.indexOf("AUTH-26")).toBeLessThan(text.indexOf("ENV-03"));
    const html = htmlReport(report);
    expect(html.indexOf("What AUTH-26 says.")).toBeGreaterThan(0);
    expect(html).toMatch(/Probably follows from <a href="#clause-AUTH-26">AUTH-26<\/a>/);
    expect(consoleReport(report)).toContain("        probably follows from AUTH-26\n");
    expect(summary).toContain("probably follows from AUTH-26");
  });
});
