import { setTimeout as sleep } from "node:timers/promises";
import { least, textOf } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import type { Call } from "../gateway.ts";
import type { Order, Record_ } from "../order.ts";
import { house, type Key } from "../world.ts";

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
  },
];
