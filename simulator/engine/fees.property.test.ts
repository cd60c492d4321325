/** g 16: fees do not depend on how an order was cut into fills; d.2 and d.6: how they round and what is held for them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { units } from "../domain/amount.ts";
import type { Asset } from "../domain/market.ts";
import { type FeeRates, rateScale, type Side } from "../domain/order.ts";
import { addFill, type FeeTally, type LiquidityRole, noFees, worstBuyCost } from "./fees.ts";
import { Table } from "./testing/table.ts";
import type { VenueSpec } from "./testing/venue-spec.ts";

const scale = 10;
const asset = (feeScale: number): Asset => ({
  index: 0,
  symbol: "USD",
  name: "USD",
  scale: scale,
  precision: 8,
  feeScale,
  networks: [],
});

const rate = fc.bigInt({ min: -1_000_000_000n, max: 5_000_000_000n });
const rates: fc.Arbitrary<FeeRates> = fc.record({
  makerCommission: rate,
  takerCommission: rate,
  makerExchange: rate,
  takerExchange: rate,
});
const positiveRates = fc.record({
  makerCommission: fc.bigInt({ min: 0n, max: 5_000_000_000n }),
  takerCommission: fc.bigInt({ min: 0n, max: 5_000_000_000n }),
  makerExchange: fc.bigInt({ min: 0n, max: 5_000_000_000n }),
  takerExchange: fc.bigInt({ min: 0n, max: 5_000_000_000n }),
});

interface Piece {
  readonly notional: bigint;
  readonly liquidity: LiquidityRole;
}

const piece = (smallest: bigint): fc.Arbitrary<Piece> =>
  fc.record({
    notional: fc.bigInt({ min: smallest, max: 10n ** 16n }),
    liquidity: fc.constantFrom<LiquidityRole>("maker", "taker"),
  });

const total = (fills: readonly Piece[], given: FeeRates, side: Side, quote: Asset): FeeTally =>
  fills.reduce(
    (tally, { notional, liquidity }) => addFill(tally, units(notional), given, liquidity, side, quote),
    noFees,
  );

/** Each piece cut in two at a random place, and all of them dealt out in another order. */
const cut = (fills: readonly Piece[], at: readonly number[]): Piece[] => {
  const parts = fills.flatMap(({ notional, liquidity }, index) => {
    const first = (notional * BigInt(at[index % at.length] ?? 1)) / 100n;
    return [first, notional - first]
      .filter((part) => part > 0n)
      .map((part) => ({ notional: part, liquidity }));
  });
  return parts.reverse();
};

const cuts = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 8 });

const numRuns = triesAll ? 2000 : 800;

describe("fees of an order", () => {
  test("do not depend on how a BUY was split, nor on the order of its fills", () => {
    fc.assert(
      fc.property(
        fc.array(piece(1n), { minLength: 1, maxLength: 12 }),
        cuts,
        rates,
        fc.constantFrom(0, 2, 8),
        (fills, at, given, feeScale) => {
          const quote = asset(feeScale);
          expect(total(cut(fills, at), given, "BUY", quote)).toEqual(total(fills, given, "BUY", quote));
        },
      ),
      { numRuns },
    );
  });

  test("do not depend on how a SELL was split, as long as no fill is dust", () => {
    // Two components, each at most one unit of the fee scale ahead of the exact sum, and rates below 20 %.
    const modest = positiveRates.map((r) => ({
      makerCommission: r.makerCommission / 5n,
      takerCommission: r.takerCommission / 5n,
      makerExchange: r.makerExchange / 5n,
      takerExchange: r.takerExchange / 5n,
    }));
    const notDust = piece(1000n * 10n ** BigInt(scale - 2));
    fc.assert(
      fc.property(
        fc.array(notDust, { minLength: 1, maxLength: 12 }),
        cuts,
        modest,
        fc.constantFrom(2, 8),
        (fills, at, given, feeScale) => {
          const quote = asset(feeScale);
          expect(total(cut(fills, at), given, "SELL", quote)).toEqual(total(fills, given, "SELL", quote));
        },
      ),
      { numRuns },
    );
  });

  test("of a BUY lie between the exact value and one unit of the fee scale above it, per component", () => {
    fc.assert(
      fc.property(
        fc.array(piece(1n), { minLength: 1, maxLength: 12 }),
        rates,
        fc.constantFrom(0, 2, 8),
        (fills, given, feeScale) => {
          const tally = total(fills, given, "BUY", asset(feeScale));
          const unit = 10n ** BigInt(scale - feeScale + rateScale);
          for (const [charged, exact] of [
            [tally.commission, tally.commissionExact],
            [tally.exchangeFee, tally.exchangeFeeExact],
          ] as const) {
            const above = charged * 10n ** BigInt(rateScale) - exact;
            expect(above >= 0n && above < unit).toBe(true);
          }
        },
      ),
      { numRuns },
    );
  });

  test("never take more from a fill of a SELL than it brings, and catch up with the next", () => {
    fc.assert(
      fc.property(
        fc.array(piece(1n), { minLength: 1, maxLength: 12 }),
        rates,
        fc.constantFrom(0, 2, 8),
        (fills, given, feeScale) => {
          const quote = asset(feeScale);
          let tally = noFees;
          for (const { notional, liquidity } of fills) {
            const after = addFill(tally, units(notional), given, liquidity, "SELL", quote);
            const paid = after.commission + after.exchangeFee - tally.commission - tally.exchangeFee;
            expect(paid <= notional).toBe(true);
            tally = after;
          }
          expect(tally.commission + tally.exchangeFee <= tally.filledValue).toBe(true);
          const large = addFill(tally, units(10n ** 20n), given, "taker", "SELL", quote);
          const asBuy = total([...fills, { notional: 10n ** 20n, liquidity: "taker" }], given, "BUY", quote);
          expect(large.commission).toBe(asBuy.commission);
          if (given.takerCommission + given.takerExchange < 9_000_000_000n)
            expect(large.exchangeFee).toBe(asBuy.exchangeFee);
        },
      ),
      { numRuns },
    );
  });

  test("of a BUY never exceed their hold, with any mix of makers and takers", () => {
    fc.assert(
      fc.property(
        fc.array(piece(1n), { minLength: 1, maxLength: 12 }),
        rates,
        fc.constantFrom(0, 2, 8),
        (fills, given, feeScale) => {
          const quote = asset(feeScale);
          const whole = fills.reduce((sum, { notional }) => sum + notional, 0n);
          const hold = worstBuyCost(units(whole), given, quote);
          let tally = noFees;
          for (const { notional, liquidity } of fills) {
            tally = addFill(tally, units(notional), given, liquidity, "BUY", quote);
            expect(tally.filledValue + tally.commission + tally.exchangeFee <= hold).toBe(true);
          }
        },
      ),
      { numRuns },
    );
  });
});

describe("fees through the engine", () => {
  const spec: VenueSpec = {
    assets: [{ symbol: "COIN" }, { symbol: "USD", feeScale: 2 }],
    products: [{ id: "COIN-USD", priceIncrement: "0.01", baseIncrement: "0.1", reference: "40" }],
    clients: [
      { name: "ann", rates: { maker: "0.0025", taker: "0.0025" }, balances: { COIN: "2" } },
      { name: "bob", rates: { maker: "0", taker: "0" }, balances: { USD: "1000" } },
    ],
    settings: { matchDelayMs: 0 },
  };

  test("a fill of dust that crosses a cent does not overdraw a seller whose proceeds are spent", () => {
    const half = { maker: "0.5", taker: "0.5" };
    const clients = spec.clients.map((client) => ({
      ...client,
      rates: half,
      balances: { COIN: "3", USD: "1" },
    }));
    const table = new Table({ ...spec, clients });
    table.do({ kind: "AdjustBalance", client: 0, asset: "USD", amount: "1", direction: "debit" });
    const order = table.place("ann", "SELL LIMIT 2.1 @ 0.01");
    table.place("bob", "BUY LIMIT 2 @ 0.01");
    expect(table.order(order)).toBe("OPEN 2 of 2.1 for 0.02, fees 0.01 + 0, hold 0.1");
    expect(
      table.do({ kind: "AdjustBalance", client: 0, asset: "USD", amount: "0.01", direction: "debit" }).kind,
    ).toBe("done");
    // Half of 0.021 owes a second cent; the last fill brings a tenth of one.
    table.place("bob", "BUY LIMIT 0.1 @ 0.01");
    expect(table.order(order)).toBe("FILLED 2.1 of 2.1 for 0.021, fees 0.011 + 0, hold 0");
    expect(table.wallet("ann", "USD")).toBe("0, 0 on hold");
    table.drive.audit();
  });

  test("what a cent of dust could not pay is charged with the next fill", () => {
    const table = new Table(spec);
    table.place("bob", "BUY LIMIT 1 @ 4");
    table.place("bob", "BUY LIMIT 0.1 @ 0.02");
    table.place("bob", "BUY LIMIT 0.1 @ 0.01");
    // 4 x 0.0025 is one cent exactly; 0.002 more owes a second cent and brings only 0.002.
    const order = table.place("ann", "SELL LIMIT 1.2 @ 0.01");
    expect(table.order(order)).toBe("FILLED 1.2 of 1.2 for 4.003, fees 0.013 + 0, hold 0");
    expect(table.wallet("ann", "USD")).toBe("3.99, 0 on hold");
  });

  test("rebates are not counted on when money is set aside", () => {
    const rates = { maker: "-0.01", taker: "-0.005", exchangeMaker: "-0.01", exchangeTaker: "0.001" };
    const clients = [{ name: "ann", rates, balances: { USD: "100" } }];
    const table = new Table({ ...spec, clients });
    table.place("ann", "BUY LIMIT 1 @ 10");
    expect(table.wallet("ann", "USD")).toBe("100, 10.01 on hold");
  });

  test("rates are those of the time of acceptance", () => {
    const table = new Table(spec);
    const order = table.place("ann", "SELL LIMIT 1 @ 10");
    const fees = {
      kind: "SetFees",
      client: 0,
      model: "COST_PLUS",
      exchangeMakerRate: "0.1",
      exchangeTakerRate: "0.1",
    } as const;
    table.do({ ...fees, makerRate: "0.1", takerRate: "0.1" });
    table.place("bob", "BUY LIMIT 1 @ 10");
    expect(table.order(order)).toBe("FILLED 1 of 1 for 10, fees 0.03 + 0, hold 0");
    const later = table.place("ann", "SELL LIMIT 1 @ 10");
    table.place("bob", "BUY LIMIT 1 @ 10");
    expect(table.order(later)).toBe("FILLED 1 of 1 for 10, fees 1 + 1, hold 0");
  });
});
