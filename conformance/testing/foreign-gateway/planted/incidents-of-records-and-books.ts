import { fixed, textOf } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import { type Reply } from "../caller.ts";
import type { Depth, Level, Market } from "../market.ts";
import { leftOf, type Order, type Record_ } from "../order.ts";
import { bookPath, mentions, type Site, shownPrice, twoOffers } from "../site.ts";
import type { Product } from "../world.ts";

const shownTicks = 50n;
const mixedUpMs = 20;

type Sides = Omit<Depth, "version">;

/** Levels that a book goes on showing, in the place of those of the same price. */
export function lingering(market: Market) {
  const kept = new Map<Product, { order: Order; level: Level }[]>();
  const side = (levels: readonly Level[], extra: readonly Level[], sign: number): Level[] =>
    [...levels.filter(([price]) => !extra.some(([other]) => other === price)), ...extra].toSorted(
      ([a], [b]) => sign * (fixed(a) < fixed(b) ? -1 : 1),
    );
  replace(market, "levels", (legal) => (product): Sides => {
    const { bids, asks } = legal(product);
    const extra = (of: Order["side"]) =>
      (kept.get(product) ?? []).filter(({ order }) => order.side === of).map(({ level }) => level);
    return { bids: side(bids, extra("BUY"), -1), asks: side(asks, extra("SELL"), 1) };
  });
  return {
    keep: (order: Order, level: Level): void =>
      void kept.set(order.product, [...(kept.get(order.product) ?? []), { order, level }]),
    forget: (product: Product): void => void kept.delete(product),
  };
}

const inExponents = (text: unknown): unknown =>
  Number(text) > 0 && Number(text) < 1e-6 ? String(Number(text)) : text;

const average = async ({ trader }: Site, placed: Reply): Promise<unknown> =>
  (await trader.read(placed)).order["averageFilledPrice"];

/** What went wrong at public gateways with records of orders and with books (fixtures/incidents.yaml). */
export const incidentsOfRecordsAndBooks: readonly Bug[] = [
  {
    id: "F-262",
    says: "The average of an order that has waited counts its last execution only.",
    clauses: ["ORD-54"],
    hard: true,
    kind: "arithmetic",
    install: ({ market, writer }) => {
      const makers = new WeakSet<Order>();
      replace(market, "trade", (legal) => (taker, maker, ...rest) => {
        makers.add(maker);
        legal(taker, maker, ...rest);
      });
      replace(writer, "average", (legal) => (order) => {
        const last = order.fills.at(-1);
        return makers.has(order) && last !== undefined ? last.price : legal(order);
      });
    },
    shows: async (site) => {
      await site.offers(["50010", "0.001"]);
      const placed = await site.trader.buy("50030", "0.002");
      await site.counter.sell("50030", "0.001");
      return (await average(site, placed)) !== "50020.00000000";
    },
  },
  {
    id: "F-263",
    says: "Fees are written as binary numbers: those below a millionth have an exponent.",
    clauses: ["ORD-36"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) =>
      replace(
        writer,
        "charges",
        (legal) => (order) =>
          Object.fromEntries(Object.entries(legal(order)).map(([name, text]) => [name, inExponents(text)])),
      ),
    shows: async ({ trader }) => {
      const placed = await trader.buy("0.0017", "0.01", { product: "LTC-BTC" });
      return String((await trader.read(placed)).order["fees"]).includes("e");
    },
  },
  {
    id: "F-264",
    says: "The list of all orders shows an order once for each of its fills, each time under an id of its own.",
    clauses: ["ORD-39", "ORD-38"],
    hard: true,
    kind: "lists",
    install: ({ desk }) =>
      replace(desk, "list", (legal) => (key, filter) => {
        const page = legal(key, filter);
        const items = (page["items"] as Record_[]).flatMap((view) => {
          const order = desk.orders.find(({ id }) => id === view["id"]);
          const further = order?.fills
            .slice(1)
            .map((_, at) => ({ ...view, id: `${String(view["id"])}-${at + 2}` }));
          return [view, ...(further ?? [])];
        });
        return { ...page, items };
      }),
    shows: async (site) => {
      await twoOffers(site);
      await site.trader.buy("50020", "0.002");
      return (await site.trader.get("/orders")).list.length > 1;
    },
  },
  {
    id: "F-265",
    says: "The average price is rounded to fifty price increments.",
    clauses: ["ORD-54"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) =>
      replace(writer, "average", (legal) => (order) => {
        const unit = order.product.priceStep * shownTicks;
        return ((legal(order) + unit / 2n) / unit) * unit;
      }),
    shows: async (site) => {
      await site.offers(["50010.30", "0.001"]);
      return (await average(site, await site.trader.buy("50020", "0.001"))) !== "50010.30000000";
    },
  },
  {
    id: "F-266",
    says: "A book that is read within twenty milliseconds of that of another product has the levels of that other one.",
    clauses: ["EPT-13"],
    hard: true,
    kind: "products",
    install: (gateway) => {
      let before = { name: "", at: 0 };
      replace(gateway, "book", (legal) => (name) => {
        const { name: other, at } = before;
        const isMixedUp = other !== name && Date.now() - at < mixedUpMs;
        before = { name, at: Date.now() };
        return isMixedUp ? { ...legal(other), product: name } : legal(name);
      });
    },
    shows: async ({ trader }) => {
      await trader.get(bookPath);
      return mentions(await trader.get("/books/LTC-USD"), "49900.00000000");
    },
  },
  {
    id: "F-267",
    says: "When the only order of the best price leaves, that price stays the best one with zero until the next trade.",
    clauses: ["EPT-13", "EVT-08"],
    hard: true,
    kind: "rare state",
    install: ({ market }) => {
      const { keep, forget } = lingering(market);
      replace(market, "finish", (legal) => (order, status) => {
        const { price, product, side } = order;
        const opposite = side === "BUY" ? "SELL" : "BUY";
        const [best, next] = market.opposite({ ...order, side: opposite });
        legal(order, status);
        if (best === order && next?.price !== price && price !== undefined)
          keep(order, [textOf(price), textOf(0n)]);
        else if (status === "FILLED") forget(product);
      });
    },
    shows: async ({ trader }) => {
      await trader.cancel(await trader.sell("50050", "0.001"));
      return mentions(await trader.get(bookPath), shownPrice);
    },
  },
  {
    id: "F-268",
    says: "When a client trades with itself, the book goes on showing the order that waited.",
    clauses: ["EPT-13", "EVT-08"],
    hard: true,
    kind: "rare state",
    install: ({ market }) => {
      const { keep } = lingering(market);
      replace(market, "trade", (legal) => (taker, maker, quantity, price) => {
        legal(taker, maker, quantity, price);
        if (taker.client === maker.client && leftOf(maker) === 0n)
          keep(maker, [textOf(price), textOf(quantity)]);
      });
    },
    shows: async ({ trader }) => {
      await trader.sell("50050", "0.001");
      await trader.buy("50050", "0.001");
      return mentions(await trader.get(bookPath), shownPrice);
    },
  },
  {
    id: "F-269",
    says: "An order that is filled at once breaks the update of the book: what it took is shown until the next change.",
    clauses: ["EPT-13", "EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ market }) => {
      let broken = false;
      replace(market, "enter", (legal) => (order) => {
        legal(order);
        broken = false;
      });
      replace(market, "execute", (legal) => (order) => {
        legal(order);
        broken = order.type === "LIMIT" && order.status === "FILLED";
      });
      replace(market, "publish", (legal) => (product) => {
        if (!broken) legal(product);
      });
    },
    shows: async ({ trader, counter }) => {
      await trader.sell("50050", "0.001");
      await counter.buy("50050", "0.001");
      return mentions(await trader.get(bookPath), shownPrice);
    },
  },
  {
    id: "F-270",
    says: "After an order was refused, the book goes on showing the next order that leaves it.",
    clauses: ["EPT-13", "EVT-08"],
    hard: true,
    kind: "rare state",
    install: ({ desk, market }) => {
      const { keep } = lingering(market);
      let refused = false;
      replace(desk, "placeNew", (legal) => (key, draft) => {
        desk.checkRules(draft);
        try {
          return legal(key, draft);
        } catch (error) {
          refused = true;
          throw error;
        }
      });
      replace(market, "finish", (legal) => (order, status) => {
        const { price, product } = order;
        const wasInBook = market.book(product).includes(order);
        const left = leftOf(order);
        legal(order, status);
        if (!refused || !wasInBook || price === undefined || left <= 0n) return;
        refused = false;
        keep(order, [textOf(price), textOf(left)]);
      });
    },
    shows: async ({ trader, counter }) => {
      const placed = await trader.sell("50050", "0.001");
      await counter.buy("100000000", "25");
      await trader.cancel(placed);
      return mentions(await trader.get(bookPath), shownPrice);
    },
  },
];
