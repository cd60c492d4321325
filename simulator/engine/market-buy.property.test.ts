/** g 13: a MARKET BUY never overspends, and is FILLED exactly when one more increment cannot be paid for. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ceilAt, type Decimal, decimal } from "./testing/exact.ts";
import { Table } from "./testing/table.ts";
import type { VenueSpec } from "./testing/venue-spec.ts";

const levels = fc.uniqueArray(
  fc.record({ ticks: fc.integer({ min: 1, max: 3000 }), lots: fc.integer({ min: 1, max: 40 }) }),
  {
    selector: (level) => level.ticks,
    maxLength: 6,
  },
);

const market = fc.record({
  levels,
  priceIncrement: fc.constantFrom("1", "0.01", "0.05"),
  baseIncrement: fc.constantFrom("1", "0.5", "0.0001", "0.00000001"),
  feeScale: fc.constantFrom(2, 8),
  commission: fc.constantFrom("0", "0.0025", "0.0033333333", "0.5"),
  exchangeFee: fc.constantFrom("0", "0.001", "0.0000000001", "0.5"),
  cents: fc.integer({ min: 1, max: 2_000_000 }),
});

test("a market buy never spends more than its budget, and is FILLED iff the next increment is too dear", () => {
  let filled = 0;
  let cancelled = 0;
  fc.assert(
    fc.property(market, (given) => {
      const { priceIncrement, baseIncrement, feeScale, commission, exchangeFee } = given;
      const spec: VenueSpec = {
        assets: [{ symbol: "COIN" }, { symbol: "USD", feeScale }],
        products: [{ id: "COIN-USD", priceIncrement, baseIncrement, reference: priceIncrement }],
        clients: [
          {
            name: "ann",
            rates: { maker: "0", taker: commission, exchangeTaker: exchangeFee },
            balances: { USD: "20000" },
          },
        ],
        settings: { matchDelayMs: 0 },
      };
      const table = new Table(spec);
      const price = (ticks: number): Decimal => decimal(ticks).times(priceIncrement);
      const size = (lots: number): Decimal => decimal(lots).times(baseIncrement);
      table.refresh(
        ...given.levels.map(
          (level) => `SELL ${size(level.lots).toFixed()} @ ${price(level.ticks).toFixed()}`,
        ),
      );
      const budget = decimal(given.cents).div(100);
      const outcome = table.do(table.command("ann", `BUY MARKET for ${budget.toFixed()}`));
      if (outcome.kind !== "accepted") return;
      const order = table.drive.order(outcome.order.terms.number);

      // The quantity must be that of the walk through the levels, and the cost that of the definition.
      const cost = (notional: Decimal): Decimal =>
        notional
          .plus(ceilAt(notional.times(commission), feeScale))
          .plus(ceilAt(notional.times(exchangeFee), feeScale));
      let left: number = order.filled;
      let notional = decimal(0);
      let next: Decimal | null = null;
      for (const level of [...given.levels].sort((a, b) => a.ticks - b.ticks)) {
        const taken = Math.min(left, level.lots);
        if (taken > 0 || next === null) next = price(level.ticks);
        if (taken === level.lots) next = null;
        notional = notional.plus(size(taken).times(price(level.ticks)));
        left -= taken;
        if (left === 0 && taken < level.lots) break;
      }
      expect(left).toBe(0);
      const scale = table.drive.state.market(0).product.quote.scale;
      const spent = decimal((order.filledValue + order.commission + order.exchangeFee).toString()).div(
        decimal(10).pow(scale),
      );
      expect(spent.eq(cost(notional))).toBe(true);
      expect(spent.lte(budget)).toBe(true);

      const last = given.levels
        .map((level) => level.ticks)
        .sort((a, b) => a - b)
        .at(-1);
      const ahead = next ?? (order.filled > 0 && last !== undefined ? price(last) : null);
      const canBuyMore = ahead === null || cost(notional.plus(ahead.times(baseIncrement))).lte(budget);
      expect(order.status).toBe(order.filled > 0 && !canBuyMore ? "FILLED" : "CANCELLED");
      expect(order.hold).toBe(0n);
      if (order.status === "FILLED") filled++;
      else cancelled++;
    }),
    { numRuns: 1500 },
  );
  expect(filled).toBeGreaterThan(200);
  expect(cancelled).toBeGreaterThan(100);
});
