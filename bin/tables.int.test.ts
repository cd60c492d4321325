import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  conform,
  environmentOf,
  packageRoot,
  type Report,
  readReadyFile,
  tableCoverage,
} from "../conformance/commands.ts";
import { startSimulator } from "../simulator/index.ts";
import { sampled } from "../tools/sampled.ts";

/** Runs each plan of a table against the simulator, because a part of a table proves nothing. */
const profile = path.join(packageRoot(), "fixtures", "profiles", "simulator.yaml");
const tables = await tableCoverage();
const run = sampled(
  15,
  tables.map(({ id }) => id),
);

describe("the tables of the properties", () => {
  it("try every combination that can be tried where everything is supplied", () => {
    expect(tables.filter(({ left }) => left > 0)).toEqual([]);
    expect(tables.map(({ id }) => id)).toContain("P-40");
  });
});

describe("a table against the simulator", () => {
  let report: Report;
  let here: Awaited<ReturnType<typeof tableCoverage>>;
  beforeAll(async () => {
    await using simulator = await startSimulator({ db: ":memory:", exchanges: false });
    const file = path.join(await mkdtemp(path.join(tmpdir(), "gatewright-")), "ready.json");
    await writeFile(file, JSON.stringify(simulator.readyLine()));
    const environment = environmentOf(await readReadyFile(file));
    here = await tableCoverage({ profile, environment }, run);
    report = await conform({ profile, environment, level: "full", seed: 1, only: run });
    // All tables in one run: twice as long as a test may take.
  }, 600_000);

  it.each(run)("%s runs each of its plans, to its end", (id) => {
    const row = report.cases.find((one) => one.id === id);
    expect({ outcome: row?.outcome, reason: row?.reason, findings: row?.findings }).toEqual({
      outcome: "passed",
      reason: undefined,
      findings: [],
    });
    const covered = here.find((one) => one.id === id);
    expect(covered?.left).toBe(0);
    const { runs = "", "cannot be tried here": reasons } = row?.observations ?? {};
    const [, ran, planned] = /^(\d+) of (\d+)$/.exec(runs) ?? [];
    expect(ran).toBe(planned);
    // The kit learns from the target which products have no price, or no room; the profile alone cannot tell.
    if (reasons?.includes("no near price") === true) expect(Number(planned)).toBeGreaterThan(100);
    else expect(Number(planned)).toBeGreaterThanOrEqual(0.9 * Number(covered?.plans));
  });

  it("leaves no order behind", () => {
    expect(report.leftovers).toEqual([]);
  });
});
