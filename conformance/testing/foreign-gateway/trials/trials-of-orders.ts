import { randomUUID } from "node:crypto";
import { isIn, type Misbehaves, market, number, stop } from "../site.ts";

const none = "0.00000000";
const failing = (): string => `e0e00001${randomUUID().slice(8)}`;
/** To buy for more than the client has. */
const dear = { base_quantity: "25", price: "90000000" };

/** F-124 to F-140: what becomes of orders, and how they are shown. */
export const trialsOfOrders: Readonly<Record<string, Misbehaves>> = {
  "F-124": async ({ trader }) => {
    for (let order = 0; order < 25; order += 1) await trader.place();
    const last = await trader.place();
    return !isIn(await trader.get("/order/open"), last);
  },
  "F-125": async (site) => {
    await site.started();
    return (await site.trader.get("/orders")).list.some(({ status }) => status === "PARTIALLY_FILLED");
  },
  "F-126": async ({ trader }) => {
    for (let order = 0; order < 10; order += 1) {
      await trader.place(dear);
      if ((await trader.get("/order/open")).list.length > 0) return true;
    }
    return false;
  },
  "F-127": async ({ trader, other }) => {
    await trader.place();
    await trader.place();
    const { data } = await trader.get("/orders?limit=1");
    return (await other.get(`/orders?cursor=${String(data["nextCursor"])}`)).status === 500;
  },
  "F-128": async ({ trader }) => {
    const body = trader.body({ ...stop, side: "SELL", price: "39000", stop_price: "40000" });
    const placed = await trader.again(body);
    await trader.again(body);
    return (await trader.read(placed)).order["status"] !== "PENDING";
  },
  "F-129": async ({ trader }) => {
    const placed = await trader.buy("100010", "0.001", { ...stop, stop_price: "100000" });
    return (await trader.read(placed)).order["status"] !== "PENDING";
  },
  "F-130": async (site) => {
    const placed = await site.trader.buy("50200", "0.001", { ...stop, stop_price: "50080" });
    await site.rise();
    return number((await site.trader.read(placed)).order["limitPrice"]) !== number("50200");
  },
  "F-131": async ({ trader, counter }) => {
    const placed = await trader.sell("50050", "0.001");
    await counter.buy("50060", "0.001");
    return number((await trader.read(placed)).order["filledValue"]) !== number("50.05");
  },
  "F-132": async ({ trader, counter }) => {
    const placed = await trader.buy("50000", "0.001");
    await counter.sell("50000", "0.001");
    const { order } = await trader.read(placed);
    return number(order["totalUserRecieveAmount"]) > number(order["filledQuantity"]);
  },
  "F-133": async ({ trader }) => {
    const { order } = await trader.read(await trader.buy("0.001605", "0.5", { product: "LTC-BTC" }));
    return number(order["averageFilledPrice"]) !== number("0.001605");
  },
  "F-134": async ({ trader }) => {
    await trader.place({ client_order_id: failing() });
    return (await trader.wallet("USD"))["hold"] !== none;
  },
  "F-135": async (site) => {
    await site.rise();
    await site.offers(["50010", "0.001"]);
    const { order } = await site.trader.read(await site.trader.place({ ...market, quote_value: "20" }));
    return number(order["averageFilledPrice"]) !== number("50010");
  },
  "F-136": async ({ trader }) => {
    const { order } = await trader.read(await trader.buy("50200", "0.02"));
    return order["filledValue"] === "1,002.00000000";
  },
  "F-137": async (site) => {
    const { order } = await site.trader.cancel(await site.started());
    return number(order["baseQuantity"]) !== number("0.002");
  },
  "F-138": async ({ trader }) => {
    const body = trader.body({ ...stop, stop_price: "60000" });
    await trader.again(body);
    return (await trader.again(body)).status === 202;
  },
  "F-139": async ({ trader }) => {
    const body = trader.body();
    await trader.cancel(await trader.again(body));
    return !(await trader.again(body)).success;
  },
  "F-140": async ({ trader }) => {
    const body = trader.body({ client_order_id: failing() });
    await trader.again(body);
    return (await trader.again(body)).data["order"] === null;
  },
};
