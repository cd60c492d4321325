import { join, relative } from "node:path";
import type { ClaimedLevel } from "./model/clause.ts";
import type { RowResult } from "./model/outcome.ts";
import { isOurs, type Profile } from "./model/profile.ts";
import { kitVersion } from "./package-root.ts";
import { OutputUnwritten, writeOutput } from "./report/output-file.ts";
import type { Market } from "./runner/prepare/market.ts";
import type { Shard } from "./runner/prepare/shard.ts";
import type { Session } from "./runner/session.ts";

export type PropertyChoice = "on" | "off" | "only";

export interface PropertyOptions {
  /**
   * Whether properties follow the cases, or run alone. `auto` is the default of the command line: on this machine,
   * after the whole built-in suite. For other targets they must be requested, because their traffic may cost money. A
   * selected clause also selects the properties that judge it, at any target.
   */
  readonly properties?: PropertyChoice | "auto";
  /** The number of plans that each property tries, instead of a number that suits the target. */
  readonly runs?: number;
  /** The folder for counterexamples, or who keeps one and names its place; without it none is written. */
  readonly counterexamples?: string | KeepCounterexample;
}

export type KeepCounterexample = (name: string, text: string) => string;

/** `P-18`, `P-4*`, `P-*`: no case has such an id. */
const isOfProperties = (pattern: string): boolean => /^P-[\d*]+$/.test(pattern);

/** Divides a selection: `P-18` and `P-1*` name properties and request them; everything else names cases. */
export function selectProperties({
  only = [],
  properties = "off",
}: Pick<PhaseOptions, "only" | "properties">): {
  readonly choice: PropertyChoice | "auto";
  readonly cases: readonly string[];
} {
  const cases = only.filter((pattern) => !isOfProperties(pattern));
  if (cases.length === only.length) return { choice: properties, cases };
  return { choice: cases.length === 0 ? "only" : "on", cases };
}

export interface PhaseOptions extends PropertyOptions {
  readonly seed: number;
  readonly level: ClaimedLevel;
  readonly scenarios?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly shard?: Shard;
  readonly signal?: AbortSignal;
  readonly onRow?: (row: RowResult) => void;
}

type Selection = Pick<PhaseOptions, "scenarios" | "only" | "skip">;

/** A selected clause selects everything that judges it, properties included. */
const namesClause = ({ only = [] }: PhaseOptions, { parts }: Session): boolean =>
  only.some((pattern) => parts.clauses.get(pattern) !== undefined);

/** The phase after the cases. Its code and the generator library are loaded on demand. */
export async function propertyRows(
  session: Session,
  market: Market,
  options: PhaseOptions,
): Promise<RowResult[]> {
  const { choice } = selectProperties(options);
  const byItself = followCases(session.profile, options) || namesClause(options, session);
  const runs = choice === "auto" ? byItself : choice !== "off";
  if (!runs || options.signal?.aborted === true || session.spoiled !== undefined) return [];
  const { runProperties } = await import("./properties/run-properties.ts");
  const { scenarioText } = await import("./parse/write-scenario.ts");
  const { counterexamples: kept } = options;
  return runProperties(session, market, {
    kit: kitVersion(),
    only: [],
    skip: [],
    ...options,
    ...(kept === undefined
      ? {}
      : { keep: ({ id, document }) => keep(kept, `${id}.yaml`, scenarioText(document)) }),
  });
}

/** On this machine properties follow the whole built-in suite automatically. */
export const followCases = (profile: Profile, options: Selection): boolean =>
  isOurs(profile) && isWhole(options);

/** A shard is a part of a whole run, and tries its share of the properties. */
const isWhole = ({ scenarios = [], only = [], skip = [] }: Selection): boolean =>
  scenarios.length === 0 && only.length === 0 && skip.every(isOfProperties);

/** The path as a user would write it. */
async function keep(
  folder: string | KeepCounterexample,
  name: string,
  text: string,
): Promise<string | undefined> {
  if (typeof folder !== "string") return folder(name, text);
  const file = join(folder, name);
  try {
    await writeOutput(file, text);
  } catch (error) {
    // The findings are reported in any case, and the run continues.
    if (!(error instanceof OutputUnwritten)) throw error;
    process.stderr.write(`gatewright: a counterexample is not kept: ${error.message}\n`);
    return undefined;
  }
  const below = relative(process.cwd(), file);
  return below.startsWith("..") ? file : below;
}
