import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import {
  conform,
  consoleReport,
  environmentOf,
  packageRoot,
  readProfileFile,
  readReadyFile,
  readSuite,
} from "../conformance/index.ts";
import { startSimulator } from "../simulator/index.ts";

/** Bugs that break more than one clause, or that many cases notice: which clause does the report show first? */
const bugs = ["M-002", "M-030", "M-042", "M-043", "M-046", "M-078", "M-094", "M-098", "M-106", "M-118"];

it("the first violated clause of a report is one that the bug breaks, for most bugs", {
  timeout: 600_000,
}, async () => {
  const { mutants } = parse(
    await readFile(path.join(packageRoot(), "fixtures", "defects", "mutants.yaml"), "utf8"),
  ) as { mutants: { id: string; violates: string[] }[] };
  const profileFor = await readProfileFile(
    path.join(packageRoot(), "fixtures", "profiles", "simulator.yaml"),
  );
  const { suite } = await readSuite([]);
  const ready = path.join(await mkdtemp(path.join(tmpdir(), "gatewright-")), "ready.json");
  const missed: string[] = [];
  for (const bug of bugs) {
    await using simulator = await startSimulator({ db: ":memory:", defects: [bug] });
    await writeFile(ready, JSON.stringify(simulator.readyLine()));
    const profile = await profileFor(environmentOf(await readReadyFile(ready)));
    const report = await conform({ read: { profile, suite }, seed: 1 });
    const [, first = "none"] = /^FAILED {2}([A-Z]+-\d+)/m.exec(consoleReport(report)) ?? [];
    const wanted = mutants.find(({ id }) => id === bug)?.violates ?? [];
    if (!wanted.includes(first)) missed.push(`${bug}: ${first} and not ${wanted.join(" or ")}`);
  }
  expect([missed.length <= 2, missed]).toEqual([true, missed]);
});
