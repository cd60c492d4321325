import { setTimeout as sleep } from "node:timers/promises";
import { least, textOf } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import type { Call } from "../gateway.ts";
import type { Order, Record_ } from "../order.ts";
import { isIn, mentions, number, onRise, stopLimit, turns } from "../site.ts";
import { house, type Key, keys } from "../world.ts";

const none = textOf(0n);

export const bugsOfSharedState: readonly Bug[] = [
  {
    id: "F-151",
    says: "Until it changes, an order that has been read is answered from memory, whoever asks.",
    clauses: ["OWN-01"],
    hard: true,
    kind: "other client",
    install: ({ desk, stream }) => {
      const kept = new Map<string, Record_>();
      replace(stream, "order", (legal) => (order, view) => {
        kept.delete(order.id);
        legal(order, view);
      });
      replace(desk, "read", (legal) => (key, id) => {
        const view = kept.get(id) ?? legal(key, id);
        kept.set(id, view);
        return view;
      });
    },
    shows: async ({ trader, other }) => {
      const placed = await trader.place();
      await trader.read(placed);
      return (await other.read(placed)).status === 200;
    },
  },
  {
    id: "F-152",
    says: "Who places stands in one variable while an order is checked: of two clients who come together one gets both orders.",
    clauses: ["ORD-59", "OWN-02", "EPT-07", "PLC-19"],
    hard: true,
    kind: "race",
    install: ({ desk }) => {
      let current: Key | undefined;
      replace(desk, "place", (legal) => async (key, draft) => {
        current = key;
        await sleep(10);
        return legal(current, draft);
      });
    },
    shows: async ({ trader, other }) => {
      for (const _ of turns(10)) {
        const [own] = await Promise.all([trader.place(), other.place()]);
        if (own.order["userId"] !== keys.trader.client) return true;
      }
      return false;
    },
  },
  {
    id: "F-153",
    says: "A stop that waits can be read and cancelled by every client that knows its id.",
    clauses: ["OWN-01", "OWN-04"],
    hard: true,
    kind: "other client",
    install: ({ desk }) =>
      replace(
        desk,
        "found",
        (legal) => (key, id) =>
          desk.orders.find((order) => order.id === id && order.status === "PENDING") ?? legal(key, id),
      ),
    shows: async ({ trader, other }) =>
      (await other.cancel(await trader.place({ ...stopLimit, stop_price: "60000" }))).status === 200,
  },
  {
    id: "F-154",
    says: "What the channel of orders begins with is kept until an order changes, whoever subscribes.",
    clauses: ["OWN-06"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      let kept: Record_[] | undefined;
      replace(stream, "order", (legal) => (order, view) => {
        kept = undefined;
        legal(order, view);
      });
      replace(stream, "initial", (legal) => (line, desk) => {
        kept ??= legal(line, desk);
        return kept;
      });
    },
    shows: async ({ trader, other }) => {
      const { order } = await trader.place();
      await trader.ownFeed();
      const feed = await other.ownFeed();
      await feed.heard();
      return mentions(feed.messages, order["id"]);
    },
  },
  {
    id: "F-155",
    says: "What becomes of a stop that has gone off is told to every client.",
    clauses: ["EVT-09"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "concerns", (legal) => (line, order) => {
        const hasGoneOff = order.type === "STOP_LIMIT" && ["OPEN", "FILLED"].includes(order.status);
        return legal(line, order) || (hasGoneOff && line.topics.has("own-orders"));
      }),
    shows: async (site) => {
      const feed = await site.other.ownFeed();
      await site.trader.buy("50060", "0.001", onRise);
      await site.rise();
      return (await feed.heard()).length > 0;
    },
  },
  {
    id: "F-156",
    says: "On the stream the limitPrice of an order that has traded is the price of its last trade.",
    clauses: ["ORD-45"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "order", (legal) => (order, view) => {
        const last = order.type === "MARKET" ? undefined : order.fills.at(-1);
        legal(order, last === undefined ? view : { ...view, limitPrice: textOf(last.price) });
      }),
    shows: async ({ trader }) => {
      const feed = await trader.ownFeed();
      await trader.buy("50200", "0.001");
      return (await feed.heard()).some(({ limitPrice }) => number(limitPrice) !== number("50200"));
    },
  },
  {
    id: "F-157",
    says: "What the stream tells of a cancel is made of the order as it was placed: nothing is filled.",
    clauses: ["STA-05", "STA-06"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "order", (legal) => (order, view) => {
        const unfilled = { filledQuantity: none, filledValue: none, averageFilledPrice: null, fees: none };
        legal(order, order.status === "CANCELLED" ? { ...view, ...unfilled } : view);
      }),
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await site.trader.cancel(await site.started());
      return number((await feed.heard()).at(-1)?.["filledQuantity"]) === 0n;
    },
  },
  {
    id: "F-158",
    says: "Of two cancels of a client that arrive together both go to the second order, and the first order stays.",
    clauses: ["EPT-11", "EPT-09"],
    hard: true,
    kind: "race",
    install: (gateway) => {
      const latest = new Map<string | undefined, Call>();
      replace(gateway, "run", (legal) => async (route, call) => {
        if (call.visit.method !== "PUT") return legal(route, call);
        const { client } = call.key;
        latest.set(client, call);
        await sleep(10);
        return legal(route, { ...call, name: latest.get(client)?.name ?? call.name });
      });
    },
    shows: async ({ trader }) => {
      for (const _ of turns(10)) {
        const placed = [await trader.place(), await trader.place()];
        await Promise.all(placed.map((order) => trader.cancel(order, { apart: true })));
        const open = await trader.get("/order/open");
        if (placed.some((order) => isIn(open, order))) return true;
      }
      return false;
    },
  },
  {
    id: "F-159",
    says: "An order that was filled can be taken again by others for a tenth of a second more.",
    clauses: ["ORD-53", "STA-04", "STA-06"],
    hard: true,
    kind: "race",
    install: ({ market }) => {
      const filled = new Map<Order, number>();
      const isStale = (maker: Order): boolean => Date.now() - (filled.get(maker) ?? 0) < 100;
      let isMatching = false;
      replace(market, "match", (legal) => (taker) => {
        isMatching = true;
        legal(taker);
        isMatching = false;
      });
      replace(market, "finish", (legal) => (order, status) => {
        const isResting = market.book(order.product).includes(order);
        if (status === "FILLED" && isResting && order.client !== house) filled.set(order, Date.now());
        legal(order, status);
      });
      replace(market, "opposite", (legal) => (taker) => {
        const stale = [...filled.keys()].filter(
          ({ side, product }) => isMatching && side !== taker.side && product === taker.product,
        );
        return [...stale.filter(isStale), ...legal(taker)];
      });
      replace(market, "tradable", (legal) => (taker, maker, price) => {
        if (!filled.has(maker)) return legal(taker, maker, price);
        return least(legal(taker, { ...maker, filled: 0n }, price), maker.quantity ?? 0n);
      });
    },
    shows: async ({ trader, other, counter }) => {
      const placed = await trader.sell("50050", "0.001");
      await Promise.all([counter, other].map((one) => one.buy("50050", "0.001")));
      const { order } = await trader.read(placed);
      return number(order["filledQuantity"]) > number("0.001");
    },
  },
  {
    id: "F-160",
    says: "A list by product in which a client has nothing is filled from the orders of all clients.",
    clauses: ["OWN-02"],
    hard: true,
    kind: "lists",
    install: ({ desk }) => {
      let isForAll = false;
      replace(desk, "isOwn", (legal) => (key, order) => isForAll || legal(key, order));
      replace(desk, "list", (legal) => (key, filter) => {
        const own = legal(key, filter);
        const { product, clientOrderId, cursor } = filter;
        const isByProduct = product !== undefined && clientOrderId === undefined && cursor === undefined;
        if (!isByProduct || (own["items"] as Record_[]).length > 0) return own;
        isForAll = true;
        const all = legal(key, filter);
        isForAll = false;
        return all;
      });
    },
    shows: async ({ trader, other }) => {
      const placed = await trader.place();
      return isIn(await other.get("/orders?product=BTC-USD"), placed);
    },
  },
];
