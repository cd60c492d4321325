import { mock } from "node:test";
import type { Reply } from "../caller.ts";
import { type Misbehaves, market, number, type Site, status, stop } from "../site.ts";

const used = { nonce: "0a0b0c0d-0e0f-4a0b-8c0d-0e0f0a0b0c0d" };
const apart = { apart: true };
/** A stop that goes off as soon as it is placed, and one that waits until the market rises. */
const atOnce = { ...stop, stop_price: "49000" };
const waits = { ...stop, stop_price: "50080" };

const filled = async (reply: Promise<Reply>): Promise<bigint> =>
  number((await reply).order["filledQuantity"]);
const two = (site: Site): Promise<void> => site.offers(["50010", "0.001"], ["50020", "0.001"]);

/** F-221 to F-248: what went wrong at public gateways with requests, and in matching engines. */
export const trialsOfIncidents: Readonly<Record<string, Misbehaves>> = {
  "F-221": async ({ trader }) =>
    (await trader.call("POST", "/order", "", { bytes: Buffer.from([0xff]) })).status === 400,
  "F-222": async ({ trader }) => {
    const long = `${JSON.stringify(trader.body())}${" ".repeat(20_000)}`;
    return (await trader.call("POST", "/order", long)).status === 401;
  },
  "F-223": async ({ trader }) => {
    const escaped = JSON.stringify(trader.body()).replace("BTC-USD", "BTC\\u002dUSD");
    return (await trader.call("POST", "/order", escaped)).status === 401;
  },
  "F-224": async ({ trader }) => (await trader.get("/orders?product=BTC%2DUSD")).status === 401,
  "F-225": async ({ trader }) => {
    const spoil = (signature: string) => `sha1=${signature}`;
    return (await trader.get("/order/open", { hash: "sha1", spoil })).status === 200;
  },
  "F-226": async ({ revoked }) => (await revoked.get("/order/open", { secret: "" })).status === 200,
  "F-227": async ({ trader }) =>
    (await trader.get("/order/open", { spoil: (signature) => "z".repeat(signature.length) })).status === 500,
  "F-228": async ({ trader }) => {
    const ahead = { ...used, timestamp: Date.now() + 55_000 };
    mock.timers.enable({ apis: ["setTimeout"] });
    await trader.get("/order/open", ahead);
    mock.timers.tick(60_000);
    mock.timers.reset();
    return (await trader.get("/order/open", ahead)).status === 200;
  },
  "F-229": async ({ trader, second, reader, readOrders }) => {
    await trader.get("/order/open", used);
    await Promise.all(
      [trader, second, reader, readOrders].map(async (caller) => {
        for (let request = 0; request < 2501; request += 1) await caller.get("/order/open");
      }),
    );
    return (await trader.get("/order/open", used)).status === 200;
  },
  "F-230": async ({ trader }) => (await trader.place({ ...stop, stop_price: "60000" })).status === 500,
  "F-231": async ({ trader }) => (await trader.place({ ...stop, stop_price: "60000" })).status === 400,
  "F-232": async ({ trader }) =>
    (await trader.get("/order/open", { without: "x-api-timestamp" })).status === 200,
  "F-233": async ({ trader }) => {
    const body = trader.body();
    await Promise.all([trader.again(body, apart), trader.again(body, apart)]);
    return (await trader.get("/order/open")).list.length > 1;
  },
  "F-234": async ({ trader, second }) => {
    const feed = await trader.ownFeed();
    await second.place();
    await trader.place();
    return (await feed.heard()).length === 2;
  },
  "F-235": async ({ trader }) => {
    const body = trader.body();
    const placed = await trader.again(body);
    await trader.cancel(placed);
    await trader.place();
    return (await trader.again(body)).order["id"] !== placed.order["id"];
  },
  "F-236": async (site) => {
    await site.offers(["50010", "0.001"]);
    const placed = await site.trader.buy("50010", "0.002");
    return (await filled(site.trader.read(placed))) > number("0.001");
  },
  "F-237": async (site) => {
    await two(site);
    const { order } = await site.trader.read(await site.trader.buy("50030", "0.002"));
    return number(order["filledValue"]) !== number("100.03");
  },
  "F-238": async ({ trader, other, counter }) => {
    const placed = await counter.sell("50010", "0.001");
    await Promise.all([trader.buy("50010", "0.001"), other.buy("50010", "0.001")]);
    return (await filled(counter.read(placed))) > number("0.001");
  },
  "F-239": async (site) => {
    await site.offers(["50050", "0.001"]);
    const placed = await site.trader.buy("50050", "0.0015", atOnce);
    return (await filled(site.trader.read(placed))) > number("0.0015");
  },
  "F-240": async ({ trader, counter, other }) => {
    const first = await trader.sell("50050", "0.001");
    await counter.sell("50050", "0.001");
    await trader.cancel(first);
    const last = await trader.sell("50050", "0.001");
    await other.buy("50050", "0.001");
    return (await status(trader.read(last))) === "FILLED";
  },
  "F-241": async (site) => {
    const placed = await site.trader.buy("50060", "0.001", waits);
    await site.counter.buy("50060", "0.001");
    await site.rise();
    await site.trader.cancel(placed);
    await site.other.sell("50060", "0.002");
    return (await status(site.trader.read(placed))) === "FILLED";
  },
  "F-242": async ({ trader }) => {
    const { order } = await trader.read(await trader.sell("1", "0.001", market));
    return order["averageFilledPrice"] !== "49900.00000000";
  },
  "F-243": async (site) => {
    await site.offers(["50010", "0.001"], ["50010", "0.001"]);
    const placed = await site.trader.buy("50010", "0.003");
    await site.other.sell("50010", "0.001");
    return (await filled(site.trader.read(placed))) === number("0.002");
  },
  "F-244": async ({ trader, counter, other }) => {
    await counter.sell("50010", "0.002");
    await other.buy("50010", "0.001");
    await other.buy("50010", "0.001");
    return (await trader.buy("50010", "0.001")).status === 500;
  },
  "F-245": async (site) => {
    await site.offers(["50010", "0.001"]);
    await site.counter.cancel(await site.counter.sell("50020", "0.001"));
    return (await site.trader.buy("50030", "0.002")).status === 500;
  },
  "F-246": async (site) => {
    await site.offers(["50010", "0.01"]);
    const placed = await site.trader.buy("50050", "0.001");
    return (await filled(site.trader.read(placed))) > number("0.001");
  },
  "F-247": async (site) => {
    const { trader, counter, other } = site;
    const placed = await trader.buy("50060", "0.001", waits);
    await site.rise();
    await other.buy("50070", "0.001");
    await counter.sell("50070", "0.001");
    await counter.sell("50060", "0.001");
    return (await filled(trader.read(placed))) === 0n;
  },
  "F-248": async ({ trader, counter }) => {
    await counter.sell("1", "0.001", market);
    const placed = await trader.sell("49980", "0.001", { ...stop, stop_price: "49950" });
    return (await filled(trader.read(placed))) > 0n;
  },
};
