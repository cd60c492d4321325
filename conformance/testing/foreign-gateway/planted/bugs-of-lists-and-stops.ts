import { textOf } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import type { Record_ } from "../order.ts";
import { isIn, number, stopLimit } from "../site.ts";

/** To buy for more than the client has. */
const dear = { base_quantity: "25", price: "90000000" };

export const bugsOfListsAndStops: readonly Bug[] = [
  {
    id: "F-124",
    says: "The open list ends after the twenty-five oldest orders.",
    clauses: ["EPT-07"],
    hard: true,
    kind: "lists",
    install: ({ desk }) => replace(desk, "open", (legal) => (key) => legal(key).slice(0, 25)),
    shows: async ({ trader }) => {
      for (let order = 0; order < 25; order += 1) await trader.place();
      const last = await trader.place();
      return !isIn(await trader.get("/order/open"), last);
    },
  },
  {
    id: "F-125",
    says: "In lists, but not in the open one, the status of an order that is filled in part is PARTIALLY_FILLED.",
    clauses: ["ORD-06"],
    hard: true,
    kind: "lists",
    install: ({ desk }) => {
      let isListing = false;
      replace(desk.writer, "view", (legal) => (order) => {
        const isStarted = isListing && order.status === "OPEN" && order.filled > 0n;
        return isStarted ? { ...legal(order), status: "PARTIALLY_FILLED" } : legal(order);
      });
      replace(desk, "list", (legal) => (key, filter) => {
        isListing = true;
        const list = legal(key, filter);
        isListing = false;
        return list;
      });
    },
    shows: async (site) => {
      await site.started();
      return (await site.trader.get("/orders")).list.some(({ status }) => status === "PARTIALLY_FILLED");
    },
  },
  {
    id: "F-126",
    says: "An order that is refused for lack of funds stands in the lists for half a second.",
    clauses: ["EPT-08", "PLC-34"],
    hard: true,
    kind: "race",
    install: ({ desk }) =>
      replace(desk, "refuseFunds", (legal) => (order) => {
        desk.orders.push(order);
        setTimeout(() => desk.orders.splice(desk.orders.indexOf(order), 1), 500).unref();
        return legal(order);
      }),
    shows: async ({ trader }) => {
      for (let order = 0; order < 10; order += 1) {
        await trader.place(dear);
        if ((await trader.get("/order/open")).list.length > 0) return true;
      }
      return false;
    },
  },
  {
    id: "F-127",
    says: "A cursor that stands for no order of the client is answered 500.",
    clauses: ["ERR-09"],
    hard: true,
    kind: "lists",
    install: ({ desk }) =>
      replace(desk, "list", (legal) => (key, filter) => {
        const { cursor } = filter;
        if (cursor === undefined) return legal(key, filter);
        const last = desk.orders.find((order) => desk.isOwn(key, order) && order.ordinal === Number(cursor));
        if (last === undefined) throw new TypeError("the order at the cursor is undefined");
        return legal(key, filter);
      }),
    shows: async ({ trader, other }) => {
      await trader.place();
      await trader.place();
      const { data } = await trader.get("/orders?limit=1");
      return (await other.get(`/orders?cursor=${String(data["nextCursor"])}`)).status === 500;
    },
  },
  {
    id: "F-128",
    says: "The repeat of a STOP_LIMIT that waits sends it to the market.",
    clauses: ["PLC-32"],
    hard: true,
    kind: "stops",
    install: ({ desk, market }) =>
      replace(desk, "replay", (legal) => (original, draft) => {
        if (original.status === "PENDING") {
          market.waiting.splice(market.waiting.indexOf(original), 1);
          market.execute(original);
          market.afterwards(original.product);
        }
        return legal(original, draft);
      }),
    shows: async ({ trader }) => {
      const body = trader.body({ ...stopLimit, side: "SELL", price: "39000", stop_price: "40000" });
      const placed = await trader.again(body);
      await trader.again(body);
      return (await trader.read(placed)).order["status"] !== "PENDING";
    },
  },
  {
    id: "F-129",
    says: "Triggers are compared with the last price as text: 100000 comes before 50000.",
    clauses: ["PLC-32", "PLC-39"],
    hard: true,
    kind: "stops",
    install: ({ market }) =>
      replace(market, "isTriggered", () => ({ side, stop = 0n, product }) => {
        const [last, trigger] = [textOf(market.last.get(product.id) ?? 0n), textOf(stop)];
        return side === "BUY" ? last >= trigger : last <= trigger;
      }),
    shows: async ({ trader }) => {
      const placed = await trader.buy("100010", "0.001", { ...stopLimit, stop_price: "100000" });
      return (await trader.read(placed)).order["status"] !== "PENDING";
    },
  },
  {
    id: "F-130",
    says: "The limitPrice of a STOP_LIMIT that has gone off is its trigger.",
    clauses: ["ORD-45", "ORD-47", "PLC-12"],
    hard: true,
    kind: "stops",
    install: ({ writer }) =>
      replace(writer, "view", (legal) => (order) => {
        const view: Record_ = legal(order);
        const hasGoneOff = order.type === "STOP_LIMIT" && ["OPEN", "FILLED"].includes(order.status);
        return hasGoneOff ? { ...view, limitPrice: view["stopPrice"] } : view;
      }),
    shows: async (site) => {
      const placed = await site.trader.buy("50200", "0.001", { ...stopLimit, stop_price: "50080" });
      await site.rise();
      return number((await site.trader.read(placed)).order["limitPrice"]) !== number("50200");
    },
  },
];
