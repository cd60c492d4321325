import { fixed, rounded, textOf } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import { leftOf, type Order } from "../order.ts";

export const bugsOfMoney: readonly Bug[] = [
  {
    id: "F-47",
    says: "From three fills on, the average price is the mean of the prices, whatever was bought at each.",
    clauses: ["ORD-54"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) =>
      replace(writer, "average", (legal) => (order) => {
        const { fills } = order;
        if (fills.length < 3) return legal(order);
        return rounded(fills.reduce((sum, { price }) => sum + price, 0n) / BigInt(fills.length), 12);
      }),
  },
  {
    id: "F-48",
    says: "The second fill of an order pays its fee twice.",
    clauses: ["ORD-60"],
    hard: true,
    kind: "money",
    install: ({ market }) =>
      replace(
        market,
        "fee",
        (legal) => (order, value, rate) => legal(order, value, rate) * (order.fills.length === 1 ? 2n : 1n),
      ),
  },
  {
    id: "F-49",
    says: "What a SELL brings is shown in cents: the rest is cut off.",
    clauses: ["ORD-56"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) =>
      replace(writer, "received", (legal) => (order) => {
        const amount = legal(order);
        return order.side === "SELL" ? amount - (amount % fixed("0.01")) : amount;
      }),
  },
  {
    id: "F-50",
    says: "A MARKET BUY over several levels is sized by the price of the first and spends more than its quote_value.",
    clauses: ["PLC-06"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) => {
      const planned = new WeakMap<Order, bigint>();
      replace(market, "tradable", (legal) => (taker, maker, price) => {
        if (taker.spend === undefined) return legal(taker, maker, price);
        const endless = { ...maker, quantity: 10n ** 30n };
        const all = planned.get(taker) ?? legal(taker, endless, price);
        planned.set(taker, all);
        const wanted = all - taker.filled;
        return wanted < leftOf(maker) ? wanted : leftOf(maker);
      });
    },
  },
  {
    id: "F-51",
    says: "A MARKET BUY over several levels leaves its funds held.",
    clauses: ["PLC-36"],
    hard: true,
    kind: "money",
    install: ({ market }) =>
      replace(
        market,
        "holdFor",
        (legal) => (order) =>
          order.spend !== undefined && order.fills.length > 1 ? order.held : legal(order),
      ),
  },
  {
    id: "F-52",
    says: "quoteValue is calculated in floating point and is wrong for long decimals.",
    clauses: ["ORD-47"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) =>
      replace(writer, "quoteValue", (legal) => (order) => {
        const { quantity, price } = order;
        if (quantity === undefined || price === undefined) return legal(order);
        const product = Number(textOf(quantity)) * Number(textOf(price));
        return textOf(fixed(product.toFixed(18)));
      }),
  },
  {
    id: "F-53",
    says: "The third fill of an order takes all that the other side offers, beyond the order's quantity.",
    clauses: ["ORD-53"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) =>
      replace(
        market,
        "tradable",
        (legal) => (taker, maker, price) =>
          taker.fills.length === 2 && taker.spend === undefined ? leftOf(maker) : legal(taker, maker, price),
      ),
  },
  {
    id: "F-54",
    says: "A MARKET SELL takes the oldest bid instead of the best.",
    clauses: ["PLC-37", "PLC-30"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) =>
      replace(market, "opposite", (legal) => (order) => {
        const orders = legal(order);
        if (order.type !== "MARKET" || order.side !== "SELL") return orders;
        return orders.sort((a, b) => a.ordinal - b.ordinal);
      }),
  },
  {
    id: "F-55",
    says: "A STOP_LIMIT to sell goes off when the price rises to its trigger.",
    clauses: ["PLC-39", "PLC-32"],
    hard: true,
    kind: "rare state",
    install: ({ market }) =>
      replace(market, "isTriggered", (legal) => (order) => {
        if (order.side === "BUY") return legal(order);
        return (market.last.get(order.product.id) ?? 0n) >= (order.stop ?? 0n);
      }),
  },
  {
    id: "F-56",
    says: "A STOP_LIMIT that goes off trades at any price, like a MARKET order.",
    clauses: ["PLC-31"],
    hard: true,
    kind: "rare state",
    install: ({ market }) =>
      replace(
        market,
        "crosses",
        (legal) => (taker, maker) => taker.type === "STOP_LIMIT" || legal(taker, maker),
      ),
  },
  {
    id: "F-57",
    says: "A STOP_LIMIT that was cancelled while it waited goes off all the same.",
    clauses: ["STA-06", "STA-04"],
    hard: true,
    kind: "rare state",
    install: ({ market }) =>
      replace(market, "leave", (legal) => (order) => {
        if (!market.waiting.includes(order)) legal(order);
      }),
  },
  {
    id: "F-58",
    says: "Cancelling an order that was filled in part takes its fills out of the record.",
    clauses: ["STA-05", "STA-06"],
    hard: true,
    kind: "rare state",
    install: ({ market }) =>
      replace(market, "finish", (legal) => (order, status) => {
        if (status === "CANCELLED" && order.type === "LIMIT") Object.assign(order, { filled: 0n, value: 0n });
        legal(order, status);
      }),
  },
  {
    id: "F-59",
    says: "Cancelling an order that was filled in part does not give back what it still held.",
    clauses: ["PLC-36"],
    hard: true,
    kind: "money",
    install: ({ market }) =>
      replace(
        market,
        "holdFor",
        (legal) => (order) => (order.status === "CANCELLED" && order.filled > 0n ? order.held : legal(order)),
      ),
  },
  {
    id: "F-60",
    says: "An order that was filled in part and cancelled stays in the book and goes on trading.",
    clauses: ["STA-06", "STA-04"],
    hard: true,
    kind: "rare state",
    install: ({ market }) =>
      replace(market, "leave", (legal) => (order) => {
        if (order.status !== "CANCELLED" || order.filled === 0n || order.type === "MARKET") legal(order);
      }),
  },
];
