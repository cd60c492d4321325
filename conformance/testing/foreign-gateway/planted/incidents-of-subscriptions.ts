import { type Bug, replace } from "../bug.ts";
import { atMarket, mentions, turns } from "../site.ts";
import { products } from "../world.ts";

const pastFills = 20;
const mixedEach = 10;

/** What went wrong at public gateways with what a subscription begins with and says (fixtures/incidents.yaml). */
export const incidentsOfSubscriptions: readonly Bug[] = [
  {
    id: "F-377",
    says: "The channel of orders begins with what was filled before, told like news.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "join", (legal) => (line, topic, pairs, ref, desk) => {
        legal(line, topic, pairs, ref, desk);
        if (topic !== "own-orders") return;
        const past = desk.orders.filter((order) => desk.isOwn(line.key, order) && order.filled > 0n);
        for (const order of past.slice(-pastFills))
          stream.send(line, { kind: "order", topic, order: desk.writer.view(order) });
      }),
    shows: async ({ trader }) => {
      await trader.sell("1", "0.001", atMarket);
      const feed = await trader.ownFeed();
      return (await feed.heard()).length > 0;
    },
  },
  {
    id: "F-378",
    says: "The confirmation of a book names another product of that base asset.",
    clauses: ["EVT-06"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const otherOf = (id: unknown): unknown => {
        const asked = products.find((product) => product.id === id);
        return products.find((product) => product !== asked && product.base === asked?.base)?.id ?? id;
      };
      replace(stream, "send", (legal) => (line, message) => {
        const { kind, pairs } = message;
        const isOfBook = kind === "joined" && Array.isArray(pairs);
        legal(line, isOfBook ? { ...message, pairs: pairs.map(otherOf) } : message);
      });
    },
    shows: async ({ trader }) => {
      const feed = await trader.feed();
      await feed?.join("depth", ["BTC-USD"]);
      return mentions(feed?.messages, "BTC-EUR");
    },
  },
  {
    id: "F-379",
    says: "Each tenth update of BTC-EUR names no product and has the levels of another one.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream, market }) => {
      const [other] = products.filter(({ id }) => id === "LTC-USD");
      let updates = 0;
      replace(stream, "send", (legal) => (line, message) => {
        const { pair, ...rest } = message;
        if (message["kind"] !== "delta" || pair !== "BTC-EUR" || other === undefined)
          return legal(line, message);
        updates += 1;
        if (updates % mixedEach !== 0) return legal(line, message);
        const { bids, asks } = market.depth(other);
        legal(line, { ...rest, bids, asks });
      });
    },
    shows: async ({ trader }) => {
      const feed = await trader.feed();
      await feed?.join("depth", ["BTC-EUR"]);
      for (const _ of turns(5)) await trader.cancel(await trader.place({ product: "BTC-EUR" }));
      await feed?.heard();
      return (feed?.messages ?? []).some(({ kind, pair }) => kind === "delta" && pair === undefined);
    },
  },
];
