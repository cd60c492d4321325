import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Product } from "../../domain/market.ts";
import type { LiquidityPlan, World } from "../../domain/world.ts";
import { buildWorld } from "../build-world.ts";
import { incrementOf, wholeMultiples } from "../exact.ts";
import { type MadeProduct, products, worldOf } from "../testing/arbitraries.ts";
import { liquidityAt, syntheticLevels } from "./liquidity-at.ts";
import { middleAt } from "./walk.ts";

const seeds = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const steps = fc.oneof(fc.nat(1000), fc.integer({ min: 0, max: 2 ** 50 }));

function market(world: World, index: number): readonly [LiquidityPlan, Product] {
  const [plan, product] = [world.liquidity[index], world.products[index]];
  if (plan === undefined || product === undefined) throw new Error(`there is no product ${index}`);
  return [plan, product];
}

const marketOf = (made: MadeProduct) => market(buildWorld(worldOf(made.entry)).world, 0);

/** The decimal as a count of increments; fails when it is not on the grid. */
function counted(text: string, increment: string): bigint {
  const count = wholeMultiples(text, incrementOf(increment));
  if (count === null) throw new Error(`${text} is not a multiple of ${increment}`);
  return count;
}

describe("A synthetic market", () => {
  it("is on the grid, positive and sorted, and never crosses", () => {
    fc.assert(
      fc.property(products("BTC-USD"), seeds, steps, (made, seed, step) => {
        const levels = syntheticLevels(...marketOf(made), seed, step);
        const prices = (side: string) =>
          levels
            .filter((level) => level.side === side)
            .map((level) => counted(level.price, made.entry.priceIncrement));
        const [bids, asks] = [prices("BUY"), prices("SELL")];
        expect(bids.length).toBeGreaterThan(0);
        expect(asks.length).toBeGreaterThan(0);
        expect(bids).toEqual([...new Set(bids)].sort((a, b) => (a < b ? 1 : -1)));
        expect(asks).toEqual([...new Set(asks)].sort((a, b) => (a < b ? -1 : 1)));
        expect((bids.at(0) ?? 0n) < (asks.at(0) ?? 0n)).toBe(true);
        expect([...bids, ...asks].every((price) => price >= 1n && price <= 2n ** 53n - 1n)).toBe(true);
        const sizes = levels.map((level) => counted(level.quantity, made.entry.baseIncrement));
        expect(sizes.every((size) => size >= 1n && size <= 2n ** 53n - 1n)).toBe(true);
      }),
    );
  });

  it("prints on the grid, at its new best price", () => {
    fc.assert(
      fc.property(products("BTC-USD"), seeds, steps, (made, seed, step) => {
        const [plan, product] = marketOf(made);
        const levels = syntheticLevels(plan, product, seed, step);
        for (const command of liquidityAt(plan, product, seed, step)) {
          if (command.kind !== "PrintTrade") continue;
          expect(plan.mode).toBe("walk");
          expect(counted(command.quantity, made.entry.baseIncrement) >= 1n).toBe(true);
          const best = ["BUY", "SELL"].map((side) => levels.find((level) => level.side === side)?.price);
          expect(best).toContain(command.price);
        }
      }),
    );
  });

  it("is byte-identical for the same seed and step, and does not look at the clock", () => {
    fc.assert(
      fc.property(products("BTC-USD"), seeds, steps, (made, seed, step) => {
        const once = JSON.stringify(liquidityAt(...marketOf(made), seed, step));
        expect(JSON.stringify(liquidityAt(...marketOf(made), seed, step))).toBe(once);
      }),
    );
  });

  it("does not change when another product or client is added", () => {
    fc.assert(
      fc.property(products("BTC-USD"), products("ETH-USD"), seeds, steps, (made, other, seed, step) => {
        const alone = buildWorld(worldOf(made.entry)).world;
        const among = buildWorld(worldOf(other.entry, made.entry)).world;
        expect(liquidityAt(...market(among, 1), seed, step)).toEqual(
          liquidityAt(...market(alone, 0), seed, step),
        );
      }),
    );
  });
});

describe("A wandering market", () => {
  const reference = fc.integer({ min: 1, max: 2 ** 52 });

  it("stays within a twentieth of the reference price", () => {
    fc.assert(
      fc.property(reference, seeds, steps, (middle, seed, step) => {
        const distance = BigInt(middleAt(middle, seed, "BTC-USD", step)) - BigInt(middle);
        expect((distance < 0n ? -distance : distance) * 20n <= BigInt(middle)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("starts at the reference price", () => {
    fc.assert(
      fc.property(reference, seeds, (middle, seed) => {
        expect(middleAt(middle, seed, "BTC-USD", 0)).toBe(middle);
      }),
    );
  });

  it("moves at most a fiftieth of its reach in one step", () => {
    fc.assert(
      fc.property(reference, seeds, steps, (middle, seed, step) => {
        const moved = middleAt(middle, seed, "BTC-USD", step + 1) - middleAt(middle, seed, "BTC-USD", step);
        expect(BigInt(Math.abs(moved)) * 20n * 50n <= BigInt(middle) + 20_000n).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
