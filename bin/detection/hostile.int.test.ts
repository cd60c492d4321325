/**
 * Hostile mode breaks no clause and no recommendation: here one seed, or eight with `npm run test:whole`, each with an eighth of
 * the cases. `npm run soak:hostile` runs all cases with each of 200 seeds.
 */
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  environmentOf,
  packageRoot,
  readProfileFile,
  readSuite,
  runConformance,
} from "../../conformance/commands.ts";
import { startSimulator } from "../../simulator/index.ts";
import { sampled } from "../../tools/sampled.ts";

const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

describe("a hostile venue", () => {
  it.concurrent.each(sampled(8, seeds))("is found conformant, seed %i", async (hostile) => {
    const { suite } = await readSuite([]);
    const profileFor = await readProfileFile(
      path.join(packageRoot(), "fixtures", "profiles", "simulator.yaml"),
    );
    await using simulator = await startSimulator({ hostile, exchanges: false });
    const { report } = await runConformance({
      read: { profile: await profileFor(environmentOf(simulator.readyLine())), suite },
      level: "full",
      seed: hostile,
      properties: "off",
      shard: { index: hostile, count: seeds.length },
    });
    const cases = report.cases.filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome));
    expect(cases.map(({ id, outcome, findings }) => ({ id, outcome, findings }))).toEqual([]);
    expect(report.summary.cases.passed).toBeGreaterThan(50);
  });
});
