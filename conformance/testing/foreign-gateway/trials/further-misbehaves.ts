import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { isIn, letters, type Misbehaves, market, mentions, number, stop } from "../site.ts";
import { keys } from "../world.ts";

const as = ({ id, secret }: { id: string; secret: string }) => ({ keyId: id, secret });
const none = "0.00000000";

/** F-61 to F-100. */
export const furtherMisbehaves: Readonly<Record<string, Misbehaves>> = {
  "F-61": async ({ trader }) => {
    await trader.get("/order/open", { nonce: letters });
    return (await trader.get("/wallets", { nonce: letters })).status === 200;
  },
  "F-62": async ({ trader }) => {
    const feed = await trader.feed({ nonce: letters });
    feed?.socket.close();
    if (feed !== undefined) await once(feed.socket, "close");
    for (let attempt = 0; attempt < 20; attempt += 1)
      if ((await trader.get("/order/open", { nonce: letters })).status === 200) return true;
    return false;
  },
  "F-63": async ({ trader }) => {
    const now = Date.now();
    await trader.get("/order/open", { nonce: letters, timestamp: now });
    return (await trader.get("/order/open", { nonce: letters, timestamp: now + 1 })).status === 200;
  },
  "F-64": async ({ trader }) => {
    const signing = { nonce: letters, timestamp: Date.now() - 40_000 };
    await trader.get("/order/open", signing);
    return (await trader.get("/order/open", signing)).status === 200;
  },
  "F-65": async ({ trader }) => {
    await trader.get("/order/open", { nonce: letters });
    const near = `${randomUUID().slice(0, 24)}${letters.slice(24)}`;
    return (await trader.get("/order/open", { nonce: near })).status === 401;
  },
  "F-66": async ({ trader }) => {
    const sent = trader.body();
    const body = JSON.stringify(sent, Object.keys(sent).sort());
    return (await trader.again(sent, { body })).status === 200;
  },
  "F-67": async ({ trader }) => {
    const [one, other] = [await trader.place(), await trader.place()];
    const path = `/orders/${String(other.order["id"])}/cancel`;
    return (await trader.cancel(one, { path })).status === 200;
  },
  "F-68": async ({ trader }) => {
    const second = Math.floor(Date.now() / 1000) * 1000;
    const signing = { timestamp: second + 7, signedTimestamp: second };
    return (await trader.get("/order/open", signing)).status === 200;
  },
  "F-69": async ({ trader }) => {
    await trader.get("/order/open");
    return (await trader.place({}, as(keys.reader))).status === 200;
  },
  "F-70": async ({ trader }) => {
    const placed = await trader.place();
    return isIn(await trader.get("/order/open", as(keys.otherClient)), placed);
  },
  "F-71": async ({ trader, other }) => {
    const placed = await trader.place();
    return isIn(await other.get(`/orders?clientOrderId=${String(placed.order["clientOrderId"])}`), placed);
  },
  "F-72": async ({ trader, other }) => {
    const { order } = await trader.place({ ...stop, stop_price: "60000" });
    const { messages } = await other.ownFeed();
    return mentions(messages, order["clientOrderId"]);
  },
  "F-73": async ({ trader, other }) => {
    const placed = await trader.place();
    await trader.get("/order/open");
    return isIn(await other.get("/order/open"), placed);
  },
  "F-74": async ({ trader, other }) => {
    await trader.place();
    await trader.wallet("USD");
    return (await other.wallet("USD"))["hold"] !== none;
  },
  "F-75": async ({ trader, other }) => {
    const first = await trader.ownFeed();
    first.socket.close();
    await once(first.socket, "close");
    await trader.get("/order/open");
    const feed = await other.ownFeed();
    await trader.place();
    return (await feed.heard()).length > 0;
  },
  "F-76": async ({ trader, other }) => {
    const placed = await other.place({ userId: keys.trader.client });
    return isIn(await trader.get("/order/open"), placed);
  },
  "F-77": async ({ trader, readOrders }) => {
    const placed = await trader.place({ ...stop, stop_price: "60000" });
    return (await readOrders.cancel(placed)).status === 200;
  },
  "F-78": async ({ trader, noClaim }) => {
    const { order } = await trader.place();
    const feed = await noClaim.feed();
    await feed?.join("depth", ["BTC-USD"]);
    await feed?.join("own-orders");
    await feed?.heard();
    return mentions(feed?.messages, order["clientOrderId"]);
  },
  "F-79": async ({ trader }) => {
    const feed = await trader.ownFeed();
    await feed.ask("leave", "own-orders");
    await feed.join("own-orders");
    return feed.messages.some(({ n }, at) => n !== at + 1);
  },
  "F-80": async ({ trader }) => {
    const feed = await trader.ownFeed();
    await feed.join("depth", ["BTC-EUR"]);
    await feed.ask("leave", "depth", ["BTC-EUR"]);
    await trader.place();
    return (await feed.heard()).length === 0;
  },
  "F-81": async ({ trader, counter }) => {
    const feed = await trader.ownFeed();
    await trader.sell("50050", "0.001");
    await counter.buy("50050", "0.001");
    return (await feed.heard()).every(({ status }) => status !== "FILLED");
  },
  "F-82": async (site) => {
    await site.offers(["50010", "0.001"], ["50020", "0.001"]);
    const { order } = await site.trader.read(await site.trader.buy("50020", "0.002"));
    return Date.parse(String(order["updatedAt"])) < Date.parse(String(order["createdAt"]));
  },
  "F-83": async ({ trader }) => {
    const body = trader.body({ ...stop, base_quantity: "25", price: "30000000", stop_price: "60000" });
    await trader.again(body);
    return (await trader.again(body)).status === 400;
  },
  "F-84": async ({ trader }) => {
    const body = trader.body({ client_order_id: `e0e00001${randomUUID().slice(8)}` });
    await trader.again(body);
    const { data } = await trader.again(body);
    return data["type"] === "DUPLICATE_REPLAY" && data["order"] === undefined;
  },
  "F-85": async ({ trader }) => {
    const body = trader.body();
    const dear = { ...body, ...stop, base_quantity: "25", price: "90000000", stop_price: "90000000" };
    const { status } = await trader.again(dear);
    return status === 400 && (await trader.again(body)).data["type"] !== "NEW_ORDER";
  },
  "F-86": async ({ trader }) => (await trader.place({ type: null })).status === 200,
  "F-87": async ({ trader }) => (await trader.buy("30000.00000000001", "0.001")).status === 200,
  "F-88": async ({ trader }) => (await trader.place({ product: "BTC-USDT" })).status === 200,
  "F-89": async ({ trader }) => (await trader.buy("30000", "25.5")).status === 200,
  "F-90": async ({ trader }) =>
    (await trader.place({ ...market, quote_value: "1", base_quantity: "0.001" })).status === 200,
  "F-91": async ({ trader }) => {
    const { order } = await trader.place();
    for (let count = 0; count < 199; count += 1) await trader.place();
    return (await trader.place()).order["id"] === order["id"];
  },
  "F-92": async ({ trader }) => {
    const body = trader.body();
    const placed = await trader.again(body);
    await trader.cancel(placed);
    await trader.again(body);
    return (await trader.read(placed)).order["status"] !== "CANCELLED";
  },
  "F-93": async ({ trader }) => {
    const placed = await trader.buy("50200", "0.001");
    await trader.cancel(placed);
    return (await trader.read(placed)).order["status"] !== "FILLED";
  },
  "F-94": async ({ trader }) => {
    const placed = await trader.place();
    await Promise.all([1, 2].map(() => trader.cancel(placed, { apart: true })));
    return (await trader.wallet("USD"))["hold"] !== none;
  },
  "F-95": async (site) => {
    for (const price of ["50200", "50210"])
      await site.trader.buy(price, "0.001", { ...stop, stop_price: "50080" });
    await site.rise();
    return (await site.trader.wallet("BTC"))["balance"] !== "40000.00200000";
  },
  "F-96": async (site) => {
    const other = { ...stop, product: "BTC-EUR", stop_price: "47500" };
    const placed = await site.trader.buy("48000", "0.001", other);
    await site.rise();
    return (await site.trader.read(placed)).order["status"] !== "PENDING";
  },
  "F-97": async ({ trader }) => {
    const { order } = await trader.read(await trader.buy("50100", "2.00000007"));
    return order["filledValue"] !== "100200.00350700";
  },
  "F-98": async ({ trader }) => {
    await trader.buy("50200", "0.001");
    return (await trader.wallet("USD"))["hold"] !== none;
  },
  "F-99": async (site) => {
    const { filledValue, fees } = (await site.trader.read(await site.started())).order;
    const { balance } = await site.trader.wallet("USD");
    return number(balance) - number("900000000") !== number(filledValue) - number(fees);
  },
  "F-100": async ({ trader, other, counter }) => {
    const [first, next] = [await trader.sell("50050", "0.001"), await other.sell("50050", "0.001")];
    await trader.cancel(first);
    await counter.buy("50050", "0.001");
    return (await other.read(next)).order["status"] !== "FILLED";
  },
};
