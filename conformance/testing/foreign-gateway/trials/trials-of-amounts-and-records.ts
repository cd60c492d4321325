import { isIn, type Misbehaves, market, mentions, number } from "../site.ts";

const none = "0.00000000";

/** F-321 to F-330: what went wrong at public gateways with amounts, fills and records of orders. */
export const trialsOfAmountsAndRecords: Readonly<Record<string, Misbehaves>> = {
  "F-321": async ({ trader }) =>
    (await trader.buy("7000.07", "0.001")).order["limitPrice"] === "7000.06999999",
  "F-322": async ({ trader }) => {
    const body = { ...market, product: "LTC-BTC", quote_value: "0.01", base_quantity: undefined };
    const { filledValue } = (await trader.read(await trader.place(body))).order;
    return filledValue === "0.01000000";
  },
  "F-323": async ({ trader, counter }) => {
    const placed = await trader.sell("50050", "0.00123");
    await counter.buy("50050", "0.00123");
    const isShown = mentions((await trader.get("/books/BTC-USD")).data["asks"], "50050.00000000");
    return isShown && isIn(await trader.get("/order/open"), placed);
  },
  "F-324": async ({ trader }) =>
    (await trader.buy("30000", "0.001")).status === 200 &&
    (await trader.buy("30000.01", "0.001")).status === 400,
  "F-325": async ({ trader, counter }) => {
    const feed = await trader.ownFeed();
    let placed = await trader.sell("50050", "0.001");
    for (let order = 0; order < 7; order += 1) {
      if (order > 0) placed = await trader.sell("50050", "0.001");
      await counter.buy("50050", "0.001");
    }
    const told = (await feed.heard()).at(-1);
    const { order } = await trader.read(placed);
    return told?.["status"] === "FILLED" && told["id"] === order["id"] && order["filledQuantity"] === none;
  },
  "F-326": async (site) => {
    await site.offers(["50010", "0.001"], ["50020", "0.001"]);
    const { order } = await site.trader.read(await site.trader.buy("50020", "0.002"));
    return order["averageFilledPrice"] === none;
  },
  "F-327": async ({ trader }) => {
    const { order } = await trader.read(await trader.buy("50200", "0.001"));
    return order["averageFilledPrice"] === "50200.00000000";
  },
  "F-328": async ({ trader }) => {
    const { status } = await trader.sell("1", "20", { ...market, product: "LTC-BTC" });
    return status === 400 && (await trader.wallet("LTC"))["balance"] === "3999985.00000000";
  },
  "F-329": async ({ trader }) => {
    let placed = await trader.place();
    for (let order = 0; order < 19; order += 1) placed = await trader.place();
    const { synced, status } = (await trader.read(placed)).order;
    await trader.cancel(placed);
    return synced === false && status === (await trader.read(placed)).order["status"];
  },
  "F-330": async ({ trader }) => {
    const { order } = await trader.read(await trader.sell("1", "0.001", market));
    const { balance } = await trader.wallet("USD");
    return number(order["filledValue"]) > 0n && number(balance) === number("900000000");
  },
};
