/** A recorded market is what was recorded: each trade at its own time, and candles as the file has them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyedBelow } from "../domain/keyed-hash.ts";
import { limitBuy, type Venue, withVenue } from "../testing/venue.ts";

const start = Date.UTC(2026, 2, 2, 14, 30);
const minute = 60_000;

interface Row {
  readonly at: number;
  readonly price: number;
  readonly lots: number;
}

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "gatewright-recorded-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Trades at odd milliseconds, some at one moment, one a millisecond before each full minute. */
function rows(count: number, from: number, minutes: number): readonly Row[] {
  const draw = (what: string, at: number, below: bigint): number =>
    Number(keyedBelow(below, 1, what, "BTC-USD", at));
  const times = Array.from({ length: count }, (_, at) => from + draw("time", at, BigInt(minutes * minute)));
  const edges = Array.from({ length: minutes }, (_, at) => from + (at + 1) * minute - 1);
  return [from, ...times, ...times.slice(0, 20), ...edges]
    .toSorted((a, b) => a - b)
    .map((at, index) => ({
      at,
      price: 64_000 + draw("price", index, 500n),
      lots: 1 + draw("size", index, 2000n),
    }));
}

const csv = (trades: readonly Row[]): string =>
  ["time,price,quantity", ...trades.map(({ at, price, lots }) => `${at},${price},${lots / 1000}`)].join("\n");

const product = (id: string, more: object) => ({
  id,
  baseIncrement: "0.0001",
  priceIncrement: "0.01",
  referencePrice: "64000",
  liquidity: { mode: "trades", trades: `${id}.csv`, levels: 3, spacingTicks: 10, quantity: "0.5", ...more },
});

/** A world file beside the files of its markets. */
function worldFile(markets: Record<string, readonly Row[]>, more: object = {}): string {
  for (const [id, trades] of Object.entries(markets))
    writeFileSync(path.join(folder, `${id}.csv`), csv(trades));
  const file = path.join(folder, "world.yaml");
  const world = {
    extends: "demo",
    clock: { mode: "manual", start: new Date(start).toISOString() },
    products: Object.keys(markets).map((id) => product(id, more)),
  };
  writeFileSync(file, JSON.stringify(world));
  return file;
}

function candlesOf(trades: readonly Row[]): object[] {
  const minutes = [...new Set(trades.map(({ at }) => at - (at % minute)))];
  return minutes.map((start) => {
    const inside = trades.filter(({ at }) => at - (at % minute) === start);
    return {
      timestamp: new Date(start).toISOString(),
      open: inside[0]?.price,
      high: Math.max(...inside.map(({ price }) => price)),
      low: Math.min(...inside.map(({ price }) => price)),
      close: inside.at(-1)?.price,
      volume: inside.reduce((sum, { lots }) => sum + lots, 0),
    };
  });
}

async function candles(venue: Venue, id: string): Promise<object[]> {
  const { list } = await venue.trader.get(`/product/${id}/candles`, { query: "granularity=ONE_MINUTE" });
  return list.map(({ timestamp, open, high, low, close, volume }) => ({
    timestamp,
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
    volume: Math.round(Number(volume) * 1000),
  }));
}

describe("a recorded market", () => {
  test("has the candles of its file, whatever its steps are", async () => {
    const trades = rows(400, start, 6);
    for (const everyMs of [1000, 7777, 60_000])
      await withVenue({ world: worldFile({ "BTC-USD": trades }, { everyMs }) }, async (venue) => {
        await venue.advance(3 * minute - 1);
        await venue.advance(7 * minute);
        expect(await candles(venue, "BTC-USD")).toEqual(candlesOf(trades));
      });
  });

  test("writes an entry for a trade, and levels only when the price has moved", async () => {
    const trades = [0, 10, 20, 200_000].map((ms) => ({ at: start + ms, price: 64_010, lots: 1 }));
    await withVenue({ world: worldFile({ "BTC-USD": trades }) }, async (venue) => {
      const { entries } = await venue.control("/clock", { advanceMs: 60 * minute });
      // Four trades, the levels around the last of them, and the move itself.
      expect(entries).toBeLessThanOrEqual(6);
    });
  });

  test("keeps two files aligned that begin at different times", async () => {
    const first = [{ at: start, price: 64_000, lots: 1 }];
    const later = [{ at: start + 45_000, price: 64_100, lots: 1 }];
    const world = worldFile({ "BTC-USD": first, "ETH-USD": later });
    await withVenue({ world }, async (venue) => {
      await venue.advance(44_999);
      expect(await candles(venue, "ETH-USD")).toEqual([]);
      await venue.advance(1);
      expect(await candles(venue, "ETH-USD")).toHaveLength(1);
    });
  });

  test("prints at the times of the file when it is told to", async () => {
    const trades = [{ at: start + 90_000, price: 64_000, lots: 1 }];
    for (const [times, expected] of [
      ["from-start", start],
      ["recorded", start + minute],
    ] as const)
      await withVenue({ world: worldFile({ "BTC-USD": trades }, { times }) }, async (venue) => {
        await venue.advance(2 * minute);
        expect(await candles(venue, "BTC-USD")).toMatchObject([
          { timestamp: new Date(expected).toISOString() },
        ]);
      });
  });

  test("goes on where it stood after a restart, between two trades and at one", async () => {
    const trades = rows(200, start, 3);
    const world = worldFile({ "BTC-USD": trades });
    const db = path.join(folder, "restarted.db");
    const stops = [trades[20]?.at ?? 0, (trades[90]?.at ?? 0) + 1, start + 5 * minute];
    let at = start;
    for (const stop of stops) {
      await withVenue({ world, db }, (venue) => venue.advance(stop - at));
      at = stop;
    }
    await withVenue({ world, db }, async (venue) => {
      expect(await candles(venue, "BTC-USD")).toEqual(candlesOf(trades));
    });
  });

  test("fills what a client takes of its levels again, at the next step", async () => {
    const trades = [{ at: start, price: 64_000, lots: 1 }];
    await withVenue({ world: worldFile({ "BTC-USD": trades }) }, async (venue) => {
      await venue.advance(500);
      const book = async () => (await venue.trader.get("/order-book/BTC-USD")).data["asks"];
      const full = await book();
      await venue.placed(limitBuy({ base_quantity: "0.4", price: "64001" }));
      await venue.advance(100);
      expect(await book()).not.toEqual(full);
      await venue.advance(1000);
      expect(await book()).toEqual(full);
    });
  });
});
