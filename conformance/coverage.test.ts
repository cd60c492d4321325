import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { coverageMarkdown, coverageOf, coverageText } from "./coverage.ts";

/** The coverage of one scenario that cites these clauses. */
async function coverageWith(...clauses: readonly string[]) {
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "case.yaml");
  const text = `kit: 1
id: one-case
title: One case of the kit's own tests
spec: [${clauses.join(", ")}]
safety: read
steps: [{ call: { op: openOrders } }]
`;
  await writeFile(file, text);
  return coverageOf([file], new Map([["AUTH-24", ["P-02"]]]));
}

const statusOf = ({ clauses }: Awaited<ReturnType<typeof coverageOf>>, id: string) =>
  clauses.find((clause) => clause.id === id)?.status;

describe("the coverage of a suite", () => {
  it("lists clauses that are tested, cannot be tested, are open or have no test", async () => {
    const coverage = await coverageWith("AUTH-26");
    const ids = ["AUTH-26", "ERR-09", "AUTH-24", "EVT-02", "GEN-09", "EPT-15", "AUTH-27", "PRD-19"];
    expect(ids.map((id) => statusOf(coverage, id))).toEqual([
      "covered",
      "covered",
      "covered",
      "hole",
      "untestable",
      "open",
      "hole",
      "hole",
    ]);
    expect(coverage.clauses.some(({ id }) => id === "LIM-05")).toBe(false);
  });

  it("is shown as a table, holes named", async () => {
    const coverage = await coverageWith("AUTH-26");
    expect(coverageText(coverage)).toMatch(/^AUTH-26 required {7}covered {8}one-case$/m);
    expect(coverageText(coverage)).toContain("gap: there is no test of AUTH-27 (required)");
    expect(coverageMarkdown(coverage)).toContain("| covered | every reply |");
  });
});
