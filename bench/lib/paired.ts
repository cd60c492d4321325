/**
 * Ratios side by side: all candidates run in the same process or run, many short slices in shuffled order, and each
 * slice is divided by the baseline slice of its own cycle. Absolute numbers on a shared machine say little; the spread of
 * the paired ratio says how much to believe.
 */

export interface Candidate {
  readonly name: string;
  /** Runs one slice and returns its measure; more is better. */
  readonly slice: () => number | Promise<number>;
}

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export interface Row {
  readonly name: string;
  readonly value: Spread;
  /** Candidate divided by baseline, cycle by cycle. */
  readonly ratio: Spread;
}

export async function compare(
  baseline: string,
  candidates: readonly Candidate[],
  cycles: number,
): Promise<Row[]> {
  const measured = new Map<string, number[]>(candidates.map(({ name }) => [name, []]));
  for (const { slice } of candidates) await slice();
  for (let cycle = 0; cycle < cycles; cycle++) {
    for (const { name, slice } of shuffled(candidates, cycle)) measured.get(name)?.push(await slice());
  }
  const base = measured.get(baseline) ?? [];
  return candidates.map(({ name }) => {
    const values = measured.get(name) ?? [];
    const ratios = values.map((value, cycle) => value / (base[cycle] ?? Number.NaN));
    return { name, value: spread(values), ratio: spread(ratios) };
  });
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return { min: at(0), median: at(sorted.length >> 1), max: at(sorted.length - 1) };
}

/** Another order in each cycle, the same in each run. */
function shuffled<T>(items: readonly T[], cycle: number): T[] {
  const order = [...items];
  let state = cycle + 1;
  for (let at = order.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = state % (at + 1);
    const [a, b] = [order[at], order[other]];
    if (a !== undefined && b !== undefined) {
      order[at] = b;
      order[other] = a;
    }
  }
  return order;
}
