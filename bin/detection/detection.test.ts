import { describe, expect, it } from "vitest";
import { readSpecClauses, readTrials, type Trial } from "./catalogue.ts";
import { combinationsOf } from "./combinations.ts";
import { chooseSample, sampleTrials, testableClauses } from "./sample.ts";
import type { TrialResult } from "./trial.ts";

const result = (id: string, expected: readonly string[], red: Partial<TrialResult>): TrialResult => ({
  id,
  title: id,
  expected,
  outcome: "convicted",
  violated: [],
  warned: [],
  cases: [],
  verdict: "NON_CONFORMANT",
  durationMs: 1,
  ...red,
});

const clause = (id: string, level = "required", more: object = {}) => ({
  id,
  level,
  certificate: "core",
  ...more,
});

describe("the sample of a matrix", () => {
  const clauses = [clause("A"), clause("B"), clause("C"), clause("D", "recommended"), clause("E")];

  it("takes the fewest bugs that convict every clause, and each clause once", () => {
    const results = [
      result("M-1", ["A"], { violated: ["A"] }),
      result("M-2", ["A", "B", "C"], { violated: ["A", "B", "C"] }),
      result("M-3", ["C", "D"], { violated: ["C"], warned: ["D"] }),
    ];
    expect(chooseSample(results, clauses)).toEqual({
      mutants: [
        { id: "M-2", convicts: ["A", "B"] },
        { id: "M-3", convicts: ["C", "D"] },
      ],
      open: ["E"],
    });
  });

  it("counts neither a clause that the bug does not break nor a warning for a required one", () => {
    const results = [result("M-1", ["A"], { violated: ["B"], warned: ["A"] })];
    expect(chooseSample(results, clauses)).toEqual({ mutants: [], open: ["A", "B", "C", "D", "E"] });
  });

  it("drops a bug that those after it make superfluous", () => {
    const results = [
      result("M-1", ["A", "B"], { violated: ["A", "B"] }),
      result("M-2", ["A", "C"], { violated: ["A", "C"] }),
      result("M-3", ["B", "E"], { violated: ["B", "E"] }),
    ];
    const ids = chooseSample(results, clauses).mutants.map(({ id }) => id);
    expect(ids).toEqual(["M-2", "M-3"]);
  });

  it("asks of a bug in the sample for all its clauses, and for a warning where the document recommends", () => {
    const trial: Trial = {
      id: "M-3",
      title: "three",
      kind: "named",
      defects: ["M-3"],
      violates: ["A", "C", "D"],
      mild: [],
      by: "one",
      noticeable: true,
    };
    const sample = { mutants: [{ id: "M-3", convicts: ["C", "D"] }], open: [] };
    expect(sampleTrials(sample, [trial], clauses)).toEqual([
      { ...trial, violates: ["C", "D"], mild: ["D"], by: "all" },
    ]);
  });

  it("speaks of the clauses of level core+limits that can be tested, without aliases", () => {
    const all = [
      clause("A"),
      clause("B", "assumed"),
      clause("C", "required", { certificate: "events" }),
      clause("D", "recommended", { certificate: "limits" }),
      clause("E", "required", { aliasOf: ["A"] }),
    ];
    expect(testableClauses(all).map(({ id }) => id)).toEqual(["A", "D"]);
  });
});

describe("the catalogue of trials", () => {
  it("wants a warning at least of what is recommended, and a violation of what is required", async () => {
    const trials = new Map((await readTrials()).map((trial) => [trial.id, trial]));
    expect(trials.get("M-042")?.mild).toEqual([]);
    expect(trials.get("M-013")?.mild).toEqual(["AUTH-22"]);
    expect(trials.get("M-140")?.noticeable).toBe(false);
    const known = new Set((await readSpecClauses()).map(({ id }) => id));
    expect([...trials.values()].flatMap(({ violates }) => violates).filter((id) => !known.has(id))).toEqual(
      [],
    );
  });

  it("combines two to four habits, the same for the same seed", async () => {
    const habits = (await readTrials()).filter(({ kind }) => kind === "variation");
    const made = combinationsOf(habits, 100, 7);
    expect(made).toEqual(combinationsOf(habits, 100, 7));
    expect(made).not.toEqual(combinationsOf(habits, 100, 8));
    const sizes = made.map(({ defects }) => defects.length);
    expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([2, 4]);
    for (const { defects } of made) expect(new Set(defects).size).toBe(defects.length);
    expect(new Set(made.map(({ id }) => id)).size).toBe(100);
  });
});
