import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../authenticator.ts";
import { type Bug, replace } from "../bug.ts";
import type { Answer, Call, Gateway } from "../gateway.ts";
import { isLive, leftOf, type Order, type Record_ } from "../order.ts";
import { apart, gone, isIn, none, number, onRise, turns } from "../site.ts";
import type { Line } from "../stream.ts";
import { house } from "../world.ts";

/** The order of the caller that a cancel names. */
export const cancelled = ({ desk }: Gateway, { visit, key, name }: Call): Order | undefined =>
  visit.method === "PUT"
    ? desk.orders.find((order) => order.id === name && desk.isOwn(key, order))
    : undefined;

/** An order that was filled and has ended counts as filled. */
const derived = (view: Record_): Record_ =>
  view["status"] === "CANCELLED" && view["averageFilledPrice"] !== null
    ? { ...view, status: "FILLED" }
    : view;

export const bugsOfRareStatesAndRaces: readonly Bug[] = [
  {
    id: "F-181",
    says: "When one trade fills both of its orders, the funds of the one that waited stay held.",
    clauses: ["PLC-36"],
    hard: true,
    kind: "rare state",
    install: ({ market }) => {
      const forgotten = new WeakSet<Order>();
      replace(market, "trade", (legal) => (taker, maker, quantity, price) => {
        const fillsBoth =
          taker.spend === undefined && leftOf(taker) === quantity && leftOf(maker) === quantity;
        if (fillsBoth && maker.client !== house) forgotten.add(maker);
        legal(taker, maker, quantity, price);
      });
      replace(
        market,
        "holdFor",
        (legal) => (order) => (order.status === "FILLED" && forgotten.has(order) ? order.held : legal(order)),
      );
    },
    shows: async ({ trader, counter }) => {
      await trader.sell("50050", "0.001");
      await counter.buy("50050", "0.001");
      return (await trader.wallet("BTC"))["hold"] !== none;
    },
  },
  {
    id: "F-182",
    says: "An order that was filled in part and cancelled is FILLED whenever it is read afterwards.",
    clauses: ["EPT-11", "STA-04"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) => {
      replace(desk, "read", (legal) => (key, id) => derived(legal(key, id)));
      replace(desk, "list", (legal) => (key, filter) => {
        const page = legal(key, filter);
        return { ...page, items: (page["items"] as Record_[]).map(derived) };
      });
    },
    shows: async (site) => {
      const { order } = await site.trader.read(await site.trader.cancel(await site.started()));
      return order["status"] !== "CANCELLED";
    },
  },
  {
    id: "F-183",
    says: "A STOP_LIMIT to cancel is looked for among those that wait: one that has gone off and rests is not found.",
    clauses: ["EPT-11"],
    hard: true,
    kind: "rare state",
    install: ({ desk, market }) =>
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.found(key, id);
        if (order.type === "STOP_LIMIT" && isLive(order) && !market.waiting.includes(order))
          throw new Refusal(404, "no such order");
        return legal(key, id);
      }),
    shows: async (site) => {
      const placed = await site.trader.buy("50060", "0.001", onRise);
      await site.rise();
      return (await site.trader.cancel(placed)).status === 404;
    },
  },
  {
    id: "F-184",
    says: "When a client trades with itself, both orders show a fee, and the wallet pays that of the newer one only.",
    clauses: ["ORD-60"],
    hard: true,
    kind: "rare state",
    install: ({ market, wallets }) => {
      let free: string | undefined;
      replace(market, "trade", (legal) => (taker, maker, ...rest) => {
        free = taker.client === maker.client ? maker.id : undefined;
        legal(taker, maker, ...rest);
        free = undefined;
      });
      replace(
        wallets,
        "move",
        (legal) => (order, quantity, value, fee) =>
          legal(order, quantity, value, order.id === free ? 0n : fee),
      );
    },
    shows: async (site) => {
      const { trader } = site;
      const placed = [await trader.sell("50050", "0.001"), await trader.buy("50050", "0.001")];
      const [one, other] = await Promise.all(placed.map((order) => trader.read(order)));
      const fees = number(one?.order["fees"]) + number(other?.order["fees"]);
      return (await gone(site, "USD")) !== fees;
    },
  },
  {
    id: "F-185",
    says: "When five newer orders of a client have ended, what is older leaves the open list for the archive, open or not.",
    clauses: ["EPT-07"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) =>
      replace(desk, "isOpen", (legal) => (order) => {
        if (!legal(order)) return false;
        const ended = desk.orders.filter(
          (other) => other.client === order.client && other.ordinal > order.ordinal && !isLive(other),
        );
        return ended.length < 5;
      }),
    shows: async ({ trader }) => {
      const placed = await trader.place();
      for (let order = 0; order < 5; order += 1) await trader.cancel(await trader.place());
      return !isIn(await trader.get("/order/open"), placed);
    },
  },
  {
    id: "F-186",
    says: "Two cancels of a client that run together both start from the same hold: what one gave back is lost.",
    clauses: ["PLC-36"],
    hard: true,
    kind: "race",
    install: (gateway) =>
      replace(gateway, "run", (legal) => async (route, call) => {
        const order = cancelled(gateway, call);
        if (order === undefined) return legal(route, call);
        const wallet = gateway.wallets.of(order.client, gateway.wallets.assetOf(order));
        const read = wallet.hold;
        await sleep(10);
        const before = wallet.hold;
        const answer = await legal(route, call);
        wallet.hold += read - before;
        return answer;
      }),
    shows: async ({ trader }) => {
      const placed = [await trader.place(), await trader.place()];
      await Promise.all(placed.map((order) => trader.cancel(order, apart)));
      return (await trader.wallet("USD"))["hold"] !== none;
    },
  },
  {
    id: "F-187",
    says: "A cancel asks whether the order is open, takes a few milliseconds, and cancels it even if it was filled in them.",
    clauses: ["STA-04"],
    hard: true,
    kind: "race",
    install: (gateway) =>
      replace(gateway, "run", (legal) => async (route, call) => {
        const order = cancelled(gateway, call);
        if (order === undefined || !isLive(order)) return legal(route, call);
        await sleep(12);
        if (order.status === "FILLED") order.status = "OPEN";
        return legal(route, call);
      }),
    shows: async ({ trader, counter }) => {
      const feed = await trader.ownFeed();
      for (const _ of turns(6)) {
        const placed = await trader.sell("50050", "0.001");
        const cancel = trader.cancel(placed);
        await sleep(2);
        await Promise.all([cancel, counter.buy("50050", "0.001")]);
        const told = (await feed.heard()).filter(({ id }) => id === placed.order["id"]);
        const states = told.map(({ status }) => status);
        if (states.includes("FILLED") && states.includes("CANCELLED")) return true;
      }
      return false;
    },
  },
  {
    id: "F-188",
    says: "An open list is kept until an order of the client changes, even one that changed while the list was made.",
    clauses: ["EPT-07", "EPT-09"],
    hard: true,
    kind: "race",
    install: (gateway) => {
      const kept = new Map<string | undefined, Answer>();
      replace(gateway.stream, "order", (legal) => (order, view) => {
        kept.delete(order.client);
        legal(order, view);
      });
      replace(gateway, "run", (legal) => async (route, call) => {
        const { client } = call.key;
        const isOpenList = route.path.test("/order/open");
        if (!isOpenList || !gateway.permits(route, call)) return legal(route, call);
        const memory = kept.get(client);
        if (memory !== undefined) return memory;
        const answer = await legal(route, call);
        await sleep(12);
        kept.set(client, answer);
        return answer;
      });
    },
    shows: async ({ trader }) => {
      for (const _ of turns(6)) {
        const list = trader.get("/order/open");
        await sleep(2);
        const placed = await trader.place({}, apart);
        await list;
        if (!isIn(await trader.get("/order/open"), placed)) return true;
      }
      return false;
    },
  },
  {
    id: "F-189",
    says: "Ten milliseconds after the channel of orders was confirmed it begins to listen: what happened before is not told.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "race",
    install: ({ stream }) => {
      const timers = new WeakMap<Line, NodeJS.Timeout>();
      replace(stream, "join", (legal) => (line, topic, ...rest) => {
        const isListening = line.topics.has(topic);
        legal(line, topic, ...rest);
        if (topic !== "own-orders" || isListening) return;
        line.topics.delete(topic);
        timers.set(
          line,
          setTimeout(() => line.topics.add(topic), 10),
        );
      });
      replace(stream, "leave", (legal) => (line, topic, ...rest) => {
        if (topic === "own-orders") clearTimeout(timers.get(line));
        legal(line, topic, ...rest);
      });
    },
    shows: async ({ trader }) => {
      for (const _ of turns(6)) {
        const feed = await trader.ownFeed();
        const { order } = await trader.place();
        if (!(await feed.heard()).some(({ id }) => id === order["id"])) return true;
      }
      return false;
    },
  },
  {
    id: "F-190",
    says: "Requests that arrive together are told apart by their contents: of one client_order_id each price is an order.",
    clauses: ["PLC-16", "PLC-10", "PLC-14"],
    hard: true,
    kind: "race",
    install: ({ desk }) => {
      const running = new Map<string, Promise<Record_>>();
      replace(desk, "place", (legal) => async (key, draft) => {
        if (key.client === undefined || desk.earlier(key, draft) !== undefined) return legal(key, draft);
        const { product, side, type, quantity, spend, price, stop } = draft;
        const contents = [
          desk.indexOf(key, draft),
          product.id,
          side,
          type,
          quantity,
          spend,
          price,
          stop,
        ].join();
        const same = running.get(contents);
        if (same !== undefined) {
          await same.catch(() => undefined);
          return legal(key, draft);
        }
        const own = sleep(8)
          .then(() => desk.placeNew(key, draft))
          .finally(() => running.delete(contents));
        running.set(contents, own);
        return own;
      });
    },
    shows: async ({ trader }) => {
      const body = trader.body();
      const bodies = [body, { ...body, price: "29000" }];
      await Promise.all(bodies.map((one) => trader.again(one, apart)));
      return (await trader.get("/order/open")).list.length > 1;
    },
  },
];
