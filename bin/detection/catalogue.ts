/** What the simulator can be started with, from the data that both sides share. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { type ClaimedLevel, packageRoot, promisesIn } from "../../conformance/index.ts";

export interface Trial {
  readonly id: string;
  readonly title: string;
  readonly kind: "named" | "field" | "independent" | "variation" | "combination";
  /** What the simulator is started with. */
  readonly defects: readonly string[];
  readonly violates: readonly string[];
  /** The clauses among them for which a warning is enough; none, when one of them is required. */
  readonly mild: readonly string[];
  /** It is convicted by all of the clauses, or by one of them. */
  readonly by: "all" | "one";
  /** False where no required or recommended clause is broken: such a bug shows in the behaviour sheet at most. */
  readonly noticeable: boolean;
}

interface Entry {
  readonly id: string;
  readonly title?: string;
  readonly violates?: readonly string[];
  readonly level?: "recommended" | "informational";
}

/** A clause of the register, as far as the matrices look at it. */
export interface SpecClause {
  readonly id: string;
  readonly level: string;
  readonly statement: string;
  readonly certificate: string;
  readonly aliasOf?: readonly string[];
  /** Statements of a profile that make it required there; the simulator's profile makes some. */
  readonly promisedBy?: readonly { readonly key: string }[];
}

// as: our own files, which the fixtures' tests hold in shape.
const read = async <T>(...names: readonly string[]): Promise<T> =>
  parse(await readFile(path.join(packageRoot(), "fixtures", ...names), "utf8")) as T;

export async function readTrials(): Promise<readonly Trial[]> {
  const { mutants } = await read<{ mutants: readonly Entry[] }>("defects", "mutants.yaml");
  const { mutants: fields } = await read<{ mutants: readonly Entry[] }>("defects", "field-mutants.yaml");
  const { mutants: independent } = await read<{ mutants: readonly Entry[] }>("defects", "independent.yaml");
  const { variations } = await read<{ variations: readonly Entry[] }>("defects", "variations.yaml");
  const clauses = await readSpecClauses();
  const promised = promisesIn(clauses, await read("profiles", "simulator.yaml"));
  const ofLevel = (level: string): string[] =>
    clauses.filter((clause) => clause.level === level).map(({ id }) => id);
  const required = new Set([...ofLevel("required"), ...promised.keys()]);
  const convicting = new Set([...required, ...ofLevel("recommended")]);
  const trial =
    (kind: Trial["kind"]) =>
    ({ id, title = id, violates = [], level }: Entry): Trial => ({
      id,
      title,
      kind,
      defects: [id],
      violates,
      mild: level === undefined && violates.some((clause) => required.has(clause)) ? [] : violates,
      by: "one",
      noticeable: level !== "informational" && violates.some((clause) => convicting.has(clause)),
    });
  return [
    ...mutants.map(trial("named")),
    ...fields.map(trial("field")),
    ...independent.map(trial("independent")),
    ...variations.map(trial("variation")),
  ];
}

export async function readSpecClauses(): Promise<readonly SpecClause[]> {
  return (await read<{ clauses: readonly SpecClause[] }>("spec", "clauses.yaml")).clauses;
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
