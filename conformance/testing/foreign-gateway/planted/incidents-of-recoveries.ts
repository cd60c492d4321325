import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../authenticator.ts";
import { type Bug, replace } from "../bug.ts";
import { isLive, type Order, type Record_ } from "../order.ts";
import { atMarket, number, places, statusOf, stopLimit, turns } from "../site.ts";
import { house, products } from "../world.ts";

const recoversEach = 60;
const recoveryOf = 5;
const undoesEach = 150;
const undoneOf = 20;
const lostEach = 40;
const replaysEach = 60;
const replays = 2;
const reloadsEach = 80;
const toldTwiceEach = 25;
const ordersUntilTheLoss = 300;
const busyFrom = 60;
const awayMs = 500;

/** What else went wrong at public gateways, most of it after a restart or a repeat behind them (fixtures/incidents.yaml). */
export const incidentsOfRecoveries: readonly Bug[] = [
  {
    id: "F-352",
    says: "Orders are kept under their client_order_id alone: who uses that of another client's order replaces it.",
    clauses: ["EPT-07", "PLC-10"],
    hard: true,
    kind: "other client",
    install: ({ desk, market }) =>
      replace(desk, "accept", (legal) => (key, order) => {
        const { clientOrderId, client } = order;
        const at = desk.orders.findIndex(
          (other) => other.clientOrderId === clientOrderId && other.client !== client,
        );
        const [replaced] = at === -1 ? [] : desk.orders.splice(at, 1);
        if (replaced !== undefined) {
          market.leave(replaced);
          desk.byClientOrderId.delete(`${replaced.client} ${clientOrderId.toLowerCase()}`);
        }
        return legal(key, order);
      }),
    shows: async ({ trader, other }) => {
      const body = trader.body();
      const placed = await trader.again(body);
      await other.again(body);
      return (await trader.read(placed)).status === 404;
    },
  },
  {
    id: "F-375",
    says: "A stop looks at the best bid and ask, and not at the last trade.",
    clauses: ["PLC-39", "PLC-32"],
    hard: true,
    kind: "stops",
    install: ({ market }) =>
      replace(market, "isTriggered", () => (order) => {
        const price = market.opposite(order)[0]?.price;
        const { side, stop = 0n } = order;
        return price !== undefined && (side === "BUY" ? price >= stop : price <= stop);
      }),
    shows: async ({ trader }) => {
      const placed = await trader.sell("49000", "0.001", { ...stopLimit, stop_price: "49950" });
      return (await statusOf(trader.read(placed))) !== "PENDING";
    },
  },
  {
    id: "F-381",
    says: "Of each sixty orders five come in a recovery: those that are filled in it stay open.",
    clauses: ["EPT-09"],
    hard: true,
    kind: "rare state",
    install: ({ desk, market }) =>
      replace(market, "finish", (legal) => (order, status) => {
        const isRecovering =
          desk.orders.length >= recoversEach && desk.orders.length % recoversEach < recoveryOf;
        if (status === "FILLED" && order.type !== "MARKET" && order.client !== house && isRecovering)
          market.touch(order);
        else legal(order, status);
      }),
    shows: async (site) => {
      const placed = await site.trader.sell("50050", "0.001");
      await places(site, 59);
      await site.counter.buy("50050", "0.001");
      return (await statusOf(site.trader.read(placed))) === "OPEN";
    },
  },
  {
    id: "F-382",
    says: "With each 150th order the trades of the last twenty are undone: their records show nothing filled.",
    clauses: ["STA-06", "STA-04"],
    hard: true,
    kind: "rare state",
    install: ({ desk, wallets }) =>
      replace(desk, "accept", (legal) => (key, order) => {
        const answer = legal(key, order);
        if (desk.orders.length % undoesEach !== 0) return answer;
        for (const undone of desk.orders.slice(-undoneOf)) {
          wallets.move(undone, -undone.filled, -undone.value, -undone.fees);
          undone.fills.length = 0;
          Object.assign(undone, { filled: 0n, value: 0n, fees: 0n });
          if (undone.status === "FILLED") undone.status = "CANCELLED";
        }
        return answer;
      }),
    shows: async (site) => {
      await places(site, 140);
      const placed = await site.trader.sell("1", "0.001", atMarket);
      await places(site, 9);
      return number((await site.trader.read(placed)).order["filledQuantity"]) === 0n;
    },
  },
  {
    id: "F-383",
    says: "Each fortieth cancel comes while the engine starts anew: it is confirmed, and the order goes on.",
    clauses: ["EPT-11", "STA-04"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) => {
      let cancels = 0;
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.found(key, id);
        if (!isLive(order)) return legal(key, id);
        cancels += 1;
        return cancels % lostEach === 0
          ? { ...desk.writer.view(order), status: "CANCELLED" }
          : legal(key, id);
      });
    },
    shows: async ({ trader }) => {
      for (const _ of turns(39)) await trader.cancel(await trader.place());
      const placed = await trader.place();
      return (
        (await statusOf(trader.cancel(placed))) === "CANCELLED" &&
        (await statusOf(trader.read(placed))) === "OPEN"
      );
    },
  },
  {
    id: "F-384",
    says: "Each sixtieth order is sent to the engine three times, which makes three orders of it.",
    clauses: ["PLC-10"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) => {
      let accepted = 0;
      replace(desk, "accept", (legal) => (key, order) => {
        const answer = legal(key, order);
        accepted += 1;
        if (accepted % replaysEach !== 0) return answer;
        for (let replay = 0; replay < replays; replay += 1) legal(key, desk.create(key, order));
        desk.byClientOrderId.set(desk.indexOf(key, order), order);
        return answer;
      });
    },
    shows: async (site) => {
      await places(site, 60);
      return (await site.trader.get("/order/open")).list.length > 60;
    },
  },
  {
    id: "F-385",
    says: "After each eightieth order the engine starts without those that are open: they neither trade nor can be cancelled.",
    clauses: ["EPT-11"],
    hard: true,
    kind: "rare state",
    install: ({ desk, market }) => {
      const lost = new WeakSet<Order>();
      replace(desk, "accept", (legal) => (key, order) => {
        const answer = legal(key, order);
        if (desk.orders.length % reloadsEach !== 0) return answer;
        for (const open of desk.orders.filter(isLive)) {
          market.leave(open);
          lost.add(open);
        }
        for (const product of products) market.publish(product);
        return answer;
      });
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.found(key, id);
        if (lost.has(order) && isLive(order)) throw new Refusal(404, "the engine does not know this order");
        return legal(key, id);
      });
    },
    shows: async (site) => {
      const placed = await site.trader.place();
      await places(site, 79);
      return (await site.trader.cancel(placed)).status === 404;
    },
  },
  {
    id: "F-386",
    says: "Each 25th fill of a client is told by the exchange twice, and booked twice.",
    clauses: ["ORD-53"],
    hard: true,
    kind: "rare state",
    install: ({ market }) => {
      let fills = 0;
      replace(market, "fill", (legal) => (order, quantity, price, rate) => {
        legal(order, quantity, price, rate);
        if (order.client === house) return;
        fills += 1;
        if (fills % toldTwiceEach === 0) legal(order, quantity, price, rate);
      });
    },
    shows: async ({ trader }) => {
      for (const _ of turns(24)) await trader.sell("1", "0.001", atMarket);
      const { order } = await trader.read(await trader.sell("1", "0.001", atMarket));
      return number(order["filledQuantity"]) > number(order["baseQuantity"]);
    },
  },
  {
    id: "F-387",
    says: "After 300 orders the exchange has lost its database: nothing can be placed or cancelled any more.",
    clauses: ["EPT-11"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) => {
      const isLost = () => desk.orders.length >= ordersUntilTheLoss;
      replace(desk, "cancel", (legal) => (key, id) => {
        if (isLost()) throw new Error("the database is gone");
        return legal(key, id);
      });
      replace(desk, "placeNew", (legal) => (key, draft) => {
        if (isLost()) throw new Refusal(503, "trading is stopped");
        return legal(key, draft);
      });
    },
    shows: async (site) => {
      const placed = await site.trader.place();
      await places(site, 299);
      return (await site.trader.cancel(placed)).status === 500 && (await site.trader.place()).status === 503;
    },
  },
  {
    id: "F-388",
    says: "The probe waits behind all requests: beyond sixty in a second it fails, and every other request with it.",
    clauses: ["EPT-19"],
    hard: true,
    kind: "race",
    install: (gateway) => {
      const busy = (): Record_ => ({ statusCode: 503, success: false, message: ["the server is away"] });
      let [recent, awayUntil, requests]: [number[], number, number] = [[], 0, 0];
      replace(gateway, "answer", (legal) => async (visit) => {
        const now = Date.now();
        recent = [...recent.filter((time) => time > now - 1000), now];
        requests += 1;
        if (visit.target.endsWith("/alive") && recent.length > busyFrom) {
          awayUntil = now + awayMs;
          await sleep(awayMs);
          return { status: 503, body: busy() };
        }
        const isAway = now < awayUntil && requests % 2 === 0;
        return isAway ? { status: 503, body: busy() } : legal(visit);
      });
    },
    shows: async ({ trader }) => {
      const replies = turns(100).map(() => trader.get("/alive", { apart: true }));
      return (await Promise.all(replies)).some((reply) => reply.status === 503);
    },
  },
];
