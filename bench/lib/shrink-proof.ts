/**
 * Checks the reduced plan that convicts a bug. A venue with one bug is tried with one property; its counterexample has
 * to be short, to convict the bug each time it is replayed, and to pass on a venue without the bug: then a person can
 * learn the bug from it.
 */
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import {
  environmentOf,
  packageRoot,
  type ReportedCase,
  readProfileFile,
  readSuite,
  runConformance,
} from "../../conformance/commands.ts";
import { type Simulator, startSimulator } from "../../simulator/index.ts";

export interface Pair {
  readonly property: string;
  readonly mutant: string;
}

/**
 * A bug of the catalogue for each property. Not here: P-01 tests the kit itself, P-34 rides on the others and has no
 * plan, and no bug of the catalogue makes acceptance of timestamps fail to be monotone (P-08): for that one, as for
 * every property, there is a small gateway with one bug (convictions.int.test.ts).
 */
export const pairs: readonly Pair[] = Object.entries({
  "P-02": "M-002",
  "P-03": "M-017",
  "P-04": "M-016",
  "P-05": "M-008",
  "P-06": "M-030",
  "P-16": "M-042",
  "P-17": "M-051",
  "P-18": "M-041",
  "P-19": "M-042",
  "P-20": "M-062",
  "P-21": "M-062",
  "P-24": "M-078",
  "P-27": "M-092",
  "P-29": "M-043",
  "P-31": "M-089",
  "P-33": "M-137",
  "P-35": "M-179",
  "P-36": "M-178",
  "P-37": "M-135",
}).map(([property, mutant]) => ({ property, mutant }));

export interface Proof extends Pair {
  /** Steps of the plan that failed first, and of the file; undefined when nothing convicted the bug. */
  readonly before?: number;
  readonly after?: number;
  readonly clauses: readonly string[];
  readonly file?: string;
  readonly replays: number;
  readonly convicted: number;
  readonly passesClean: boolean;
}

/** A bug that overspends shows only over two offers: to place them, to buy and to read both fills takes eight steps. */
export const shortEnough = ({ property }: Pair): number => (property === "P-21" ? 8 : 6);

export const isProven = (proof: Proof): boolean => {
  const { after, replays, convicted, passesClean } = proof;
  return after !== undefined && after <= shortEnough(proof) && convicted === replays && passesClean;
};

export interface Proving {
  readonly folder: string;
  readonly seed: number;
  readonly replays: number;
  /** Other seeds that are tried when nothing convicts with the first. */
  readonly seeds: number;
}

export async function prove(pair: Pair, proving: Proving): Promise<Proof> {
  await using venue = await startSimulator({ defects: [pair.mutant], clock: "manual" });
  const folder = await mkdtemp(path.join(proving.folder, `${pair.property.toLowerCase()}-`));
  const found = await conviction(pair, venue, folder, proving);
  const [name] = await readdir(folder);
  const nothing = { ...pair, clauses: [], replays: proving.replays, convicted: 0, passesClean: false };
  if (found === undefined || name === undefined) return nothing;
  const file = path.join(folder, name);
  const { steps, origin } = parse(await readFile(file, "utf8")) as Written;
  const outcomes = await replayed(file, venue, proving.replays);
  await using clean = await startSimulator({ clock: "manual" });
  const onClean = await replayed(file, clean, 3);
  return {
    ...nothing,
    before: origin.stepsAtFirst,
    after: steps.length,
    clauses: [...new Set(found.findings.flatMap(({ clauses }) => clauses))],
    file,
    convicted: outcomes.filter((outcome) => outcome === found.outcome).length,
    passesClean: onClean.every((outcome) => outcome === "passed"),
  };
}

/** The parts of a counterexample that are counted; our own file. */
interface Written {
  readonly steps: readonly unknown[];
  readonly origin: { readonly stepsAtFirst: number };
}

async function conviction(
  { property }: Pair,
  venue: Simulator,
  counterexamples: string,
  { seed, seeds }: Proving,
): Promise<ReportedCase | undefined> {
  for (let tried = seed; tried < seed + seeds; tried += 1) {
    const { report } = await runConformance({
      ...(await targetOf(venue)),
      level: "full",
      seed: tried,
      only: [property],
      counterexamples,
    });
    const row = report.cases.find(({ id }) => id === property);
    if (row?.outcome === "failed" || row?.outcome === "warned") return row;
  }
  return undefined;
}

async function replayed(file: string, venue: Simulator, times: number): Promise<string[]> {
  const { suite } = await readSuite([file]);
  const { read } = await targetOf(venue);
  const outcomes: string[] = [];
  for (let seed = 1; seed <= times; seed += 1) {
    const { report } = await runConformance({
      read: { ...read, suite },
      level: "full",
      seed,
      properties: "off",
    });
    outcomes.push(...report.cases.map(({ outcome }) => outcome));
  }
  return outcomes;
}

let files: Promise<Awaited<ReturnType<typeof readFiles>>> | undefined;

async function readFiles() {
  const { suite } = await readSuite([]);
  const profile = path.join(packageRoot(), "fixtures", "profiles", "simulator.yaml");
  return { suite, profileFor: await readProfileFile(profile) };
}

async function targetOf(venue: Simulator) {
  files ??= readFiles();
  const { suite, profileFor } = await files;
  return { read: { profile: await profileFor(environmentOf(venue.readyLine())), suite } };
}
