import { mock } from "node:test";
import { isIn, type Misbehaves, status } from "../site.ts";

const times = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** F-331 to F-344: what went wrong at public gateways with cancels, with orders that are not found, and with messages. */
export const trialsOfMissingOrders: Readonly<Record<string, Misbehaves>> = {
  "F-331": async ({ trader }) => {
    let placed = await trader.place();
    for (const _ of times(8)) {
      placed = await trader.place();
      await trader.cancel(placed);
      if ((await status(trader.read(placed))) === "OPEN") break;
    }
    return (await trader.cancel(placed)).status === 409 && (await status(trader.read(placed))) === "OPEN";
  },
  "F-332": async ({ trader, counter }) => {
    const strange = await counter.place();
    const replies = [await trader.cancel({ ...strange, order: { id: "L77" } }), await trader.cancel(strange)];
    return replies.every((reply) => reply.status === 200) && (await status(counter.read(strange))) === "OPEN";
  },
  "F-333": async ({ trader }) => {
    await trader.place();
    const placed = await trader.place();
    const states = [];
    for (const _ of times(2)) states.push(await status(trader.cancel(placed)));
    return states.join(" ") === "OPEN CANCELLED";
  },
  "F-334": async ({ trader }) => {
    for (const _ of times(2)) await trader.place();
    const placed = await trader.place();
    return (await trader.read(placed)).status === 404 && (await trader.cancel(placed)).status === 404;
  },
  "F-335": async ({ trader }) => {
    for (const _ of times(3)) await trader.buy("50100", "0.001");
    const placed = await trader.buy("50100", "0.001");
    return (await trader.read(placed)).status === 404 && !isIn(await trader.get("/orders"), placed);
  },
  "F-336": async ({ trader }) => {
    const placed = await trader.place();
    await trader.cancel(placed);
    return (await trader.read(placed)).status === 404 && !isIn(await trader.get("/orders"), placed);
  },
  "F-337": async ({ trader }) => {
    const placed = await trader.place();
    mock.timers.enable({ apis: ["setTimeout"] });
    await trader.cancel(placed);
    const before = await status(trader.read(placed));
    mock.timers.tick(120_000);
    mock.timers.reset();
    return before === "CANCELLED" && (await status(trader.read(placed))) === undefined;
  },
  "F-338": async ({ trader }) => {
    const placed = await trader.place();
    for (const _ of times(50)) await trader.cancel(await trader.place());
    return !isIn(await trader.get("/order/open"), placed);
  },
  "F-339": async ({ trader }) => {
    for (const _ of times(50)) await trader.place();
    return (await trader.get("/order/open")).list.length === 0;
  },
  "F-340": async (site) => {
    const feed = await site.trader.ownFeed();
    await site.trader.cancel(await site.started());
    const last = (await feed.heard()).at(-1);
    return last?.["status"] === "CANCELLED" && last["filledQuantity"] === "0.00200000";
  },
  "F-341": async ({ trader }) => {
    const feed = await trader.ownFeed();
    const placed = await trader.buy("50100", "0.001");
    const told = (await feed.heard()).at(-1)?.["status"];
    const isListed = isIn(await trader.get("/order/open"), placed);
    return told === "FILLED" && isListed && (await status(trader.read(placed))) === "OPEN";
  },
  "F-342": async ({ trader }) => {
    const feed = await trader.ownFeed();
    const placed = await trader.buy("50100", "0.001");
    const told = (await feed.heard()).at(-1)?.["status"];
    return told === "OPEN" && (await status(trader.read(placed))) === "FILLED";
  },
  "F-343": async ({ trader }) => {
    const feeds = [];
    for (const _ of times(5)) feeds.push(await trader.ownFeed());
    await trader.place();
    const counts = [];
    for (const feed of feeds) counts.push((await feed.heard()).length);
    return counts.join(" ") === "2 2 2 2 0";
  },
  "F-344": async ({ trader }) => {
    const feed = await trader.ownFeed();
    await trader.place();
    return (await feed.heard()).every(({ clientOrderId }) => clientOrderId === "");
  },
};
