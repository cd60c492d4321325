import type { Feed, Reply } from "../caller.ts";
import { isIn, type Misbehaves, market, mentions, type Site, status, stop } from "../site.ts";

const none = "0.00000000";
const shown = "50050.00000000";
/** A stop that goes off as soon as it is placed, and one that waits. */
const atOnce = { ...stop, stop_price: "49000" };
const waits = { ...stop, stop_price: "60000" };
const book = "/books/BTC-USD";

const average = async ({ trader }: Site, placed: Reply): Promise<unknown> =>
  (await trader.read(placed)).order["averageFilledPrice"];
const two = (site: Site): Promise<void> => site.offers(["50010", "0.001"], ["50020", "0.001"]);

/** The updates of BTC-USD that a stream had. */
async function updates(feed: Feed | undefined): Promise<Record<string, unknown>[]> {
  await feed?.heard();
  return (feed?.messages ?? []).filter(({ kind, pair }) => kind === "delta" && pair === "BTC-USD");
}

async function placesAndCancels({ trader }: Site, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await trader.cancel(await trader.place());
}

/** F-249 to F-280: what went wrong at public gateways with states, records, books and streams. */
export const furtherTrialsOfIncidents: Readonly<Record<string, Misbehaves>> = {
  "F-249": async ({ trader, counter }) => {
    const placed = await trader.sell("50050", "0.001");
    await counter.buy("50050", "0.001");
    return (await trader.cancel(placed)).status === 200;
  },
  "F-250": async ({ trader }) => {
    const placed = await trader.place();
    for (let order = 0; order < 3; order += 1) await trader.place();
    await trader.cancel(placed);
    return (await status(trader.read(placed))) === "OPEN";
  },
  "F-251": async ({ trader }) => (await trader.cancel(await trader.place(waits))).status === 404,
  "F-252": async ({ trader, counter }) => {
    const placed = await trader.buy("50200", "0.001", atOnce);
    await counter.place();
    return (await status(trader.read(placed))) === "OPEN";
  },
  "F-253": async ({ trader }) => {
    const placed = await trader.place();
    await trader.cancel(placed);
    await trader.buy("50100", "0.001");
    return (await status(trader.read(placed))) === "OPEN";
  },
  "F-254": async ({ trader }) => {
    const placed = await trader.place();
    await trader.buy("100000000", "25");
    await trader.cancel(placed);
    return (await trader.wallet("USD"))["hold"] !== none;
  },
  "F-255": async ({ trader }) => {
    const placed = await trader.place(waits);
    return (await trader.cancel(placed)).status === 200 && (await status(trader.read(placed))) === "PENDING";
  },
  "F-256": async ({ trader }) =>
    (await trader.read(await trader.buy("50200", "0.001", atOnce))).status === 500,
  "F-257": async ({ trader, other }) => {
    const placed = await trader.sell("50010", "0.001");
    await trader.sell("50020", "0.001");
    await other.buy("50020", "0.002");
    return (await status(trader.read(placed))) === "OPEN";
  },
  "F-258": async ({ trader }) =>
    (await trader.cancel(await trader.place({ product: "BTC-EUR" }))).status === 409,
  "F-259": async ({ trader, counter }) => {
    const placed = await trader.sell("50050", "0.001");
    await counter.buy("50050", "0.001");
    return (await trader.cancel(placed)).status === 500;
  },
  "F-260": async ({ trader, counter }) => (await counter.read(await trader.place())).status === 200,
  "F-261": async ({ trader }) => {
    const placed = await trader.place(waits);
    return !isIn(await trader.get("/order/open"), placed);
  },
  "F-262": async (site) => {
    await site.offers(["50010", "0.001"]);
    const placed = await site.trader.buy("50030", "0.002");
    await site.counter.sell("50030", "0.001");
    return (await average(site, placed)) !== "50020.00000000";
  },
  "F-263": async ({ trader }) => {
    const placed = await trader.buy("0.0017", "0.01", { product: "LTC-BTC" });
    return String((await trader.read(placed)).order["fees"]).includes("e");
  },
  "F-264": async (site) => {
    await two(site);
    await site.trader.buy("50020", "0.002");
    return (await site.trader.get("/orders")).list.length > 1;
  },
  "F-265": async (site) => {
    await site.offers(["50010.30", "0.001"]);
    return (await average(site, await site.trader.buy("50020", "0.001"))) !== "50010.30000000";
  },
  "F-266": async ({ trader }) => {
    await trader.get(book);
    return mentions(await trader.get("/books/LTC-USD"), "49900.00000000");
  },
  "F-267": async ({ trader }) => {
    await trader.cancel(await trader.sell("50050", "0.001"));
    return mentions(await trader.get(book), shown);
  },
  "F-268": async ({ trader }) => {
    await trader.sell("50050", "0.001");
    await trader.buy("50050", "0.001");
    return mentions(await trader.get(book), shown);
  },
  "F-269": async ({ trader, counter }) => {
    await trader.sell("50050", "0.001");
    await counter.buy("50050", "0.001");
    return mentions(await trader.get(book), shown);
  },
  "F-270": async ({ trader, counter }) => {
    const placed = await trader.sell("50050", "0.001");
    await counter.buy("100000000", "25");
    await trader.cancel(placed);
    return mentions(await trader.get(book), shown);
  },
  "F-271": async (site) => {
    const feed = await site.trader.ownFeed();
    await site.trader.cancel(await site.started());
    const last = (await feed.heard()).at(-1);
    return last?.["status"] === "CANCELLED" && last["filledQuantity"] === none;
  },
  "F-272": async ({ trader, counter }) => {
    const feed = await trader.feed();
    await feed?.join("depth", ["BTC-USD"]);
    await counter.sell("50050", "0.001");
    await trader.buy("50050", "0.002");
    return !(await updates(feed)).some(({ bids }) => mentions(bids, shown));
  },
  "F-273": async (site) => {
    const feed = await site.trader.ownFeed();
    await two(site);
    await site.trader.place({ ...market, quote_value: "100" });
    return mentions(await feed.heard(), "CANCELLED");
  },
  "F-274": async ({ trader }) => {
    const feed = await trader.ownFeed();
    await trader.buy("50200", "0.001", atOnce);
    return !mentions(await feed.heard(), "FILLED");
  },
  "F-275": async (site) => {
    const feed = await site.trader.ownFeed();
    await two(site);
    await site.trader.buy("50020", "0.002");
    return (await feed.heard()).at(-1)?.["filledQuantity"] === "0.00100000";
  },
  "F-276": async ({ trader }) => {
    const feed = await trader.feed();
    await feed?.join("depth", ["BTC-USD", "LTC-USD"]);
    await feed?.ask("leave", "depth", ["LTC-USD"]);
    await trader.place();
    return (await updates(feed)).length === 0;
  },
  "F-277": async ({ trader }) => {
    const feed = await trader.feed();
    await feed?.join("depth", ["BTC-USD"]);
    await feed?.join("depth", ["LTC-USD"]);
    await trader.place();
    return (await updates(feed)).length === 0;
  },
  "F-278": async (site) => {
    const feed = await site.trader.ownFeed();
    await placesAndCancels(site, 35);
    return (await feed.heard()).length < 105;
  },
  "F-279": async (site) => {
    const feed = await site.trader.feed();
    await feed?.join("depth", ["BTC-USD"]);
    await placesAndCancels(site, 25);
    return (await updates(feed)).length < 50;
  },
  "F-280": async (site) => {
    const feed = await site.trader.ownFeed();
    await site.started();
    return (await feed.heard()).every(({ filledQuantity }) => filledQuantity === none);
  },
};
