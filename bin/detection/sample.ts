/**
 * The fewest bugs that convict every testable clause of the level once, chosen from what a whole matrix has seen. It
 * says that each clause can still be convicted, not that each bug is. `npm test` tries a few bugs of it.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { type ClaimedLevel, packageRoot } from "../../conformance/commands.ts";
import { type SpecClause, type Trial, testableClauses } from "./catalogue.ts";
import type { TrialResult } from "./trial.ts";

export interface Sample {
  readonly level: ClaimedLevel;
  /** Each bug with its clauses: all of them have to be convicted. */
  readonly mutants: readonly { readonly id: string; readonly convicts: readonly string[] }[];
  /** Testable clauses that no case convicts of any bug of the catalogue. */
  readonly open: readonly string[];
}

/** Greedy, and then without what turned out to be superfluous. Ties go to the order of the catalogue. */
export function chooseSample(
  results: readonly TrialResult[],
  clauses: readonly SpecClause[],
  level: ClaimedLevel,
): Sample {
  const wanted = testableClauses(clauses, level);
  const convicting = results.map((result) => ({ id: result.id, can: convictedOf(result, wanted) }));
  const open = new Set(wanted.map(({ id }) => id));
  const chosen: { id: string; can: readonly string[] }[] = [];
  for (;;) {
    const gain = ({ can }: { can: readonly string[] }): number => can.filter((id) => open.has(id)).length;
    const best = convicting.reduce((one, other) => (gain(other) > gain(one) ? other : one), none);
    if (gain(best) === 0) break;
    chosen.push(best);
    for (const id of best.can) open.delete(id);
  }
  const needed = chosen.filter(
    (one, index) => !one.can.every((id) => chosen.some((other, at) => at > index && other.can.includes(id))),
  );
  return { level, mutants: shared(needed), open: [...open].sort() };
}

const none: { id: string; can: readonly string[] } = { id: "", can: [] };

function convictedOf({ expected, violated, warned }: TrialResult, wanted: readonly SpecClause[]): string[] {
  return wanted
    .filter(({ id }) => expected.includes(id))
    .filter(({ id, level }) => violated.includes(id) || (level === "recommended" && warned.includes(id)))
    .map(({ id }) => id);
}

/** Each clause is convicted once, by the bug that is left with the fewest. */
function shared(chosen: readonly { id: string; can: readonly string[] }[]): Sample["mutants"] {
  const taken = new Set<string>();
  return chosen
    .toSorted((one, other) => one.can.length - other.can.length || (one.id < other.id ? -1 : 1))
    .map(({ id, can }) => {
      const convicts = can.filter((clause) => !taken.has(clause));
      for (const clause of convicts) taken.add(clause);
      return { id, convicts };
    })
    .filter(({ convicts }) => convicts.length > 0)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

const sample = path.join(packageRoot(), "fixtures", "defects", "sample.yaml");

// as: our own file, which a test holds against the catalogue.
export const readSample = async (): Promise<Sample> => parse(await readFile(sample, "utf8")) as Sample;

/** The bugs of the sample, each convicted by all of its clauses. */
export function sampleTrials(
  { mutants }: Sample,
  catalogue: readonly Trial[],
  clauses: readonly SpecClause[],
): Trial[] {
  const recommended = new Set(clauses.filter(({ level }) => level === "recommended").map(({ id }) => id));
  return mutants.flatMap(({ id, convicts }) =>
    catalogue
      .filter((trial) => trial.id === id)
      .map((trial) => ({
        ...trial,
        violates: convicts,
        mild: convicts.filter((clause) => recommended.has(clause)),
        by: "all" as const,
      })),
  );
}

export const sampleText = ({ level, mutants, open }: Sample): string =>
  [
    "# The fewest bugs that convict every testable clause once: what `npm run detection:sample` tries.",
    "# Chosen from a whole matrix by `gatewright mutants --write-sample`; a test runs it again.",
    "kit: 1",
    `level: ${level}`,
    "mutants:",
    ...mutants.map(({ id, convicts }) => `  - { id: "${id}", convicts: [${convicts.join(", ")}] }`),
    "# Testable, and convicted of no bug of the catalogue by a case.",
    `open: [${open.join(", ")}]`,
    "",
  ].join("\n");
