import { isIn, type Misbehaves, market, number } from "../site.ts";

/** F-312 to F-320: what went wrong in public matching engines with the size, the price and the counterpart of a trade. */
export const trialsOfTrades: Readonly<Record<string, Misbehaves>> = {
  "F-312": async ({ trader }) => {
    const { order } = await trader.read(await trader.place({ ...market, quote_value: "1000" }));
    return order["status"] === "FILLED" && number(order["filledValue"]) < number("960");
  },
  "F-313": async (site) => {
    await site.offers(["50010", "0.005"]);
    const { order } = await site.trader.read(await site.trader.buy("50010", "0.001"));
    return order["filledQuantity"] === "0.00500000";
  },
  "F-314": async ({ trader }) => {
    let placed = await trader.buy("50100", "0.001");
    for (let order = 1; order < 5; order += 1) placed = await trader.buy("50100", "0.001");
    for (let order = 0; order < 4; order += 1) await trader.place();
    return (await trader.read(placed)).order["filledQuantity"] === "0.00400000";
  },
  "F-315": async ({ trader }) => {
    const { order } = await trader.read(await trader.buy("50200", "0.001"));
    return order["averageFilledPrice"] === "50200.00000000";
  },
  "F-316": async ({ trader }) => {
    const [sold, bought] = [await trader.sell("49000", "0.001"), await trader.buy("50200", "0.001")];
    const prices = [(await trader.read(sold)).order, (await trader.read(bought)).order];
    return prices.map((order) => order["averageFilledPrice"]).join(" ") === "49000.00000000 50100.00000000";
  },
  "F-317": async ({ trader }) => {
    const { order } = await trader.read(await trader.sell("1", "0.001", market));
    return order["averageFilledPrice"] === "49000.00000000";
  },
  "F-318": async (site) => {
    const placed = await site.started();
    await site.other.buy("50050", "0.002");
    return (await site.trader.read(placed)).order["filledQuantity"] === "0.00300000";
  },
  "F-319": async ({ trader, counter }) => {
    const body = trader.body({ side: "SELL", price: "50050", base_quantity: "0.002" });
    await trader.again(body);
    await counter.buy("50050", "0.001");
    return (await trader.again(body)).order["filledQuantity"] === "0.00300000";
  },
  "F-320": async ({ trader, counter }) => {
    const placed = await trader.place();
    await counter.place();
    return !isIn(await trader.get("/order/open"), placed);
  },
};
