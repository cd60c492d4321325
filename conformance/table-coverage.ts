import type { ConformOptions } from "./conform.ts";
import { profileOf } from "./run-input.ts";
import { Market } from "./runner/prepare/market.ts";

/**
 * The combinations that a table of properties tries, and those that it cannot try: with everything supplied, or with
 * the supply of a profile.
 */
export interface TableCoverage {
  readonly id: string;
  readonly title: string;
  readonly dimensions: Readonly<Record<string, readonly string[]>>;
  /** `pairs`, `triples`, or `combinations`: pairs, and triples with selected values. */
  readonly of: string;
  readonly all: number;
  readonly tried: number;
  /** Could be tried, but is in no plan, because the budget is small. */
  readonly left: number;
  readonly cannot: readonly { readonly reason: string; readonly count: number }[];
  readonly plans: number;
}

/** Of all tables, or of these. */
export async function tableCoverage(
  target?: ConformOptions,
  ids?: readonly string[],
): Promise<TableCoverage[]> {
  const { allProperties } = await import("./properties/all-properties.ts");
  const { bundlesOf, extentOf, wordOf } = await import("./properties/table.ts");
  const profile = target === undefined ? undefined : await profileOf(target);
  const situation = profile === undefined ? undefined : { profile, market: Market.unseen(profile) };
  return allProperties
    .flatMap(({ table }) => table ?? [])
    .filter(({ id }) => ids?.includes(id) ?? true)
    .map((table) => {
      const plans = bundlesOf(table, situation);
      const { all, possible, tried, cannot } = extentOf(table, plans.flat(), situation);
      return {
        id: table.id,
        title: table.title,
        dimensions: table.dimensions,
        of: wordOf(table),
        all,
        tried,
        left: possible - tried,
        cannot: [...cannot].map(([reason, count]) => ({ reason, count })),
        plans: plans.length,
      };
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

export function tableCoverageText(tables: readonly TableCoverage[]): string {
  return tables.map(textOf).join("\n");
}

function textOf({ id, title, dimensions, of, all, tried, left, cannot, plans }: TableCoverage): string {
  const width = Math.max(...Object.keys(dimensions).map((name) => name.length)) + 2;
  const ruledOut = cannot.reduce((sum, { count }) => sum + count, 0);
  return [
    `${id}  ${title}`,
    ...Object.entries(dimensions).map(([name, values]) => `  ${name.padEnd(width)}${values.join(", ")}`),
    `  ${all} ${of}: ${tried} tried by ${plans} plans, ${ruledOut} cannot be tried, ${left} left out`,
    ...cannot.map(({ reason, count }) => `  ${String(count).padStart(6)}  ${reason}`),
    "",
  ].join("\n");
}
