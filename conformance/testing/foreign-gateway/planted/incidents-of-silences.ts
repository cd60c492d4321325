import { type Bug, replace } from "../bug.ts";
import type { Order, Record_ } from "../order.ts";
import {
  atMarket,
  bookFeed,
  mentions,
  placesAndCancels,
  type Site,
  shownPrice,
  statusOf,
  toldOfBook,
  turns,
} from "../site.ts";
import type { Line, Stream } from "../stream.ts";

const untoldFill = 5;
const stallsEach = 400;
const toldAgainAfter = 40;
const mostUpdates = 200;
const hangsUpAfterMs = 2000;
const freezesAt = 300;
const ordersLater = 50;
const updatesBeforePause = 100;
const pauseMs = 90_000;
const brokenImage = 3;

/** Says of messages about orders, in their order, which ones tell a fill. */
function fillsTold(): (order: Order) => boolean {
  const told = new WeakMap<Order, bigint>();
  return (order) => {
    const isNews = order.filled > (told.get(order) ?? 0n);
    told.set(order, order.filled);
    return isNews;
  };
}

/** Messages of this kind that a line does not get. */
const dropped = (
  stream: Stream,
  kinds: readonly string[],
  isDropped: (line: Line, message: Record_) => boolean,
): void =>
  replace(stream, "send", (legal) => (line, message) => {
    if (!kinds.includes(String(message["kind"])) || !isDropped(line, message)) legal(line, message);
  });

async function sales({ trader }: Site, count: number): Promise<void> {
  for (const _ of turns(count)) await trader.sell("1", "0.001", atMarket);
}

const fillsIn = (orders: readonly Record_[]): number =>
  orders.filter((order) => order["status"] === "FILLED").length;

/** What went wrong at public gateways with streams that stop or leave something out (fixtures/incidents.yaml). */
export const incidentsOfSilences: readonly Bug[] = [
  {
    id: "F-345",
    says: "Each fifth fill is not told, and the connection goes on.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const isFill = fillsTold();
      let fills = 0;
      replace(stream, "order", (legal) => (order, view) => {
        if (isFill(order)) fills += 1;
        else return legal(order, view);
        if (fills % untoldFill !== 0) legal(order, view);
      });
    },
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await sales(site, 5);
      return fillsIn(await feed.heard()) < 5;
    },
  },
  {
    id: "F-346",
    says: "The message about a fill has an order without contents.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const isFill = fillsTold();
      replace(stream, "order", (legal) => (order, view) => legal(order, isFill(order) ? {} : view));
    },
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await sales(site, 1);
      return (await feed.heard()).some((order) => Object.keys(order).length === 0);
    },
  },
  {
    id: "F-347",
    says: "With each 400th update of a book, the books of all connections stand still, and they stay open.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const stalled = new WeakSet<Line>();
      let updates = 0;
      replace(stream, "depth", (legal) => (product, before, after) => {
        updates += 1;
        if (updates % stallsEach === 0) for (const line of stream.lines) stalled.add(line);
        legal(product, before, after);
      });
      dropped(stream, ["delta"], (line) => stalled.has(line));
    },
    shows: async (site) => {
      const feed = await bookFeed(site);
      await placesAndCancels(site, 205);
      return (await toldOfBook(feed)).length < 410;
    },
  },
  {
    id: "F-348",
    says: "That an order was filled is told a second time forty messages later.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const late = new WeakMap<Line, { at: number; message: Record_ }[]>();
      replace(stream, "send", (legal) => (line, message) => {
        legal(line, message);
        const list = late.get(line) ?? [];
        late.set(line, list);
        const { status } = Object(message["order"]) as Record_;
        if (status === "FILLED") list.push({ at: line.count + toldAgainAfter, message });
        const [next] = list;
        if (next === undefined || next.at > line.count) return;
        list.shift();
        legal(line, next.message);
      });
    },
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await sales(site, 1);
      await placesAndCancels(site, 15);
      return fillsIn(await feed.heard()) > 1;
    },
  },
  {
    id: "F-353",
    says: "After 200 updates of books a connection gets no more of them, and two seconds later it is cut.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const counts = new WeakMap<Line, number>();
      dropped(stream, ["delta"], (line) => {
        const count = (counts.get(line) ?? 0) + 1;
        counts.set(line, count);
        if (count === mostUpdates) setTimeout(() => line.socket.terminate(), hangsUpAfterMs).unref();
        return count > mostUpdates;
      });
    },
    shows: async (site) => {
      const feed = await bookFeed(site);
      await placesAndCancels(site, 105);
      return (await toldOfBook(feed)).length < 210;
    },
  },
  {
    id: "F-354",
    says: "From its 300th change on the stream of a book stands still: who comes later gets that old image, and no updates.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const changes = new Map<string, number>();
      const frozen = new Map<string, Record_>();
      replace(stream, "depth", (legal) => (product, before, after) => {
        const count = (changes.get(product.id) ?? 0) + 1;
        changes.set(product.id, count);
        if (count <= freezesAt) legal(product, before, after);
        if (count === freezesAt) frozen.set(product.id, { ...after });
      });
      replace(stream, "send", (legal) => (line, message) => {
        const old = message["kind"] === "image" ? frozen.get(String(message["pair"])) : undefined;
        legal(line, { ...message, ...old });
      });
    },
    shows: async (site) => {
      await placesAndCancels(site, 150);
      await site.trader.sell("50050", "0.001");
      return !mentions(await toldOfBook(await bookFeed(site), "image"), shownPrice);
    },
  },
  {
    id: "F-355",
    says: "No message says that an order is filled.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "order", (legal) => (order, view) => {
        if (order.status !== "FILLED") legal(order, view);
      }),
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await sales(site, 1);
      return fillsIn(await feed.heard()) === 0;
    },
  },
  {
    id: "F-356",
    says: "Who subscribes to a book is confirmed, and gets neither its image nor its updates.",
    clauses: ["EVT-08"],
    hard: false,
    kind: "stream",
    install: ({ stream }) => dropped(stream, ["image", "delta"], () => true),
    shows: async (site) => (await toldOfBook(await bookFeed(site), "image")).length === 0,
  },
  {
    id: "F-357",
    says: "The fill of an order that fifty newer ones of its client have followed is not told.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ desk, stream }) =>
      replace(stream, "order", (legal) => (order, view) => {
        const isNewer = ({ client, ordinal }: Order) => client === order.client && ordinal > order.ordinal;
        if (order.filled === 0n || desk.orders.filter(isNewer).length < ordersLater) legal(order, view);
      }),
    shows: async ({ trader, counter }) => {
      const feed = await trader.ownFeed();
      const placed = await trader.sell("50050", "0.001");
      for (const _ of turns(50)) await trader.place();
      await counter.buy("50050", "0.001");
      return fillsIn(await feed.heard()) === 0 && (await statusOf(trader.read(placed))) === "FILLED";
    },
  },
  {
    id: "F-358",
    says: "After each 100 updates of books a connection gets none for a minute and a half; what is read is fresh.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const states = new WeakMap<Line, { count: number; until: number }>();
      dropped(stream, ["delta"], (line) => {
        const state = states.get(line) ?? { count: 0, until: 0 };
        states.set(line, state);
        if (Date.now() < state.until) return true;
        state.count += 1;
        if (state.count % updatesBeforePause === 0) state.until = Date.now() + pauseMs;
        return false;
      });
    },
    shows: async (site) => {
      const feed = await bookFeed(site);
      await placesAndCancels(site, 55);
      return (await toldOfBook(feed)).length < 110;
    },
  },
  {
    id: "F-359",
    says: "Of several products in one subscription only the first is served.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(
        stream,
        "join",
        (legal) => (line, topic, pairs, ref, desk) => legal(line, topic, pairs.slice(0, 1), ref, desk),
      ),
    shows: async (site) =>
      (await toldOfBook(await bookFeed(site, "BTC-USD", "LTC-USD"), "image", "LTC-USD")).length === 0,
  },
  {
    id: "F-360",
    says: "After each third image of a book the updates that belong to it do not come.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const silent = new WeakMap<Line, Set<unknown>>();
      let images = 0;
      dropped(stream, ["image", "delta"], (line, { kind, pair }) => {
        const pairs = silent.get(line) ?? new Set();
        silent.set(line, pairs);
        if (kind === "delta") return pairs.has(pair);
        images += 1;
        if (images % brokenImage === 0) pairs.add(pair);
        else pairs.delete(pair);
        return false;
      });
    },
    shows: async (site) => {
      const feed = await bookFeed(site);
      for (const _ of turns(2)) await feed?.join("depth", ["BTC-USD"]);
      await site.trader.place();
      return (await toldOfBook(feed)).length === 0;
    },
  },
];
