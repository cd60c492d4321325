import { describe, expect, it } from "vitest";
import { Redactor } from "../client/redact.ts";
import { type Clause, ClauseRegister } from "../model/clause.ts";
import type { RowResult } from "../model/outcome.ts";
import { reachVerdict } from "../verdict.ts";
import { htmlReport } from "./html/page.ts";
import { buildReport, type Report } from "./report.ts";
import { elementsOf } from "./testing/readers.ts";
import { sampleReport } from "./testing/sample-report.ts";

const clause = (id: string, aliasOf: readonly string[] = []): Clause => ({
  id,
  statement: `What ${id} says.`,
  level: "required",
  basis: "stated",
  aliasOf,
  certificate: "core",
  needs: [],
});
const register = new ClauseRegister([
  clause("GEN-08", ["PLC-10", "PLC-11"]),
  clause("PLC-10"),
  clause("PLC-11"),
  clause("PLC-12"),
]);

/** A run in which one reply breaks two clauses, and a third clause repeats both. */
function brokenRun(): Report {
  const row: RowResult = {
    id: "place",
    title: "placing",
    outcome: "failed",
    clauses: ["PLC-10", "PLC-11"],
    findings: [
      {
        pointer: "/data/type",
        expected: "DUPLICATE_REPLAY",
        actual: "NEW_ORDER",
        strength: "expect",
        severity: "fail",
        clauses: ["PLC-10", "PLC-11"],
        step: "again",
        position: { file: "f", line: 1, column: 1 },
      },
    ],
    observations: {},
    durationMs: 1,
    place: "f:1:1",
  };
  const { rules, ...sample } = sampleReport();
  const reached = reachVerdict(
    { rows: [row], ambient: [], exercised: new Set() },
    {
      ...rules,
      adopted: new Set(),
      level: "core",
      register,
      interrupted: false,
      expected: undefined,
      today: "2026-11-22",
    },
  );
  return buildReport({
    ...sample,
    rules,
    register,
    redactor: new Redactor(new Map()),
    clauses: reached.clauses,
    rows: reached.rows,
    judgement: reached.judgement,
    ambient: [],
    leftovers: [],
    exercised: [],
    used: { requests: 2, orders: 1 },
  });
}

describe("the number of violated clauses", () => {
  const report = brokenRun();
  const page = htmlReport(report);
  const texts = (name: string): string[] =>
    elementsOf(page)
      .filter((element) => element.name === name)
      .map(({ text }) => text);

  it("is the same in the reason, the counts, the map and the list", () => {
    expect(report.reason).toMatch(/^2 clauses violated/);
    expect(report.summary.clauses.violated).toBe(2);
    expect(texts("li").filter((text) => /violated \d/.test(text))).toEqual(["✗ violated 2"]);
    expect(texts("h2").filter((text) => text.startsWith("Violated"))).toEqual(["Violated clauses 2"]);
  });

  it("leaves aliases out, and the page says so beside them", () => {
    const [alias, ...others] = elementsOf(page).filter(({ attributes }) =>
      attributes["class"]?.includes("alias"),
    );
    expect([alias?.text, others.length]).toEqual(["08", 0]);
    expect(alias?.attributes["title"]).toContain("repeats PLC-10, PLC-11");
    expect(texts("p")).toContain(
      "Violated with them, and not counted: GEN-08, which repeats PLC-10, PLC-11.",
    );
    expect(texts("p")).toContain(
      "Numbers in italics are aliases: they repeat other clauses and are not counted.",
    );
  });
});
