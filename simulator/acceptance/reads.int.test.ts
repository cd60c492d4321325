/** What the reads show for which query: the specification names most of them and leaves filters, order and records open. */
import { beforeAll, describe, expect, test } from "vitest";
import { asObject, type JsonObject, listIn, shown, text } from "../testing/client.ts";
import { problemsIn } from "../testing/records.ts";
import { useVenue } from "../testing/use-venue.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, limitSell, marketSell, stopBuy, type Venue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const withWorld = useWorlds();

/** The items of a list or of a page, each held against its record. */
async function items(running: Venue, target: string, record: string): Promise<readonly JsonObject[]> {
  const [route = "", query = ""] = target.split("?");
  const reply = await running.trader.get(route, { query });
  if (reply.status !== 200) throw new Error(reply.text);
  const found = Array.isArray(reply.body["data"]) ? reply.list : listIn(reply.data["items"]);
  for (const item of found) expect(problemsIn(record, item)).toEqual([]);
  return found;
}

async function read(running: Venue, target: string, record: string, key = "trader"): Promise<JsonObject> {
  const [route = "", query = ""] = target.split("?");
  const { data } = await running.as(key).get(route, { query });
  expect(problemsIn(record, data)).toEqual([]);
  return data;
}

describe("lists", () => {
  const venue = useVenue();
  /** Ids by the names of this test. */
  const ids: Record<string, unknown> = {};

  beforeAll(async () => {
    const running = venue();
    const { trader } = running;
    const place = async (name: string, order: JsonObject): Promise<void> => {
      ids[name] = (await running.placed(order))["id"];
    };
    await place("buy", limitBuy());
    await running.advance(1000);
    await place("sell", limitSell());
    await place("stop", stopBuy());
    await running.advance(1000);
    await place("eth", limitBuy({ product: "ETH-USD", price: "1000", base_quantity: "1" }));
    await place("market", marketSell());
    await running.advance(1000);
    await trader.delete(`/order/${String(ids["sell"])}`);
    for (const [at, asset] of ["BTC", "ETH", "BTC", "SOL"].entries()) {
      const sent = { asset, amount: "1", confirmations: at === 2 ? 50 : 0 };
      ids[`${asset}-${at}`] = (await running.control("/clients/alice/deposits", sent))["id"];
      await running.advance(60_000);
    }
    for (const [name, body] of [
      ["first", { asset: "ETH" }],
      ["base", { asset: "ETH", network: "base-mainnet" }],
      ["again", { asset: "ETH" }],
      ["tag", { asset: "XRP" }],
    ] as const) {
      const { status, data } = await trader.post("/wallet/deposit-address", body);
      expect(status).toBe(201);
      ids[name] = data["id"];
    }
  });

  const names = async (target: string, record: string): Promise<string> =>
    (await items(venue(), target, record))
      .map(({ id, asset, symbol }) => {
        const name = Object.entries(ids).find(([, known]) => known === id)?.[0];
        return name ?? asset ?? symbol ?? id;
      })
      .join(" ");

  test.each([
    ["Order", "/order", "market eth stop sell buy"],
    ["Order", "/order?sort=ASC", "buy sell stop eth market"],
    ["Order", "/order?limit=2", "market eth"],
    ["Order", "/order?product=ETH-USD,BTC-USD&side=SELL", "market sell"],
    ["Order", "/order?product=ETH-USD&product=BTC-USD", "market eth stop sell buy"],
    ["Order", "/order?product=NO-SUCH", ""],
    ["Order", "/order?side=BUY", "eth stop buy"],
    ["Order", "/order?type=MARKET,STOP_LIMIT", "market stop"],
    ["Order", "/order?status=CANCELLED", "market sell"],
    ["Order", "/order?status=OPEN,PENDING", "eth stop buy"],
    ["Order", "/order?startTime=2026-01-01T00:00:01Z", "market eth stop sell"],
    ["Order", "/order?endTime=2026-01-01T00:00:01Z", "buy"],
    ["Order", "/order?startTime=2026-01-01T01:00:01%2B01:00&endTime=2026-01-01T00:00:02Z", "stop sell"],
    ["Order", "/order?start_time=2026-01-01T00:00:01Z&end_time=2026-01-01T00:00:02Z", "stop sell"],
    ["Order", "/order?startTime=2030-01-01T00:00:00Z", ""],
    ["Order", "/order/open", "eth stop buy"],
    ["Order", "/order/open?sort=ASC", "buy stop eth"],
    ["Order", "/order/open?limit=1", "eth"],
    ["Order", "/order/open?product=BTC-USD", "stop buy"],
    ["Order", "/order/open?side=SELL", ""],
    ["Order", "/order/open?type=LIMIT", "eth buy"],
    ["Deposit", "/wallet/deposits", "SOL-3 BTC-2 ETH-1 BTC-0"],
    ["Deposit", "/wallet/deposits?sort=ASC", "BTC-0 ETH-1 BTC-2 SOL-3"],
    ["Deposit", "/wallet/deposits?asset=ETH,SOL", "SOL-3 ETH-1"],
    ["Deposit", "/wallet/deposits?network=ethereum-mainnet", "ETH-1"],
    ["Deposit", "/wallet/deposits?status=CONFIRMED", "BTC-2"],
    ["Deposit", "/wallet/deposits?startTime=2026-01-01T00:01:03Z", "SOL-3 BTC-2 ETH-1"],
    ["Deposit", "/wallet/deposits?endTime=2026-01-01T00:01:03Z", "BTC-0"],
    ["Deposit", "/wallet/deposits?start_time=2026-01-01T00:01:03Z&sort=ASC&limit=2", "ETH-1 BTC-2"],
    ["DepositAddress", "/wallet/deposit-address?asset=XRP", "tag"],
    ["DepositAddress", "/wallet/deposit-address?network=base-mainnet", "base"],
    ["DepositAddress", "/wallet/deposit-address?asset=ETH&network=ethereum-mainnet", "again first ETH"],
    ["Wallet", "/wallet?asset=USD,BTC", "BTC USD"],
    ["Wallet", "/wallet?asset=USD&asset=BTC", "BTC USD"],
    ["Wallet", "/wallet?asset=NOSUCH", ""],
    ["Asset", "/asset", "BTC DOGE ETH EUR SHIB SOL USD XRP"],
    ["ProductPair", "/product/pairs", "BTC-EUR BTC-USD DOGE-USD ETH-BTC ETH-USD SHIB-USD SOL-USD"],
    ["ProductPair", "/product/pairs?base=BTC", "BTC-EUR BTC-USD"],
    ["ProductPair", "/product/pairs?quote=BTC", "ETH-BTC"],
    ["ProductPair", "/product/pairs?base=BTC,ETH&quote=USD", "BTC-USD ETH-USD"],
    ["ProductPair", "/product/pairs?apiEnabled=false", "DOGE-USD"],
    ["ProductPair", "/product/pairs?api_enabled=true&quote=EUR", "BTC-EUR"],
    ["ProductPair", "/product/pairs?base=NOSUCH", ""],
  ])("%s: %s is %j", async (record, target, expected) => expect(await names(target, record)).toBe(expected));

  test("products with groups are the pairs without", async () => {
    for (const query of ["", "?base=BTC,ETH&quote=USD", "?apiEnabled=false"]) {
      const groups = await items(venue(), `/product${query}`, "ProductGroup");
      const bases = groups.map((group) => text(group, "name"));
      expect(bases).toEqual(bases.toSorted());
      const grouped = groups.flatMap((group) => listIn(group["availablePairs"]));
      const sorted = grouped.toSorted((a, b) => (text(a, "id") < text(b, "id") ? -1 : 1));
      expect(sorted).toEqual(await items(venue(), `/product/pairs${query}`, "ProductPair"));
    }
  });

  test("a single read is the item of its list, for an id in any letter case", async () => {
    const stop = String(ids["stop"]);
    const clientOrderId = text(await venue().order(stop), "clientOrderId").toUpperCase();
    for (const [list, single, record] of [
      ["/product/pairs", "/product/BTC-USD", "ProductPair"],
      ["/asset", "/asset/BTC", "Asset"],
      ["/order", `/order/${stop.toUpperCase()}`, "Order"],
      [`/order?client_order_id=${clientOrderId}`, `/order/${stop}`, "Order"],
      ["/wallet/deposits", `/wallet/deposits/${String(ids["SOL-3"])}`, "Deposit"],
    ] as const)
      expect(await items(venue(), list, record)).toContainEqual(await read(venue(), single, record));
  });

  test("each deposit address is its own, and a network with tags gives one", async () => {
    const made = await items(venue(), "/wallet/deposit-address", "DepositAddress");
    expect(new Set(made.map(({ address }) => address)).size).toBe(made.length);
    expect(made[0]).toMatchObject({ accountIdentifier: expect.stringMatching(/^[0-9]+$/) });
    const named = made.slice(0, 2).map((one) => shown(one, "network accountIdentifierName"));
    expect(named).toEqual(["ripple-mainnet destination_tag", "ethereum-mainnet null"]);
  });
});

describe("pages", () => {
  const page = async (running: Venue, query: string): Promise<[ids: unknown[], next: string | null]> => {
    const { data } = await running.trader.get("/order", { query });
    expect(problemsIn("OrderPage", data)).toEqual([]);
    const { nextCursor, hasNext } = asObject(data["pagination"]);
    expect(hasNext).toBe(nextCursor !== null);
    return [listIn(data["items"]).map(({ id }) => id), nextCursor === null ? null : String(nextCursor)];
  };
  /** The ids of each page; something may happen before the next. */
  const pages = async (
    running: Venue,
    query: string,
    between?: () => Promise<void>,
  ): Promise<unknown[][]> => {
    const all: unknown[][] = [];
    for (let more = ""; ; ) {
      const [ids, next] = await page(running, query + more);
      all.push(ids);
      if (next === null) return all;
      more = `&cursor=${next}`;
      await between?.();
    }
  };
  const venue = useVenue();
  beforeAll(async () => {
    for (let count = 0; count < 12; count++) await venue().placed(limitBuy());
  });

  test.each([
    [1, 12],
    [5, 3],
    [6, 2],
    [12, 1],
  ])("twelve orders by %i are %i pages, and each is on one of them", async (limit, count) => {
    const all = await pages(venue(), `limit=${limit}`);
    expect([all.length, new Set(all.flat()).size, all.flat().length]).toEqual([count, 12, 12]);
  });

  test.each(["ASC", "DESC"])("orders that come and end between two pages move none: %s", async (sort) => {
    await withWorld({}, async (running) => {
      const ids: unknown[] = [];
      for (let count = 0; count < 4; count++) ids.push((await running.placed(limitBuy()))["id"]);
      const left = [...ids];
      const all = await pages(running, `limit=1&sort=${sort}`, async () => {
        const id = left.pop();
        if (id === undefined) return;
        await running.placed(limitBuy());
        await running.trader.delete(`/order/${String(id)}`);
      });
      // Newest first, what came later is never reached.
      if (sort === "DESC") expect(all.flat()).toEqual(ids.toReversed());
      else expect(all.flat().slice(0, 4)).toEqual(ids);
      expect(new Set(all.flat()).size).toBe(all.length);
    });
  });

  test("a cursor is for its list, its filters and its client, and for any page size", async () => {
    const [, cursor] = await page(venue(), "limit=2");
    for (const [key, route, query, code] of [
      ["reader", "/order", "limit=7", ""],
      ["trader", "/order", "sort=ASC", "INVALID_CURSOR"],
      ["trader", "/order", "status=OPEN", "INVALID_CURSOR"],
      ["trader", "/order", "startTime=2020-01-01T00:00:00Z", "INVALID_CURSOR"],
      ["trader", "/wallet/deposits", "limit=2", "INVALID_CURSOR"],
      ["other", "/order", "limit=2", "INVALID_CURSOR"],
    ] as const) {
      const reply = await venue()
        .as(key)
        .get(route, { query: `${query}&cursor=${String(cursor)}` });
      expect([key, query, reply.code]).toEqual([key, query, code]);
    }
  });
});

describe("candles", () => {
  const venue = useVenue();
  beforeAll(async () => {
    for (const [at, price, quantity] of [
      ["01T00:00:00.000", "60000", "1"],
      ["01T00:00:59.999", "60010", "0.5"],
      ["01T00:01:00.000", "59990", "0.25"],
      ["01T00:01:01.000", "60005", "0.1"],
      ["01T00:04:59.999", "60100", "0.2"],
      ["01T00:05:00.000", "59000.5", "0.3"],
      ["01T00:59:59.999", "60050", "0.4"],
      ["01T01:00:00.000", "60060", "2"],
      ["01T23:59:59.999", "70000", "0.01"],
      ["02T00:00:00.000", "50000", "0.02"],
    ] as const) {
      await venue().control("/clock", { to: `2026-01-${at}Z` });
      await venue().print("BTC-USD", price, quantity);
    }
  });
  /** Day and time, then open, high, low, close and volume, or the volume alone. */
  const candles = async (running: Venue, query: string, values: string): Promise<string> =>
    (await items(running, `/product/BTC-USD/candles?granularity=${query}`, "Candle"))
      .map((candle) => `${text(candle, "timestamp").slice(8, 16)} ${shown(candle, values)}`)
      .join(", ");
  const span = (from: string, to: string): string =>
    `startTime=2026-01-01T${from}Z&endTime=2026-01-01T${to}Z`;

  test.each([
    ["ONE_MINUTE", span("00:00:00", "00:05:00"), "01T00:00 1.5, 01T00:01 0.35, 01T00:04 0.2"],
    ["ONE_MINUTE", span("00:00:01", "00:05:01"), "01T00:01 0.35, 01T00:04 0.2, 01T00:05 0.3"],
    ["ONE_MINUTE", `${span("00:00:00", "01:00:00")}&limit=2`, "01T00:05 0.3, 01T00:59 0.4"],
    ["ONE_MINUTE", span("00:00:00", "00:00:00"), ""],
    ["ONE_MINUTE", span("00:05:00", "05:55:00"), "01T00:05 0.3, 01T00:59 0.4, 01T01:00 2"],
    ["FIVE_MINUTES", span("00:00:00", "05:00:00"), "01T00:00 2.05, 01T00:05 0.3, 01T00:55 0.4, 01T01:00 2"],
    ["FIFTEEN_MINUTES", span("00:00:00", "05:00:00"), "01T00:00 2.35, 01T00:45 0.4, 01T01:00 2"],
    ["THIRTY_MINUTES", span("00:00:00", "05:00:00"), "01T00:00 2.35, 01T00:30 0.4, 01T01:00 2"],
    ["ONE_HOUR", span("00:00:00", "05:00:00"), "01T00:00 2.75, 01T01:00 2"],
    ["TWO_HOURS", span("00:00:00", "05:00:00"), "01T00:00 4.75"],
    ["FOUR_HOURS", "", "01T00:00 4.75, 01T20:00 0.01, 02T00:00 0.02"],
    ["SIX_HOURS", "", "01T00:00 4.75, 01T18:00 0.01, 02T00:00 0.02"],
    ["ONE_DAY", "startTime=2030-01-01T00:00:00Z", ""],
  ])("%s, %s: %j", async (granularity, query, expected) =>
    expect(await candles(venue(), `${granularity}&${query}`.replace(/&$/, ""), "volume")).toBe(expected),
  );

  const all = "open high low close volume";
  test("days begin at 00:00 UTC, and the one that is not over is among them", async () => {
    expect(await candles(venue(), "ONE_DAY", all)).toBe(
      "01T00:00 60000 70000 59000.5 70000 4.76, 02T00:00 50000 50000 50000 50000 0.02",
    );
  });

  test("gaps are filled with the last close if the world says so, from the first trade on", async () => {
    await withWorld({ world: quietWorld({ candles: { fillGaps: true } }) }, async (running) => {
      await running.advance(120_000);
      await running.print("BTC-USD", "60010", "0.5");
      await running.advance(60_000);
      const flat = "60010 60010 60010 60010";
      expect(await candles(running, "ONE_MINUTE", all)).toBe(`01T00:02 ${flat} 0.5, 01T00:03 ${flat} 0`);
    });
  });
});

test("a book shows what rests, one level a price, the best first; its sequence moves with each change", async () => {
  await withWorld({}, async (running) => {
    const sequences: number[] = [];
    const book = async (depth: number): Promise<string> => {
      const data = await read(running, `/order-book/BTC-USD?depth=${depth}`, "OrderBook");
      sequences.push(Number(data["bookSequence"]));
      const [bids, asks] = [data["bids"], data["asks"]].map((side) =>
        listIn(side).map((level) => shown(level, "quantity price")),
      );
      return `${String(bids)} | ${String(asks)}`;
    };
    const { id } = await running.placed(limitBuy({ base_quantity: "0.1" }));
    await running.placed(limitBuy({ base_quantity: "0.25" }), "other");
    await running.placed(limitBuy({ price: "29999.99" }));
    await running.placed(limitSell());
    await running.placed(limitSell({ price: "90000.01" }));
    // Accepted, and not matched yet.
    expect(await book(10)).toBe(" | ");
    await running.settle();
    expect(await book(10)).toBe("0.35 30000,0.01 29999.99 | 0.01 90000,0.01 90000.01");
    await running.trader.delete(`/order/${String(id)}`);
    expect(await book(1)).toBe("0.25 30000 | 0.01 90000");
    await running.placed(limitSell({ price: "30000", base_quantity: "0.05" }), "counterparty");
    await running.settle();
    expect(await book(1)).toBe("0.2 30000 | 0.01 90000");
    expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b));
  });
});

test("a product that is closed shows it, and when", async () => {
  await withWorld({}, async (running) => {
    await running.advance(5000);
    await running.control("/products/ETH-USD/enabled", { enabled: false });
    const pair = await read(running, "/product/ETH-USD", "ProductPair");
    expect(shown(pair, "apiEnabled updatedAt")).toBe("false 2026-01-01T00:00:05.000Z");
  });
});

test("an account has holds, fees, limits with their source, and the claims of the key", async () => {
  await withWorld({}, async (running) => {
    const order = await running.placed(limitBuy({ base_quantity: "1" }));
    await running.placed(limitSell({ base_quantity: "0.25" }));
    const amounts = "balance hold available";
    expect(shown(await running.wallet("USD"), amounts)).toBe("100000000 30075 99969925");
    expect(shown(await running.wallet("BTC"), amounts)).toBe("1000 0.25 999.75");
    const rates = "type product makerRate takerRate exchangeMakerRate exchangeTakerRate currency";
    const plain = await read(running, "/account/fee", "AccountFee");
    expect(shown(plain, rates)).toBe("ALL_IN null 0.0025 0.0025 0 0 USD");
    const pair = await read(running, "/account/fee?product=ETH-BTC", "AccountFee", "other");
    expect(shown(pair, rates)).toBe("COST_PLUS ETH-BTC 0.0005 0.0005 0.001 0.002 BTC");
    const settings = await read(running, "/account/settings", "AccountSettings", "read-account");
    expect(settings["keyClaims"]).toEqual(["read:account"]);
    expect(order).toMatchObject({ userId: settings["userId"], portfolioId: settings["portfolioId"] });
    const limits = "productId enabled minOrderSize maxOrderSize source";
    expect(listIn(settings["products"]).map((product) => shown(product, limits))).toEqual([
      "BTC-EUR true 0.0001 100 DEFAULT",
      "BTC-USD true 0.0001 10 ACCOUNT",
      "DOGE-USD false 100 1000000 DEFAULT",
      "ETH-BTC true 0.001 1000 DEFAULT",
      "ETH-USD true 0.001 1000 DEFAULT",
      "SHIB-USD true 1000000 10000000000 DEFAULT",
      "SOL-USD true 0.1 10000 DEFAULT",
    ]);
  });
});

test("the trading volume of an account is what its fills came to, per currency", async () => {
  await withWorld({}, async (running) => {
    await running.placed(limitSell({ price: "60000", base_quantity: "0.02" }), "counterparty");
    await running.settle();
    await running.placed(limitBuy({ price: "61000", base_quantity: "0.015" }));
    await running.settle();
    for (const [key, product, volume] of [
      ["trader", "BTC-USD", "900 USD"],
      ["trader", "SOL-USD", "900 USD"],
      ["counterparty", "BTC-USD", "900 USD"],
      ["trader", "ETH-BTC", "0 BTC"],
      ["other", "BTC-USD", "0 USD"],
    ] as const) {
      const fee = await read(running, `/account/fee?product=${product}`, "AccountFee", key);
      expect(shown(fee, "tradingVolume currency")).toBe(volume);
    }
  });
});

test("a deposit counts its confirmations, and is credited once, with the last of them", async () => {
  await withWorld({}, async (running) => {
    const deposit = (asset: string): Promise<JsonObject> =>
      running.control("/clients/alice/deposits", { asset, amount: "2.5" });
    const { id, walletId } = await deposit("ETH");
    const state = async (of: unknown = id): Promise<string> =>
      shown(
        await read(running, `/wallet/deposits/${String(of)}`, "Deposit"),
        "status confirmations completedAt",
      );
    const balance = async (): Promise<unknown> =>
      (await items(running, "/wallet", "Wallet")).find((wallet) => wallet["id"] === walletId)?.["balance"];
    const confirm = (confirmations: number): Promise<number> =>
      running
        .controlReply(`/deposits/${String(id)}/confirmations`, { confirmations })
        .then(({ status }) => status);
    await running.advance(60_000);
    expect([await state(), await balance()]).toEqual(["PENDING 0 null", "10000"]);
    expect(await confirm(11)).toBe(200);
    expect([await state(), await balance()]).toEqual(["PENDING 11 null", "10000"]);
    expect(await confirm(5)).toBe(200);
    expect([await state(), await balance()]).toEqual(["CONFIRMED 12 2026-01-01T00:01:00.000Z", "10002.5"]);
    expect([await confirm(1), await balance()]).toEqual([400, "10002.5"]);
    // The wallet of an asset that the account has not had is there from the first deposit on, empty.
    const failed = await deposit("XRP");
    await running.control(`/deposits/${String(failed["id"])}/fail`);
    expect(await state(failed["id"])).toBe("FAILED 0 2026-01-01T00:01:00.000Z");
    const wallets = await items(running, "/wallet", "Wallet");
    expect(wallets.find((wallet) => wallet["id"] === failed["walletId"])).toMatchObject({ balance: "0" });
  });
});
