import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSuite } from "../load-suite.ts";
import { rowsOf } from "../model/scenario.ts";
import { packageRoot } from "../package-root.ts";
import { claimedClauses, judgeClauses } from "../runner/judge.ts";

const folder = join(packageRoot(), "scenarios");
const { suite, problems, files } = await readSuite([]);
const cited = new Set(suite.scenarios.flatMap(rowsOf).flatMap(({ spec }) => spec));
const ids = suite.scenarios.map(({ id }) => id).toSorted();

/** Clauses that no scenario can speak about yet, each with the reason. */
const withoutCase: Readonly<Record<string, string>> = {
  "ORD-48": "instants cannot be compared yet",
  "ORD-49": "instants cannot be compared yet",
  "EPT-16": "the document shows no request for a deposit address, and a profile cannot describe one yet",
};

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

  it("keeps its ids: somebody's expectations and reports speak of them", async () => {
    const pinned = (await readFile(join(folder, "ids.txt"), "utf8")).trimEnd().split("\n");
    expect(ids).toEqual(pinned);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("says what it is about before it says what it does", () => {
    const silent = suite.scenarios.filter(({ why, title }) => (why ?? "").length < 40 || title.length < 15);
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  it("has a case for every clause that can be tested without a stream", () => {
    const open = suite.clauses
      .distinct()
      .filter(
        ({ id, level, certificate }) => level !== "untestable" && certificate !== "events" && !cited.has(id),
      );
    expect(open.map(({ id }) => id)).toEqual(Object.keys(withoutCase));
  });

  it("answers for every required clause of core, limits and full", () => {
    const clauses = judgeClauses(suite.clauses, { rows: [], ambient: [], exercised: new Set() });
    const required = claimedClauses(clauses, { level: "full", register: suite.clauses }).map(({ id }) => id);
    expect(required.filter((id) => !cited.has(id))).toEqual(["EVT-02", "EVT-03", "EVT-04"]);
  });
});

const placeName = (file: string): string => `${basename(dirname(file))}-${basename(file, ".yaml")}`;
