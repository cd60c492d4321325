import { randomUUID } from "node:crypto";
import { isIn, letters, type Misbehaves, mentions, number, stop } from "../site.ts";
import { keys } from "../world.ts";

const swapped = (text: string): string => [...text].reverse().join("");
const tries = Array.from({ length: 10 }, (_, at) => at);
/** A stop that waits until the market rises, and then may trade at a price of the house. */
const waits = { ...stop, stop_price: "50080" };

/** F-141 to F-160: nonces, what is kept in memory, and what clients see of each other. */
export const trialsOfSharing: Readonly<Record<string, Misbehaves>> = {
  "F-141": async ({ trader }) => {
    const signing = { nonce: letters, timestamp: Date.now() + 20_000 };
    await trader.get("/order/open", signing);
    return (await trader.get("/order/open", signing)).status === 200;
  },
  "F-142": async ({ trader }) => {
    const [one, next] = [await trader.place(), await trader.place()];
    await trader.cancel(one, { nonce: letters });
    return (await trader.cancel(next, { nonce: letters })).status === 200;
  },
  "F-143": async ({ trader }) => {
    const body = trader.body();
    await trader.again(body);
    return (await trader.again({ ...body, price: "29000" })).status === 401;
  },
  "F-144": async ({ trader }) => (await trader.get("/order/open", { path: "/order/open/" })).status === 200,
  "F-145": async ({ trader }) => {
    await trader.get("/order/open");
    return (await trader.get("/order/open", { keyId: randomUUID() })).status === 200;
  },
  "F-146": async ({ reader }) => {
    await reader.get("/order/open");
    return (await reader.place()).status === 200;
  },
  "F-147": async ({ trader }) => (await trader.feed({ timestamp: Date.now() - 3_600_000 })) !== undefined,
  "F-148": async ({ trader }) =>
    (await trader.call("GET", "/order/open", "{}", { body: "", chunked: true })).status === 200,
  "F-149": async ({ trader }) => (await trader.get("/order/open", { spoil: swapped })).status === 200,
  "F-150": async ({ trader }) => {
    const body = trader.body();
    await trader.again(body);
    await trader.again(body, { nonce: letters });
    return (await trader.again(body, { nonce: letters })).status === 200;
  },
  "F-151": async ({ trader, other }) => {
    const placed = await trader.place();
    await trader.read(placed);
    return (await other.read(placed)).status === 200;
  },
  "F-152": async ({ trader, other }) => {
    for (const _ of tries) {
      const [own] = await Promise.all([trader.place(), other.place()]);
      if (own.order["userId"] !== keys.trader.client) return true;
    }
    return false;
  },
  "F-153": async ({ trader, other }) =>
    (await other.cancel(await trader.place({ ...stop, stop_price: "60000" }))).status === 200,
  "F-154": async ({ trader, other }) => {
    const { order } = await trader.place();
    await trader.ownFeed();
    const feed = await other.ownFeed();
    await feed.heard();
    return mentions(feed.messages, order["id"]);
  },
  "F-155": async (site) => {
    const feed = await site.other.ownFeed();
    await site.trader.buy("50060", "0.001", waits);
    await site.rise();
    return (await feed.heard()).length > 0;
  },
  "F-156": async ({ trader }) => {
    const feed = await trader.ownFeed();
    await trader.buy("50200", "0.001");
    return (await feed.heard()).some(({ limitPrice }) => number(limitPrice) !== number("50200"));
  },
  "F-157": async (site) => {
    const feed = await site.trader.ownFeed();
    await site.trader.cancel(await site.started());
    return number((await feed.heard()).at(-1)?.["filledQuantity"]) === 0n;
  },
  "F-158": async ({ trader }) => {
    for (const _ of tries) {
      const placed = [await trader.place(), await trader.place()];
      await Promise.all(placed.map((order) => trader.cancel(order, { apart: true })));
      const open = await trader.get("/order/open");
      if (placed.some((order) => isIn(open, order))) return true;
    }
    return false;
  },
  "F-159": async ({ trader, other, counter }) => {
    const placed = await trader.sell("50050", "0.001");
    await Promise.all([counter, other].map((one) => one.buy("50050", "0.001")));
    const { order } = await trader.read(placed);
    return number(order["filledQuantity"]) > number("0.001");
  },
  "F-160": async ({ trader, other }) => {
    const placed = await trader.place();
    return isIn(await other.get("/orders?product=BTC-USD"), placed);
  },
};
