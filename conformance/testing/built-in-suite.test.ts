import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { coverageOf } from "../coverage.ts";
import { readSuite } from "../load-suite.ts";
import { rowsOf } from "../model/scenario.ts";
import { packageRoot } from "../package-root.ts";
import { judgeClauses } from "../runner/judge/clause-outcomes.ts";
import { claimedClauses } from "../runner/judge/judge.ts";

const folder = join(packageRoot(), "scenarios");
const { suite, problems, files } = await readSuite([]);
const cited = new Set(suite.scenarios.flatMap(rowsOf).flatMap(({ spec }) => spec));
const ids = suite.scenarios.map(({ id }) => id).toSorted();

describe("the built-in suite", () => {
  it("lints clean", () => {
    expect(problems).toEqual([]);
    expect(suite.scenarios.length).toBeGreaterThanOrEqual(90);
  });

  it("names every scenario after its place", () => {
    const places = suite.scenarios.map(({ id, position }) => [id, placeName(position.file)]);
    expect(places.filter(([id, place]) => id !== place)).toEqual([]);
    expect(files.filter((file) => !/\/[a-z-]+\/(?:\d{3}-)?[a-z0-9-]+\.yaml$/.test(file))).toEqual([]);
  });

  it("keeps its ids, because expectation files and reports contain them", async () => {
    const pinned = (await readFile(join(folder, "ids.txt"), "utf8")).trimEnd().split("\n");
    expect(ids).toEqual(pinned);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("says what it is about before it says what it does", () => {
    const silent = suite.scenarios.filter(({ why, title }) => (why ?? "").length < 40 || title.length < 15);
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  it("leaves no clause untried that can be tried", async () => {
    const { clauses, holes } = await coverageOf([]);
    expect(holes).toEqual([]);
    const open = clauses.filter(({ status }) => status !== "covered" && status !== "untestable");
    expect(open.map(({ id, status }) => [id, status])).toEqual([]);
  });

  it("answers for every required clause of every level", () => {
    const clauses = judgeClauses(suite.clauses, { rows: [], ambient: [], exercised: new Set() });
    const required = claimedClauses(clauses, { level: "full", register: suite.clauses }).map(({ id }) => id);
    expect(required.filter((id) => !cited.has(id))).toEqual([]);
  });
});

const placeName = (file: string): string => `${basename(dirname(file))}-${basename(file, ".yaml")}`;
