import { setTimeout as sleep } from "node:timers/promises";
import type { Feed } from "../caller.ts";
import { type Misbehaves, market, mentions, type Site, status } from "../site.ts";

const book = "/books/BTC-USD";
const shown = "50050.00000000";
const times = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

async function bookFeed({ trader }: Site, ...pairs: readonly string[]): Promise<Feed | undefined> {
  const feed = await trader.feed();
  await feed?.join("depth", pairs.length === 0 ? ["BTC-USD"] : pairs);
  return feed;
}

/** The messages of a book that a stream had. */
async function told(
  feed: Feed | undefined,
  kind = "delta",
  of = "BTC-USD",
): Promise<Record<string, unknown>[]> {
  await feed?.heard();
  return (feed?.messages ?? []).filter((message) => message["kind"] === kind && message["pair"] === of);
}

async function placesAndCancels({ trader }: Site, count: number): Promise<void> {
  for (const _ of times(count)) await trader.cancel(await trader.place());
}

async function sales({ trader }: Site, count: number): Promise<void> {
  for (const _ of times(count)) await trader.sell("1", "0.001", market);
}

const filled = (orders: readonly Record<string, unknown>[]): number =>
  orders.filter((order) => order["status"] === "FILLED").length;

/** F-345 to F-364, but for F-352: what went wrong at public gateways with streams and books. */
export const trialsOfSilencesAndCopies: Readonly<Record<string, Misbehaves>> = {
  "F-345": async (site) => {
    const feed = await site.trader.ownFeed();
    await sales(site, 5);
    return filled(await feed.heard()) < 5;
  },
  "F-346": async (site) => {
    const feed = await site.trader.ownFeed();
    await sales(site, 1);
    return (await feed.heard()).some((order) => Object.keys(order).length === 0);
  },
  "F-347": async (site) => {
    const feed = await bookFeed(site);
    await placesAndCancels(site, 205);
    return (await told(feed)).length < 410;
  },
  "F-348": async (site) => {
    const feed = await site.trader.ownFeed();
    await sales(site, 1);
    await placesAndCancels(site, 15);
    return filled(await feed.heard()) > 1;
  },
  "F-349": async (site) => {
    const feed = await bookFeed(site);
    await site.trader.buy("50200", "0.001");
    return mentions(await told(feed), "50200.00000000");
  },
  "F-350": async (site) => {
    const feed = await bookFeed(site);
    await site.counter.sell("50050", "0.001");
    await site.trader.buy("50050", "0.002");
    return (await told(feed)).some(({ bids, asks }) => mentions(bids, shown) && !mentions(asks, shown));
  },
  "F-351": async ({ trader, counter }) => {
    await counter.sell("50050", "0.001");
    await sleep(600);
    await trader.buy("50050", "0.002");
    const { data } = await trader.get(book);
    return mentions(data["bids"], shown) && mentions(data["asks"], shown);
  },
  "F-353": async (site) => {
    const feed = await bookFeed(site);
    await placesAndCancels(site, 105);
    return (await told(feed)).length < 210;
  },
  "F-354": async (site) => {
    await placesAndCancels(site, 150);
    await site.trader.sell("50050", "0.001");
    return !mentions(await told(await bookFeed(site), "image"), shown);
  },
  "F-355": async (site) => {
    const feed = await site.trader.ownFeed();
    await sales(site, 1);
    return filled(await feed.heard()) === 0;
  },
  "F-356": async (site) => (await told(await bookFeed(site), "image")).length === 0,
  "F-357": async ({ trader, counter }) => {
    const feed = await trader.ownFeed();
    const placed = await trader.sell("50050", "0.001");
    for (const _ of times(50)) await trader.place();
    await counter.buy("50050", "0.001");
    return filled(await feed.heard()) === 0 && (await status(trader.read(placed))) === "FILLED";
  },
  "F-358": async (site) => {
    const feed = await bookFeed(site);
    await placesAndCancels(site, 55);
    return (await told(feed)).length < 110;
  },
  "F-359": async (site) =>
    (await told(await bookFeed(site, "BTC-USD", "LTC-USD"), "image", "LTC-USD")).length === 0,
  "F-360": async (site) => {
    const feed = await bookFeed(site);
    for (const _ of times(2)) await feed?.join("depth", ["BTC-USD"]);
    await site.trader.place();
    return (await told(feed)).length === 0;
  },
  "F-361": async (site) => {
    const feed = await site.trader.ownFeed();
    await placesAndCancels(site, 5);
    await feed.heard();
    return feed.messages.some(({ n }, at) => Number(n) <= Number(feed.messages[at - 1]?.["n"]));
  },
  "F-362": async (site) => {
    const feed = await bookFeed(site);
    await placesAndCancels(site, 20);
    await site.trader.place({ price: "29000" });
    return (await told(feed)).some(
      ({ bids }) => mentions(bids, "29000.00000000") && mentions(bids, "30000.00000000"),
    );
  },
  "F-363": async ({ trader, counter }) => {
    await trader.buy("50050", "0.002");
    for (const price of ["50050", "50000"]) await counter.sell(price, "0.001");
    return mentions((await trader.get(book)).data["asks"], "50000.00000000");
  },
  "F-364": async ({ trader }) => {
    await trader.buy("50200", "0.001");
    return mentions((await trader.get(book)).data["bids"], "50200.00000000");
  },
};
