import { setTimeout as sleep } from "node:timers/promises";
import { textOf } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import type { Depth, Level } from "../market.ts";
import { isLive } from "../order.ts";
import { bookFeed, bookPath, mentions, placesAndCancels, shownPrice, toldOfBook } from "../site.ts";
import { house, type Product } from "../world.ts";
import { lingering } from "./incidents-of-records-and-books.ts";

const asksBehindMs = 500;
const usedTwice = 10;
const runsBack = 15;
const backBy = 4;
const ghostEach = 20;

const isAt = (side: readonly Level[], price: string): boolean => side.some(([other]) => other === price);

/** What went wrong at public gateways with books and with the copies that clients make of them (fixtures/incidents.yaml). */
export const incidentsOfCopies: readonly Bug[] = [
  {
    id: "F-349",
    says: "An order that trades at once is shown in the book before it does: for one update the bid is above the ask.",
    clauses: ["EPT-13", "EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ market }) =>
      replace(market, "execute", (legal) => (order) => {
        const [best] = market.opposite(order);
        if (order.type === "LIMIT" && best !== undefined && market.crosses(order, best)) {
          const book = market.book(order.product);
          book.push(order);
          market.publish(order.product);
          book.splice(book.indexOf(order), 1);
        }
        legal(order);
      }),
    shows: async (site) => {
      const feed = await bookFeed(site);
      await site.trader.buy("50200", "0.001");
      return mentions(await toldOfBook(feed), "50200.00000000");
    },
  },
  {
    id: "F-350",
    says: "A price that changes sides stands on both until the next update of the book.",
    clauses: ["EPT-13", "EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const shown = new Map<Product, Depth>();
      replace(stream, "depth", (legal) => (product, before, after) => {
        const left = (was: readonly Level[], other: readonly Level[]) =>
          was.filter(([price]) => isAt(other, price));
        const next = {
          version: after.version,
          bids: [...after.bids, ...left(before.bids, after.asks)],
          asks: [...after.asks, ...left(before.asks, after.bids)],
        };
        legal(product, { ...(shown.get(product) ?? before), version: before.version }, next);
        shown.set(product, next);
      });
    },
    shows: async (site) => {
      const feed = await bookFeed(site);
      await site.counter.sell("50050", "0.001");
      await site.trader.buy("50050", "0.002");
      return (await toldOfBook(feed)).some(
        ({ bids, asks }) => mentions(bids, shownPrice) && !mentions(asks, shownPrice),
      );
    },
  },
  {
    id: "F-351",
    says: "The bids of a book that is read are of now, and its asks are those of half a second before.",
    clauses: ["EPT-13"],
    hard: true,
    kind: "rare state",
    install: (gateway) => {
      const past = new Map<string, { until: number; asks: readonly Level[] }[]>();
      replace(gateway.market, "publish", (legal) => (product) => {
        const { asks } = gateway.market.depth(product);
        past.set(product.id, [...(past.get(product.id) ?? []), { until: Date.now(), asks }]);
        legal(product);
      });
      replace(gateway, "book", (legal) => (name) => {
        const book = legal(name);
        const recent = (past.get(name) ?? []).filter(({ until }) => until > Date.now() - asksBehindMs);
        past.set(name, recent);
        const asks = recent[0]?.asks.map(([price, quantity]) => ({ price, quantity }));
        return { ...book, asks: asks ?? book["asks"] };
      });
    },
    shows: async ({ trader, counter }) => {
      await counter.sell("50050", "0.001");
      await sleep(600);
      await trader.buy("50050", "0.002");
      const { data } = await trader.get(bookPath);
      return mentions(data["bids"], shownPrice) && mentions(data["asks"], shownPrice);
    },
  },
  {
    id: "F-361",
    says: "Each tenth message has the number of the one before it, and each fifteenth a lower one.",
    clauses: ["EVT-11"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      let sent = 0;
      replace(stream, "send", (legal) => (line, message) => {
        sent += 1;
        const { count } = line;
        if (sent % runsBack === 0) line.count = Math.max(count - backBy, 0);
        else if (sent % usedTwice === 0) line.count = Math.max(count - 1, 0);
        legal(line, message);
        if (sent % runsBack === 0) line.count = count + 1;
      });
    },
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await placesAndCancels(site, 5);
      await feed.heard();
      return feed.messages.some(({ n }, at) => Number(n) <= Number(feed.messages[at - 1]?.["n"]));
    },
  },
  {
    id: "F-362",
    says: "Of each twenty levels that leave a book, one comes again with the next update, though nothing is there.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const ghosts = new Map<Product, { side: "bids" | "asks"; level: Level }>();
      let gone = 0;
      replace(stream, "depth", (legal) => (product, before, after) => {
        const ghost = ghosts.get(product);
        ghosts.delete(product);
        legal(
          product,
          before,
          ghost === undefined ? after : { ...after, [ghost.side]: [...after[ghost.side], ghost.level] },
        );
        for (const side of ["bids", "asks"] as const) {
          const level = before[side].find(([price]) => !isAt(after[side], price));
          if (level === undefined) continue;
          gone += 1;
          if (gone % ghostEach === 0) ghosts.set(product, { side, level });
        }
      });
    },
    shows: async (site) => {
      const feed = await bookFeed(site);
      await placesAndCancels(site, 20);
      await site.trader.place({ price: "29000" });
      return (await toldOfBook(feed)).some(
        ({ bids }) => mentions(bids, "29000.00000000") && mentions(bids, "30000.00000000"),
      );
    },
  },
  {
    id: "F-363",
    says: "A bid that was filled in part meets no further offer: it stays above what is offered for less.",
    clauses: ["EPT-13", "PLC-37"],
    hard: true,
    kind: "rare state",
    install: ({ market }) =>
      replace(market, "tradable", (legal) => (taker, maker, price) => {
        const isStuck = maker.client !== house && maker.side === "BUY" && maker.filled > 0n;
        return isStuck ? 0n : legal(taker, maker, price);
      }),
    shows: async ({ trader, counter }) => {
      await trader.buy("50050", "0.002");
      for (const price of ["50050", "50000"]) await counter.sell(price, "0.001");
      return mentions((await trader.get(bookPath)).data["asks"], "50000.00000000");
    },
  },
  {
    id: "F-364",
    says: "A LIMIT that is filled as soon as it comes is put into the book with nothing left of it, and stays there.",
    clauses: ["EPT-13", "EVT-08"],
    hard: true,
    kind: "rare state",
    install: ({ market }) => {
      const { keep } = lingering(market);
      replace(market, "execute", (legal) => (order) => {
        legal(order);
        if (order.type === "LIMIT" && !isLive(order)) keep(order, [textOf(order.price ?? 0n), textOf(0n)]);
      });
    },
    shows: async ({ trader }) => {
      await trader.buy("50200", "0.001");
      return mentions((await trader.get(bookPath)).data["bids"], "50200.00000000");
    },
  },
];
