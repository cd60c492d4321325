import { textOf, times } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import { isLive, leftOf, type Order } from "../order.ts";
import { atMarket, none, number, statusOf, stopLimit, turns } from "../site.ts";
import { house, rates } from "../world.ts";

/** What went wrong at public gateways with sizes, fills, fees and wallets (fixtures/incidents.yaml). */
export const incidentsOfMoneyAndFills: readonly Bug[] = [
  {
    id: "F-288",
    says: "A quantity is cut to its increment in floating point: 2.05 becomes 2.04999999.",
    clauses: ["REQ-25", "ORD-44"],
    hard: true,
    kind: "arithmetic",
    install: ({ orderReader }) =>
      replace(orderReader, "whole", (legal) => (amount, step, field) => {
        const whole = legal(amount, step, field);
        if (field !== "base_quantity") return whole;
        return BigInt(Math.floor(Number(textOf(whole)) / Number(textOf(step)))) * step;
      }),
    shows: async ({ trader }) =>
      number((await trader.buy("30000", "2.05")).order["baseQuantity"]) === number("2.04999999"),
  },
  {
    id: "F-289",
    says: "The base_quantity that comes with a MARKET BUY is spent as money, in place of its quote_value.",
    clauses: ["PLC-06"],
    hard: true,
    kind: "money",
    install: ({ orderReader }) =>
      replace(orderReader, "size", (legal) => (body, product, isBySpend) => {
        const size = legal(body, product, isBySpend);
        const isGiven = body["base_quantity"] !== undefined && body["base_quantity"] !== null;
        return isBySpend && isGiven ? { ...size, spend: orderReader.positive(body, "base_quantity") } : size;
      }),
    shows: async ({ trader }) => {
      const placed = await trader.place({ ...atMarket, quote_value: "1000", base_quantity: "50" });
      return number((await trader.read(placed)).order["filledValue"]) <= number("50");
    },
  },
  {
    id: "F-290",
    says: "The minimum size holds for orders that can wait: a MARKET order may be smaller.",
    clauses: ["PLC-27"],
    hard: false,
    kind: "validation",
    install: ({ desk }) =>
      replace(desk, "checkRules", (legal) => (draft) => {
        const product = { ...draft.product, smallest: 0n, leastSpend: 0n };
        legal(draft.type === "MARKET" ? { ...draft, product } : draft);
      }),
    shows: async ({ trader }) => (await trader.sell("1", "0.0001", atMarket)).status === 200,
  },
  {
    id: "F-291",
    says: "The baseQuantity of an order that traded and then waits is what went into the book: it ends overfilled.",
    clauses: ["ORD-44", "ORD-53"],
    hard: true,
    kind: "rare state",
    install: ({ market, writer }) => {
      const resting = new WeakMap<Order, bigint>();
      replace(market, "match", (legal) => (taker) => {
        legal(taker);
        if (taker.type !== "MARKET" && taker.filled > 0n && isLive(taker)) resting.set(taker, leftOf(taker));
      });
      replace(writer, "view", (legal) => (order) => {
        const rest = resting.get(order);
        return rest === undefined ? legal(order) : { ...legal(order), baseQuantity: textOf(rest) };
      });
    },
    shows: async (site) => {
      await site.offers(["50010", "0.001"]);
      const placed = await site.trader.buy("50010", "0.003");
      return (await site.trader.read(placed)).order["baseQuantity"] === "0.00200000";
    },
  },
  {
    id: "F-292",
    says: "What is left of an order that waited goes to the end of the queue at its price.",
    clauses: ["PLC-38"],
    hard: true,
    kind: "rare state",
    install: ({ market }) => {
      const moved = new WeakMap<Order, number>();
      const place = (order: Order): number => moved.get(order) ?? order.ordinal;
      replace(market, "trade", (legal) => (taker, maker, ...rest) => {
        legal(taker, maker, ...rest);
        if (maker.client === house || leftOf(maker) <= 0n) return;
        // Behind the last order that is there, and before the next one that comes.
        moved.set(maker, Math.max(...market.book(maker.product).map(place)) + 0.001);
      });
      replace(market, "opposite", (legal) => (taker) => {
        const list = legal(taker);
        const prices = [...new Set(list.map(({ price }) => price))];
        return list.toSorted(
          (a, b) => prices.indexOf(a.price) - prices.indexOf(b.price) || place(a) - place(b),
        );
      });
    },
    shows: async (site) => {
      const placed = await site.trader.sell("50050", "0.002");
      await site.counter.sell("50050", "0.001");
      for (const _ of turns(2)) await site.other.buy("50050", "0.001");
      return (await statusOf(site.trader.read(placed))) === "OPEN";
    },
  },
  {
    id: "F-293",
    says: "The last price is compared with a trigger the wrong way: a BUY goes off at or below it, a SELL at or above.",
    clauses: ["PLC-39"],
    hard: false,
    kind: "stops",
    install: ({ market }) =>
      replace(
        market,
        "isTriggered",
        (legal) => (order) => legal({ ...order, side: order.side === "BUY" ? "SELL" : "BUY" }),
      ),
    shows: async ({ trader }) => {
      const placed = await trader.buy("30000", "0.001", { ...stopLimit, stop_price: "60000" });
      return (await statusOf(trader.read(placed))) === "OPEN";
    },
  },
  {
    id: "F-294",
    says: "The cancel of a BUY gives its money back and keeps the fee that was held with it.",
    clauses: ["PLC-36"],
    hard: true,
    kind: "money",
    install: ({ market }) =>
      replace(market, "holdFor", (legal) => (order) => {
        if (order.status !== "CANCELLED" || order.side !== "BUY") return legal(order);
        return times(times(leftOf(order), order.price ?? 0n), rates.taker);
      }),
    shows: async ({ trader }) => {
      await trader.cancel(await trader.place());
      return (await trader.wallet("USD"))["hold"] !== none;
    },
  },
  {
    id: "F-295",
    says: "The record of an order shows the fee of its last fill alone.",
    clauses: ["ORD-60"],
    hard: true,
    kind: "arithmetic",
    install: ({ market, writer }) => {
      const last = new WeakMap<Order, bigint>();
      replace(market, "fee", (legal) => (order, value, rate) => {
        const fee = legal(order, value, rate);
        last.set(order, fee);
        return fee;
      });
      replace(
        writer,
        "charges",
        (legal) => (order) => legal({ ...order, fees: last.get(order) ?? order.fees }),
      );
    },
    shows: async (site) => {
      const placed = await site.started();
      await site.counter.buy("50050", "0.001");
      const { fees, filledValue } = (await site.trader.read(placed)).order;
      return number(fees) * 1250n !== number(filledValue);
    },
  },
  {
    id: "F-296",
    says: "A seller is paid three quarters of what the record of the order says.",
    clauses: ["ORD-56", "ORD-60"],
    hard: false,
    kind: "money",
    install: ({ wallets }) =>
      replace(
        wallets,
        "move",
        (legal) => (order, quantity, value, fee) =>
          legal(order, quantity, order.side === "SELL" ? (value * 3n) / 4n : value, fee),
      ),
    shows: async ({ trader }) => {
      const { order } = await trader.read(await trader.sell("1", "0.001", atMarket));
      const { balance } = await trader.wallet("USD");
      return number(balance) - number("900000000") !== number(order["totalUserRecieveAmount"]);
    },
  },
];
