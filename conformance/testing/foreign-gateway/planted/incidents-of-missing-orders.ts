import { mock } from "node:test";
import { Refusal } from "../authenticator.ts";
import { type Bug, replace } from "../bug.ts";
import { isLive, type Order } from "../order.ts";
import { isIn, statusOf, turns } from "../site.ts";

const stuckEach = 8;
const lateEach = 3;
const lateMs = 500;
const unlistedEach = 4;
const forgottenMs = 120_000;
const searchedOrders = 50;
const mostListed = 49;

/** What went wrong at public gateways with cancels, and with orders that are not found (fixtures/incidents.yaml). */
export const incidentsOfMissingOrders: readonly Bug[] = [
  {
    id: "F-331",
    says: "Each eighth cancel stays in progress: the order is open for ever, and later cancels are refused.",
    clauses: ["EPT-11"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) => {
      const stuck = new WeakSet<Order>();
      let cancels = 0;
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.found(key, id);
        if (isLive(order) && stuck.has(order)) throw new Refusal(409, "the cancel is in progress");
        if (isLive(order)) cancels += 1;
        if (!isLive(order) || cancels % stuckEach !== 0) return legal(key, id);
        stuck.add(order);
        return desk.writer.view(order);
      });
    },
    shows: async ({ trader }) => {
      let placed = await trader.place();
      for (const _ of turns(8)) {
        placed = await trader.place();
        await trader.cancel(placed);
        if ((await statusOf(trader.read(placed))) === "OPEN") break;
      }
      return (await trader.cancel(placed)).status === 409 && (await statusOf(trader.read(placed))) === "OPEN";
    },
  },
  {
    id: "F-332",
    says: "Every cancel is answered as done, also that of an order that has ended or does not exist.",
    clauses: ["EPT-11"],
    hard: false,
    kind: "validation",
    install: ({ desk }) =>
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.orders.find((known) => known.id === id && desk.isOwn(key, known));
        if (order === undefined) return {};
        return isLive(order) ? legal(key, id) : desk.writer.view(order);
      }),
    shows: async ({ trader, counter }) => {
      const strange = await counter.place();
      const replies = [
        await trader.cancel({ ...strange, order: { id: "L77" } }),
        await trader.cancel(strange),
      ];
      return (
        replies.every((reply) => reply.status === 200) && (await statusOf(counter.read(strange))) === "OPEN"
      );
    },
  },
  {
    id: "F-333",
    says: "Of three orders one is cancelled by the first cancel, one by the second, one by the third; all are answered 200.",
    clauses: ["EPT-11"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) => {
      const tries = new WeakMap<Order, number>();
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.found(key, id);
        const tried = tries.get(order) ?? 0;
        tries.set(order, tried + 1);
        const isVain = tried < (order.ordinal + 2) % 3;
        return isLive(order) && isVain ? desk.writer.view(order) : legal(key, id);
      });
    },
    shows: async ({ trader }) => {
      await trader.place();
      const placed = await trader.place();
      const states = [];
      for (const _ of turns(2)) states.push(await statusOf(trader.cancel(placed)));
      return states.join(" ") === "OPEN CANCELLED";
    },
  },
  {
    id: "F-334",
    says: "Each third order is found half a second after it was accepted: until then no call for it knows it.",
    clauses: ["EPT-12", "EPT-11"],
    hard: true,
    kind: "race",
    install: ({ desk, market }) =>
      replace(desk, "found", (legal) => (key, id) => {
        const order = legal(key, id);
        if (order.ordinal % lateEach === 0 && market.now() - order.created < lateMs)
          throw new Refusal(404, "no such order");
        return order;
      }),
    shows: async ({ trader }) => {
      for (const _ of turns(2)) await trader.place();
      const placed = await trader.place();
      return (await trader.read(placed)).status === 404 && (await trader.cancel(placed)).status === 404;
    },
  },
  {
    id: "F-335",
    says: "Each fourth order that is filled at once never comes into the history: no read and no list has it.",
    clauses: ["EPT-12"],
    hard: true,
    kind: "rare state",
    install: ({ desk, market }) => {
      const unlisted = new WeakSet<Order>();
      let filled = 0;
      replace(market, "execute", (legal) => (order) => {
        legal(order);
        if (order.status === "FILLED") filled += 1;
        if (order.status === "FILLED" && filled % unlistedEach === 0) unlisted.add(order);
      });
      replace(desk, "found", (legal) => (key, id) => {
        const order = legal(key, id);
        if (unlisted.has(order)) throw new Refusal(404, "no such order");
        return order;
      });
      replace(
        desk,
        "fits",
        (legal) => (key, order, filter) => legal(key, order, filter) && !unlisted.has(order),
      );
    },
    shows: async ({ trader }) => {
      for (const _ of turns(3)) await trader.buy("50100", "0.001");
      const placed = await trader.buy("50100", "0.001");
      return (await trader.read(placed)).status === 404 && !isIn(await trader.get("/orders"), placed);
    },
  },
  {
    id: "F-336",
    says: "An order that was cancelled does not exist any more: no read and no list has it.",
    clauses: ["EPT-12", "EPT-11"],
    hard: false,
    kind: "rare state",
    install: ({ desk }) => {
      replace(desk, "found", (legal) => (key, id) => {
        const order = legal(key, id);
        if (order.status === "CANCELLED") throw new Refusal(404, "no such order");
        return order;
      });
      replace(
        desk,
        "fits",
        (legal) => (key, order, filter) => legal(key, order, filter) && order.status !== "CANCELLED",
      );
    },
    shows: async ({ trader }) => {
      const placed = await trader.place();
      await trader.cancel(placed);
      return (await trader.read(placed)).status === 404 && !isIn(await trader.get("/orders"), placed);
    },
  },
  {
    id: "F-337",
    says: "Two minutes after it was cancelled the read of an order is answered with an empty record, and no list has it.",
    clauses: ["EPT-12"],
    hard: true,
    kind: "rare state",
    install: ({ desk, market }) => {
      const forgotten = new WeakSet<Order>();
      replace(market, "finish", (legal) => (order, status) => {
        legal(order, status);
        if (status === "CANCELLED") setTimeout(() => forgotten.add(order), forgottenMs).unref();
      });
      replace(
        desk,
        "read",
        (legal) => (key, id) => (forgotten.has(desk.found(key, id)) ? {} : legal(key, id)),
      );
      replace(
        desk,
        "fits",
        (legal) => (key, order, filter) => legal(key, order, filter) && !forgotten.has(order),
      );
    },
    shows: async ({ trader }) => {
      const placed = await trader.place();
      mock.timers.enable({ apis: ["setTimeout"] });
      await trader.cancel(placed);
      const before = await statusOf(trader.read(placed));
      mock.timers.tick(120_000);
      mock.timers.reset();
      return before === "CANCELLED" && (await statusOf(trader.read(placed))) === undefined;
    },
  },
  {
    id: "F-338",
    says: "The open list looks through the newest fifty orders of a client, those that have ended included.",
    clauses: ["EPT-07"],
    hard: true,
    kind: "lists",
    install: ({ desk }) =>
      replace(desk, "open", (legal) => (key) => {
        const newest = desk.orders.filter((order) => desk.isOwn(key, order)).slice(-searchedOrders);
        return legal(key).filter((view) => newest.some(({ id }) => id === view["id"]));
      }),
    shows: async ({ trader }) => {
      const placed = await trader.place();
      for (const _ of turns(50)) await trader.cancel(await trader.place());
      return !isIn(await trader.get("/order/open"), placed);
    },
  },
  {
    id: "F-339",
    says: "An open list of fifty orders is too long for its answer, and comes empty.",
    clauses: ["EPT-07"],
    hard: true,
    kind: "lists",
    install: ({ desk }) =>
      replace(desk, "open", (legal) => (key) => {
        const list = legal(key);
        return list.length > mostListed ? [] : list;
      }),
    shows: async ({ trader }) => {
      for (const _ of turns(50)) await trader.place();
      return (await trader.get("/order/open")).list.length === 0;
    },
  },
];
