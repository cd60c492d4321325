import { Refusal } from "../authenticator.ts";
import { type Bug, replace } from "../bug.ts";
import { isLive, leftOf, type Order } from "../order.ts";
import { atMarket, atOnce, filledOf, isIn, none, onRise, statusOf, stopLimit, waits } from "../site.ts";
import { house } from "../world.ts";

const justNowMs = 50;

/** What went wrong at public gateways with stops, with the states of orders, with cancels and with holds (fixtures/incidents.yaml). */
export const incidentsOfStates: readonly Bug[] = [
  {
    id: "F-247",
    says: "Whether a stop has gone off is not kept: it is out of the book again while the price is back before its trigger.",
    clauses: ["PLC-37", "PLC-39"],
    hard: true,
    kind: "stops",
    install: ({ market }) =>
      replace(
        market,
        "opposite",
        (legal) => (taker) =>
          legal(taker).filter((maker) => maker.type !== "STOP_LIMIT" || market.isTriggered(maker)),
      ),
    shows: async (site) => {
      const { trader, counter, other } = site;
      const placed = await trader.buy("50060", "0.001", onRise);
      await site.rise();
      await other.buy("50070", "0.001");
      await counter.sell("50070", "0.001");
      await counter.sell("50060", "0.001");
      return (await filledOf(trader.read(placed))) === 0n;
    },
  },
  {
    id: "F-248",
    says: "A STOP_LIMIT SELL whose limit is above its trigger is sold at the price that set it off, below its limit.",
    clauses: ["PLC-31"],
    hard: true,
    kind: "stops",
    install: ({ market }) =>
      replace(market, "crosses", (legal) => (taker, maker) => {
        const last = market.last.get(taker.product.id) ?? 0n;
        const isBelow = taker.type === "STOP_LIMIT" && taker.side === "SELL" && last < (taker.price ?? 0n);
        return legal(isBelow ? { ...taker, price: last } : taker, maker);
      }),
    shows: async ({ trader, counter }) => {
      await counter.sell("1", "0.001", atMarket);
      const placed = await trader.sell("49980", "0.001", { ...stopLimit, stop_price: "49950" });
      return (await filledOf(trader.read(placed))) > 0n;
    },
  },
  {
    id: "F-249",
    says: "A cancel that comes within 50 milliseconds of the last fill cancels the filled order.",
    clauses: ["STA-04"],
    hard: true,
    kind: "race",
    install: ({ desk, market }) =>
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.found(key, id);
        if (order.status !== "FILLED" || market.now() - order.updated > justNowMs) return legal(key, id);
        market.finish(order, "CANCELLED");
        return desk.writer.view(order);
      }),
    shows: async ({ trader, counter }) => {
      const placed = await trader.sell("50050", "0.001");
      await counter.buy("50050", "0.001");
      return (await trader.cancel(placed)).status === 200;
    },
  },
  {
    id: "F-250",
    says: "While a client has more than three open orders, a cancel is acknowledged and not carried out.",
    clauses: ["EPT-11"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) =>
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.found(key, id);
        return isLive(order) && desk.open(key).length > 3 ? desk.writer.view(order) : legal(key, id);
      }),
    shows: async ({ trader }) => {
      const placed = await trader.place();
      for (let order = 0; order < 3; order += 1) await trader.place();
      await trader.cancel(placed);
      return (await statusOf(trader.read(placed))) === "OPEN";
    },
  },
  {
    id: "F-251",
    says: "An order to cancel is looked for in the book: a stop that waits is not found.",
    clauses: ["EPT-11"],
    hard: true,
    kind: "stops",
    install: ({ desk }) =>
      replace(desk, "cancel", (legal) => (key, id) => {
        if (desk.found(key, id).status === "PENDING") throw new Refusal(404, "no such order");
        return legal(key, id);
      }),
    shows: async ({ trader }) => (await trader.cancel(await trader.place(waits))).status === 404,
  },
  {
    id: "F-252",
    says: "A stop that was filled wholly stays in the list of stops, and goes off again with the next order.",
    clauses: ["STA-04", "EPT-09"],
    hard: true,
    kind: "stops",
    install: ({ market }) => {
      const lingering = new Set<Order>();
      replace(market, "finish", (legal) => (order, status) => {
        legal(order, status);
        if (order.type === "STOP_LIMIT" && status === "FILLED") lingering.add(order);
      });
      replace(market, "enter", (legal) => (order) => {
        for (const stop of lingering) if (stop.product === order.product) market.waiting.push(stop);
        for (const stop of market.waiting) lingering.delete(stop);
        legal(order);
      });
    },
    shows: async ({ trader, counter }) => {
      const placed = await trader.buy("50200", "0.001", atOnce);
      await counter.place();
      return (await statusOf(trader.read(placed))) === "OPEN";
    },
  },
  {
    id: "F-253",
    says: "When a fill changes a client's funds, its orders of that side are checked again: cancelled ones count as open.",
    clauses: ["STA-04", "EPT-09"],
    hard: true,
    kind: "rare state",
    install: ({ desk, market }) =>
      replace(market, "fill", (legal) => (filled, ...rest) => {
        legal(filled, ...rest);
        for (const order of desk.orders) {
          const isChecked =
            order !== filled &&
            order.client === filled.client &&
            order.product === filled.product &&
            order.side === filled.side;
          if (isChecked && order.status === "CANCELLED" && order.type === "LIMIT") order.status = "OPEN";
        }
      }),
    shows: async ({ trader }) => {
      const placed = await trader.place();
      await trader.cancel(placed);
      await trader.buy("50100", "0.001");
      return (await statusOf(trader.read(placed))) === "OPEN";
    },
  },
  {
    id: "F-254",
    says: "When an order is refused for lack of funds, the client's newest open order of that product is held for ever.",
    clauses: ["PLC-36"],
    hard: true,
    kind: "money",
    install: ({ desk, market }) => {
      const stuck = new WeakSet<Order>();
      replace(desk, "refuseFunds", (legal) => (order) => {
        const newest = desk.orders.findLast(
          ({ client, product, status }) =>
            client === order.client && product === order.product && status === "OPEN",
        );
        if (newest !== undefined) stuck.add(newest);
        return legal(order);
      });
      replace(
        market,
        "holdFor",
        (legal) => (order) => (stuck.has(order) && !isLive(order) ? order.held : legal(order)),
      );
    },
    shows: async ({ trader }) => {
      const placed = await trader.place();
      await trader.buy("100000000", "25");
      await trader.cancel(placed);
      return (await trader.wallet("USD"))["hold"] !== none;
    },
  },
  {
    id: "F-255",
    says: "The cancel of a stop that waits is answered as done, and the stop goes on waiting.",
    clauses: ["EPT-11", "EPT-09"],
    hard: true,
    kind: "stops",
    install: ({ desk }) =>
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.found(key, id);
        return order.status === "PENDING"
          ? { ...desk.writer.view(order), status: "CANCELLED" }
          : legal(key, id);
      }),
    shows: async ({ trader }) => {
      const placed = await trader.place(waits);
      return (
        (await trader.cancel(placed)).status === 200 && (await statusOf(trader.read(placed))) === "PENDING"
      );
    },
  },
  {
    id: "F-256",
    says: "Reading a stop that has gone off is answered 500.",
    clauses: ["EPT-12", "ERR-09"],
    hard: true,
    kind: "stops",
    install: ({ desk, market }) => {
      const triggered = new WeakSet<Order>();
      replace(market, "execute", (legal) => (order) => {
        if (order.type === "STOP_LIMIT") triggered.add(order);
        legal(order);
      });
      replace(desk, "read", (legal) => (key, id) => {
        if (triggered.has(desk.found(key, id))) throw new Error("order not found");
        return legal(key, id);
      });
    },
    shows: async ({ trader }) =>
      (await trader.read(await trader.buy("50200", "0.001", atOnce))).status === 500,
  },
  {
    id: "F-257",
    says: "Of several waiting orders that one order fills, only the last becomes FILLED: the others show as partly filled.",
    clauses: ["EPT-09"],
    hard: true,
    kind: "rare state",
    install: ({ market }) => {
      let filled: Order[] = [];
      replace(market, "trade", (legal) => (taker, maker, ...rest) => {
        legal(taker, maker, ...rest);
        if (maker.client !== house && leftOf(maker) === 0n) filled.push(maker);
      });
      replace(market, "match", (legal) => (taker) => {
        filled = [];
        legal(taker);
        for (const maker of filled.slice(0, -1)) maker.status = "OPEN";
      });
    },
    shows: async ({ trader, other }) => {
      const placed = await trader.sell("50010", "0.001");
      await trader.sell("50020", "0.001");
      await other.buy("50020", "0.002");
      return (await statusOf(trader.read(placed))) === "OPEN";
    },
  },
  {
    id: "F-258",
    says: "Orders of BTC-EUR cannot be cancelled.",
    clauses: ["EPT-11"],
    hard: true,
    kind: "products",
    install: ({ desk }) =>
      replace(desk, "cancel", (legal) => (key, id) => {
        if (desk.found(key, id).product.id === "BTC-EUR") throw new Refusal(409, "failed to cancel order");
        return legal(key, id);
      }),
    shows: async ({ trader }) =>
      (await trader.cancel(await trader.place({ product: "BTC-EUR" }))).status === 409,
  },
  {
    id: "F-259",
    says: "The cancel of an order that waited and was filled wholly is answered 500.",
    clauses: ["ERR-09"],
    hard: true,
    kind: "rare state",
    install: ({ desk, market }) => {
      const makers = new WeakSet<Order>();
      replace(market, "trade", (legal) => (taker, maker, ...rest) => {
        makers.add(maker);
        legal(taker, maker, ...rest);
      });
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.found(key, id);
        if (order.status === "FILLED" && makers.has(order)) throw new Error("the level is gone");
        return legal(key, id);
      });
    },
    shows: async ({ trader, counter }) => {
      const placed = await trader.sell("50050", "0.001");
      await counter.buy("50050", "0.001");
      return (await trader.cancel(placed)).status === 500;
    },
  },
  {
    id: "F-260",
    says: "An order is read by its id, whoever it belongs to.",
    clauses: ["OWN-01"],
    hard: true,
    kind: "other client",
    install: ({ desk }) =>
      replace(desk, "read", (legal) => (key, id) => {
        const order = desk.orders.find((known) => known.id === id);
        return order === undefined ? legal(key, id) : desk.writer.view(order);
      }),
    shows: async ({ trader, counter }) => (await counter.read(await trader.place())).status === 200,
  },
  {
    id: "F-261",
    says: "The list of open orders leaves out stops that wait.",
    clauses: ["EPT-07"],
    hard: true,
    kind: "stops",
    install: ({ desk }) =>
      replace(desk, "isOpen", (legal) => (order) => legal(order) && order.status !== "PENDING"),
    shows: async ({ trader }) => {
      const placed = await trader.place(waits);
      return !isIn(await trader.get("/order/open"), placed);
    },
  },
];
