import { textOf } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import { isLive, type Order, type Record_ } from "../order.ts";
import {
  atMarket,
  atOnce,
  mentions,
  none,
  placesAndCancels,
  shownPrice,
  toldOfBook,
  twoOffers,
} from "../site.ts";
import type { Line, Stream } from "../stream.ts";

const mostMessages = 85;
const mostDeltas = 40;

const isPartial = (order: Order): boolean => isLive(order) && order.filled > 0n;

/** Messages about these orders are not sent. */
const silence = (stream: Stream, isUntold: (order: Order) => boolean): void =>
  replace(stream, "order", (legal) => (order, view) => {
    if (!isUntold(order)) legal(order, view);
  });

/** Messages about these orders say something else. */
const retell = (stream: Stream, change: (order: Order, view: Record_) => Record_): void =>
  replace(stream, "order", (legal) => (order, view) => legal(order, change(order, view)));

const lastFill = ({ fills }: Order): bigint => fills.at(-1)?.quantity ?? 0n;

/** What went wrong at public gateways with streams (fixtures/incidents.yaml). */
export const incidentsOfStreams: readonly Bug[] = [
  {
    id: "F-271",
    says: "The message of a cancel counts from an old copy of the order: the last fill before it is missing.",
    clauses: ["STA-05", "ORD-54", "EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      retell(stream, (order, view) =>
        order.status === "CANCELLED" && order.filled > 0n
          ? { ...view, filledQuantity: textOf(order.filled - lastFill(order)) }
          : view,
      ),
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await site.trader.cancel(await site.started());
      const last = (await feed.heard()).at(-1);
      return last?.["status"] === "CANCELLED" && last["filledQuantity"] === none;
    },
  },
  {
    id: "F-272",
    says: "When a price changes sides in one step, the update takes it away on both.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "depth", (legal) => (product, before, after) => {
        const gone = new Set([...before.bids, ...before.asks].map(([price]) => price));
        const isAt = (side: typeof after.bids, price: string) => side.some(([other]) => other === price);
        const bids = after.bids.filter(([price]) => !gone.has(price) || isAt(before.bids, price));
        const asks = after.asks.filter(([price]) => !gone.has(price) || isAt(before.asks, price));
        legal(product, before, { ...after, bids, asks });
      }),
    shows: async ({ trader, counter }) => {
      const feed = await trader.feed();
      await feed?.join("depth", ["BTC-USD"]);
      await counter.sell("50050", "0.001");
      await trader.buy("50050", "0.002");
      return !(await toldOfBook(feed)).some(({ bids }) => mentions(bids, shownPrice));
    },
  },
  {
    id: "F-273",
    says: "A MARKET order that needs several fills is told as CANCELLED after the first, and then as FILLED.",
    clauses: ["STA-04", "EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      retell(stream, (order, view) =>
        order.type === "MARKET" && isPartial(order) ? { ...view, status: "CANCELLED" } : view,
      ),
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await twoOffers(site);
      await site.trader.place({ ...atMarket, quote_value: "100" });
      return mentions(await feed.heard(), "CANCELLED");
    },
  },
  {
    id: "F-274",
    says: "A stop is told of until it goes off: its fills and its end are not.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      silence(stream, (order) => order.type === "STOP_LIMIT" && (order.filled > 0n || !isLive(order))),
    shows: async ({ trader }) => {
      const feed = await trader.ownFeed();
      await trader.buy("50200", "0.001", atOnce);
      return !mentions(await feed.heard(), "FILLED");
    },
  },
  {
    id: "F-275",
    says: "Messages show the quantity of the last fill as the quantity that is filled.",
    clauses: ["ORD-54", "EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      retell(stream, (order, view) => ({ ...view, filledQuantity: textOf(lastFill(order)) })),
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await twoOffers(site);
      await site.trader.buy("50020", "0.002");
      return (await feed.heard()).at(-1)?.["filledQuantity"] === "0.00100000";
    },
  },
  {
    id: "F-276",
    says: "Leaving the book of one product ends those of all.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "leave", (legal) => (line, topic, pairs, ref) => {
        if (topic === "depth")
          for (const name of line.topics) if (name !== "own-orders") line.topics.delete(name);
        legal(line, topic, pairs, ref);
      }),
    shows: async ({ trader }) => {
      const feed = await trader.feed();
      await feed?.join("depth", ["BTC-USD", "LTC-USD"]);
      await feed?.ask("leave", "depth", ["LTC-USD"]);
      await trader.place();
      return (await toldOfBook(feed)).length === 0;
    },
  },
  {
    id: "F-277",
    says: "Asking for the book of a further product ends those that were asked for before.",
    clauses: ["EVT-06", "EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "join", (legal) => (line, topic, pairs, ref, desk) => {
        if (topic === "depth")
          for (const name of line.topics) if (name !== "own-orders") line.topics.delete(name);
        legal(line, topic, pairs, ref, desk);
      }),
    shows: async ({ trader }) => {
      const feed = await trader.feed();
      await feed?.join("depth", ["BTC-USD"]);
      await feed?.join("depth", ["LTC-USD"]);
      await trader.place();
      return (await toldOfBook(feed)).length === 0;
    },
  },
  {
    id: "F-278",
    says: "After 85 messages a connection stays open and tells nothing more.",
    clauses: ["EVT-07", "EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "send", (legal) => (line, message) => {
        const isNews = message["kind"] === "order" || message["kind"] === "delta";
        if (!isNews || line.count < mostMessages) legal(line, message);
      }),
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await placesAndCancels(site, 35);
      return (await feed.heard()).length < 105;
    },
  },
  {
    id: "F-279",
    says: "After forty updates of a product a connection gets no more of that product, and those of the others.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const sent = new WeakMap<Line, Map<unknown, number>>();
      replace(stream, "send", (legal) => (line, message) => {
        const counts = sent.get(line) ?? new Map<unknown, number>();
        sent.set(line, counts);
        const count = counts.get(message["pair"]) ?? 0;
        if (message["kind"] !== "delta") return legal(line, message);
        counts.set(message["pair"], count + 1);
        if (count < mostDeltas) legal(line, message);
      });
    },
    shows: async (site) => {
      const feed = await site.trader.feed();
      await feed?.join("depth", ["BTC-USD"]);
      await placesAndCancels(site, 25);
      return (await toldOfBook(feed)).length < 50;
    },
  },
  {
    id: "F-280",
    says: "Fills of a part are not told: an order is heard of again when it ends.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => silence(stream, isPartial),
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await site.started();
      return (await feed.heard()).every(({ filledQuantity }) => filledQuantity === none);
    },
  },
];
