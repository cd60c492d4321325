import { setImmediate as turn } from "node:timers/promises";
import type { ClaimedLevel } from "../model/clause.ts";
import { isOfLevel } from "../model/level.ts";
import { type RowResult, SafetyStop } from "../model/outcome.ts";
import { safetyClasses } from "../model/profile.ts";
import type { Market } from "../runner/prepare/market.ts";
import { fits } from "../runner/prepare/select.ts";
import type { Shard } from "../runner/prepare/shard.ts";
import type { Session } from "../runner/session.ts";
import { allProperties } from "./all-properties.ts";
import { checkProperty } from "./check-property.ts";
import type { Counterexample } from "./counterexample.ts";
import { SecretWatch } from "./p34-secrets-stay-secret.ts";
import { Phase } from "./phase.ts";
import type { Property } from "./property.ts";
import { inPairs } from "./table.ts";

export interface RunOptions {
  readonly kit: string;
  readonly seed: number;
  /** How many plans per property, instead of the default of the property. */
  readonly runs?: number | undefined;
  readonly level: ClaimedLevel;
  /** Each shard of a run tries its share of the properties. */
  readonly shard?: Shard | undefined;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly onRow?: ((row: RowResult) => void) | undefined;
  /** Stores a counterexample and returns its path; without it, nothing is written. */
  readonly keep?: ((counterexample: Counterexample) => Promise<string | undefined>) | undefined;
}

/**
 * The phase after the cases: one result per property, in the order of their numbers, from harmless to harmful. On this
 * machine all of them run at the same time, with their plans in parallel if they do not disturb each other; elsewhere
 * one follows the other.
 */
export async function runProperties(
  session: Session,
  market: Market,
  options: RunOptions,
): Promise<RowResult[]> {
  const phase = new Phase(session, market, options.signal);
  const watch = new SecretWatch(session.profile);
  session.observers.add(watch.see);
  const found = new Map<string, RowResult>();
  const add = (row: RowResult): void => {
    found.set(row.id, row);
    options.onRow?.(row);
  };
  const { kit, seed, runs, keep, signal } = options;
  const check = async (property: Property): Promise<void> => {
    const row = await checkProperty(property, phase, {
      kit,
      seed,
      runs,
      keep: async (counterexample) => keep?.(counterexample),
    });
    // A property that had not started when the run was interrupted has no result.
    if (signal?.aborted !== true || row.observations["runs"]?.startsWith("0 ") === false) add(row);
  };
  const wanted = allProperties
    .filter((one) => isWanted(one, options, session))
    .filter((_, index) => isOfShard(index, options.shard))
    .map((one) => (options.level === "full" ? one : inPairs(one)));
  try {
    await inLanes(phase, wanted, check, () => signal?.aborted !== true);
    if (found.size > 0 && isWanted(watch, options, session)) add(watch.row());
  } finally {
    session.observers.delete(watch.see);
  }
  return [...wanted, watch].flatMap(({ id }) => found.get(id) ?? []);
}

/**
 * Within a class they keep their order: at a gateway without a cancel route, the orders that one leaves are in the way
 * of the next.
 */
const mostHarmfulFirst = (one: Property, other: Property): number =>
  safetyClasses.indexOf(other.safety) - safetyClasses.indexOf(one.safety);

/** The first error ends the phase, after the other properties have ended. */
async function inLanes(
  phase: Phase,
  properties: readonly Property[],
  check: (property: Property) => Promise<void>,
  open: () => boolean,
): Promise<void> {
  // Properties that trade block others. They start first, so that those that only read run in parallel with
  // them.
  const waiting = phase.ours ? properties.toSorted(mostHarmfulFirst) : [...properties];
  const thrown: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (
      let next = waiting.shift();
      next !== undefined && open() && thrown.length === 0;
      next = waiting.shift()
    )
      await check(next).catch((error: unknown) => {
        thrown.push(error);
        phase.end("the run had to end");
      });
  };
  const lanes: Promise<void>[] = [];
  while (lanes.length < (phase.ours ? properties.length : 1)) {
    lanes.push(lane());
    // Computing a table takes a while; properties that have started continue during that time.
    await turn();
  }
  await Promise.all(lanes);
  if (thrown.length > 0) throw thrown.find((error) => error instanceof SafetyStop) ?? thrown[0];
}

function isOfShard(index: number, shard: Shard | undefined): boolean {
  return shard === undefined || index % shard.count === shard.index - 1;
}

/** Selected by number or clause like a case, and part of the claimed level. */
function isWanted(
  { id, spec }: Pick<Property, "id" | "spec">,
  { only, skip, level }: RunOptions,
  session: Session,
): boolean {
  const { clauses } = session.parts;
  const speaksOf = (pattern: string): boolean =>
    clauses.deciding(pattern).some((clause) => spec.includes(clause));
  const named = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) => fits(pattern, id) || speaksOf(pattern));
  return isOfLevel({ spec }, level, clauses) && (only.length === 0 || named(only)) && !named(skip);
}
