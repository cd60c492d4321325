import { describe, expect, it } from "vitest";
import { tableCoverage } from "../conformance/commands.ts";
import { allProperties } from "../conformance/properties/all-properties.ts";
import { secretWatch } from "../conformance/properties/p34-secrets-stay-secret.ts";
import { sampled } from "../tools/sampled.ts";
import { soak } from "./lib/property-soak.ts";

const short = { from: 1, runs: 1, lanes: 4, seedsPerVenue: 25 } as const;

describe("the properties", () => {
  it("complain about nothing on a venue without a bug, for a seed", async () => {
    const tables = (await tableCoverage()).map(({ id }) => id);
    const known = [secretWatch, ...allProperties.map(({ id }) => id)];
    const only = sampled(
      3,
      known.filter((id) => !tables.includes(id)),
    );
    const results = await soak({ ...short, seeds: 1, only });
    expect(results.map(({ seed }) => seed)).toEqual([1]);
    expect(results.flatMap(({ seed, alarms }) => alarms.map((alarm) => `seed ${seed}: ${alarm}`))).toEqual(
      [],
    );
    for (const { passed, idle } of results) {
      expect([...passed, ...idle].toSorted()).toEqual(only.toSorted());
      expect(idle.length).toBeLessThan(only.length / 4);
    }
  });

  it.each(
    sampled(2, [
      ["base_quantity is refused in a MARKET BUY", "V-33", ["P-20", "P-21"]],
      ["all amounts of an order are null", "V-05", ["P-20", "P-21"]],
    ] as const),
  )("allow that %s", async (_, variation, only) => {
    const results = await soak({ ...short, seeds: 1, lanes: 1, runs: 2, only, defects: [variation] });
    expect(results.flatMap(({ alarms }) => alarms)).toEqual([]);
    expect(results.flatMap(({ passed, idle }) => [...passed, ...idle])).toHaveLength(only.length);
  });

  it("complain about a bug: the soak would show it", async () => {
    const [result] = await soak({
      ...short,
      seeds: 1,
      lanes: 1,
      only: ["P-16", "P-17", "P-18"],
      defects: ["M-042"],
    });
    expect(result?.alarms).toContainEqual(expect.stringMatching(/^P-\d\d failed PLC-1\d/));
  });
});
