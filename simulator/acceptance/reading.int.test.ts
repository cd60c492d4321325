/** Row 27 of the tricky behaviours, and the lists of orders: filters, order, paging. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asObject, type JsonObject, listIn, text } from "../testing/client.ts";
import { problemsIn } from "../testing/records.ts";
import { useVenue } from "../testing/use-venue.ts";
import {
  limitBuy,
  limitSell,
  marketSell,
  startVenue,
  stopBuy,
  type Venue,
  withVenue,
} from "../testing/venue.ts";

interface Page {
  readonly ids: readonly string[];
  readonly next: string | null;
  readonly pagination: JsonObject;
}

async function page(running: Venue, query: string): Promise<Page> {
  const reply = await running.trader.get("/order", { query });
  if (reply.status !== 200) throw new Error(reply.text);
  expect(problemsIn("OrderPage", reply.data)).toEqual([]);
  const pagination = asObject(reply.data["pagination"]);
  const next = pagination["nextCursor"];
  return {
    ids: listIn(reply.data["items"]).map((order) => text(order, "id")),
    next: typeof next === "string" ? next : null,
    pagination,
  };
}

describe("27. paging is stable", () => {
  /** Pages through with this query, doing something between any two pages. */
  async function pageThrough(
    running: Venue,
    query: string,
    between: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Page[]> {
    const pages: Page[] = [await page(running, query)];
    for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) {
      if (pages.length > 200) throw new Error("paging does not end");
      await between();
      pages.push(await page(running, `${query}&cursor=${next}`));
    }
    return pages;
  }

  test.each(["DESC", "ASC"])("limit=1, orders placed and cancelled between pages, %s", async (sort) => {
    await withVenue({}, async (running) => {
      const existing: string[] = [];
      for (let count = 0; count < 8; count++) existing.push(String((await running.placed(limitBuy()))["id"]));
      let cancelled = 0;
      const pages = await pageThrough(running, `limit=1&sort=${sort}`, async () => {
        if (cancelled >= existing.length) return;
        await running.placed(limitBuy());
        await running.trader.delete(`/order/${existing[cancelled++] ?? ""}`);
      });
      const ids = pages.flatMap((each) => each.ids);
      expect(new Set(ids).size).toBe(ids.length);
      const wanted = sort === "ASC" ? existing : existing.toReversed();
      expect(ids.filter((id) => existing.includes(id))).toEqual(wanted);
      // Newest first, what came later is never reached.
      if (sort === "DESC") expect(ids).toEqual(wanted);
    });
  });

  test.each([1, 2, 3, 4, 6, 7, 12, 100])(
    "twelve orders by %i: each once, and null on the last page",
    async (limit) => {
      const running = await twelve();
      const pages = await pageThrough(running, `limit=${limit}`);
      const ids = pages.flatMap((each) => each.ids);
      expect(new Set(ids).size).toBe(12);
      expect(pages).toHaveLength(Math.ceil(12 / limit));
      expect(pages.map(({ pagination }) => pagination["hasNext"])).toEqual([
        ...Array.from({ length: pages.length - 1 }, () => true),
        false,
      ]);
      expect(pages.at(-1)?.pagination).toEqual({ nextCursor: null, hasNext: false, sortDirection: "DESC" });
    },
  );

  let shared: Promise<Venue> | undefined;
  const twelve = (): Promise<Venue> =>
    (shared ??= startVenue().then(async (running) => {
      for (let count = 0; count < 12; count++) {
        await running.placed(limitBuy());
        if (count % 4 === 3) await running.advance(1000);
      }
      return running;
    }));

  afterAll(async () => {
    await (await shared)?.close();
  });

  test("a filter that leaves out the rest pages to its end", async () => {
    const running = await twelve();
    const pages = await pageThrough(running, "limit=5&status=OPEN&side=BUY&product=BTC-USD");
    expect(pages.flatMap((each) => each.ids)).toHaveLength(12);
    expect((await page(running, "status=FILLED")).ids).toEqual([]);
    expect((await page(running, "status=FILLED")).next).toBeNull();
  });

  test.each([
    ["another direction", "limit=2&sort=ASC"],
    ["another status", "limit=2&status=OPEN"],
    ["another product", "limit=2&product=BTC-USD"],
    ["a time", "limit=2&startTime=2020-01-01T00:00:00Z"],
  ])("a cursor used with %s is 400", async (_name, query) => {
    const running = await twelve();
    const { next } = await page(running, "limit=2");
    const reply = await running.trader.get("/order", { query: `${query}&cursor=${String(next)}` });
    expect([reply.status, reply.code]).toEqual([400, "INVALID_CURSOR"]);
  });

  test("another page size goes on with the same cursor", async () => {
    const running = await twelve();
    const { next } = await page(running, "limit=2");
    expect((await page(running, `limit=7&cursor=${String(next)}`)).ids).toHaveLength(7);
  });

  test("a cursor is not one for deposits, nor of another client, nor made up", async () => {
    const running = await twelve();
    const cursor = String((await page(running, "limit=2")).next);
    expect((await running.trader.get("/wallet/deposits", { query: `cursor=${cursor}` })).code).toBe(
      "INVALID_CURSOR",
    );
    for (const wrong of [
      ...Array.from({ length: cursor.length }, (_, length) => cursor.slice(0, length)),
      `${cursor}A`,
      cursor.toLowerCase(),
      "",
      "%00",
      "null",
      "AAAA",
    ]) {
      const reply = await running.trader.get("/order", { query: `limit=2&cursor=${wrong}` });
      expect([wrong, reply.status]).toEqual([wrong, 400]);
    }
    const other = await running.as("other").get("/order", { query: `limit=2&cursor=${cursor}` });
    expect([other.status, other.code]).toEqual([400, "INVALID_CURSOR"]);
    expect((await running.as("reader").get("/order", { query: `limit=2&cursor=${cursor}` })).status).toBe(
      200,
    );
  });
});

describe("filters and order of lists", () => {
  const venue = useVenue();
  const orders: Record<string, JsonObject> = {};
  beforeAll(async () => {
    orders["buy"] = await venue().placed(limitBuy());
    await venue().advance(1000);
    orders["sell"] = await venue().placed(limitSell());
    orders["stop"] = await venue().placed(stopBuy());
    await venue().advance(1000);
    orders["eth"] = await venue().placed(limitBuy({ product: "ETH-USD", price: "1000", base_quantity: "1" }));
    orders["market"] = await venue().placed(marketSell());
    await venue().advance(1000);
    await venue().trader.delete(`/order/${String(orders["sell"]["id"])}`);
  });

  const names = (ids: readonly unknown[]): string[] =>
    ids.map((id) => Object.entries(orders).find(([, order]) => order["id"] === id)?.[0] ?? "?");
  const listed = async (query: string): Promise<string[]> => names((await page(venue(), query)).ids);
  const open = async (query = ""): Promise<string[]> =>
    names((await venue().trader.get("/order/open", { query })).list.map(({ id }) => id));

  test.each([
    ["", ["market", "eth", "stop", "sell", "buy"]],
    ["sort=ASC", ["buy", "sell", "stop", "eth", "market"]],
    ["product=ETH-USD", ["eth"]],
    ["product=ETH-USD,BTC-USD&side=SELL", ["market", "sell"]],
    ["product=ETH-USD&product=BTC-USD", ["market", "eth", "stop", "sell", "buy"]],
    ["product=NO-SUCH", []],
    ["side=BUY", ["eth", "stop", "buy"]],
    ["type=STOP_LIMIT", ["stop"]],
    ["type=MARKET,STOP_LIMIT", ["market", "stop"]],
    ["status=CANCELLED", ["market", "sell"]],
    ["status=OPEN,PENDING", ["eth", "stop", "buy"]],
    ["startTime=2026-01-01T00:00:01Z", ["market", "eth", "stop", "sell"]],
    ["endTime=2026-01-01T00:00:01Z", ["buy"]],
    ["startTime=2026-01-01T00:00:01Z&endTime=2026-01-01T00:00:02Z", ["stop", "sell"]],
    ["startTime=2026-01-01T01:00:01%2B01:00&endTime=2026-01-01T00:00:02.000000Z", ["stop", "sell"]],
    ["start_time=2026-01-01T00:00:01Z&end_time=2026-01-01T00:00:02Z", ["stop", "sell"]],
    ["limit=2", ["market", "eth"]],
  ])("GET /order?%s", async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  test.each([
    ["", ["eth", "stop", "buy"]],
    ["sort=ASC", ["buy", "stop", "eth"]],
    ["limit=1", ["eth"]],
    ["product=BTC-USD", ["stop", "buy"]],
    ["side=SELL", []],
    ["type=LIMIT", ["eth", "buy"]],
  ])("GET /order/open?%s", async (query, expected) => {
    expect(await open(query)).toEqual(expected);
    for (const order of (await venue().trader.get("/order/open", { query })).list)
      expect(problemsIn("Order", order)).toEqual([]);
  });

  test.each([
    "limit=0",
    "limit=1001",
    "limit=1.5",
    "limit=01",
    "limit=",
    "limit=1&limit=2",
    "sort=asc",
    "side=buy",
    "type=TWAP",
    "status=open",
    "status=OPEN,DONE",
    "startTime=yesterday",
    "startTime=2026-01-01",
    "startTime=2026-02-30T00:00:00Z",
    "startTime=2026-01-01T00:00:00",
    "startTime=1767225600000",
    "endTime=2026-13-01T00:00:00Z",
  ])("GET /order?%s is 400 INVALID_QUERY and names the field", async (query) => {
    const reply = await venue().trader.get("/order", { query });
    expect([reply.status, reply.code]).toEqual([400, "INVALID_QUERY"]);
    expect(listIn(reply.body["details"])[0]?.["field"]).toBe(query.split("=")[0]);
  });

  test("by clientOrderId, also in snake_case and in another letter case", async () => {
    const id = text(orders["stop"] ?? {}, "clientOrderId");
    expect(await listed(`clientOrderId=${id}`)).toEqual(["stop"]);
    expect(await listed(`client_order_id=${id.toUpperCase()}`)).toEqual(["stop"]);
  });

  test("an order read by its id equals the one in the list, in any letter case of the id", async () => {
    const id = text(orders["eth"] ?? {}, "id");
    const inList = listIn(
      (await venue().trader.get("/order", { query: "product=ETH-USD" })).data["items"],
    )[0];
    expect(await venue().order(id)).toEqual(inList);
    expect(await venue().order(id.toUpperCase())).toEqual(inList);
    expect(problemsIn("Order", inList)).toEqual([]);
  });
});
