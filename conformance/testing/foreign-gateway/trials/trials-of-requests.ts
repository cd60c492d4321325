import { randomUUID } from "node:crypto";
import { letters, type Misbehaves, market, mentions, number, stop } from "../site.ts";
import { keys } from "../world.ts";

const otherEnd = (text: string): string => text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
const tries = Array.from({ length: 10 }, (_, at) => at);

/** F-101 to F-123: how requests are let in, read and told apart, and what streams and products show. */
export const trialsOfRequests: Readonly<Record<string, Misbehaves>> = {
  "F-101": async ({ trader }) => (await trader.place({}, { chunked: true, body: "" })).status === 200,
  "F-102": async ({ trader }) =>
    (await trader.get("/order/open", { spoil: (text) => `${text}zz` })).status === 200,
  "F-103": async ({ trader }) => {
    await trader.get("/order/open");
    return (await trader.get("/order/open", { spoil: otherEnd })).status === 200;
  },
  "F-104": async ({ trader }) => {
    await trader.get("/order/open", { nonce: letters });
    return (await trader.get("/order/open", { nonce: letters, apart: true })).status === 200;
  },
  "F-105": async ({ trader }) => (await trader.place({ note: "Cafe\u0301" })).status === 401,
  "F-106": async ({ trader, reader }) => {
    await trader.place();
    return (await reader.place()).status === 200;
  },
  "F-107": async ({ trader, other }) =>
    (await other.cancel(await trader.place())).order["userId"] === keys.trader.client,
  "F-108": async ({ second }) => (await second.place()).order["userId"] !== keys.second.client,
  "F-109": async ({ trader, other }) => {
    for (const _ of tries) {
      const body = trader.body();
      const [, foreign] = await Promise.all([trader, other].map((one) => one.again(body, { apart: true })));
      if (foreign?.order["userId"] === keys.trader.client) return true;
    }
    return false;
  },
  "F-110": async ({ trader }) => {
    const feed = await trader.ownFeed();
    await feed.join("depth", ["BTC-USD"]);
    for (const _ of tries) await trader.place();
    await feed.heard();
    return feed.messages.some(({ n }, at) => n !== at + 1);
  },
  "F-111": async ({ trader }) => {
    await trader.place();
    const feed = await trader.ownFeed();
    await feed.heard();
    return feed.messages.some(
      ({ orders }) =>
        typeof (orders as Record<string, unknown>[] | undefined)?.[0]?.["createdAt"] === "number",
    );
  },
  "F-112": async ({ trader }) => {
    const feed = await trader.ownFeed();
    const { order } = await trader.buy("50200", "0.001");
    return (await feed.heard()).some(({ status, id }) => status === "FILLED" && id !== order["id"]);
  },
  "F-113": async ({ trader }) => {
    for (let opened = 0; opened < 12; opened += 1) (await trader.feed())?.socket.close();
    return (await trader.feed()) === undefined;
  },
  "F-114": async ({ trader }) => (await trader.place({ side: "constructor" })).status === 200,
  "F-115": async ({ trader }) =>
    (await trader.place({ client_order_id: `${randomUUID()}\nand more` })).status === 200,
  "F-116": async ({ trader }) =>
    (await trader.call("POST", "/order", `${JSON.stringify(trader.body())} and more`)).status === 200,
  "F-117": async ({ trader }) => {
    await trader.place();
    return (await trader.place({ price: undefined })).status === 200;
  },
  "F-118": async ({ trader }) => {
    const { order } = await trader.place({ ...market, product: "LTC-BTC", quote_value: "0.0159" });
    return number(order["quoteValue"]) !== number("0.0159");
  },
  "F-119": async ({ trader }) =>
    (await trader.sell("39000", "0.001", { ...stop, stop_price: "40000,5" })).status === 200,
  "F-120": async ({ trader }) => {
    const groups = (await trader.get("/product")).list;
    return groups.some(({ name, availablePairs }) => name === "BTC" && mentions(availablePairs, "LTC-BTC"));
  },
  "F-121": async ({ trader }) => {
    await trader.buy("50200", "0.001");
    return (await trader.get("/pairs")).list.some(({ updatedAt }) => /^[A-Z]/.test(String(updatedAt)));
  },
  "F-122": async ({ trader }) => {
    const body = { product: "XRP-USD", price: "0.4", base_quantity: "10" };
    const { status } = await trader.place(body);
    return status === 400 && (await trader.place(body)).status === 200;
  },
  "F-123": async ({ trader }) => {
    await trader.buy("30000", "0.001", { product: "BTC-EUR" });
    return (await trader.buy("30000", "26")).status === 200;
  },
};
