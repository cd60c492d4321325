import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { readSpecClauses, readTrials, type Trial, testableClauses, trialsOfLevel } from "./catalogue.ts";
import { combinationsOf } from "./combinations.ts";
import { type MatrixResult, matrixOf } from "./matrix.ts";
import { matrixPage } from "./matrix-page.ts";
import { chooseSample, sampleTrials } from "./sample.ts";
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
  statement: `${id} is so`,
  certificate: "core",
  ...more,
});

test("each incident that is planted in the simulator breaks a clause that its bug breaks", async () => {
  const file = new URL("../../fixtures/incidents.yaml", import.meta.url);
  // as: conformance/parse/incidents.test.ts looks at the rest of the file.
  const { list } = parse(readFileSync(file, "utf8")) as {
    list: readonly { id: string; clauses: readonly string[]; planted?: string }[];
  };
  const violatedBy = new Map((await readTrials()).map((trial) => [trial.id, trial.violates]));
  const planted = list.filter((incident) => incident.planted?.startsWith("F-") === false);
  expect(planted.length).toBeGreaterThanOrEqual(46);
  const apart = planted.filter(
    ({ clauses, planted: id = "" }) => !violatedBy.get(id)?.some((clause) => clauses.includes(clause)),
  );
  expect(apart).toEqual([]);
});

describe("the sample of a matrix", () => {
  const clauses = [clause("A"), clause("B"), clause("C"), clause("D", "recommended"), clause("E")];

  it("takes the fewest bugs that convict every clause, and each clause once", () => {
    const results = [
      result("M-1", ["A"], { violated: ["A"] }),
      result("M-2", ["A", "B", "C"], { violated: ["A", "B", "C"] }),
      result("M-3", ["C", "D"], { violated: ["C"], warned: ["D"] }),
    ];
    expect(chooseSample(results, clauses, "core")).toEqual({
      level: "core",
      mutants: [
        { id: "M-2", convicts: ["A", "B"] },
        { id: "M-3", convicts: ["C", "D"] },
      ],
      open: ["E"],
    });
  });

  it("counts neither a clause that the bug does not break nor a warning for a required one", () => {
    const results = [result("M-1", ["A"], { violated: ["B"], warned: ["A"] })];
    expect(chooseSample(results, clauses, "core")).toEqual({
      level: "core",
      mutants: [],
      open: ["A", "B", "C", "D", "E"],
    });
  });

  it("drops a bug that those after it make superfluous", () => {
    const results = [
      result("M-1", ["A", "B"], { violated: ["A", "B"] }),
      result("M-2", ["A", "C"], { violated: ["A", "C"] }),
      result("M-3", ["B", "E"], { violated: ["B", "E"] }),
    ];
    const ids = chooseSample(results, clauses, "core").mutants.map(({ id }) => id);
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
    const sample = { level: "core" as const, mutants: [{ id: "M-3", convicts: ["C", "D"] }], open: [] };
    expect(sampleTrials(sample, [trial], clauses)).toEqual([
      { ...trial, violates: ["C", "D"], mild: ["D"], by: "all" },
    ]);
  });

  it("speaks of the clauses of the level that can be tested, without aliases", () => {
    const all = [
      clause("A"),
      clause("B", "assumed"),
      clause("C", "required", { certificate: "events" }),
      clause("D", "recommended", { certificate: "limits" }),
      clause("E", "required", { aliasOf: ["A"] }),
    ];
    expect(testableClauses(all, "core+limits").map(({ id }) => id)).toEqual(["A", "D"]);
    expect(testableClauses(all, "core+events").map(({ id }) => id)).toEqual(["A", "C"]);
  });
});

describe("the page of both matrices", () => {
  const of = (kind: MatrixResult["kind"], one: TrialResult): MatrixResult => ({ ...one, kind });
  const results = [
    of(
      "named",
      result("M-1", ["A"], { title: '<b>bold</b> & "quoted"', violated: ["B", "A"], cases: ["a-010"] }),
    ),
    of("named", result("M-2", ["B"], { outcome: "by-another-clause", violated: ["A"] })),
    of("variation", result("V-1", [], { outcome: "unnoticed", verdict: "CONFORMANT" })),
    of("variation", result("V-2", [], { outcome: "false-alarm", violated: ["C"], note: "</script>" })),
  ];
  const trials = results.map(({ id, kind }) => ({ id, kind })) as Trial[];
  const run = {
    startedAt: "2026-11-21T00:00:00.000Z",
    level: "core" as const,
    seed: 1,
    properties: "off",
    early: true,
    jobs: 2,
    durationMs: 1000,
  };
  const page = matrixPage(matrixOf(trials, results, run), [clause("A"), clause("B"), clause("C")]);

  it("shows the expected and the actual result of each trial, and the remaining work", () => {
    const text = page
      .replaceAll(/<script>[\s\S]*<\/script>|<style>[\s\S]*<\/style>/g, "")
      .replaceAll(/<[^>]*>/g, " ");
    expect(text).toContain("2 of 4 as wanted");
    expect(text).toContain("ended at its first conviction");
    expect(text.replaceAll(/\s+/g, " ")).toMatch(/M-2 B A ! by another clause/);
    expect(text.replaceAll(/\s+/g, " ")).toMatch(/V-1 0 ?\.0 s|V-1 ✓ passed/);
    expect(text.replaceAll(/\s+/g, " ")).toContain("✗ false alarm");
    expect(text.replaceAll(/\s+/g, " ")).toMatch(/B B is so required 0 of 1 ✗ convicted of no bug/);
    expect(text.replaceAll(/\s+/g, " ")).toMatch(/C C is so required 0 of 0 \? broken by no bug/);
  });

  it("escapes everything and asks the network for nothing", () => {
    expect(page).toContain("&lt;b&gt;bold&lt;/b&gt; &amp;");
    expect(page).not.toContain("<b>bold</b>");
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/(?:src|href)="(?!#)/);
  });
});

describe("the catalogue of trials", () => {
  it("leaves bugs to the level that can know of them", async () => {
    const [trials, clauses] = [await readTrials(), await readSpecClauses()];
    const ids = (level: "core" | "full"): string[] =>
      trialsOfLevel(trials, clauses, level).map(({ id }) => id);
    expect(ids("core")).toContain("M-042");
    expect(ids("core")).toContain("V-50");
    expect(ids("core")).not.toContain("M-134");
    expect(ids("full")).toContain("M-134");
  });

  it("expects at least a warning for recommended clauses, and a violation for required ones", async () => {
    const trials = new Map((await readTrials()).map((trial) => [trial.id, trial]));
    expect(trials.get("M-042")?.mild).toEqual([]);
    expect(trials.get("M-013")?.mild).toEqual(["AUTH-22"]);
    expect(trials.get("M-140")?.noticeable).toBe(false);
    const known = new Set((await readSpecClauses()).map(({ id }) => id));
    expect([...trials.values()].flatMap(({ violates }) => violates).filter((id) => !known.has(id))).toEqual(
      [],
    );
  });

  it("combines two to four variations, the same for the same seed", async () => {
    const variations = (await readTrials()).filter(({ kind }) => kind === "variation");
    const made = combinationsOf(variations, 100, 7);
    expect(made).toEqual(combinationsOf(variations, 100, 7));
    expect(made).not.toEqual(combinationsOf(variations, 100, 8));
    const sizes = made.map(({ defects }) => defects.length);
    expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([2, 4]);
    for (const { defects } of made) expect(new Set(defects).size).toBe(defects.length);
    expect(new Set(made.map(({ id }) => id)).size).toBe(100);
  });
});
