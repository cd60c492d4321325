import { setTimeout as sleep } from "node:timers/promises";
import { amountOf, textOf } from "../amounts.ts";
import { Refusal } from "../authenticator.ts";
import { type Bug, replace } from "../bug.ts";
import { isLive, type Order, type Record_ } from "../order.ts";
import { none, onRise } from "../site.ts";

export const bugsOfRepeats: readonly Bug[] = [
  {
    id: "F-161",
    says: "A client_order_id is remembered while its order is in the book: one that trades at once can be repeated.",
    clauses: ["PLC-17", "PLC-10", "PLC-11", "PLC-12"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) =>
      replace(desk, "accept", (legal) => (key, order) => {
        const result = legal(key, order);
        if (!isLive(order)) desk.byClientOrderId.delete(desk.indexOf(key, order));
        return result;
      }),
    shows: async ({ trader }) => {
      const body = trader.body({ price: "50200" });
      await trader.again(body);
      return (await trader.again(body)).data["type"] === "NEW_ORDER";
    },
  },
  {
    id: "F-162",
    says: "The client_order_id of an order that was refused for its size is locked for a second: it is answered 409.",
    clauses: ["PLC-34"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) => {
      const locked = new Map<string, number>();
      replace(desk, "placeNew", (legal) => (key, draft) => {
        const id = desk.indexOf(key, draft);
        if (Date.now() - (locked.get(id) ?? 0) < 1000) throw new Refusal(409, "this order is being placed");
        locked.set(id, Date.now());
        const result = legal(key, draft);
        locked.delete(id);
        return result;
      });
    },
    shows: async ({ trader }) => {
      const body = trader.body();
      await trader.again({ ...body, base_quantity: "26" });
      return (await trader.again(body)).status === 409;
    },
  },
  {
    id: "F-163",
    says: "A repeat that arrives while its order is being placed is called a duplicate, and there is no order with it.",
    clauses: ["RES-04", "PLC-12", "PLC-16"],
    hard: true,
    kind: "race",
    install: ({ desk }) => {
      const running = new Set<string>();
      replace(desk, "place", (legal) => async (key, draft) => {
        const id = desk.indexOf(key, draft);
        if (running.has(id)) return { type: "DUPLICATE_REPLAY", message: "this order is being placed" };
        running.add(id);
        await sleep(10);
        try {
          return await legal(key, draft);
        } finally {
          running.delete(id);
        }
      });
    },
    shows: async ({ trader }) => {
      const body = trader.body();
      const raced = await Promise.all([1, 2, 3, 4].map(() => trader.again(body, { apart: true })));
      return raced.some(({ data }) => data["type"] === "DUPLICATE_REPLAY" && data["order"] === undefined);
    },
  },
  {
    id: "F-164",
    says: "Requests of a client with one client_order_id that arrive together are all answered NEW_ORDER.",
    clauses: ["PLC-16", "PLC-11"],
    hard: true,
    kind: "race",
    install: ({ desk }) => {
      const running = new Map<string, Promise<Record_>>();
      replace(desk, "place", (legal) => (key, draft) => {
        const id = desk.indexOf(key, draft);
        const result =
          running.get(id) ??
          sleep(10)
            .then(() => legal(key, draft))
            .finally(() => running.delete(id));
        running.set(id, result);
        return result;
      });
    },
    shows: async ({ trader }) => {
      const body = trader.body();
      const raced = await Promise.all([1, 2, 3, 4].map(() => trader.again(body, { apart: true })));
      return raced.filter(({ data }) => data["type"] === "NEW_ORDER").length > 1;
    },
  },
  {
    id: "F-165",
    says: "A repeat with another price is answered with the original, and the original has that price from then on.",
    clauses: ["PLC-14", "PLC-12", "ORD-45"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) =>
      replace(desk, "replay", (legal) => (original, draft) => {
        const result = legal(original, draft);
        const { type, side, price } = draft;
        if (original.status === "OPEN" && type === original.type && side === original.side)
          Object.assign(original, { price });
        return result;
      }),
    shows: async ({ trader }) => {
      const body = trader.body();
      const placed = await trader.again(body);
      const repeat = await trader.again({ ...body, price: "29000" });
      const { order } = await trader.read(placed);
      return repeat.order["limitPrice"] !== order["limitPrice"];
    },
  },
  {
    id: "F-166",
    says: "An amount that is a list with one text in it passes as that text.",
    clauses: ["REQ-20", "REQ-05", "REQ-07", "REQ-09", "REQ-12"],
    hard: false,
    kind: "validation",
    install: ({ orderReader }) =>
      replace(orderReader, "positive", (legal) => (body, field) => {
        const value = body[field];
        return legal(Array.isArray(value) ? { ...body, [field]: String(value) } : body, field);
      }),
    shows: async ({ trader }) => (await trader.place({ base_quantity: ["0.001"] })).status === 200,
  },
  {
    id: "F-167",
    says: "What an ended order held is given back as a number of fifteen digits: a rest of longer sums stays held.",
    clauses: ["PLC-36"],
    hard: true,
    kind: "arithmetic",
    install: ({ wallets }) =>
      replace(wallets, "hold", (legal) => (order, amount) => {
        if (amount > 0n) return legal(order, amount);
        const back = amountOf(Number(textOf(order.held)).toPrecision(15)) ?? order.held;
        wallets.of(order.client, wallets.assetOf(order)).hold += order.held - back;
        legal(order, 0n);
      }),
    shows: async ({ trader }) => {
      await trader.cancel(await trader.buy("30000.07", "0.12345679"));
      return (await trader.wallet("USD"))["hold"] !== none;
    },
  },
  {
    id: "F-168",
    says: "A stop that has gone off goes on under another id.",
    clauses: ["ORD-39", "PLC-12"],
    hard: true,
    kind: "stops",
    install: ({ market }) =>
      replace(market, "execute", (legal) => (order) => {
        if (order.status === "PENDING") order.id = `${order.id}-T`;
        legal(order);
      }),
    shows: async (site) => {
      const placed = await site.trader.buy("50060", "0.001", onRise);
      await site.rise();
      return (await site.trader.read(placed)).status === 404;
    },
  },
  {
    id: "F-169",
    says: "That a client_order_id has been used is known on other connections a second later.",
    clauses: ["PLC-15", "PLC-10", "PLC-11", "PLC-16"],
    hard: true,
    kind: "race",
    install: (gateway) => {
      const { desk } = gateway;
      const placedOn = new WeakMap<Order, object>();
      let current: object | undefined;
      replace(gateway, "place", (legal) => (call) => {
        current = call.visit.connection;
        return legal(call);
      });
      replace(desk, "accept", (legal) => (key, order) => {
        if (current !== undefined) placedOn.set(order, current);
        return legal(key, order);
      });
      replace(desk, "earlier", (legal) => (key, draft) => {
        const order = legal(key, draft);
        if (order === undefined || placedOn.get(order) === current) return order;
        return Date.now() - order.created < 1000 ? undefined : order;
      });
    },
    shows: async ({ trader }) => {
      const body = trader.body();
      await trader.again(body);
      return (await trader.again(body, { apart: true })).data["type"] === "NEW_ORDER";
    },
  },
  {
    id: "F-170",
    says: "The repeat of an open order holds its funds a second time.",
    clauses: ["PLC-36"],
    hard: true,
    kind: "money",
    install: ({ desk, wallets }) =>
      replace(desk, "replay", (legal) => (original, draft) => {
        wallets.of(original.client, wallets.assetOf(original)).hold += original.held;
        return legal(original, draft);
      }),
    shows: async ({ trader }) => {
      const body = trader.body();
      const placed = await trader.again(body);
      await trader.again(body);
      await trader.cancel(placed);
      return (await trader.wallet("USD"))["hold"] !== none;
    },
  },
];
