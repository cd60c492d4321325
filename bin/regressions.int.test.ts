/** The regressions: each fails where its bug is, and passes where it is not. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  environmentOf,
  packageRoot,
  readProfileFile,
  readSuite,
  runConformance,
} from "../conformance/commands.ts";
import { startSimulator } from "../simulator/index.ts";

const folder = path.join(packageRoot(), "scenarios", "regressions");
const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
const { suite, problems } = await readSuite([folder]);

/** The rows of the table in the README of the scenarios. */
const table = [
  ...readFileSync(path.join(folder, "..", "README.md"), "utf8").matchAll(
    /^\| \[([\w-]+)\]\(regressions\/\1\.yaml\) \|.*\| `gatewright serve --defect (\S+)` \|$/gm,
  ),
].map(([, id = "", defect = ""]) => ({ id, defect }));

async function codeOn(id: string, defects: readonly string[]): Promise<number> {
  await using simulator = await startSimulator({ defects });
  const profileFor = await readProfileFile(path.join(packageRoot(), "fixtures/profiles/simulator.yaml"));
  const profile = await profileFor(environmentOf(simulator.readyLine()));
  const { report } = await runConformance({
    read: { profile, suite },
    scenarios: [folder],
    only: [id],
    level: "full",
    seed: 1,
    properties: "off",
  });
  return report.exitCode;
}

describe("a regression", () => {
  it("is named by date and clause, says why, and is in the table", () => {
    expect(problems).toEqual([]);
    expect(files.length).toBe(suite.scenarios.length);
    for (const { id, spec, why, position } of suite.scenarios) {
      expect(path.basename(position.file)).toBe(`${id}.yaml`);
      expect(id).toMatch(new RegExp(`^\\d{4}-\\d{2}-\\d{2}-${spec[0]?.toLowerCase()}-\\d{2}$`));
      expect(why?.length).toBeGreaterThan(40);
    }
    expect(table.map(({ id }) => id).toSorted()).toEqual(suite.scenarios.map(({ id }) => id).toSorted());
  });

  it.each(table)("$id fails on $defect, and passes without", async ({ id, defect }) => {
    expect(await codeOn(id, [defect])).toBe(1);
    expect(await codeOn(id, [])).toBe(0);
  });
});
