import { styleText } from "node:util";
import { describe, expect, it } from "vitest";
import { badgeOf } from "./badge.ts";
import { reportProblem } from "./check-report.ts";
import { consoleReport } from "./console.ts";
import { htmlReport } from "./html/page.ts";
import { markdownReport } from "./markdown.ts";
import { remarks } from "./remarks.ts";
import { sampleReport } from "./testing/sample-report.ts";

const good = sampleReport("plain", {
  verdict: "CONFORMANT_WITH_WARNINGS",
  exitCode: 0,
  reason: "5 required clauses verified",
});

describe("what a good verdict must not hide", () => {
  it("are its warnings and its blocked cases, a plain sentence each", () => {
    expect(remarks(good)).toEqual([
      "There are warnings, about 1 clause: AUTH-28. The exit code is still 0; with --fail-on warn it is 7.",
      "1 case could not run; the BLOCKED lines say what is missing. Each required clause of the level was verified without it.",
    ]);
    const failing = { ...good, exitCode: 7, rules: { ...good.rules, failOnWarnings: true } };
    expect(remarks(failing)[0]).toBe("There are warnings, about 1 clause: AUTH-28.");
    expect(remarks(sampleReport())).toEqual([]);
  });

  it("is in the colour of a warning where there are colours", () => {
    const shown = consoleReport(good, { columns: 120, colours: true });
    const yellow = (text: string): string => styleText("yellow", text, { validateStream: false });
    expect(shown).toContain(yellow("CONFORMANT_WITH_WARNINGS"));
    expect(shown).toContain(
      yellow(
        "There are warnings, about 1 clause: AUTH-28. The exit code is still 0; with --fail-on warn it is 7.",
      ),
    );
  });

  it("is in the verdict block of the console, the page and the summary", () => {
    const shown = consoleReport(good).trimEnd().split("\n");
    expect(shown.slice(-4).join("\n")).toContain("There are warnings, about 1 clause: AUTH-28.");
    expect(shown.at(-1)).toMatch(/^CONFORMANT_WITH_WARNINGS at level core/);
    expect(htmlReport(good)).toContain('<p class="remark">There are warnings, about 1 clause: AUTH-28.');
    expect(markdownReport(good)).toContain("🟡");
    expect(markdownReport(good)).toContain("There are warnings, about 1 clause&#58; AUTH&#45;28.");
  });
});

describe("scenarios of one's own that passed", () => {
  const reason = "3 cases passed; no level is claimed";
  const rules = { ...good.rules, ownScenarios: true };
  const passed = sampleReport("plain", { verdict: "PASSED", exitCode: 0, reason, rules });

  it("are shown as passed, and as nothing of a level", () => {
    expect(consoleReport(passed)).toContain(`PASSED own scenarios against sample: ${reason}`);
    expect(consoleReport(passed)).not.toMatch(/^OPEN|required clauses verified|at level/m);
    expect(markdownReport(passed)).toContain("PASSED with own scenarios");
    expect(htmlReport(passed)).toContain("<h1>Passed</h1>");
  });

  it("make a report of the published shape, and no green badge", () => {
    expect(reportProblem(passed)).toBeUndefined();
    expect(badgeOf(passed)).toMatchObject({ message: "own scenarios passed", color: "#6b6b6b" });
  });
});
