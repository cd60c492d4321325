import { UsageError } from "../../model/position.ts";
import type { CaseRow } from "../../model/scenario.ts";
import type { Fragments } from "../../model/step.ts";
import { effortOfCase } from "../../plan/effort.ts";

/** One part of a run that several machines share. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The reason for a row that did not run here; exactly one shard reports another one. */
export const inAnotherShard = "another shard runs it";

/** Why a shard alone is never conformant. */
export function partOf({ index, count }: Shard): string {
  return `this is shard ${index} of ${count}: join the reports of all of them with gatewright merge`;
}

const mostShards = 64;

/** `2/3`: the second of three. */
export function parseShard(text: string): Shard {
  const [, index = 0, count = 0] = /^(\d{1,2})\/(\d{1,2})$/.exec(text)?.map(Number) ?? [];
  if (index < 1 || index > count || count > mostShards) {
    throw new UsageError(
      `--shard expects I/N, the I-th of N parts with I from 1 to N and N at most ${mostShards}, not "${text}"`,
    );
  }
  return { index, count };
}

/**
 * The rows of one shard. The split depends only on the rows, not on the seed or the machine, so that shards that are
 * started separately fit together: the most expensive row goes to the shard with the least work, ties to the first.
 */
export function rowsOfShard(
  rows: readonly CaseRow[],
  { index, count }: Shard,
  fragments: Fragments,
): CaseRow[] {
  const weighed = rows
    .map((row) => ({ row, weight: weightOf(row, fragments) }))
    .toSorted((a, b) => b.weight - a.weight || (a.row.id < b.row.id ? -1 : 1));
  const loads = Array.from({ length: count }, () => 0);
  const mine = new Set<CaseRow>();
  for (const { row, weight } of weighed) {
    const lightest = loads.indexOf(Math.min(...loads));
    loads[lightest] = (loads[lightest] ?? 0) + weight;
    if (lightest === index - 1) mine.add(row);
  }
  return rows.filter((row) => mine.has(row));
}

/** The cost in requests: each order needs a cancel, and a second of sleep counts as a few requests. */
function weightOf(row: CaseRow, fragments: Fragments): number {
  const { requests, orders, sleepMs } = effortOfCase(row, fragments);
  return requests + orders + sleepMs / 200 + 1;
}
