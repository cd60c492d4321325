import { fixed, ratio, textOf, times } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import { isLive, type Order } from "../order.ts";
import { atMarket, isIn, none, number, onRise, stopLimit } from "../site.ts";

const cent = fixed("0.01");
const byText = (a: Order, b: Order): number => {
  const [first, second] = [textOf(a.price ?? 0n), textOf(b.price ?? 0n)];
  if (first === second) return a.ordinal - b.ordinal;
  return (first < second ? -1 : 1) * (a.side === "SELL" ? 1 : -1);
};

export const bugsOfSumsAndStates: readonly Bug[] = [
  {
    id: "F-171",
    says: "The book is sorted by price as text: an offer at 120 comes before one at 80.",
    clauses: ["PLC-37", "PLC-30"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) => replace(market, "opposite", (legal) => (taker) => legal(taker).sort(byText)),
    shows: async ({ trader, counter }) => {
      const product = "LTC-USD";
      await counter.sell("120", "0.5", { product });
      const spend = { ...atMarket, product, quote_value: "40", base_quantity: undefined };
      const { order } = await trader.read(await trader.place(spend));
      return number(order["averageFilledPrice"]) === number("120");
    },
  },
  {
    id: "F-172",
    says: "The fee that leaves the wallet is rounded up to a hundredth, and the one on the order's record is not.",
    clauses: ["ORD-60"],
    hard: true,
    kind: "arithmetic",
    install: ({ wallets }) =>
      replace(
        wallets,
        "move",
        (legal) => (order, quantity, value, fee) =>
          legal(order, quantity, value, ((fee + cent - 1n) / cent) * cent),
      ),
    shows: async ({ trader }) => {
      const { order } = await trader.read(await trader.buy("50200", "0.001"));
      const { balance } = await trader.wallet("USD");
      return number("900000000") - number(balance) !== number(order["filledValue"]) + number(order["fees"]);
    },
  },
  {
    id: "F-173",
    says: "What a SELL has brought that was filled in part and cancelled is what the whole of it would have brought.",
    clauses: ["ORD-56"],
    hard: true,
    kind: "rare state",
    install: ({ writer }) =>
      replace(writer, "received", (legal) => (order) => {
        const { side, status, quantity = 0n, price } = order;
        const isCut = side === "SELL" && status === "CANCELLED" && price !== undefined;
        return isCut ? times(quantity, price) : legal(order);
      }),
    shows: async (site) => {
      const { order } = await site.trader.cancel(await site.started());
      return number(order["totalUserRecieveAmount"]) > number(order["filledValue"]);
    },
  },
  {
    id: "F-174",
    says: "From the second fill on, the average price is that of the fills before the last.",
    clauses: ["ORD-54"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) =>
      replace(writer, "average", (legal) => (order) => {
        const before = order.fills.slice(0, -1);
        if (before.length === 0) return legal(order);
        const value = before.reduce((sum, { price, quantity }) => sum + times(price, quantity), 0n);
        return ratio(
          value,
          before.reduce((sum, { quantity }) => sum + quantity, 0n),
        );
      }),
    shows: async (site) => {
      await site.offers(["50010", "0.001"], ["50020", "0.001"]);
      const { order } = await site.trader.read(await site.trader.buy("50020", "0.002"));
      return number(order["averageFilledPrice"]) === number("50010");
    },
  },
  {
    id: "F-175",
    says: "When a client trades again, the fees of its filled orders are halved on their records: a discount.",
    clauses: ["STA-06", "ORD-60"],
    hard: true,
    kind: "money",
    install: ({ desk, market }) => {
      const halved = new Set<Order>();
      replace(market, "fill", (legal) => (order, ...rest) => {
        legal(order, ...rest);
        for (const other of desk.orders) {
          if (other === order || other.client !== order.client || other.status !== "FILLED") continue;
          if (!halved.has(other)) other.fees /= 2n;
          halved.add(other);
        }
      });
    },
    shows: async ({ trader }) => {
      const placed = await trader.buy("50200", "0.001");
      const { order } = await trader.read(placed);
      await trader.buy("50200", "0.001");
      return (await trader.read(placed)).order["fees"] !== order["fees"];
    },
  },
  {
    id: "F-176",
    says: "Cancelling an order that was filled in part takes its fees off the record, and not back into the wallet.",
    clauses: ["STA-05", "ORD-60"],
    hard: true,
    kind: "money",
    install: ({ market }) =>
      replace(market, "finish", (legal) => (order, status) => {
        if (status === "CANCELLED" && order.type !== "MARKET") order.fees = 0n;
        legal(order, status);
      }),
    shows: async (site) => {
      const { order } = await site.trader.cancel(await site.started());
      return order["fees"] === none;
    },
  },
  {
    id: "F-177",
    says: "A STOP_LIMIT to buy holds its trigger's price where that is the higher one, and gives its limit's price back.",
    clauses: ["PLC-36"],
    hard: true,
    kind: "money",
    install: ({ desk, wallets }) =>
      replace(desk, "accept", (legal) => (key, order) => {
        const { side, stop = 0n, price = 0n, quantity = 0n } = order;
        if (side === "BUY" && stop > price)
          wallets.of(order.client, order.product.quote).hold += times(quantity, stop - price);
        return legal(key, order);
      }),
    shows: async ({ trader }) => {
      await trader.cancel(await trader.place({ ...stopLimit, stop_price: "60000" }));
      return (await trader.wallet("USD"))["hold"] !== none;
    },
  },
  {
    id: "F-178",
    says: "A LIMIT that has traded with two orders goes on to the next price, whether or not it is within its own.",
    clauses: ["PLC-31"],
    hard: true,
    kind: "rare state",
    install: ({ market }) =>
      replace(
        market,
        "crosses",
        (legal) => (taker, maker) =>
          legal(taker, maker) || (taker.type === "LIMIT" && taker.fills.length === 2),
      ),
    shows: async (site) => {
      await site.offers(["50010", "0.001"], ["50020", "0.001"]);
      const { order } = await site.trader.read(await site.trader.buy("50020", "0.003"));
      return order["status"] === "FILLED";
    },
  },
  {
    id: "F-179",
    says: "A stop that has gone off and rests in the book is missing from the open list.",
    clauses: ["EPT-07"],
    hard: true,
    kind: "lists",
    install: ({ desk }) =>
      replace(
        desk,
        "isOpen",
        (legal) => (order) => legal(order) && (order.type !== "STOP_LIMIT" || order.status === "PENDING"),
      ),
    shows: async (site) => {
      const placed = await site.trader.buy("50060", "0.001", onRise);
      await site.rise();
      return !isIn(await site.trader.get("/order/open"), placed);
    },
  },
  {
    id: "F-180",
    says: "An order that was filled by more than one trade stays in the open list.",
    clauses: ["EPT-09"],
    hard: true,
    kind: "lists",
    install: ({ desk }) =>
      replace(
        desk,
        "isOpen",
        () => (order) => isLive(order) || (order.status === "FILLED" && order.fills.length > 1),
      ),
    shows: async (site) => {
      const placed = await site.started();
      await site.counter.buy("50050", "0.001");
      return isIn(await site.trader.get("/order/open"), placed);
    },
  },
];
