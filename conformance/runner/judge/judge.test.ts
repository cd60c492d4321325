import { describe, expect, it } from "vitest";
import { type Clause, ClauseRegister } from "../../model/clause.ts";
import type { Finding } from "../../model/finding.ts";
import type { RowOutcome, RowResult } from "../../model/outcome.ts";
import { judgeClauses } from "./clause-outcomes.ts";
import { judgeRun } from "./judge.ts";

const clause = (id: string, changes: Partial<Clause> = {}): Clause => ({
  id,
  statement: "s",
  level: "required",
  basis: "stated",
  aliasOf: [],
  certificate: "core",
  needs: [],
  ...changes,
});
const register = new ClauseRegister([
  clause("PLC-01"),
  clause("PLC-02", { certificate: "limits" }),
  clause("PLC-03", { level: "recommended" }),
  clause("GEN-08", { aliasOf: ["PLC-01"] }),
  clause("GEN-14", { level: "untestable" }),
]);
const withHarm = new ClauseRegister([...register.clauses.values(), clause("PLC-31", { basis: "money" })]);

const row = (
  outcome: RowOutcome,
  clauses: readonly string[],
  findings: readonly Finding[] = [],
): RowResult => ({
  id: "row",
  title: "t",
  outcome,
  clauses,
  findings,
  observations: {},
  durationMs: 0,
  place: "f:1:1",
});
const finding = (severity: Finding["severity"], id: string): Finding => ({
  pointer: "",
  expected: "",
  actual: "",
  strength: "expect",
  severity,
  clauses: [id],
  step: "s",
  position: { file: "f", line: 1, column: 1 },
});

function judge(rows: readonly RowResult[], changes: Partial<Parameters<typeof judgeRun>[2]> = {}) {
  const clauses = judgeClauses(changes.register ?? register, { rows, ambient: [], exercised: new Set() });
  const rules = {
    level: "core",
    register,
    selection: false,
    failOnWarnings: false,
    interrupted: false,
    ...changes,
  } as const;
  return {
    ...judgeRun(clauses, rows, rules),
    outcomes: Object.fromEntries(clauses.map(({ id, outcome }) => [id, outcome])),
  };
}

describe("the verdict", () => {
  it("is CONFORMANT, 0, when every required clause of the level is verified", () => {
    expect(judge([row("passed", ["PLC-01"])])).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
  });

  it("is NON_CONFORMANT, 1, when a required clause is violated", () => {
    const result = judge([row("failed", ["PLC-01"], [finding("fail", "PLC-01")])]);
    expect(result).toMatchObject({
      verdict: "NON_CONFORMANT",
      exitCode: 1,
      outcomes: { "PLC-01": "violated", "GEN-08": "violated" },
    });
  });

  describe("of scenarios of one's own", () => {
    const own = { ownScenarios: true } as const;
    const shown = row("passed", ["PLC-03"]);

    it("is PASSED, 0, when all that apply have run and none fails: no level is claimed", () => {
      const rows = [shown, row("notApplicable", ["PLC-01"]), row("filtered", ["PLC-01"])];
      expect(judge(rows)).toMatchObject({ verdict: "INCOMPLETE", exitCode: 3 });
      const reason = "1 case passed; no level is claimed";
      expect(judge(rows, own)).toMatchObject({ verdict: "PASSED", exitCode: 0, reason });
      expect(judge(rows, { ...own, selection: true })).toMatchObject({ verdict: "PASSED", exitCode: 0 });
    });

    it("is PASSED with a word about warnings, and 7 where these are to fail", () => {
      const rows = [shown, row("warned", ["PLC-03"], [finding("warn", "PLC-03")])];
      const reason = "2 cases passed, 1 of them with warnings; no level is claimed";
      expect(judge(rows, own)).toMatchObject({ verdict: "PASSED", exitCode: 0, reason });
      expect(judge(rows, { ...own, failOnWarnings: true })).toMatchObject({ verdict: "PASSED", exitCode: 7 });
    });

    it("is DIFFERENT, 1, where only recorded answers are missed: no clause is violated by that", () => {
      const differs = { ...finding("fail", "PLC-01"), recorded: true as const };
      const rows = [
        row("failed", ["PLC-01"], [differs, { ...differs, pointer: "/b" }, { ...differs, step: "next" }]),
      ];
      expect(judge(rows, own)).toMatchObject({
        verdict: "DIFFERENT",
        exitCode: 1,
        reason: "2 answers differ from the recording; no clause is violated",
        outcomes: { "PLC-01": "unverified" },
      });
      const both = [...rows, row("failed", ["PLC-01"], [finding("fail", "PLC-01")])];
      expect(judge(both, own)).toMatchObject({
        verdict: "NON_CONFORMANT",
        reason: "1 clause violated, 1 case failed; 2 answers differ from the recording",
      });
    });

    it("is INCOMPLETE, 3, when one could not run, none ran, or others run elsewhere", () => {
      expect(judge([shown, row("blocked", ["PLC-03"])], own)).toMatchObject({
        verdict: "INCOMPLETE",
        exitCode: 3,
        reason: "1 case passed, 1 did not run to the end; no level is claimed",
      });
      expect(judge([row("notApplicable", ["PLC-03"])], own)).toMatchObject({
        verdict: "INCOMPLETE",
        exitCode: 3,
      });
      const part = { ...own, part: true, selection: true };
      expect(judge([shown], part)).toMatchObject({ verdict: "INCOMPLETE", exitCode: 3 });
    });

    it("is 1 if one fails, for any owner of the clause", () => {
      const failed = row("failed", ["PLC-01"], [finding("fail", "PLC-01")]);
      expect(judge([shown, failed], own)).toMatchObject({ verdict: "NON_CONFORMANT", exitCode: 1 });
      const mine = row("failed", ["X-ACME-1"], [finding("fail", "X-ACME-1")]);
      expect(judge([shown, mine], own)).toMatchObject({ verdict: "INCOMPLETE", exitCode: 1 });
    });

    it("is that of a level when they verify all of it", () => {
      expect(judge([row("passed", ["PLC-01"])], own)).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
    });
  });

  it("is CONFORMANT_WITH_WARNINGS, 0, when only a recommendation is not kept; 7 when warnings are to fail", () => {
    const rows = [row("passed", ["PLC-01"]), row("warned", ["PLC-03"], [finding("warn", "PLC-03")])];
    expect(judge(rows)).toMatchObject({ verdict: "CONFORMANT_WITH_WARNINGS", exitCode: 0 });
    expect(judge(rows, { failOnWarnings: true })).toMatchObject({ exitCode: 7 });
  });

  it.each(["blocked", "filtered"] as const)(
    "is INCOMPLETE, 3, when a required clause is only %s",
    (outcome) => {
      expect(judge([row(outcome, ["PLC-01"])])).toMatchObject({
        verdict: "INCOMPLETE",
        exitCode: 3,
        outcomes: { "PLC-01": "unverified" },
      });
    },
  );

  it("says of a selection that it passed only when all of its cases ran to the end", () => {
    const selection = { selection: true } as const;
    const passed = row("passed", ["PLC-01"]);
    expect(judge([passed], selection).reason).toBe("only a selection was run; what was selected passed");
    expect(judge([passed, row("blocked", ["PLC-03"])], selection).reason).toBe(
      "only a selection was run; 1 case of it did not pass",
    );
    expect(judge([passed, row("blocked", ["PLC-03"]), row("blocked", ["PLC-03"])], selection).reason).toBe(
      "only a selection was run; 2 cases of it did not pass",
    );
  });

  it("is INCOMPLETE, 3, when a clause has no case, when only a selection ran, when the run was interrupted", () => {
    expect(judge([row("passed", ["PLC-03"])])).toMatchObject({ exitCode: 3 });
    expect(judge([row("passed", ["PLC-01"])], { selection: true })).toMatchObject({
      verdict: "INCOMPLETE",
      exitCode: 3,
    });
    expect(judge([row("passed", ["PLC-01"])], { interrupted: true })).toMatchObject({
      verdict: "INCOMPLETE",
      exitCode: 3,
    });
  });

  it("asks for the clauses of the claimed level, and for no others", () => {
    expect(judge([row("passed", ["PLC-01"])], { level: "core+limits" })).toMatchObject({ exitCode: 3 });
    expect(judge([row("passed", ["PLC-01", "PLC-02"])], { level: "core+limits" })).toMatchObject({
      exitCode: 0,
    });
  });

  it("is ERROR, 6, when the kit itself failed, even beside a violation", () => {
    const rows = [row("failed", ["PLC-01"], [finding("fail", "PLC-01")]), row("error", ["PLC-01"])];
    expect(judge(rows)).toMatchObject({ verdict: "ERROR", exitCode: 6 });
  });

  it("is never a pass when nothing was verified", () => {
    expect(judge([])).toMatchObject({ verdict: "INCOMPLETE", exitCode: 3 });
    expect(judge([row("notApplicable", ["PLC-01"])])).toMatchObject({
      exitCode: 3,
      outcomes: { "PLC-01": "n/a" },
    });
  });

  it("leaves what cannot be tested from outside untestable", () => {
    expect(judge([row("passed", ["GEN-14"])]).outcomes).toMatchObject({ "GEN-14": "untestable" });
  });

  it("does not count a clause of a failed case as verified", () => {
    const result = judge([row("failed", ["PLC-01", "PLC-02"], [finding("fail", "PLC-01")])]);
    expect(result.outcomes).toMatchObject({ "PLC-02": "unverified" });
  });
});

describe("the exit code", () => {
  const failedRow = row("failed", ["PLC-01"], [finding("fail", "PLC-01")]);

  it("takes the worst of what applies: 6, 5, a signal, 1, 3, 7, 0", () => {
    const everything = { safetyStop: "orders are left", interrupted: "SIGINT", selection: true } as const;
    expect(judge([row("error", ["PLC-01"]), failedRow], everything).exitCode).toBe(6);
    expect(judge([failedRow], everything)).toMatchObject({
      verdict: "NON_CONFORMANT",
      exitCode: 5,
      reason: "orders are left",
    });
    expect(judge([failedRow], { interrupted: "SIGINT" }).exitCode).toBe(130);
    expect(judge([failedRow], { interrupted: "SIGTERM" }).exitCode).toBe(143);
    expect(judge([failedRow], { selection: true, interrupted: true }).exitCode).toBe(1);
    const warning = row("warned", ["PLC-03"], [finding("warn", "PLC-03")]);
    expect(judge([warning], { failOnWarnings: true }).exitCode).toBe(3);
    expect(judge([row("passed", ["PLC-01"]), warning], { failOnWarnings: true }).exitCode).toBe(7);
  });

  it("comes with a sentence that counts as people do", () => {
    expect(judge([failedRow]).reason).toBe("1 clause violated, 1 case failed");
    const other = row("failed", ["PLC-02"], [finding("fail", "PLC-02")]);
    expect(judge([failedRow, other]).reason).toBe("2 clauses violated, 2 cases failed");
    expect(judge([row("passed", ["PLC-01"])]).reason).toBe("1 required clause verified");
    const warning = row("warned", ["PLC-03"], [finding("warn", "PLC-03")]);
    expect(judge([row("passed", ["PLC-01"]), warning]).reason).toBe(
      "1 required clause verified; warnings about 1 clause",
    );
  });

  it("is never 0 if nothing was verified, with any gate", () => {
    expect(judge([], { gate: "regressions" }).exitCode).toBe(3);
    expect(judge([row("blocked", ["PLC-01"])], { gate: "regressions" }).exitCode).toBe(3);
  });

  it("is 0 with the gate of a selection if every selected case passed, and only then", () => {
    const rules = { selection: true, gate: "selection" } as const;
    const passed = row("passed", ["PLC-03"]);
    expect(judge([passed], rules)).toMatchObject({
      verdict: "INCOMPLETE",
      exitCode: 0,
      reason: "only a selection was run; what was selected passed",
    });
    expect(judge([passed, row("warned", ["PLC-03"])], rules).exitCode).toBe(0);
    expect(judge([passed, row("blocked", ["PLC-01"])], rules).exitCode).toBe(3);
    expect(judge([row("notApplicable", ["PLC-01"])], rules)).toMatchObject({
      exitCode: 3,
      reason: "only a selection was run; no case of it applies to this target",
    });
    expect(judge([passed, failedRow], rules).exitCode).toBe(1);
    expect(judge([passed], { ...rules, interrupted: true }).exitCode).toBe(3);
  });

  it("leaves out cases of clauses of one's own unless they are asked for", () => {
    const own = row("failed", ["X-ACME-01"], [finding("fail", "X-ACME-01")]);
    const rows = [row("passed", ["PLC-01"]), own];
    expect(judge(rows)).toMatchObject({ verdict: "CONFORMANT", exitCode: 0, extra: { failed: 1 } });
    expect(judge(rows, { failOnExtra: true })).toMatchObject({ verdict: "CONFORMANT", exitCode: 1 });
  });

  describe("about a clause that is required for its harm", () => {
    const rules = { register: withHarm };
    const shown = row("passed", ["PLC-01"]);
    const unsupplied = { ...row("blocked", ["PLC-31"]), notSupplied: true } as const;

    it("is reached without it where the profile supplies nothing for it", () => {
      expect(judge([shown, unsupplied], rules)).toMatchObject({
        verdict: "CONFORMANT",
        exitCode: 0,
        reason: "1 required clause verified, 1 not tried",
      });
    });

    it("is open where it could have been tried, and did not come to its end", () => {
      for (const rows of [[row("blocked", ["PLC-31"])], [unsupplied, row("blocked", ["PLC-31"])], []])
        expect(judge([shown, ...rows], rules)).toMatchObject({ verdict: "INCOMPLETE", exitCode: 3 });
    });

    it("is open where the document states what the profile supplies nothing for", () => {
      const stated = { ...row("blocked", ["PLC-01"]), notSupplied: true } as const;
      const rows = [row("passed", ["PLC-31"]), stated];
      expect(judge(rows, rules)).toMatchObject({ verdict: "INCOMPLETE", exitCode: 3 });
    });

    it("is NON_CONFORMANT wherever it is broken", () => {
      const broken = row("failed", ["PLC-31"], [finding("fail", "PLC-31")]);
      expect(judge([shown, unsupplied, broken], rules)).toMatchObject({
        verdict: "NON_CONFORMANT",
        exitCode: 1,
      });
    });
  });

  it("asks for the clauses that the profile has promised", () => {
    const promised = new ClauseRegister([
      ...register.clauses.values(),
      clause("AUTH-31", { level: "assumed" }),
    ]);
    const rules = { register: promised, adopted: new Set(["AUTH-31"]) };
    const clauses = judgeClauses(promised, {
      rows: [row("passed", ["PLC-01"]), row("blocked", ["AUTH-31"])],
      ambient: [],
      exercised: new Set(),
    });
    const base = { level: "core", selection: false, failOnWarnings: false, interrupted: false } as const;
    expect(judgeRun(clauses, [], { ...base, ...rules }).verdict).toBe("INCOMPLETE");
    expect(judgeRun(clauses, [], { ...base, register: promised }).verdict).toBe("CONFORMANT");
  });
});
