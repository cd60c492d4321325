import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { readSpecClauses, readTrials, testableClauses } from "./catalogue.ts";
import { type Matrix, summaryLines } from "./matrix.ts";
import { readSample, sampleTrials } from "./sample.ts";

const launcher = path.resolve(import.meta.dirname, "..", "gatewright");

/**
 * Every clause can still be convicted, each of them by one bug: `npm run detection:sample` tries all of the sample. A few
 * of them are tried here, through the program that a person would use.
 */
describe("the sample of the detection matrix", () => {
  it("speaks of every testable clause of its level once", async () => {
    const [sample, clauses] = [await readSample(), await readSpecClauses()];
    const spoken = [...sample.mutants.flatMap(({ convicts }) => convicts), ...sample.open];
    const wanted = testableClauses(clauses, sample.level).map(({ id }) => id);
    expect(spoken.toSorted()).toEqual(wanted.toSorted());
    const trials = sampleTrials(sample, await readTrials(), clauses);
    expect(trials.map(({ id }) => id).toSorted()).toEqual(sample.mutants.map(({ id }) => id).toSorted());
  });

  it("is convicted bug by bug and clause by clause", async () => {
    const { level, mutants } = await readSample();
    const tried = sampled(
      100,
      mutants.map(({ id }) => id),
    );
    const report = path.join(await mkdtemp(path.join(os.tmpdir(), "gatewright-")), "matrix.json");
    const flags = ["--kind", "sample", "--only", tried.join(), "--level", level, "--properties", "off"];
    const child = spawn(
      process.execPath,
      [launcher, "mutants", ...flags, "--stop-at-conviction", "--seed", "1", "--report", `json=${report}`],
      { stdio: "ignore" },
    );
    const [code] = (await once(child, "close")) as [number | null];
    // as: this program has just written it.
    const matrix = JSON.parse(await readFile(report, "utf8")) as Matrix;
    expect(matrix.results.map(({ id }) => id).toSorted()).toEqual(tried.toSorted());
    const missed = matrix.results.filter(({ outcome }) => outcome !== "convicted");
    expect(
      missed.map(({ id, outcome, expected, violated, note }) => ({ id, outcome, expected, violated, note })),
    ).toEqual([]);
    expect(code).toBe(0);
    process.stdout.write(`${summaryLines(matrix).join("\n")}\n`);
  });
});
