import { describe, expect, it } from "vitest";
import type { Product } from "../../domain/market.ts";
import type { LiquidityPlan } from "../../domain/world.ts";
import { buildWorld } from "../build-world.ts";
import type { ProductEntry } from "../schema.ts";
import { worldOf } from "../testing/arbitraries.ts";
import { isStill, liquidityAt, stepAt, syntheticLevels } from "./liquidity-at.ts";

type Liquidity = NonNullable<ProductEntry["liquidity"]>;

function market(liquidity: Liquidity | undefined) {
  const entry: ProductEntry = {
    id: "BTC-USD",
    baseIncrement: "0.0001",
    priceIncrement: "0.05",
    maxOrderSize: "100",
    referencePrice: "60000",
    ...(liquidity === undefined ? {} : { liquidity }),
  };
  const { world } = buildWorld(worldOf(entry));
  const [plan, product] = [world.liquidity[0], world.products[0]];
  if (plan === undefined || product === undefined) throw new Error("the world has one product");
  return [plan, product] as const;
}

/** One command a line, so that a test shows a market as a person would write it down. */
function written(plan: LiquidityPlan, product: Product, step: number): readonly string[] {
  return liquidityAt(plan, product, 1, step).map((command) => {
    if (command.kind === "PrintTrade") return `print ${command.quantity} at ${command.price}`;
    if (command.kind !== "RefreshLiquidity") return command.kind;
    const side = (name: string) =>
      command.levels
        .filter((level) => level.side === name)
        .map((level) => `${level.quantity}@${level.price}`);
    return `levels ${side("BUY").reverse().join(" ")} | ${side("SELL").join(" ")}`;
  });
}

describe("A pinned market", () => {
  it("has the same full levels at every step", () => {
    const pinned = market({ mode: "pinned", levels: 2, spacingTicks: 10, quantity: "0.5" });
    const levels = ["levels 0.5@59999 0.5@59999.5 | 0.5@60000.5 0.5@60001"];
    expect(written(...pinned, 0)).toEqual(levels);
    expect(written(...pinned, 12_345)).toEqual(levels);
    expect(isStill(pinned[0])).toBe(true);
  });
});

describe("A ladder", () => {
  it("has the same prices as a pinned market and quantities of its own", () => {
    const ladder = market({ mode: "ladder", levels: 3, spacingTicks: 10, quantity: "0.5" });
    expect(written(...ladder, 0)).toMatchInlineSnapshot(`
      [
        "levels 0.413@59998.5 0.342@59999 0.485@59999.5 | 0.525@60000.5 0.384@60001 0.735@60001.5",
      ]
    `);
    expect(written(...ladder, 99)).toEqual(written(...ladder, 0));
    expect(isStill(ladder[0])).toBe(true);
  });

  it("is the default of a product: 20 levels, a basis point apart, a percent of the maximum", () => {
    expect(market(undefined)[0]).toEqual({
      product: "BTC-USD",
      mode: "ladder",
      levels: 20,
      spacingTicks: 120,
      quantity: "1",
      everyMs: 1000,
      trades: [],
    });
  });
});

describe("A wandering market", () => {
  it("moves, and prints a trade at each step", () => {
    const walk = market({ mode: "walk", levels: 1, spacingTicks: 10, quantity: "0.5" });
    expect([0, 1, 2, 3].flatMap((step) => written(...walk, step))).toMatchInlineSnapshot(`
      [
        "levels 0.485@59999.5 | 0.525@60000.5",
        "print 0.14 at 59999.5",
        "levels 0.585@59994.85 | 0.625@59995.85",
        "print 0.125 at 59994.85",
        "levels 0.525@59992.25 | 0.34@59993.25",
        "print 0.04 at 59993.25",
        "levels 0.435@59996.9 | 0.675@59997.9",
        "print 0.105 at 59997.9",
      ]
    `);
    expect(isStill(walk[0])).toBe(false);
  });

  it("differs from seed to seed", () => {
    const [plan, product] = market({ mode: "walk" });
    expect(syntheticLevels(plan, product, 1, 50)).not.toEqual(syntheticLevels(plan, product, 2, 50));
  });
});

describe("An empty market", () => {
  it("asks for nothing, ever", () => {
    const empty = market({ mode: "empty" });
    expect(written(...empty, 0)).toEqual([]);
    expect(stepAt(empty[0], 5000)).toBeNull();
  });
});

describe("The step of a moment", () => {
  it("changes every `everyMs` of market time", () => {
    const [plan] = market({ mode: "pinned", everyMs: 250 });
    expect([0, 249, 250, 251, 1000].map((elapsed) => stepAt(plan, elapsed))).toEqual([0, 0, 1, 1, 4]);
  });
});

it("A plan is for its own product only", () => {
  const [plan, product] = market(undefined);
  expect(() => liquidityAt({ ...plan, product: "ETH-USD" }, product, 1, 0)).toThrow("was used for BTC-USD");
});
