/** The defects of the simulator, with the clauses that each should violate. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { type ClaimedLevel, packageRoot, promisesIn } from "../../conformance/commands.ts";
import { type KnownDefect, knownDefects } from "../../simulator/index.ts";
import { fieldBugs, type SpecRecords } from "./field-bugs.ts";

export interface Trial {
  readonly id: string;
  readonly title: string;
  readonly kind: "named" | "field" | "independent" | "variation" | "combination" | "hostile";
  /** The defects of one start of the simulator. */
  readonly defects: readonly string[];
  /** The seed of hostile mode. */
  readonly hostile?: number;
  readonly violates: readonly string[];
  /** The clauses among them for which a warning is enough; none, when one of them is required. */
  readonly mild: readonly string[];
  /** It is convicted by all of the clauses, or by one of them. */
  readonly by: "all" | "one";
  /** False where no required or recommended clause is broken: such a bug shows in the behaviour sheet at most. */
  readonly noticeable: boolean;
}

/** A clause of the register, as far as the matrices look at it. */
export interface SpecClause {
  readonly id: string;
  readonly level: string;
  readonly statement: string;
  readonly certificate: string;
  readonly where?: { readonly field?: string };
  readonly aliasOf?: readonly string[];
  /** Statements of a profile that make it required there; the simulator's profile makes some. */
  readonly promisedBy?: readonly { readonly key: string }[];
}

// as, in this file: our own files, which the fixtures' tests hold in shape.
const read = async <T>(...names: readonly string[]): Promise<T> =>
  parse(await readFile(path.join(packageRoot(), "fixtures", ...names), "utf8")) as T;

const kinds: Readonly<Record<string, Trial["kind"]>> = {
  M: "named",
  G: "field",
  A: "independent",
  V: "variation",
};

export async function readTrials(): Promise<readonly Trial[]> {
  const clauses = await readSpecClauses();
  const promised = promisesIn(clauses, await read("profiles", "simulator.yaml"));
  const ofLevel = (level: string): string[] =>
    clauses.filter((clause) => clause.level === level).map(({ id }) => id);
  const required = new Set([...ofLevel("required"), ...promised.keys()]);
  const convicting = new Set([...required, ...ofLevel("recommended")]);
  const { records } = await read<{ records: SpecRecords }>("spec", "fields.yaml");
  const trialOf = ({ id, title, violates, level }: KnownDefect): Trial => ({
    id,
    title,
    kind: kinds[id.charAt(0)] ?? "named",
    defects: [id],
    violates,
    mild: level === undefined && violates.some((clause) => required.has(clause)) ? [] : violates,
    by: "one",
    noticeable: level !== "informational" && violates.some((clause) => convicting.has(clause)),
  });
  const trials = [...(await knownDefects()), ...fieldBugs(records, clauses)].map(trialOf);
  return Object.values(kinds).flatMap((kind) => trials.filter((trial) => trial.kind === kind));
}

export async function readSpecClauses(): Promise<readonly SpecClause[]> {
  const text = await readFile(path.join(packageRoot(), "fixtures", "spec", "clauses.json"), "utf8");
  return (JSON.parse(text) as { readonly clauses: readonly SpecClause[] }).clauses;
}

/** Does the level answer for it? */
const isOfLevel = (level: ClaimedLevel, { certificate }: SpecClause): boolean =>
  certificate === "core" || level === "full" || level === `core+${certificate}`;

/** Required and recommended clauses that the level answers for; an alias is judged through others. */
export const testableClauses = (clauses: readonly SpecClause[], level: ClaimedLevel): SpecClause[] =>
  clauses.filter(
    (clause) =>
      (clause.level === "required" || clause.level === "recommended") &&
      isOfLevel(level, clause) &&
      (clause.aliasOf ?? []).length === 0,
  );

/** Bugs that a suite of this level can know of: one of the clauses that they break belongs to it. */
export const trialsOfLevel = (
  trials: readonly Trial[],
  clauses: readonly SpecClause[],
  level: ClaimedLevel,
): Trial[] => {
  const known = new Set(clauses.filter((clause) => isOfLevel(level, clause)).map(({ id }) => id));
  return trials.filter(({ violates }) => violates.length === 0 || violates.some((id) => known.has(id)));
};
