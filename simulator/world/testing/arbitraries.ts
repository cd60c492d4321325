/** Random worlds that are sound by construction, and what they were made from. */
import fc from "fast-check";
import { formatScaled } from "../../domain/decimal-text.ts";
import type { ProductEntry, WorldFile } from "../schema.ts";

export interface Grid {
  readonly unit: number;
  readonly scale: number;
}

/** Increments such as 1, 0.05, 25 and 0.00000001. */
export const grids: fc.Arbitrary<Grid> = fc.record({
  unit: fc.constantFrom(1, 2, 5, 7, 10, 25, 125, 1000),
  scale: fc.integer({ min: 0, max: 9 }),
});

export const onGrid = (count: number | bigint, grid: Grid): string =>
  formatScaled(BigInt(count) * BigInt(grid.unit), grid.scale);

export interface MadeProduct {
  readonly entry: ProductEntry;
  readonly tick: Grid;
  readonly lot: Grid;
  readonly referenceTicks: number;
}

export const modes = fc.constantFrom("pinned", "ladder", "walk") satisfies fc.Arbitrary<string>;

export function products(id: string): fc.Arbitrary<MadeProduct> {
  const parts = fc.record({
    tick: grids,
    lot: grids,
    referenceTicks: fc.integer({ min: 3, max: 2 ** 40 }),
    sizes: fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1000, max: 2 ** 40 })),
    levels: fc.integer({ min: 1, max: 40 }),
    quantity: fc.integer({ min: 1, max: 2 ** 45 }),
    mode: modes,
  });
  return parts.map(({ tick, lot, referenceTicks, sizes, levels, quantity, mode }) => ({
    tick,
    lot,
    referenceTicks,
    entry: {
      id,
      baseIncrement: onGrid(1, lot),
      priceIncrement: onGrid(1, tick),
      minOrderSize: onGrid(sizes[0], lot),
      maxOrderSize: onGrid(sizes[1], lot),
      referencePrice: onGrid(referenceTicks, tick),
      liquidity: { mode, levels, quantity: onGrid(quantity, lot) },
    },
  }));
}

/** Two assets and one product; the client has one whole unit of each. */
export function worldOf(...entries: readonly ProductEntry[]): WorldFile {
  const symbols = new Set(entries.flatMap((entry) => entry.id.split("-")));
  return {
    assets: [...symbols].map((symbol) => ({ symbol, name: symbol, precision: 2, feeScale: 8 })),
    products: [...entries],
    clients: [{ name: "alice", feeModel: "ALL_IN", makerRate: "0.001", takerRate: "0.002", balances: {} }],
    keys: [],
  };
}
