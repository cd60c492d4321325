import { affordable, fixed, least, textOf, times } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import { isLive, leftOf, type Order } from "../order.ts";
import { atMarket, isIn, number } from "../site.ts";
import { house, rates } from "../world.ts";

const margin = fixed("1.05");
const bookedAgainEach = 5;
const furtherBookings = 3;

/** What went wrong in public matching engines with the size, the price and the counterpart of a trade (fixtures/incidents.yaml). */
export const incidentsOfTrades: readonly Bug[] = [
  {
    id: "F-312",
    says: "The money of a MARKET BUY is turned into a quantity at five per cent above the last price: it buys less than it should.",
    clauses: ["PLC-06"],
    hard: false,
    kind: "money",
    install: ({ market }) => {
      const sizes = new WeakMap<Order, bigint>();
      replace(market, "match", (legal) => (taker) => {
        const { spend, product } = taker;
        const price = times(market.last.get(product.id) ?? 0n, margin);
        if (spend !== undefined) sizes.set(taker, affordable(spend, price, product.quantityStep));
        legal(taker);
      });
      replace(market, "tradable", (legal) => (taker, maker, price) => {
        const quantity = legal(taker, maker, price);
        return least(quantity, (sizes.get(taker) ?? quantity) - (sizes.has(taker) ? taker.filled : 0n));
      });
      replace(
        market,
        "isSpent",
        () =>
          ({ filled }) =>
            filled > 0n,
      );
    },
    shows: async ({ trader }) => {
      const { order } = await trader.read(await trader.place({ ...atMarket, quote_value: "1000" }));
      return order["status"] === "FILLED" && number(order["filledValue"]) < number("960");
    },
  },
  {
    id: "F-313",
    says: "A fill is shown with the size of the order that it met, as that was before.",
    clauses: ["ORD-53", "ORD-54", "ORD-55"],
    hard: false,
    kind: "arithmetic",
    install: ({ market, writer }) => {
      const met = new WeakMap<Order, bigint>();
      replace(market, "trade", (legal) => (taker, maker, ...rest) => {
        met.set(taker, (met.get(taker) ?? 0n) + leftOf(maker));
        legal(taker, maker, ...rest);
      });
      replace(writer, "view", (legal) => (order) => {
        const size = met.get(order);
        return size === undefined ? legal(order) : { ...legal(order), filledQuantity: textOf(size) };
      });
    },
    shows: async (site) => {
      await site.offers(["50010", "0.005"]);
      const { order } = await site.trader.read(await site.trader.buy("50010", "0.001"));
      return order["filledQuantity"] === "0.00500000";
    },
  },
  {
    id: "F-314",
    says: "Each fifth match is booked up to three times more, with the next orders of its product.",
    clauses: ["ORD-53", "ORD-55"],
    hard: true,
    kind: "rare state",
    install: ({ market }) => {
      const again: { taker: Order; book: () => void; left: number }[] = [];
      let matches = 0;
      replace(market, "trade", (legal) => (taker, maker, quantity, price) => {
        legal(taker, maker, quantity, price);
        matches += 1;
        const book = () => legal(taker, maker, quantity, price);
        if (matches % bookedAgainEach === 0) again.push({ taker, book, left: furtherBookings });
      });
      replace(market, "enter", (legal) => (order) => {
        for (const match of again) {
          if (match.taker.product !== order.product || match.left === 0) continue;
          match.left -= 1;
          match.book();
        }
        legal(order);
      });
    },
    shows: async ({ trader }) => {
      let placed = await trader.buy("50100", "0.001");
      for (let order = 1; order < 5; order += 1) placed = await trader.buy("50100", "0.001");
      for (let order = 0; order < 4; order += 1) await trader.place();
      return (await trader.read(placed)).order["filledQuantity"] === "0.00400000";
    },
  },
  {
    id: "F-315",
    says: "A trade has the price of the order that came, not of the one that waited.",
    clauses: ["PLC-38"],
    hard: false,
    kind: "money",
    install: ({ market }) =>
      replace(market, "tradePrice", (legal) => (taker, maker) => taker.price ?? legal(taker, maker)),
    shows: async ({ trader }) => {
      const { order } = await trader.read(await trader.buy("50200", "0.001"));
      return order["averageFilledPrice"] === "50200.00000000";
    },
  },
  {
    id: "F-316",
    says: "A sale trades at its own limit where a higher bid was there before it.",
    clauses: ["PLC-38"],
    hard: false,
    kind: "money",
    install: ({ market }) =>
      replace(market, "tradePrice", (legal) => (taker, maker) => {
        const price = legal(taker, maker);
        return taker.side === "SELL" ? (taker.price ?? price) : price;
      }),
    shows: async ({ trader }) => {
      const [sold, bought] = [await trader.sell("49000", "0.001"), await trader.buy("50200", "0.001")];
      const prices = [(await trader.read(sold)).order, (await trader.read(bought)).order];
      return prices.map((order) => order["averageFilledPrice"]).join(" ") === "49000.00000000 50100.00000000";
    },
  },
  {
    id: "F-317",
    says: "Bids are kept with the lowest first: a sale meets that one, and waits where it does not reach its limit.",
    clauses: ["PLC-37", "PLC-30"],
    hard: false,
    kind: "money",
    install: ({ market }) =>
      replace(market, "opposite", (legal) => (taker) => {
        const makers = legal(taker);
        const isSale = "id" in taker && taker.side === "SELL";
        return isSale ? makers.toSorted((a, b) => ((a.price ?? 0n) < (b.price ?? 0n) ? -1 : 1)) : makers;
      }),
    shows: async ({ trader }) => {
      const { order } = await trader.read(await trader.sell("1", "0.001", atMarket));
      return order["averageFilledPrice"] === "49000.00000000";
    },
  },
  {
    id: "F-318",
    says: "An order that waits is matched with its first quantity, and not with what is left of it.",
    clauses: ["ORD-53"],
    hard: true,
    kind: "rare state",
    install: ({ market }) =>
      replace(
        market,
        "tradable",
        (legal) => (taker, maker, price) =>
          legal(taker, maker.client === house ? maker : { ...maker, filled: 0n }, price),
      ),
    shows: async (site) => {
      const placed = await site.started();
      await site.other.buy("50050", "0.002");
      return (await site.trader.read(placed)).order["filledQuantity"] === "0.00300000";
    },
  },
  {
    id: "F-319",
    says: "The repeat of an order that is filled in part carries out the whole order once more.",
    clauses: ["ORD-53", "PLC-10"],
    hard: true,
    kind: "placement",
    install: ({ desk, market }) =>
      replace(desk, "replay", (legal) => (original, draft) => {
        const { quantity, price, filled } = original;
        if (isLive(original) && filled > 0n && quantity !== undefined && price !== undefined)
          market.fill(original, quantity, price, rates.taker);
        return legal(original, draft);
      }),
    shows: async ({ trader, counter }) => {
      const body = trader.body({ side: "SELL", price: "50050", base_quantity: "0.002" });
      await trader.again(body);
      await counter.buy("50050", "0.001");
      return (await trader.again(body)).order["filledQuantity"] === "0.00300000";
    },
  },
  {
    id: "F-320",
    says: "With each order the best bid is taken from the queue, and forgotten when no client has an offer.",
    clauses: ["EPT-07", "PLC-37"],
    hard: true,
    kind: "rare state",
    install: ({ desk, market }) => {
      const forgotten = new WeakSet<Order>();
      replace(market, "enter", (legal) => (order) => {
        const book = market.book(order.product);
        const hasOffer = book.some(({ client, side }) => client !== house && side === "SELL");
        const best = market.opposite({ ...order, side: "SELL" }).find(({ client }) => client !== house);
        if (best !== undefined && !hasOffer) {
          book.splice(book.indexOf(best), 1);
          forgotten.add(best);
        }
        legal(order);
      });
      replace(desk, "isOpen", (legal) => (order) => legal(order) && !forgotten.has(order));
    },
    shows: async ({ trader, counter }) => {
      const placed = await trader.place();
      await counter.place();
      return !isIn(await trader.get("/order/open"), placed);
    },
  },
];
