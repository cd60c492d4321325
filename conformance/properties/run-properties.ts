import type { ClaimedLevel } from "../model/clause.ts";
import { isOfLevel } from "../model/level.ts";
import type { RowResult } from "../model/outcome.ts";
import type { Market } from "../runner/market.ts";
import type { Session } from "../runner/session.ts";
import type { Shard } from "../runner/shard.ts";
import { allProperties } from "./all-properties.ts";
import { checkProperty } from "./check-property.ts";
import type { Counterexample } from "./counterexample.ts";
import { SecretWatch } from "./p34-secrets-stay-secret.ts";
import { Phase } from "./phase.ts";
import type { Property } from "./property.ts";

export interface RunOptions {
  readonly kit: string;
  readonly seed: number;
  /** How many plans per property, in place of its own number. */
  readonly runs?: number | undefined;
  readonly level: ClaimedLevel;
  /** Each shard of a run tries its share of the properties. */
  readonly shard?: Shard | undefined;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly onRow?: ((row: RowResult) => void) | undefined;
  /** Stores a counterexample and says where; without it, nothing is written. */
  readonly keep?: ((counterexample: Counterexample) => Promise<string | undefined>) | undefined;
}

/** The phase after the cases: one row per property, in the order of their numbers within harmless to harmful. */
export async function runProperties(
  session: Session,
  market: Market,
  options: RunOptions,
): Promise<RowResult[]> {
  const phase = new Phase(session, market, options.signal);
  const watch = new SecretWatch(session.profile);
  session.observers.add(watch.see);
  const rows: RowResult[] = [];
  const add = (row: RowResult): void => {
    rows.push(row);
    options.onRow?.(row);
  };
  const { kit, seed, runs, keep } = options;
  try {
    const wanted = allProperties.filter((one) => isWanted(one, options, session));
    for (const property of wanted.filter((_, index) => isOfShard(index, options.shard))) {
      if (options.signal?.aborted === true) break;
      add(
        await checkProperty(property, phase, {
          kit,
          seed,
          runs,
          keep: async (counterexample) => keep?.(counterexample),
        }),
      );
    }
    if (rows.length > 0 && isWanted(watch, options, session)) add(watch.row());
  } finally {
    session.observers.delete(watch.see);
  }
  return rows;
}

function isOfShard(index: number, shard: Shard | undefined): boolean {
  return shard === undefined || index % shard.count === shard.index - 1;
}

/** Selected by number or clause as a case is, and of the level that is claimed. */
function isWanted(
  { id, spec }: Pick<Property, "id" | "spec">,
  { only, skip, level }: RunOptions,
  session: Session,
): boolean {
  const { clauses } = session.parts;
  const speaksOf = (pattern: string): boolean =>
    clauses.deciding(pattern).some((clause) => spec.includes(clause));
  const named = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) => pattern === id || pattern === "P-*" || speaksOf(pattern));
  return isOfLevel({ spec }, level, clauses) && (only.length === 0 || named(only)) && !named(skip);
}
