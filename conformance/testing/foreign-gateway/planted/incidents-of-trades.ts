import { affordable, fixed, least, textOf, times } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import { isLive, leftOf, type Order } from "../order.ts";
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
  },
  {
    id: "F-315",
    says: "A trade has the price of the order that came, not of the one that waited.",
    clauses: ["PLC-38"],
    hard: false,
    kind: "money",
    install: ({ market }) =>
      replace(market, "tradePrice", (legal) => (taker, maker) => taker.price ?? legal(taker, maker)),
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
  },
];
