import { once } from "node:events";
import { type Bug, replace } from "../bug.ts";
import { instant, type Order, type Record_ } from "../order.ts";
import { as, isIn, mentions, none, stopLimit } from "../site.ts";
import type { Line } from "../stream.ts";
import { clients, keys } from "../world.ts";
import { showsForeign } from "./bugs-of-clients.ts";

export const furtherBugsOfClients: readonly Bug[] = [
  {
    id: "F-70",
    says: "Whose the first request on a connection was, theirs are all that follow on it.",
    clauses: ["OWN-02", "OWN-01", "OWN-04"],
    hard: true,
    kind: "other client",
    install: ({ authenticator }) => {
      const first = new WeakMap<object, string | undefined>();
      replace(authenticator, "admit", (legal) => async (visit) => {
        const key = await legal(visit);
        if (!first.has(visit.connection)) first.set(visit.connection, key.client);
        return { ...key, client: first.get(visit.connection) };
      });
    },
    shows: async ({ trader }) => {
      const placed = await trader.place();
      return isIn(await trader.get("/order/open", as(keys.otherClient)), placed);
    },
  },
  {
    id: "F-71",
    says: "A search by client_order_id finds the orders of all clients.",
    clauses: ["OWN-05"],
    hard: true,
    kind: "other client",
    install: showsForeign(
      "list",
      () => true,
      ({ clientOrderId }) => clientOrderId !== undefined,
    ),
    shows: async ({ trader, other }) => {
      const placed = await trader.place();
      return isIn(await other.get(`/orders?clientOrderId=${String(placed.order["clientOrderId"])}`), placed);
    },
  },
  {
    id: "F-72",
    says: "The channel of orders begins with the waiting stops of all clients.",
    clauses: ["OWN-06"],
    hard: true,
    kind: "stream",
    install: ({ stream, market, writer }) =>
      replace(stream, "initial", (legal) => (line, desk) => [
        ...legal(line, desk),
        ...market.waiting
          .filter(({ client }) => client !== line.key.client)
          .map((order) => writer.view(order)),
      ]),
    shows: async ({ trader, other }) => {
      const { order } = await trader.place({ ...stopLimit, stop_price: "60000" });
      const { messages } = await other.ownFeed();
      return mentions(messages, order["clientOrderId"]);
    },
  },
  {
    id: "F-73",
    says: "Until the next order comes, the open list is answered from memory, whoever asks.",
    clauses: ["OWN-02", "EPT-09"],
    hard: true,
    kind: "other client",
    install: ({ desk }) => {
      let memory = { orders: -1, list: [] as Record_[] };
      replace(desk, "open", (legal) => (key) => {
        const orders = desk.orders.length;
        if (memory.orders !== orders) memory = { orders, list: legal(key) };
        return memory.list;
      });
    },
    shows: async ({ trader, other }) => {
      const placed = await trader.place();
      await trader.get("/order/open");
      return isIn(await other.get("/order/open"), placed);
    },
  },
  {
    id: "F-74",
    says: "Wallets are kept in memory, until one changes, under the first six letters of the client's name.",
    clauses: ["PLC-36", "ORD-60"],
    hard: true,
    kind: "other client",
    install: ({ wallets }) => {
      const memory = new Map<string, Record_[]>();
      replace(wallets, "hold", (legal) => (order, amount) => {
        memory.clear();
        legal(order, amount);
      });
      replace(wallets, "list", (legal) => (client) => {
        const list = memory.get(client.slice(0, 6)) ?? legal(client);
        memory.set(client.slice(0, 6), list);
        return list;
      });
    },
    shows: async ({ trader, other }) => {
      await trader.place();
      await trader.wallet("USD");
      return (await other.wallet("USD"))["hold"] !== none;
    },
  },
  {
    id: "F-75",
    says: "A stream that opens after one has closed also hears the orders of that one's client.",
    clauses: ["EVT-09"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const heirs = new WeakMap<Line, string>();
      let closed: string | undefined;
      replace(stream, "open", (legal) => (socket, key) => {
        const line = legal(socket, key);
        if (closed !== undefined) heirs.set(line, closed);
        closed = undefined;
        socket.on("close", () => {
          closed = key.client;
        });
        return line;
      });
      replace(
        stream,
        "concerns",
        (legal) => (line, order) =>
          legal(line, order) || (line.topics.has("own-orders") && heirs.get(line) === order.client),
      );
    },
    shows: async ({ trader, other }) => {
      const first = await trader.ownFeed();
      first.socket.close();
      await once(first.socket, "close");
      await trader.get("/order/open");
      const feed = await other.ownFeed();
      await trader.place();
      return (await feed.heard()).length > 0;
    },
  },
  {
    id: "F-76",
    says: "An order with a userId in its body is placed on that client's account.",
    clauses: ["REQ-24", "ORD-59"],
    hard: true,
    kind: "other client",
    install: (gateway) =>
      replace(gateway, "place", (legal) => (call) => {
        const { userId } = gateway.orderReader.parse(call.visit.body);
        const client = clients.find((name) => name === userId) ?? call.key.client;
        return legal({ ...call, key: { ...call.key, client } });
      }),
    shows: async ({ trader, other }) => {
      const placed = await other.place({ userId: keys.trader.client });
      return isIn(await trader.get("/order/open"), placed);
    },
  },
  {
    id: "F-77",
    says: "A stop that waits can be cancelled with a key that may only read orders.",
    clauses: ["CLM-03"],
    hard: true,
    kind: "claims",
    install: (gateway) =>
      replace(
        gateway,
        "permits",
        (legal) => (route, call) =>
          legal(route, call) ||
          (route.method === "PUT" &&
            call.key.claims.includes("read:orders") &&
            gateway.market.waiting.some(({ id }) => id === call.name)),
      ),
    shows: async ({ trader, readOrders }) => {
      const placed = await trader.place({ ...stopLimit, stop_price: "60000" });
      return (await readOrders.cancel(placed)).status === 200;
    },
  },
  {
    id: "F-78",
    says: "The claim for a topic is asked for at the first subscription of a connection only.",
    clauses: ["CLM-03"],
    hard: true,
    kind: "claims",
    install: ({ stream }) =>
      replace(stream, "permits", (legal) => (line, claim) => legal(line, claim) || line.topics.size > 0),
    shows: async ({ trader, noClaim }) => {
      const { order } = await trader.place();
      const feed = await noClaim.feed();
      await feed?.join("depth", ["BTC-USD"]);
      await feed?.join("own-orders");
      await feed?.heard();
      return mentions(feed?.messages, order["clientOrderId"]);
    },
  },
  {
    id: "F-79",
    says: "Whoever comes back to a topic that they left is counted to from one again.",
    clauses: ["EVT-11"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const left = new WeakSet<Line>();
      replace(stream, "leave", (legal) => (line, ...rest) => {
        legal(line, ...rest);
        left.add(line);
      });
      replace(stream, "join", (legal) => (line, ...rest) => {
        if (left.delete(line)) line.count = 0;
        legal(line, ...rest);
      });
    },
    shows: async ({ trader }) => {
      const feed = await trader.ownFeed();
      await feed.ask("leave", "own-orders");
      await feed.join("own-orders");
      return feed.messages.some(({ n }, at) => n !== at + 1);
    },
  },
  {
    id: "F-80",
    says: "Who leaves the book of one product no longer hears of their own orders.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "leave", (legal) => (line, topic, ...rest) => {
        legal(line, topic, ...rest);
        if (topic === "depth") line.topics.delete("own-orders");
      }),
    shows: async ({ trader }) => {
      const feed = await trader.ownFeed();
      await feed.join("depth", ["BTC-EUR"]);
      await feed.ask("leave", "depth", ["BTC-EUR"]);
      await trader.place();
      return (await feed.heard()).length === 0;
    },
  },
  {
    id: "F-81",
    says: "The stream does not tell that a waiting order was filled by somebody else's.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream, market }) => {
      const rested = new WeakSet<Order>();
      replace(market, "trade", (legal) => (taker, maker, ...rest) => {
        rested.add(maker);
        legal(taker, maker, ...rest);
      });
      replace(stream, "order", (legal) => (order, view) => {
        if (order.status !== "FILLED" || !rested.has(order)) legal(order, view);
      });
    },
    shows: async ({ trader, counter }) => {
      const feed = await trader.ownFeed();
      await trader.sell("50050", "0.001");
      await counter.buy("50050", "0.001");
      return (await feed.heard()).every(({ status }) => status !== "FILLED");
    },
  },
  {
    id: "F-82",
    says: "Once an order has had two fills, its updatedAt is an hour early: another time zone, the same offset.",
    clauses: ["ORD-48"],
    hard: true,
    kind: "rare state",
    install: ({ writer }) =>
      replace(writer, "view", (legal) => (order) => {
        const view = legal(order);
        return order.fills.length < 2 ? view : { ...view, updatedAt: instant(order.updated - 3_600_000) };
      }),
    shows: async (site) => {
      await site.offers(["50010", "0.001"], ["50020", "0.001"]);
      const { order } = await site.trader.read(await site.trader.buy("50020", "0.002"));
      return Date.parse(String(order["updatedAt"])) < Date.parse(String(order["createdAt"]));
    },
  },
];
