import { describe, expect, it } from "vitest";
import { annotations } from "./annotations.ts";
import { consoleReport } from "./console.ts";
import { htmlReport } from "./html/page.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import type { Report } from "./report.ts";
import { tapReport } from "./tap.ts";
import { sampleReport } from "./testing/sample-report.ts";

describe("what the same fault did elsewhere", () => {
  const report = sampleReport();
  const incident = {
    id: "I-000",
    year: 2021,
    title: "A *nonce* counted twice",
    what: "Orders were lost.",
    address: "https://github.com/some/gateway/issues/7",
  };
  const told: Report = {
    ...report,
    clauses: report.clauses.map((one) => (one.id === "AUTH-26" ? { ...one, elsewhere: [incident] } : one)),
  };

  it("stands beside the violation in the reports that people read", () => {
    expect(consoleReport(told)).toContain(
      "        elsewhere  2021, A *nonce* counted twice (some/gateway/issues/7)",
    );
    expect(markdownReport(told)).toContain(
      "- AUTH&#45;26: 2021, [A &#42;nonce&#42; counted twice](https://github.com/some/gateway/issues/7)",
    );
    expect(htmlReport(told)).toContain(
      '<a href="https://github.com/some/gateway/issues/7" rel="noreferrer">A *nonce* counted twice</a>. Orders were lost.',
    );
  });

  it("stands in the text of the failure in the reports that machines read, and is not there without an incident", () => {
    const line = "2021, A *nonce* counted twice (some/gateway/issues/7)";
    expect(junitReport(told)).toContain(`the same fault elsewhere: ${line}`);
    expect(tapReport(told)).toContain(`elsewhere: "${line}"`);
    expect(annotations(told)).toMatch(
      /title=AUTH-26 [^\n]*; the same fault elsewhere: 2021, A \*nonce\* counted/,
    );
    for (const text of [junitReport(report), tapReport(report), annotations(report)])
      expect(text).not.toContain("elsewhere");
  });
});
