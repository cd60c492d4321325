/** Candles: buckets that begin on their boundary, and coarse ones that are exactly the sum of the fine ones. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lots, ticks } from "../domain/amount.ts";
import { type Candle, joinCandles, Tape } from "./tape.ts";

const minuteMs = 60_000;
const hour = 60 * minuteMs;
const day = 24 * hour;
const epoch = Date.UTC(2026, 2, 28, 22);

interface Trade {
  readonly after: number;
  readonly price: number;
  readonly quantity: number;
}

const trades = fc.array(
  fc.record({
    after: fc.oneof(fc.integer({ min: 0, max: 50_000 }), fc.constantFrom(0, minuteMs, hour, 7 * hour)),
    price: fc.integer({ min: 1, max: 1000 }),
    quantity: fc.integer({ min: 1, max: 1000 }),
  }),
  { maxLength: 120, size: "max" },
);

function printed(list: readonly Trade[]): { readonly tape: Tape; readonly times: readonly number[] } {
  const tape = new Tape(ticks(500));
  let at = epoch;
  const times = list.map(({ after, price, quantity }, index) => {
    at += after;
    tape.print({ trade: index + 1, at, price: ticks(price), quantity: lots(quantity), takerSide: "BUY" });
    return at;
  });
  return { tape, times };
}

/** Buckets by grouping every trade on its own. */
function candlesOf(list: readonly Trade[], times: readonly number[], granularity: number): Candle[] {
  const buckets = new Map<number, Trade[]>();
  for (const [index, trade] of list.entries()) {
    const start = Math.floor((times[index] ?? 0) / granularity) * granularity;
    buckets.set(start, [...(buckets.get(start) ?? []), trade]);
  }
  return [...buckets].map(([start, inside]) => ({
    start,
    open: ticks(inside[0]?.price ?? 0),
    high: ticks(Math.max(...inside.map((trade) => trade.price))),
    low: ticks(Math.min(...inside.map((trade) => trade.price))),
    close: ticks(inside.at(-1)?.price ?? 0),
    volume: inside.reduce((sum, trade) => sum + BigInt(trade.quantity), 0n),
  }));
}

describe("candles", () => {
  test.each([minuteMs, 5 * minuteMs, 15 * minuteMs, hour, 6 * hour, day])(
    "of %i ms are what the trades in them say",
    (granularity) => {
      fc.assert(
        fc.property(trades, (list) => {
          const { tape, times } = printed(list);
          const joined = joinCandles(tape.minutes, granularity, 0, Number.POSITIVE_INFINITY);
          expect(joined).toEqual(candlesOf(list, times, granularity));
          const whole = list.reduce((sum, trade) => sum + BigInt(trade.quantity), 0n);
          expect(joined.reduce((sum, candle) => sum + candle.volume, 0n)).toBe(whole);
          expect(tape.volume(0, Number.POSITIVE_INFINITY)).toBe(whole);
        }),
        { numRuns: 150 },
      );
    },
  );

  test("put a trade on a boundary into the later bucket", () => {
    const tape = new Tape(ticks(1));
    const start = Date.UTC(2026, 0, 2);
    tape.print({ trade: 1, at: start - 1, price: ticks(5), quantity: lots(1), takerSide: "BUY" });
    tape.print({ trade: 2, at: start, price: ticks(7), quantity: lots(1), takerSide: "BUY" });
    for (const granularity of [minuteMs, hour, day]) {
      const starts = joinCandles(tape.minutes, granularity, 0, Number.POSITIVE_INFINITY).map(
        (candle) => candle.start,
      );
      expect(starts).toEqual([start - granularity, start]);
    }
  });

  test("of a day begin at midnight UTC", () => {
    const { tape } = printed([
      { after: 0, price: 5, quantity: 1 },
      { after: 3 * hour, price: 6, quantity: 1 },
    ]);
    const starts = joinCandles(tape.minutes, day, 0, Number.POSITIVE_INFINITY).map((candle) => candle.start);
    expect(starts).toEqual([Date.UTC(2026, 2, 28), Date.UTC(2026, 2, 29)]);
  });

  test("are given from a start that counts to an end that does not, and empty ones are absent", () => {
    const { tape } = printed(
      [0, 1, 5, 6].map((minute, index, all) => ({
        after: (minute - (all[index - 1] ?? 0)) * minuteMs,
        price: 5,
        quantity: 1,
      })),
    );
    const inside = joinCandles(tape.minutes, minuteMs, epoch + minuteMs, epoch + 6 * minuteMs);
    expect(inside.map((candle) => (candle.start - epoch) / minuteMs)).toEqual([1, 5]);
    expect(tape.volume(epoch + minuteMs, epoch + 6 * minuteMs)).toBe(2n);
  });

  test("joining does not change the minutes it joins", () => {
    const { tape } = printed([
      { after: 0, price: 5, quantity: 1 },
      { after: minuteMs, price: 9, quantity: 2 },
    ]);
    const before = structuredClone(tape.minutes);
    joinCandles(tape.minutes, hour, 0, Number.POSITIVE_INFINITY);
    expect(tape.minutes).toEqual(before);
  });
});

describe("the tape", () => {
  test("begins with the reference price and keeps the last fifty prints", () => {
    const tape = new Tape(ticks(500));
    expect([tape.last, tape.traded]).toEqual([500, false]);
    for (let trade = 1; trade <= 60; trade++) {
      tape.print({ trade, at: epoch + trade, price: ticks(trade), quantity: lots(1), takerSide: "SELL" });
    }
    expect([tape.last, tape.traded]).toEqual([60, true]);
    expect(tape.recent.map((print) => print.trade)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 11),
    );
  });
});
