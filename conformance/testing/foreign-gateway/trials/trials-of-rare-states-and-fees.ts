import { setTimeout as sleep } from "node:timers/promises";
import { isIn, type Misbehaves, market, number, type Site, stop } from "../site.ts";
import { keys } from "../world.ts";

const none = "0.00000000";
const tries = Array.from({ length: 6 }, (_, at) => at);
/** A stop that waits until the market rises, and then rests. */
const rests = { ...stop, stop_price: "50080" };
const apart = { apart: true };

/** The balance of a client in an asset at first, less its balance now. */
const gone = async ({ trader }: Site, asset: string): Promise<bigint> =>
  number("900000000") - number((await trader.wallet(asset))["balance"]);

/** F-181 to F-200: rare states, races, sums over several fills, and clients who get in each other's way. */
export const trialsOfRareStatesAndFees: Readonly<Record<string, Misbehaves>> = {
  "F-181": async ({ trader, counter }) => {
    await trader.sell("50050", "0.001");
    await counter.buy("50050", "0.001");
    return (await trader.wallet("BTC"))["hold"] !== none;
  },
  "F-182": async (site) => {
    const { order } = await site.trader.read(await site.trader.cancel(await site.started()));
    return order["status"] !== "CANCELLED";
  },
  "F-183": async (site) => {
    const placed = await site.trader.buy("50060", "0.001", rests);
    await site.rise();
    return (await site.trader.cancel(placed)).status === 404;
  },
  "F-184": async (site) => {
    const { trader } = site;
    const placed = [await trader.sell("50050", "0.001"), await trader.buy("50050", "0.001")];
    const [one, other] = await Promise.all(placed.map((order) => trader.read(order)));
    const fees = number(one?.order["fees"]) + number(other?.order["fees"]);
    return (await gone(site, "USD")) !== fees;
  },
  "F-185": async ({ trader }) => {
    const placed = await trader.place();
    for (let order = 0; order < 5; order += 1) await trader.cancel(await trader.place());
    return !isIn(await trader.get("/order/open"), placed);
  },
  "F-186": async ({ trader }) => {
    const placed = [await trader.place(), await trader.place()];
    await Promise.all(placed.map((order) => trader.cancel(order, apart)));
    return (await trader.wallet("USD"))["hold"] !== none;
  },
  "F-187": async ({ trader, counter }) => {
    const feed = await trader.ownFeed();
    for (const _ of tries) {
      const placed = await trader.sell("50050", "0.001");
      const cancel = trader.cancel(placed);
      await sleep(2);
      await Promise.all([cancel, counter.buy("50050", "0.001")]);
      const told = (await feed.heard()).filter(({ id }) => id === placed.order["id"]);
      const states = told.map(({ status }) => status);
      if (states.includes("FILLED") && states.includes("CANCELLED")) return true;
    }
    return false;
  },
  "F-188": async ({ trader }) => {
    for (const _ of tries) {
      const list = trader.get("/order/open");
      await sleep(2);
      const placed = await trader.place({}, apart);
      await list;
      if (!isIn(await trader.get("/order/open"), placed)) return true;
    }
    return false;
  },
  "F-189": async ({ trader }) => {
    for (const _ of tries) {
      const feed = await trader.ownFeed();
      const { order } = await trader.place();
      if (!(await feed.heard()).some(({ id }) => id === order["id"])) return true;
    }
    return false;
  },
  "F-190": async ({ trader }) => {
    const body = trader.body();
    const bodies = [body, { ...body, price: "29000" }];
    await Promise.all(bodies.map((one) => trader.again(one, apart)));
    return (await trader.get("/order/open")).list.length > 1;
  },
  "F-191": async (site) => {
    const { trader, counter } = site;
    await site.offers(["50050", "0.001"]);
    const placed = await trader.buy("50050", "0.002");
    await counter.sell("50050", "0.001");
    const { order } = await trader.read(placed);
    return (await gone(site, "USD")) !== number(order["filledValue"]) + number(order["fees"]);
  },
  "F-192": async ({ trader }) => {
    const { order } = await trader.read(await trader.place({ ...market, quote_value: "60" }));
    return number(order["averageFilledPrice"]) > number("50100.01");
  },
  "F-193": async (site) => {
    await site.offers(["50010", "0.001"], ["50020", "0.001"]);
    const { order } = await site.trader.read(await site.trader.buy("50020", "0.002"));
    return number(order["totalUserRecieveAmount"]) > number(order["filledQuantity"]);
  },
  "F-194": async (site) => {
    const { order } = await site.trader.read(await site.started());
    return number(order["quoteValue"]) !== number("100.1");
  },
  "F-195": async (site) => {
    const placed = await site.trader.buy("46200", "0.001", { product: "BTC-EUR" });
    const { order } = await site.trader.read(placed);
    return (await gone(site, "EUR")) !== number(order["filledValue"]) + number(order["fees"]);
  },
  "F-196": async ({ trader, other }) => {
    const placed = await trader.place({ ...stop, stop_price: "60000" });
    await other.place({ ...stop, stop_price: "60000" });
    return !isIn(await trader.get("/order/open"), placed);
  },
  "F-197": async (site) =>
    (await site.trader.read(await site.started())).order["userId"] !== keys.trader.client,
  "F-198": async ({ trader, other }) => {
    const feeds = [await trader.feed(), await other.feed()];
    for (const feed of feeds) {
      feed?.socket.send(JSON.stringify({ op: "join", topic: "own-orders", ref: "1" }));
      await feed?.heard();
    }
    await trader.place();
    const [own, foreign] = [await feeds[0]?.heard(), await feeds[1]?.heard()];
    return own?.length === 0 && (foreign?.length ?? 0) > 0;
  },
  "F-199": async (site) => (await site.counter.read(await site.started())).status === 200,
  "F-200": async (site) => {
    const { trader, other } = site;
    const body = trader.body();
    await trader.cancel(await trader.again(body));
    await other.again({ ...body, price: "50200" });
    return (await gone(site, "USD")) !== 0n;
  },
};
