import { affordable, times } from "./amounts.ts";
import { type Bug, replace } from "./bug.ts";
import { isLive, leftOf, type Order } from "./order.ts";
import { house, rates } from "./world.ts";

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
  },
  {
    id: "F-242",
    says: "The quantity of a MARKET BUY is worked out at the best price, and bought at whatever the next ones cost.",
    clauses: ["PLC-06"],
    hard: true,
    kind: "money",
    install: ({ market }) => {
      const wanted = new WeakMap<Order, bigint>();
      replace(market, "tradable", (legal) => (taker, maker, price) => {
        if (taker.spend === undefined) return legal(taker, maker, price);
        const quantity = wanted.get(taker) ?? affordable(taker.spend, price, taker.product.quantityStep);
        wanted.set(taker, quantity);
        return legal({ ...taker, spend: undefined, quantity }, maker, price);
      });
      replace(market, "isSpent", () => (taker) => taker.filled > 0n && taker.filled === wanted.get(taker));
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
  },
  {
    id: "F-245",
    says: "An order that is filled in part meets no newer LIMIT order at any price but its own.",
    clauses: ["PLC-37", "EPT-13"],
    hard: true,
    kind: "rare state",
    install: ({ market }) =>
      replace(
        market,
        "crosses",
        (legal) => (taker, maker) =>
          legal(taker, maker) &&
          (maker.client === house ||
            maker.filled === 0n ||
            taker.type === "MARKET" ||
            taker.price === maker.price),
      ),
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
  },
  {
    id: "F-247",
    says: "A stop goes off at an offer beyond its trigger, without any trade there.",
    clauses: ["PLC-32", "PLC-39"],
    hard: true,
    kind: "stops",
    install: ({ market }) =>
      replace(market, "isTriggered", () => (order) => {
        const price = market.opposite(order)[0]?.price;
        if (price === undefined) return false;
        return order.side === "BUY" ? price >= (order.stop ?? 0n) : price <= (order.stop ?? 0n);
      }),
  },
  {
    id: "F-248",
    says: "A STOP_LIMIT SELL whose limit is above its trigger is sold at the price that set it off, below its limit.",
    clauses: ["PLC-31"],
    hard: true,
    kind: "stops",
    install: ({ market }) =>
      replace(market, "crosses", (legal) => (taker, maker) => {
        const last = market.last.get(taker.product.id) ?? 0n;
        const isBelow = taker.type === "STOP_LIMIT" && taker.side === "SELL" && last < (taker.price ?? 0n);
        return legal(isBelow ? { ...taker, price: last } : taker, maker);
      }),
  },
];
