import { fixed, rounded, textOf } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import { leftOf, type Order } from "../order.ts";
import { atMarket, number, stopLimit } from "../site.ts";

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
    shows: async (site) => {
      await site.offers(["50010", "0.001"], ["50020", "0.002"], ["50060", "0.004"]);
      const { order } = await site.trader.read(await site.trader.buy("50060", "0.007"));
      const exact = (number("50.01") + number("100.04") + number("200.24")) * 1000n;
      const shown = number(order["averageFilledPrice"]) * 7n;
      return (shown > exact ? shown - exact : exact - shown) > number("0.001");
    },
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
    shows: async (site) => {
      await site.offers(["50010", "0.001"], ["50020", "0.001"]);
      const { order } = await site.trader.read(await site.trader.buy("50020", "0.002"));
      return number(order["fees"]) * 500n !== number(order["filledValue"]);
    },
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
    shows: async ({ trader }) => {
      const { order } = await trader.read(await trader.sell("1", "0.00133371", atMarket));
      const { filledValue, fees, totalUserRecieveAmount } = order;
      return number(totalUserRecieveAmount) !== number(filledValue) - number(fees);
    },
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
    shows: async (site) => {
      await site.offers(["50010", "0.001"]);
      const placed = await site.trader.place({ ...atMarket, quote_value: "200" });
      return number((await site.trader.read(placed)).order["filledValue"]) > number("200");
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
    shows: async (site) => {
      await site.offers(["50010", "0.001"]);
      await site.trader.place({ ...atMarket, quote_value: "200" });
      return (await site.trader.wallet("USD"))["hold"] !== "0.00000000";
    },
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
    shows: async ({ trader }) => {
      const { order } = await trader.buy("30000.07", "0.12345679");
      return number(order["quoteValue"]) * 10n ** 18n !== number("30000.07") * number("0.12345679");
    },
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
    shows: async (site) => {
      await site.offers(["50010", "0.001"], ["50020", "0.001"], ["50030", "0.004"]);
      const { order } = await site.trader.read(await site.trader.buy("50030", "0.003"));
      return number(order["filledQuantity"]) > number("0.003");
    },
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
    shows: async ({ trader, counter }) => {
      await counter.buy("50000", "0.01");
      const { order } = await trader.read(await trader.sell("1", "0.001", atMarket));
      return number(order["averageFilledPrice"]) !== number("50000");
    },
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
    shows: async ({ trader }) => {
      const placed = await trader.sell("49000", "0.001", { ...stopLimit, stop_price: "49950" });
      return (await trader.read(placed)).order["status"] !== "PENDING";
    },
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
    shows: async (site) => {
      const placed = await site.trader.buy("50060", "0.001", { ...stopLimit, stop_price: "50080" });
      await site.rise();
      return (await site.trader.read(placed)).order["status"] !== "OPEN";
    },
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
    shows: async (site) => {
      const placed = await site.trader.buy("50200", "0.001", { ...stopLimit, stop_price: "50080" });
      await site.trader.cancel(placed);
      await site.rise();
      return (await site.trader.read(placed)).order["status"] !== "CANCELLED";
    },
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
    shows: async (site) => {
      const { order } = await site.trader.cancel(await site.started());
      return number(order["filledQuantity"]) !== number("0.001");
    },
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
    shows: async (site) => {
      await site.trader.cancel(await site.started());
      return (await site.trader.wallet("BTC"))["hold"] !== "0.00000000";
    },
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
    shows: async (site) => {
      const placed = await site.started();
      await site.trader.cancel(placed);
      await site.counter.buy("50050", "0.001");
      return number((await site.trader.read(placed)).order["filledQuantity"]) !== number("0.001");
    },
  },
];
