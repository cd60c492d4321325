import { isIn, type Misbehaves, market, number, stop } from "../site.ts";

const none = "0.00000000";
/** A stop that waits until the market rises, and then rests. */
const rests = { ...stop, stop_price: "50080" };

/** F-161 to F-180: repeats, amounts, and what the lists show of orders in rare states. */
export const trialsOfRepeatsAndSums: Readonly<Record<string, Misbehaves>> = {
  "F-161": async ({ trader }) => {
    const body = trader.body({ price: "50200" });
    await trader.again(body);
    return (await trader.again(body)).data["type"] === "NEW_ORDER";
  },
  "F-162": async ({ trader }) => {
    const body = trader.body();
    await trader.again({ ...body, base_quantity: "26" });
    return (await trader.again(body)).status === 409;
  },
  "F-163": async ({ trader }) => {
    const body = trader.body();
    const raced = await Promise.all([1, 2, 3, 4].map(() => trader.again(body, { apart: true })));
    return raced.some(({ data }) => data["type"] === "DUPLICATE_REPLAY" && data["order"] === undefined);
  },
  "F-164": async ({ trader }) => {
    const body = trader.body();
    const raced = await Promise.all([1, 2, 3, 4].map(() => trader.again(body, { apart: true })));
    return raced.filter(({ data }) => data["type"] === "NEW_ORDER").length > 1;
  },
  "F-165": async ({ trader }) => {
    const body = trader.body();
    const placed = await trader.again(body);
    const repeat = await trader.again({ ...body, price: "29000" });
    const { order } = await trader.read(placed);
    return repeat.order["limitPrice"] !== order["limitPrice"];
  },
  "F-166": async ({ trader }) => (await trader.place({ base_quantity: ["0.001"] })).status === 200,
  "F-167": async ({ trader }) => {
    await trader.cancel(await trader.buy("30000.07", "0.12345679"));
    return (await trader.wallet("USD"))["hold"] !== none;
  },
  "F-168": async (site) => {
    const placed = await site.trader.buy("50060", "0.001", rests);
    await site.rise();
    return (await site.trader.read(placed)).status === 404;
  },
  "F-169": async ({ trader }) => {
    const body = trader.body();
    await trader.again(body);
    return (await trader.again(body, { apart: true })).data["type"] === "NEW_ORDER";
  },
  "F-170": async ({ trader }) => {
    const body = trader.body();
    const placed = await trader.again(body);
    await trader.again(body);
    await trader.cancel(placed);
    return (await trader.wallet("USD"))["hold"] !== none;
  },
  "F-171": async ({ trader, counter }) => {
    const product = "LTC-USD";
    await counter.sell("120", "0.5", { product });
    const spend = { ...market, product, quote_value: "40", base_quantity: undefined };
    const { order } = await trader.read(await trader.place(spend));
    return number(order["averageFilledPrice"]) === number("120");
  },
  "F-172": async ({ trader }) => {
    const { order } = await trader.read(await trader.buy("50200", "0.001"));
    const { balance } = await trader.wallet("USD");
    return number("900000000") - number(balance) !== number(order["filledValue"]) + number(order["fees"]);
  },
  "F-173": async (site) => {
    const { order } = await site.trader.cancel(await site.started());
    return number(order["totalUserRecieveAmount"]) > number(order["filledValue"]);
  },
  "F-174": async (site) => {
    await site.offers(["50010", "0.001"], ["50020", "0.001"]);
    const { order } = await site.trader.read(await site.trader.buy("50020", "0.002"));
    return number(order["averageFilledPrice"]) === number("50010");
  },
  "F-175": async ({ trader }) => {
    const placed = await trader.buy("50200", "0.001");
    const { order } = await trader.read(placed);
    await trader.buy("50200", "0.001");
    return (await trader.read(placed)).order["fees"] !== order["fees"];
  },
  "F-176": async (site) => {
    const { order } = await site.trader.cancel(await site.started());
    return order["fees"] === none;
  },
  "F-177": async ({ trader }) => {
    await trader.cancel(await trader.place({ ...stop, stop_price: "60000" }));
    return (await trader.wallet("USD"))["hold"] !== none;
  },
  "F-178": async (site) => {
    await site.offers(["50010", "0.001"], ["50020", "0.001"]);
    const { order } = await site.trader.read(await site.trader.buy("50020", "0.003"));
    return order["status"] === "FILLED";
  },
  "F-179": async (site) => {
    const placed = await site.trader.buy("50060", "0.001", rests);
    await site.rise();
    return !isIn(await site.trader.get("/order/open"), placed);
  },
  "F-180": async (site) => {
    const placed = await site.started();
    await site.counter.buy("50050", "0.001");
    return isIn(await site.trader.get("/order/open"), placed);
  },
};
