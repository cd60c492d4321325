import { type Misbehaves, market, mentions, number, type Site, status, stop } from "../site.ts";

const none = "0.00000000";
const book = "/books/BTC-USD";
const times = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** What a stream tells of these books while an order comes and goes four times. */
async function told({ trader }: Site, ...pairs: readonly string[]): Promise<Record<string, unknown>[]> {
  const feed = await trader.feed();
  await feed?.join("depth", pairs);
  for (const _ of times(4)) await trader.cancel(await trader.place());
  await feed?.heard();
  return feed?.messages ?? [];
}

/** F-281 to F-304: what else went wrong at public gateways. */
export const trialsOfLaterIncidents: Readonly<Record<string, Misbehaves>> = {
  "F-281": async ({ trader }) => (await trader.get("/orders?product=BTC%2dUSD")).status === 401,
  "F-282": async ({ trader }) => {
    for (const _ of times(40)) if ((await trader.get("/order/open")).status === 401) return true;
    return false;
  },
  "F-283": async ({ trader }) => {
    const body = trader.body();
    await trader.again(body);
    return (await trader.again({ ...body, price: "50200" })).data["type"] === "NEW_ORDER";
  },
  "F-284": async ({ trader }) => {
    const body = trader.body();
    await trader.again(body);
    return (await trader.again(body)).status === 409;
  },
  "F-285": async ({ trader }) => {
    const replies = [
      await trader.get("/orders/L77"),
      await trader.buy("100000000", "25"),
      await trader.buy("0.4", "10", { product: "XRP-USD" }),
    ];
    return replies.every((reply) => reply.status === 500);
  },
  "F-286": async ({ trader }) => {
    let isEmpty = false;
    for (const _ of times(12))
      await trader.place().catch(() => {
        isEmpty = true;
      });
    return isEmpty && (await trader.get("/order/open")).list.length === 12;
  },
  "F-287": async ({ trader }) => {
    await trader.place({ price: "49900", base_quantity: "0.12345678" });
    return mentions(await trader.get(book), 40.123457);
  },
  "F-288": async ({ trader }) =>
    number((await trader.buy("30000", "2.05")).order["baseQuantity"]) === number("2.04999999"),
  "F-289": async ({ trader }) => {
    const placed = await trader.place({ ...market, quote_value: "1000", base_quantity: "50" });
    return number((await trader.read(placed)).order["filledValue"]) <= number("50");
  },
  "F-290": async ({ trader }) => (await trader.sell("1", "0.0001", market)).status === 200,
  "F-291": async (site) => {
    await site.offers(["50010", "0.001"]);
    const placed = await site.trader.buy("50010", "0.003");
    return (await site.trader.read(placed)).order["baseQuantity"] === "0.00200000";
  },
  "F-292": async (site) => {
    const placed = await site.trader.sell("50050", "0.002");
    await site.counter.sell("50050", "0.001");
    for (const _ of times(2)) await site.other.buy("50050", "0.001");
    return (await status(site.trader.read(placed))) === "OPEN";
  },
  "F-293": async ({ trader }) => {
    const placed = await trader.buy("30000", "0.001", { ...stop, stop_price: "60000" });
    return (await status(trader.read(placed))) === "OPEN";
  },
  "F-294": async ({ trader }) => {
    await trader.cancel(await trader.place());
    return (await trader.wallet("USD"))["hold"] !== none;
  },
  "F-295": async (site) => {
    const placed = await site.started();
    await site.counter.buy("50050", "0.001");
    const { fees, filledValue } = (await site.trader.read(placed)).order;
    return number(fees) * 1250n !== number(filledValue);
  },
  "F-296": async ({ trader }) => {
    const { order } = await trader.read(await trader.sell("1", "0.001", market));
    const { balance } = await trader.wallet("USD");
    return number(balance) - number("900000000") !== number(order["totalUserRecieveAmount"]);
  },
  "F-297": async ({ trader, counter }) => {
    const placed = await trader.sell("50050", "0.001");
    const cancelled = await status(trader.cancel(placed));
    await counter.buy("50050", "0.001");
    return cancelled === "CANCELLED" && (await status(trader.read(placed))) === "FILLED";
  },
  "F-298": async ({ trader }) => {
    await trader.place();
    const placed = await trader.place();
    await trader.cancel(placed);
    return (await status(trader.read(placed))) === "OPEN";
  },
  "F-299": async (site) => (await status(site.trader.read(await site.started()))) === "CANCELLED",
  "F-300": async ({ trader }) => {
    await trader.place();
    const lists = [await trader.get("/order/open"), await trader.get("/order/open")];
    return lists.some(({ list }) => list.length === 0);
  },
  "F-301": async ({ trader }) => {
    const feed = await trader.ownFeed();
    const placed = await trader.place({ ...market, quote_value: "100", base_quantity: undefined });
    const last = (await feed.heard()).at(-1)?.["status"];
    return last === "CANCELLED" && (await status(trader.read(placed))) === "FILLED";
  },
  "F-302": async (site) => (await told(site, "BTC-USD", "LTC-USD")).some(({ n }, at) => Number(n) !== at + 1),
  "F-303": async (site) =>
    (await told(site, "BTC-USD")).some(
      ({ kind, asks }) => kind === "delta" && mentions(asks, "30000.00000000"),
    ),
  "F-304": async (site) => (await told(site, "BTC-USD")).some(({ pair }) => pair === "BTC/USD"),
};
