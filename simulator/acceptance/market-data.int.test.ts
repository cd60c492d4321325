/** Row 28 of the tricky behaviours, and products, books and candles. */
import { beforeAll, describe, expect, test } from "vitest";
import { asObject, type JsonObject, listIn, text } from "../testing/client.ts";
import { problemsIn } from "../testing/records.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, limitSell, type Venue, withVenue } from "../testing/venue.ts";
import { pinnedWorld, quietWorld } from "../testing/worlds.ts";

const candlesOf = async (
  running: Venue,
  query: string,
  product = "BTC-USD",
): Promise<readonly JsonObject[]> => {
  const reply = await running.trader.get(`/product/${product}/candles`, { query });
  if (reply.status !== 200) throw new Error(reply.text);
  for (const candle of reply.list) expect(problemsIn("Candle", candle)).toEqual([]);
  return reply.list;
};

describe("28. candle alignment", () => {
  const venue = useVenue();
  /** Time of the print in milliseconds after the start, price, quantity. */
  const prints: readonly (readonly [number, string, string])[] = [
    [0, "60000", "1"],
    [59_999, "60010", "0.5"],
    [60_000, "59990", "0.25"],
    [61_000, "60005", "0.1"],
    [299_999, "60100", "0.2"],
    [300_000, "59000.5", "0.3"],
    [3_599_999, "60050", "0.4"],
    [3_600_000, "60060", "2"],
    [86_399_999, "70000", "0.01"],
    [86_400_000, "50000", "0.02"],
  ];
  beforeAll(async () => {
    for (const [at, price, quantity] of prints) {
      await venue().control("/clock", {
        to: new Date(Date.parse("2026-01-01T00:00:00Z") + at).toISOString(),
      });
      await venue().print("BTC-USD", price, quantity);
    }
  });

  const range = (hours: number): string =>
    `startTime=2026-01-01T00:00:00Z&endTime=${new Date(Date.parse("2026-01-01T00:00:00Z") + hours * 3_600_000).toISOString()}`;

  test("a trade exactly on a boundary belongs to the later bucket; empty buckets are absent", async () => {
    const minutes = await candlesOf(venue(), `granularity=ONE_MINUTE&${range(1)}`);
    expect(minutes.map((candle) => Object.values(candle).join(" "))).toEqual([
      "2026-01-01T00:00:00.000Z 60000 60010 60000 60010 1.5",
      "2026-01-01T00:01:00.000Z 59990 60005 59990 60005 0.35",
      "2026-01-01T00:04:00.000Z 60100 60100 60100 60100 0.2",
      "2026-01-01T00:05:00.000Z 59000.5 59000.5 59000.5 59000.5 0.3",
      "2026-01-01T00:59:00.000Z 60050 60050 60050 60050 0.4",
    ]);
  });

  const stepMs = {
    FIVE_MINUTES: 300_000,
    FIFTEEN_MINUTES: 900_000,
    THIRTY_MINUTES: 1_800_000,
    ONE_HOUR: 3_600_000,
    TWO_HOURS: 7_200_000,
    FOUR_HOURS: 14_400_000,
    SIX_HOURS: 21_600_000,
    ONE_DAY: 86_400_000,
  } as const;

  test.each(Object.entries(stepMs))("%s aggregates the trades exactly", async (granularity, step) => {
    const spans = Math.min(26, Math.max(1, Math.floor((300 * step) / 3_600_000)));
    const start = Date.parse("2026-01-01T00:00:00Z");
    const expected = new Map<number, { prices: number[]; volume: number }>();
    for (const [at, price, quantity] of prints) {
      if (at >= spans * 3_600_000) continue;
      const bucket = start + at - (at % step);
      const known = expected.get(bucket) ?? { prices: [], volume: 0 };
      known.prices.push(Number(price));
      known.volume = Math.round((known.volume + Number(quantity)) * 1e8) / 1e8;
      expected.set(bucket, known);
    }
    const candles = await candlesOf(venue(), `granularity=${granularity}&${range(spans)}`);
    expect(candles).toEqual(
      [...expected].map(([bucket, { prices, volume }]) => ({
        timestamp: new Date(bucket).toISOString(),
        open: String(prices[0]),
        high: String(Math.max(...prices)),
        low: String(Math.min(...prices)),
        close: String(prices.at(-1)),
        volume: String(volume),
      })),
    );
  });

  test("daily buckets start at 00:00 UTC; the current, unfinished one is included", async () => {
    const days = await candlesOf(venue(), "granularity=ONE_DAY");
    expect(days.map(({ timestamp }) => timestamp)).toEqual([
      "2026-01-01T00:00:00.000Z",
      "2026-01-02T00:00:00.000Z",
    ]);
    expect(days[1]).toMatchObject({ open: "50000", close: "50000", volume: "0.02" });
  });

  test("startTime is inclusive and endTime exclusive, both of the bucket's start; limit keeps the newest", async () => {
    const at = async (query: string): Promise<unknown[]> =>
      (await candlesOf(venue(), `granularity=ONE_MINUTE&${query}`)).map(({ timestamp }) =>
        String(timestamp).slice(11, 16),
      );
    expect(await at("startTime=2026-01-01T00:01:00Z&endTime=2026-01-01T00:05:00Z")).toEqual([
      "00:01",
      "00:04",
    ]);
    expect(await at("startTime=2026-01-01T00:00:01Z&endTime=2026-01-01T00:05:01Z")).toEqual([
      "00:01",
      "00:04",
      "00:05",
    ]);
    expect(await at("startTime=2026-01-01T00:00:00Z&endTime=2026-01-01T01:00:00Z&limit=2")).toEqual([
      "00:05",
      "00:59",
    ]);
    expect(await at("startTime=2026-01-01T00:00:00Z&endTime=2026-01-01T00:00:00Z")).toEqual([]);
  });

  test("350 buckets are served, 351 are 400", async () => {
    const ask = async (minutes: number): Promise<number> => {
      const end = new Date(Date.parse("2026-01-01T00:00:00Z") + minutes * 60_000).toISOString();
      const query = `granularity=ONE_MINUTE&startTime=2026-01-01T00:00:00Z&endTime=${end}`;
      return (await venue().trader.get("/product/BTC-USD/candles", { query })).status;
    };
    expect([await ask(350), await ask(351)]).toEqual([200, 400]);
  });

  test.each([
    "",
    "granularity=1m",
    "granularity=one_hour",
    "granularity=ONE_HOUR&limit=351",
    "granularity=ONE_HOUR&startTime=2026-01-02T00:00:00Z&endTime=2026-01-01T00:00:00Z",
  ])("%j is 400 INVALID_QUERY", async (query) => {
    const reply = await venue().trader.get("/product/BTC-USD/candles", { query });
    expect([reply.status, reply.code]).toEqual([400, "INVALID_QUERY"]);
  });

  test("fillGaps repeats the previous close with volume zero, and nothing before the first trade", async () => {
    await withVenue({ world: quietWorld({ candles: { fillGaps: true } }) }, async (running) => {
      await running.advance(120_000);
      await running.print("BTC-USD", "60010", "0.5");
      await running.advance(180_000);
      const closes = (await candlesOf(running, "granularity=ONE_MINUTE")).map(
        ({ timestamp, close, volume }) =>
          `${String(timestamp).slice(14, 16)} ${String(close)} ${String(volume)}`,
      );
      expect(closes).toEqual(["02 60010 0.5", "03 60010 0", "04 60010 0", "05 60010 0"]);
    });
  });

  test("trades of clients are in the candles, once", async () => {
    await withVenue({}, async (running) => {
      await running.placed(limitSell({ price: "60000", base_quantity: "0.3" }), "counterparty");
      await running.settle();
      await running.placed(limitBuy({ price: "60000", base_quantity: "0.5" }));
      await running.settle();
      expect(await candlesOf(running, "granularity=ONE_DAY")).toMatchObject([
        { close: "60000", volume: "0.3" },
      ]);
    });
  });
});

describe("order book", () => {
  const venue = useVenue({ world: pinnedWorld() });
  const book = async (running: Venue, query = ""): Promise<JsonObject> => {
    const reply = await running.trader.get("/order-book/BTC-USD", { query });
    expect(problemsIn("OrderBook", reply.data)).toEqual([]);
    return reply.data;
  };
  const prices = (side: unknown): number[] => listIn(side as never).map((level) => Number(level["price"]));

  test("bids descend, asks ascend, one entry a price, quantities above zero", async () => {
    for (const product of ["BTC-USD", "ETH-USD", "SHIB-USD", "ETH-BTC"]) {
      const { bids, asks } = (await venue().trader.get(`/order-book/${product}`, { query: "depth=100" }))
        .data;
      expect(prices(bids)).toEqual([...new Set(prices(bids))].toSorted((a, b) => b - a));
      expect(prices(asks)).toEqual([...new Set(prices(asks))].toSorted((a, b) => a - b));
      for (const level of [...listIn(bids), ...listIn(asks)])
        expect(Number(level["quantity"])).toBeGreaterThan(0);
      expect([prices(bids).length, prices(asks).length]).toEqual([5, 5]);
    }
  });

  test("depth cuts both sides; outside 1 to 100 it is 400", async () => {
    const { bids, asks } = await book(venue(), "depth=2");
    expect([prices(bids).length, prices(asks).length]).toEqual([2, 2]);
    for (const depth of ["0", "101", "x", "1.5", "-1"])
      expect((await venue().trader.get("/order-book/BTC-USD", { query: `depth=${depth}` })).code).toBe(
        "INVALID_QUERY",
      );
  });

  test("orders at one price are one level; a cancel takes its part away; the sequence moves with each change", async () => {
    await withVenue({}, async (running) => {
      const first = await running.placed(limitBuy({ base_quantity: "0.1" }));
      await running.placed(limitBuy({ base_quantity: "0.25" }), "other");
      await running.placed(limitSell());
      // Accepted, and not matched yet: the book shows what rests.
      expect(await book(running)).toMatchObject({ bids: [], asks: [] });
      await running.settle();
      const full = await book(running);
      expect(full).toMatchObject({
        product: "BTC-USD",
        bids: [{ price: "30000", quantity: "0.35" }],
        asks: [{ price: "90000", quantity: "0.01" }],
      });
      await running.trader.delete(`/order/${String(first["id"])}`);
      const less = await book(running);
      expect(less["bids"]).toEqual([{ price: "30000", quantity: "0.25" }]);
      expect(Number(less["bookSequence"])).toBeGreaterThan(Number(full["bookSequence"]));
      await running.placed(limitSell({ price: "30000", base_quantity: "0.05" }), "counterparty");
      await running.settle();
      expect((await book(running))["bids"]).toEqual([{ price: "30000", quantity: "0.2" }]);
    });
  });

  test("a book without orders is two empty lists", async () => {
    await withVenue({}, async (running) => {
      expect(await book(running)).toMatchObject({ bids: [], asks: [] });
    });
  });
});

describe("products", () => {
  const venue = useVenue();

  test("grouped and ungrouped are the same pairs with equal values, sorted, disabled ones too", async () => {
    const groups = (await venue().trader.get("/product")).list;
    const pairs = (await venue().trader.get("/product/pairs")).list;
    for (const group of groups) expect(problemsIn("ProductGroup", group)).toEqual([]);
    const names = groups.map(({ name }) => String(name));
    expect(names).toEqual(names.toSorted());
    const flat = groups.flatMap((group) => listIn(group["availablePairs"]));
    expect(flat.toSorted((a, b) => (text(a, "id") < text(b, "id") ? -1 : 1))).toEqual(pairs);
    for (const group of groups) {
      for (const pair of listIn(group["availablePairs"])) {
        expect(pair["base"]).toBe(group["name"]);
        expect(pair["id"]).toBe(`${String(pair["base"])}-${String(pair["quote"])}`);
      }
    }
    expect(pairs.find(({ id }) => id === "DOGE-USD")).toMatchObject({ apiEnabled: false });
    for (const pair of pairs)
      expect((await venue().trader.get(`/product/${text(pair, "id")}`)).data).toEqual(pair);
  });

  test.each([
    ["base=BTC", ["BTC-EUR", "BTC-USD"]],
    ["quote=BTC", ["ETH-BTC"]],
    ["base=BTC,ETH&quote=USD", ["BTC-USD", "ETH-USD"]],
    ["apiEnabled=false", ["DOGE-USD"]],
    ["api_enabled=true&quote=EUR", ["BTC-EUR"]],
    ["base=NOSUCH", []],
  ])("%s", async (query, expected) => {
    const pairs = (await venue().trader.get("/product/pairs", { query })).list;
    expect(pairs.map(({ id }) => id)).toEqual(expected);
    const groups = (await venue().trader.get("/product", { query })).list;
    const grouped = groups.flatMap((group) => listIn(group["availablePairs"])).map(({ id }) => String(id));
    expect(grouped.toSorted()).toEqual(expected);
  });

  test("apiEnabled that is no boolean is 400; a switched product shows it, with updatedAt", async () => {
    expect((await venue().trader.get("/product", { query: "apiEnabled=yes" })).code).toBe("INVALID_QUERY");
    await withVenue({}, async (running) => {
      await running.advance(5000);
      await running.control("/products/ETH-USD/enabled", { enabled: false });
      const pair = asObject((await running.trader.get("/product/ETH-USD")).data);
      expect(pair).toMatchObject({ apiEnabled: false, updatedAt: "2026-01-01T00:00:05.000Z" });
    });
  });

  test("a letter case that differs is another product", async () => {
    expect((await venue().trader.get("/product/btc-usd")).code).toBe("PRODUCT_NOT_FOUND");
  });
});
