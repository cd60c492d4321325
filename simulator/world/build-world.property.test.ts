import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { buildWorld } from "./build-world.ts";
import { checkWorld } from "./check/check-world.ts";
import type { ProductEntry } from "./schema.ts";
import { products, worldOf } from "./testing/arbitraries.ts";

/** The oracle: decimals with more digits than any product of two increments has. */
const Exact = Decimal.clone({ precision: 120, toExpNeg: -200, toExpPos: 200 });

function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error("the list is empty");
  return first;
}

/** The same decimal with zeros behind it. */
const padded = (text: string): string => (text.includes(".") ? `${text}00` : `${text}.000`);

function respelled(entry: ProductEntry): ProductEntry {
  const { baseIncrement, priceIncrement, referencePrice, maxOrderSize = "0" } = entry;
  return {
    ...entry,
    baseIncrement: padded(baseIncrement),
    priceIncrement: padded(priceIncrement),
    referencePrice: padded(referencePrice),
    maxOrderSize: padded(maxOrderSize),
  };
}

describe("A built world", () => {
  it("keeps every price, size and value exactly", () => {
    fc.assert(
      fc.property(products("BTC-USD"), ({ entry }) => {
        const product = only(buildWorld(worldOf(entry)).world.products);
        const price = new Exact(entry.referencePrice);
        const size = new Exact(entry.maxOrderSize ?? "0");
        const tick = new Exact(product.tickUnit).div(new Exact(10).pow(product.priceScale));
        const lot = new Exact(product.lotUnit).div(new Exact(10).pow(product.lotScale));
        expect(tick.mul(product.referencePrice).toFixed()).toBe(price.toFixed());
        expect(lot.mul(product.maxOrderSize ?? 0).toFixed()).toBe(size.toFixed());
        const value =
          product.unitsPerTickLot * BigInt(product.referencePrice) * BigInt(product.maxOrderSize ?? 0);
        expect(new Exact(10).pow(product.quote.scale).mul(price).mul(size).toFixed()).toBe(value.toString());
        const base = product.unitsPerLot * BigInt(product.maxOrderSize ?? 0);
        expect(new Exact(10).pow(product.base.scale).mul(size).toFixed()).toBe(base.toString());
      }),
    );
  });

  it("gives each asset the fewest digits that all its amounts need", () => {
    fc.assert(
      fc.property(products("BTC-USD"), products("ETH-BTC"), ({ entry: first }, { entry: second }) => {
        const { assets } = buildWorld(worldOf(first, second)).world;
        const digits = (text: string) => new Exact(text).decimalPlaces();
        const values = (entry: ProductEntry) => digits(entry.priceIncrement) + digits(entry.baseIncrement);
        const scales = Object.fromEntries(assets.map((asset) => [asset.symbol, asset.scale]));
        expect(scales).toEqual({
          USD: Math.max(8, values(first)),
          BTC: Math.max(8, digits(first.baseIncrement), values(second)),
          ETH: Math.max(8, digits(second.baseIncrement)),
        });
      }),
    );
  });

  it("has one digest however its decimals are spelled, and another for another price", () => {
    fc.assert(
      fc.property(products("BTC-USD"), ({ entry }) => {
        const digest = (changed: ProductEntry) => buildWorld(worldOf(changed)).world.digest;
        expect(digest(respelled(entry))).toBe(digest(entry));
        const dearer = new Exact(entry.referencePrice).plus(entry.priceIncrement).toFixed();
        expect(digest({ ...entry, referencePrice: dearer })).not.toBe(digest(entry));
      }),
    );
  });

  it("can be built whenever the check finds nothing", () => {
    const usual = fc.constantFrom(
      "1",
      "100",
      "0.01",
      "0.05",
      "0.00000001",
      "60000",
      "25000.5",
      "9007199254740991",
    );
    const odd = fc.constantFrom("0", "9007199254740992", "99999999999999999999", "0.00000000000000000001");
    const wild = fc.tuple(fc.nat(), fc.nat()).map(([whole, part]) => `${whole}.${part}`);
    const decimals = fc.oneof({ arbitrary: usual, weight: 8 }, odd, wild);
    const ids = fc.constantFrom("BTC-USD", "USD-BTC", "BTC-USD", "BTC-EUR", "BTC-BTC");
    const optional = fc.option(decimals, { nil: undefined, freq: 2 });
    const parts = fc.tuple(ids, decimals, decimals, decimals);
    let sound = 0;
    fc.assert(
      fc.property(
        parts,
        optional,
        optional,
        ([id, baseIncrement, priceIncrement, referencePrice], size, value) => {
          const entry: ProductEntry = {
            id,
            baseIncrement,
            priceIncrement,
            referencePrice,
            ...(size === undefined ? {} : { minOrderSize: size }),
            ...(value === undefined ? {} : { exchangeQuoteMaxSize: value }),
          };
          const file = {
            ...worldOf(entry),
            assets: ["BTC", "USD"].map((symbol) => ({ symbol, name: symbol })),
          };
          if (checkWorld(file).length > 0) return;
          sound++;
          const product = only(buildWorld(file).world.products);
          expect(Number.isSafeInteger(product.referencePrice)).toBe(true);
          expect(Number.isSafeInteger(product.tickUnit)).toBe(true);
          expect(Number.isSafeInteger(product.minOrderSize ?? 0)).toBe(true);
        },
      ),
      { numRuns: triesAll ? 5000 : 1500 },
    );
    expect(sound).toBeGreaterThan(50);
  });
});
