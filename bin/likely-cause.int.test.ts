import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import {
  conform,
  consoleReport,
  environmentOf,
  packageRoot,
  readProfileFile,
  readReadyFile,
  readSuite,
} from "../conformance/commands.ts";
import { knownDefects, startSimulator } from "../simulator/index.ts";
import { sampled } from "../tools/sampled.ts";

/** Bugs that break more than one clause, or that many cases notice: which clause does the report show first? */
const bugs = sampled(10, [
  "M-042",
  "M-030",
  "M-002",
  "M-043",
  "M-046",
  "M-078",
  "M-094",
  "M-098",
  "M-106",
  "M-118",
]);

const together = 4;

it("the first violated clause of a report is one that the bug breaks, for most bugs", {
  timeout: 600_000,
}, async () => {
  const known = await knownDefects();
  const profileFor = await readProfileFile(
    path.join(packageRoot(), "fixtures", "profiles", "simulator.yaml"),
  );
  const { suite } = await readSuite([]);
  const folder = await mkdtemp(path.join(tmpdir(), "gatewright-"));
  const look = async (bug: string): Promise<string[]> => {
    const ready = path.join(folder, `${bug}.json`);
    await using simulator = await startSimulator({ db: ":memory:", exchanges: false, defects: [bug] });
    await writeFile(ready, JSON.stringify(simulator.readyLine()));
    const profile = await profileFor(environmentOf(await readReadyFile(ready)));
    const report = await conform({ read: { profile, suite }, seed: 1 });
    const [, first = "none"] = /^FAILED {2}([A-Z]+-\d+)/m.exec(consoleReport(report)) ?? [];
    const wanted = known.find(({ id }) => id === bug)?.violates ?? [];
    return wanted.includes(first) ? [] : [`${bug}: ${first} and not ${wanted.join(" or ")}`];
  };
  // A run waits more than it works.
  const missed: string[] = [];
  for (let at = 0; at < bugs.length; at += together)
    missed.push(...(await Promise.all(bugs.slice(at, at + together).map(look))).flat());
  expect([missed.length <= bugs.length / 5, missed]).toEqual([true, missed]);
});
