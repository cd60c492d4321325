/** The demo world lives: three markets wander and trade, the same for one seed, and write little. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type JsonObject, text } from "../testing/client.ts";
import { limitBuy, marketBuy, stopBuy, stopSell, type Venue, withVenue } from "../testing/venue.ts";

const minute = 60_000;
const oneHour = 60 * minute;
const lively = ["BTC-USD", "ETH-USD", "SOL-USD"];

const demo = (seed: number, market?: "ladder" | "pinned") => ({
  seed,
  world: { extends: "demo" as const, ...(market === undefined ? {} : { market }) },
});

/** Closing prices of the last minutes. */
const closes = async (venue: Venue, product: string): Promise<unknown[]> =>
  (await venue.trader.get(`/product/${product}/candles`, { query: "granularity=ONE_MINUTE" })).list.map(
    ({ close }) => close,
  );

describe("the market of the demo world", () => {
  test("has a candle for every minute of three products, and their prices move", async () => {
    await withVenue(demo(1), async (venue) => {
      await venue.advance(oneHour);
      for (const product of lively) {
        const prices = await closes(venue, product);
        expect(prices.length, product).toBeGreaterThanOrEqual(60);
        expect(new Set(prices).size, product).toBeGreaterThan(5);
      }
    });
  });

  test("is the same for one seed and another for another", async () => {
    const played = (seed: number): Promise<unknown[]> =>
      withVenue(demo(seed), async (venue) => {
        await venue.advance(10 * minute);
        return closes(venue, "BTC-USD");
      });
    const first = await played(5);
    expect(await played(5)).toEqual(first);
    expect(await played(6)).not.toEqual(first);
  });

  test("triggers stops near the price, and fills a MARKET BUY of 100 USD at any moment", async () => {
    await withVenue(demo(1), async (venue) => {
      const [stop_price, below] = ["60060", "59940"];
      const stops = [
        await venue.placed(stopBuy({ stop_price, price: "70000" })),
        await venue.placed(stopSell({ stop_price: below, price: "50000" })),
      ];
      for (let hour = 0; hour < 3; hour++) {
        await venue.advance(oneHour);
        const bought = await venue.placed(marketBuy({ quote_value: "100" }));
        await venue.settle();
        expect((await venue.order(text(bought, "id")))["status"]).toBe("FILLED");
      }
      const ended: JsonObject[] = [];
      for (const stop of stops) ended.push(await venue.order(text(stop, "id")));
      expect(ended.map(({ status }) => status)).toContain("FILLED");
    });
  });

  test("fills a client that bids best before it prints below", async () => {
    await withVenue(demo(1), async (venue) => {
      const bid = limitBuy({ base_quantity: "0.5", price: "59995.34" });
      const id = text(await venue.placed(bid), "id");
      await venue.settle();
      for (let step = 0; step < 12; step++) {
        await venue.advance(20_000);
        const last = Number((await closes(venue, "BTC-USD")).at(-1));
        const { status } = await venue.order(id);
        if (last < 59_995.34) expect(status).toBe("FILLED");
      }
      expect((await venue.order(id))["status"]).toBe("FILLED");
    });
  });

  test.each(["ladder", "pinned"] as const)("does not move with market: %s", async (market) => {
    await withVenue(demo(1, market), async (venue) => {
      const before = (await venue.trader.get("/order-book/BTC-USD")).data;
      await venue.advance(oneHour);
      expect((await venue.trader.get("/order-book/BTC-USD")).data).toEqual(before);
      expect(await closes(venue, "BTC-USD")).toEqual([]);
    });
  });

  test("writes less than 20 MB a day without trades", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "gatewright-idle-"));
    const db = path.join(folder, "venue.db");
    try {
      await withVenue({ ...demo(1), db }, (venue) => venue.advance(2 * oneHour));
      const { size } = statSync(db);
      expect(size).toBeGreaterThan(400_000);
      expect(size).toBeLessThan(20_000_000 / 12);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
