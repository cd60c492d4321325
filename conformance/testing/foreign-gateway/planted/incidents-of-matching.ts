import { times } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import { isLive, leftOf, type Order } from "../order.ts";
import { atMarket, atOnce, filledOf, number, onRise, statusOf, twoOffers } from "../site.ts";
import { house, type Product, rates } from "../world.ts";

const unsettledMs = 8;

/** A level of a book: the orders of one side at one price. */
const levelOf = ({ product, side, price }: Order): string => `${product.id} ${side} ${price}`;

/** What went wrong in public matching engines (fixtures/incidents.yaml). */
export const incidentsOfMatching: readonly Bug[] = [
  {
    id: "F-236",
    says: "The limit of an order is compared with the best offer only: what it does not get there it takes at any price.",
    clauses: ["PLC-31"],
    hard: true,
    kind: "money",
    install: ({ market }) => {
      let crossesBest = false;
      replace(market, "match", (legal) => (taker) => {
        const [best] = market.opposite(taker);
        crossesBest = best !== undefined && market.crosses(taker, best);
        legal(taker);
        crossesBest = false;
      });
      replace(market, "crosses", (legal) => (taker, maker) => crossesBest || legal(taker, maker));
    },
    shows: async (site) => {
      await site.offers(["50010", "0.001"]);
      const placed = await site.trader.buy("50010", "0.002");
      return (await filledOf(site.trader.read(placed))) > number("0.001");
    },
  },
  {
    id: "F-237",
    says: "Only at the first price does a waiting order set the price: deeper ones trade at the limit of the newer order.",
    clauses: ["PLC-38"],
    hard: true,
    kind: "money",
    install: ({ market }) => {
      const first = new WeakMap<Order, bigint>();
      replace(market, "tradePrice", (legal) => (taker, maker) => {
        const price = legal(taker, maker);
        if (!first.has(taker)) first.set(taker, price);
        return first.get(taker) === price ? price : (taker.price ?? price);
      });
    },
    shows: async (site) => {
      await twoOffers(site);
      const { order } = await site.trader.read(await site.trader.buy("50030", "0.002"));
      return number(order["filledValue"]) !== number("100.03");
    },
  },
  {
    id: "F-238",
    says: "A fill is applied to the waiting order some milliseconds later: until then others fill the same quantity again.",
    clauses: ["ORD-53"],
    hard: true,
    kind: "race",
    install: ({ market }) => {
      const unsettled = new Map<Order, number>();
      replace(market, "trade", (legal) => (taker, maker, ...rest) => {
        legal(taker, maker, ...rest);
        if (maker.client !== house && leftOf(maker) === 0n) unsettled.set(maker, market.now() + unsettledMs);
      });
      replace(market, "opposite", (legal) => (taker) => {
        const still = [...unsettled].filter(
          ([maker, until]) =>
            "id" in taker &&
            until > market.now() &&
            maker.side !== taker.side &&
            maker.product === taker.product &&
            market.crosses(taker, maker),
        );
        return [...still.map(([maker]) => maker), ...legal(taker)];
      });
      replace(
        market,
        "tradable",
        (legal) => (taker, maker, price) =>
          legal(taker, unsettled.has(maker) ? { ...maker, filled: 0n } : maker, price),
      );
    },
    shows: async ({ trader, other, counter }) => {
      const placed = await counter.sell("50010", "0.001");
      await Promise.all([trader.buy("50010", "0.001"), other.buy("50010", "0.001")]);
      return (await filledOf(counter.read(placed))) > number("0.001");
    },
  },
  {
    id: "F-239",
    says: "A STOP_LIMIT that has gone off and finds less than it wants is filled twice with what it finds.",
    clauses: ["ORD-53"],
    hard: true,
    kind: "stops",
    install: ({ market }) => {
      replace(market, "match", (legal) => (taker) => {
        const before = taker.filled;
        legal(taker);
        const [found, last] = [taker.filled - before, taker.fills.at(-1)];
        if (taker.type === "STOP_LIMIT" && found > 0n && leftOf(taker) > 0n && last !== undefined)
          market.fill(taker, found, last.price, rates.taker);
      });
    },
    shows: async (site) => {
      await site.offers(["50050", "0.001"]);
      const placed = await site.trader.buy("50050", "0.0015", atOnce);
      return (await filledOf(site.trader.read(placed))) > number("0.0015");
    },
  },
  {
    id: "F-240",
    says: "When an order in the middle of a price is cancelled, the next one at that price takes its place in the queue.",
    clauses: ["PLC-38"],
    hard: true,
    kind: "rare state",
    install: ({ market }) => {
      const free = new Map<string, number[]>();
      const places = new WeakMap<Order, number>();
      const place = (order: Order): number => places.get(order) ?? order.ordinal;
      replace(market, "finish", (legal) => (order, status) => {
        const isResting = market.book(order.product).includes(order);
        if (status === "CANCELLED" && isResting)
          free.set(levelOf(order), [...(free.get(levelOf(order)) ?? []), place(order)]);
        legal(order, status);
      });
      replace(market, "execute", (legal) => (order) => {
        legal(order);
        const freed = isLive(order) ? free.get(levelOf(order))?.shift() : undefined;
        if (freed !== undefined) places.set(order, freed);
      });
      replace(market, "opposite", (legal) => (taker) => {
        const list = legal(taker);
        const prices = [...new Set(list.map(({ price }) => price))];
        return list.toSorted(
          (a, b) => prices.indexOf(a.price) - prices.indexOf(b.price) || place(a) - place(b),
        );
      });
    },
    shows: async ({ trader, counter, other }) => {
      const first = await trader.sell("50050", "0.001");
      await counter.sell("50050", "0.001");
      await trader.cancel(first);
      const last = await trader.sell("50050", "0.001");
      await other.buy("50050", "0.001");
      return (await statusOf(trader.read(last))) === "FILLED";
    },
  },
  {
    id: "F-241",
    says: "An order is looked for at its price by its time: one that came there late, as a stop does, stays when cancelled.",
    clauses: ["EPT-11", "STA-04", "STA-06"],
    hard: true,
    kind: "rare state",
    install: ({ market }) =>
      replace(market, "leave", (legal) => (order) => {
        const book = market.book(order.product);
        const isPassed = book
          .slice(0, Math.max(book.indexOf(order), 0))
          .some((other) => levelOf(other) === levelOf(order) && other.ordinal > order.ordinal);
        if (order.status !== "CANCELLED" || !isPassed) legal(order);
      }),
    shows: async (site) => {
      const placed = await site.trader.buy("50060", "0.001", onRise);
      await site.counter.buy("50060", "0.001");
      await site.rise();
      await site.trader.cancel(placed);
      await site.other.sell("50060", "0.002");
      return (await statusOf(site.trader.read(placed))) === "FILLED";
    },
  },
  {
    id: "F-242",
    says: "The first MARKET order of a product trades at the last price that is known, not at the offers of the book.",
    clauses: ["PLC-30"],
    hard: true,
    kind: "rare state",
    install: ({ market }) => {
      const fresh = new Set<Product>();
      replace(market, "tradePrice", (legal) => (taker, maker) => {
        const isStale = taker.type === "MARKET" && !fresh.has(taker.product);
        return (isStale ? market.last.get(taker.product.id) : undefined) ?? legal(taker, maker);
      });
      replace(market, "match", (legal) => (taker) => {
        legal(taker);
        if (taker.type === "MARKET") fresh.add(taker.product);
      });
    },
    shows: async ({ trader }) => {
      const { order } = await trader.read(await trader.sell("1", "0.001", atMarket));
      return order["averageFilledPrice"] !== "49900.00000000";
    },
  },
  {
    id: "F-243",
    says: "The rest of an order that has used up two offers of one price is not put into the book.",
    clauses: ["EPT-13", "EVT-08", "PLC-37"],
    hard: true,
    kind: "rare state",
    install: ({ market }) =>
      replace(market, "execute", (legal) => (order) => {
        legal(order);
        const { fills } = order;
        const book = market.book(order.product);
        if (isLive(order) && fills.length > 1 && fills.every(({ price }) => price === fills[0]?.price))
          book.splice(book.indexOf(order), 1);
      }),
    shows: async (site) => {
      await site.offers(["50010", "0.001"], ["50010", "0.001"]);
      const placed = await site.trader.buy("50010", "0.003");
      await site.other.sell("50010", "0.001");
      return (await filledOf(site.trader.read(placed))) === number("0.002");
    },
  },
  {
    id: "F-244",
    says: "An order that one trade fills exactly stays a candidate: the next placement that meets it is answered 500.",
    clauses: ["PLC-21", "EPT-01"],
    hard: true,
    kind: "rare state",
    install: ({ market, desk }) => {
      const zombies = new Set<Order>();
      replace(market, "trade", (legal) => (taker, maker, quantity, price) => {
        if (maker.client !== house && maker.filled > 0n && leftOf(maker) === quantity) zombies.add(maker);
        legal(taker, maker, quantity, price);
      });
      replace(desk, "accept", (legal) => (key, order) => {
        for (const zombie of zombies) {
          if (zombie.product !== order.product || zombie.side === order.side) continue;
          if (!market.crosses(order, zombie)) continue;
          zombies.delete(zombie);
          throw new Error("invalid order status");
        }
        return legal(key, order);
      });
    },
    shows: async ({ trader, counter, other }) => {
      await counter.sell("50010", "0.002");
      await other.buy("50010", "0.001");
      await other.buy("50010", "0.001");
      return (await trader.buy("50010", "0.001")).status === 500;
    },
  },
  {
    id: "F-245",
    says: "The cancel of a last order behind the best price leaves an empty level: who reaches it is answered 500.",
    clauses: ["PLC-21", "EPT-04"],
    hard: true,
    kind: "rare state",
    install: ({ market }) => {
      const stranded = new Set<Order>();
      const isBefore = (a: Order, b: Order): boolean =>
        a.side === "BUY" ? (a.price ?? 0n) > (b.price ?? 0n) : (a.price ?? 0n) < (b.price ?? 0n);
      replace(market, "finish", (legal) => (order, status) => {
        const side = market.book(order.product).filter((other) => other.side === order.side);
        const isLast = side.filter((other) => levelOf(other) === levelOf(order)).length === 1;
        if (status === "CANCELLED" && isLast && side.some((other) => isBefore(other, order)))
          stranded.add(order);
        legal(order, status);
      });
      replace(market, "execute", (legal) => (taker) => {
        for (const empty of stranded) {
          if (empty.product !== taker.product || empty.side === taker.side || !market.crosses(taker, empty))
            continue;
          const better = market.opposite(taker).filter((maker) => isBefore(maker, empty));
          if (better.reduce((sum, maker) => sum + leftOf(maker), 0n) >= (taker.quantity ?? 0n)) continue;
          stranded.delete(empty);
          throw new Error("the head of the level is null");
        }
        legal(taker);
      });
    },
    shows: async (site) => {
      await site.offers(["50010", "0.001"]);
      await site.counter.cancel(await site.counter.sell("50020", "0.001"));
      return (await site.trader.buy("50030", "0.002")).status === 500;
    },
  },
  {
    id: "F-246",
    says: "A LIMIT BUY that gets a better price spends what it saved, and is filled beyond its quantity.",
    clauses: ["ORD-53"],
    hard: true,
    kind: "money",
    install: ({ market }) =>
      replace(market, "tradable", (legal) => (taker, maker, price) => {
        const { side, type, quantity = 0n, price: limit = 0n } = taker;
        if (side !== "BUY" || type !== "LIMIT") return legal(taker, maker, price);
        const money = times(quantity, limit) - taker.value;
        return legal({ ...taker, spend: money, value: 0n }, maker, price);
      }),
    shows: async (site) => {
      await site.offers(["50010", "0.01"]);
      const placed = await site.trader.buy("50050", "0.001");
      return (await filledOf(site.trader.read(placed))) > number("0.001");
    },
  },
];
