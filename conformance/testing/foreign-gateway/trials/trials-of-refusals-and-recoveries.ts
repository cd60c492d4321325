import { type Misbehaves, market, mentions, number, type Site, status, stop } from "../site.ts";

const times = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** A page in place of JSON cannot be read. */
const isUnreadable = (reply: Promise<unknown>): Promise<boolean> =>
  reply.then(
    () => false,
    () => true,
  );

async function places({ trader }: Site, count: number): Promise<void> {
  for (const _ of times(count)) await trader.place();
}

/** F-352 and F-365 to F-388: what went wrong at public gateways with refusals, limits and recoveries. */
export const trialsOfRefusalsAndRecoveries: Readonly<Record<string, Misbehaves>> = {
  "F-352": async ({ trader, other }) => {
    const body = trader.body();
    const placed = await trader.again(body);
    await other.again(body);
    return (await trader.read(placed)).status === 404;
  },
  "F-365": async ({ revoked }) => isUnreadable(revoked.get("/order/open")),
  "F-366": async ({ trader }) => (await trader.buy("100000000", "25")).order["status"] === "FAILED",
  "F-367": async ({ trader }) => (await trader.place({ side: undefined })).status === 500,
  "F-368": async ({ trader }) => (await trader.buy("100000000", "25")).data["message"] === "unknown",
  "F-369": async ({ trader }) => {
    for (const _ of times(3)) await trader.cancel(await trader.place());
    return (await trader.cancel(await trader.place())).status === 400;
  },
  "F-370": async (site) => {
    await places(site, 29);
    return isUnreadable(site.trader.place());
  },
  "F-371": async ({ trader }) => (await trader.place({ price: "-1" })).status === 500,
  "F-372": async ({ trader }) =>
    mentions((await trader.place({ side: "UP" })).message, "all operations failed"),
  "F-373": async ({ trader }) => {
    const replies = times(150).map(() => isUnreadable(trader.get("/order/open", { apart: true })));
    return (await Promise.all(replies)).includes(true);
  },
  "F-374": async ({ trader }) => {
    for (const _ of times(20)) await trader.get("/product");
    const { status: code, success } = await trader.get("/product");
    return code === 200 && success === undefined;
  },
  "F-375": async ({ trader }) => {
    const placed = await trader.sell("49000", "0.001", { ...stop, stop_price: "49950" });
    return (await status(trader.read(placed))) !== "PENDING";
  },
  "F-376": async ({ trader, counter }) => {
    const free = await trader.place({ price: "0" });
    const placed = await counter.buy("50100", "0.001");
    return free.status === 200 && (await status(counter.read(placed))) === "OPEN";
  },
  "F-377": async ({ trader }) => {
    await trader.sell("1", "0.001", market);
    const feed = await trader.ownFeed();
    return (await feed.heard()).length > 0;
  },
  "F-378": async ({ trader }) => {
    const feed = await trader.feed();
    await feed?.join("depth", ["BTC-USD"]);
    return mentions(feed?.messages, "BTC-EUR");
  },
  "F-379": async ({ trader }) => {
    const feed = await trader.feed();
    await feed?.join("depth", ["BTC-EUR"]);
    for (const _ of times(5)) await trader.cancel(await trader.place({ product: "BTC-EUR" }));
    await feed?.heard();
    return (feed?.messages ?? []).some(({ kind, pair }) => kind === "delta" && pair === undefined);
  },
  "F-380": async ({ trader }) => {
    const replies = [await trader.place({ price: "3e4" }), await trader.place({ base_quantity: "1e-3" })];
    return replies.map((reply) => reply.status).join() === "200,400";
  },
  "F-381": async (site) => {
    const placed = await site.trader.sell("50050", "0.001");
    await places(site, 59);
    await site.counter.buy("50050", "0.001");
    return (await status(site.trader.read(placed))) === "OPEN";
  },
  "F-382": async (site) => {
    await places(site, 140);
    const placed = await site.trader.sell("1", "0.001", market);
    await places(site, 9);
    return number((await site.trader.read(placed)).order["filledQuantity"]) === 0n;
  },
  "F-383": async ({ trader }) => {
    for (const _ of times(39)) await trader.cancel(await trader.place());
    const placed = await trader.place();
    return (
      (await status(trader.cancel(placed))) === "CANCELLED" && (await status(trader.read(placed))) === "OPEN"
    );
  },
  "F-384": async (site) => {
    await places(site, 60);
    return (await site.trader.get("/order/open")).list.length > 60;
  },
  "F-385": async (site) => {
    const placed = await site.trader.place();
    await places(site, 79);
    return (await site.trader.cancel(placed)).status === 404;
  },
  "F-386": async ({ trader }) => {
    for (const _ of times(24)) await trader.sell("1", "0.001", market);
    const { order } = await trader.read(await trader.sell("1", "0.001", market));
    return number(order["filledQuantity"]) > number(order["baseQuantity"]);
  },
  "F-387": async (site) => {
    const placed = await site.trader.place();
    await places(site, 299);
    return (await site.trader.cancel(placed)).status === 500 && (await site.trader.place()).status === 503;
  },
  "F-388": async ({ trader }) => {
    const replies = times(100).map(() => trader.get("/alive", { apart: true }));
    return (await Promise.all(replies)).some((reply) => reply.status === 503);
  },
};
