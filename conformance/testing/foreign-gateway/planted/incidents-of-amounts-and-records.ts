import { affordable, fixed, ratio, rounded, textOf, times } from "../amounts.ts";
import { Refusal } from "../authenticator.ts";
import { type Bug, replace } from "../bug.ts";
import type { Level } from "../market.ts";
import { isLive, leftOf, type Order, type Record_ } from "../order.ts";
import { atMarket, isIn, mentions, none, number } from "../site.ts";
import { house, products, rates } from "../world.ts";

const shownPlaces = 8;
const sizeDigits = 3;
const unbookedEach = 7;
const thinProduct = "LTC-BTC";
const thinDepth = fixed("5");
const switchedEach = 20;
const settledEach = 8;

/** What went wrong at public gateways with amounts, fills and records of orders (fixtures/incidents.yaml). */
export const incidentsOfAmountsAndRecords: readonly Bug[] = [
  {
    id: "F-321",
    says: "The price of a BUY is kept as its inverse, a binary number: some are shown one at the eighth place too low.",
    clauses: ["ORD-45"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) =>
      replace(writer, "view", (legal) => (order) => {
        const view = legal(order);
        const { side, price } = order;
        if (side !== "BUY" || price === undefined) return view;
        const inverse = 1 / Number(textOf(price));
        const digits = (1 / inverse).toFixed(12);
        return { ...view, limitPrice: digits.slice(0, shownPlaces - 12) };
      }),
    shows: async ({ trader }) =>
      (await trader.buy("7000.07", "0.001")).order["limitPrice"] === "7000.06999999",
  },
  {
    id: "F-322",
    says: "The last quantity of a MARKET BUY is cut to the increment, and what that leaves of the money is charged with it.",
    clauses: ["ORD-55", "PLC-30"],
    hard: true,
    kind: "arithmetic",
    install: ({ market, wallets }) =>
      replace(market, "match", (legal) => (taker) => {
        legal(taker);
        const { spend, value, filled, product, fills } = taker;
        const price = fills.at(-1)?.price;
        if (spend === undefined || price === undefined || filled === 0n) return;
        if (affordable(spend - value, price, product.quantityStep) > 0n) return;
        wallets.of(taker.client, product.quote).balance -= spend - value;
        taker.value = spend;
      }),
    shows: async ({ trader }) => {
      const body = { ...atMarket, product: "LTC-BTC", quote_value: "0.01", base_quantity: undefined };
      const { filledValue } = (await trader.read(await trader.place(body))).order;
      return filledValue === "0.01000000";
    },
  },
  {
    id: "F-323",
    says: "An order of more than three decimal places that is filled while it waits stays open and in the book, with size zero.",
    clauses: ["EPT-09", "EPT-13"],
    hard: true,
    kind: "arithmetic",
    install: ({ market }) => {
      const empty = new Set<Order>();
      replace(market, "finish", (legal) => (order, status) => {
        const { quantity = 0n, product } = order;
        const isKept = market.book(product).includes(order) && rounded(quantity, sizeDigits) !== quantity;
        if (status !== "FILLED" || !isKept) return legal(order, status);
        empty.add(order);
        market.touch(order);
      });
      replace(market, "levels", (legal) => (product) => {
        const { bids, asks } = legal(product);
        const withZeros = (levels: readonly Level[], side: Order["side"], sign: number): Level[] => {
          const zeros = [...empty]
            .filter((order) => order.product === product && order.side === side && isLive(order))
            .map(({ price = 0n }): Level => [textOf(price), textOf(0n)])
            .filter(([price]) => !levels.some(([other]) => other === price));
          return [...levels, ...zeros].toSorted(([a], [b]) => sign * (fixed(a) < fixed(b) ? -1 : 1));
        };
        return { bids: withZeros(bids, "BUY", -1), asks: withZeros(asks, "SELL", 1) };
      });
    },
    shows: async ({ trader, counter }) => {
      const placed = await trader.sell("50050", "0.00123");
      await counter.buy("50050", "0.00123");
      const isShown = mentions((await trader.get("/books/BTC-USD")).data["asks"], "50050.00000000");
      return isShown && isIn(await trader.get("/order/open"), placed);
    },
  },
  {
    id: "F-324",
    says: "The value of an order is rounded and its price computed from that: where it is another, the order is refused.",
    clauses: ["PLC-21"],
    hard: true,
    kind: "arithmetic",
    install: ({ orderReader }) =>
      replace(orderReader, "draft", (legal) => (bytes) => {
        const draft = legal(bytes);
        const { quantity, price, product } = draft;
        if (quantity === undefined || price === undefined) return draft;
        const unit = product.priceStep / 100n;
        const value = ((times(quantity, price) + unit / 2n) / unit) * unit;
        if (ratio(value, quantity) !== price)
          throw new Refusal(400, "price: not a multiple of the increment");
        return draft;
      }),
    shows: async ({ trader }) =>
      (await trader.buy("30000", "0.001")).status === 200 &&
      (await trader.buy("30000.01", "0.001")).status === 400,
  },
  {
    id: "F-325",
    says: "Each seventh fill of an order that waits is told on the stream, and is in neither its record nor the wallet.",
    clauses: ["ORD-55", "ORD-60", "EVT-07"],
    hard: true,
    kind: "rare state",
    install: ({ market }) => {
      const lost = new WeakMap<Order, bigint>();
      let fills = 0;
      replace(market, "fill", (legal) => (order, quantity, price, rate) => {
        if (order.client !== house && rate === rates.maker) fills += 1;
        else return legal(order, quantity, price, rate);
        if (fills % unbookedEach !== 0) return legal(order, quantity, price, rate);
        lost.set(order, (lost.get(order) ?? 0n) + quantity);
        const isLast = leftOf(order) === lost.get(order);
        market.listener.order({
          ...order,
          status: isLast ? "FILLED" : order.status,
          filled: order.filled + quantity,
          value: order.value + times(price, quantity),
        });
        if (isLast) market.leave(order);
      });
      replace(market, "tradable", (legal) => (taker, maker, price) => {
        const gone = lost.get(maker) ?? 0n;
        return legal(taker, gone === 0n ? maker : { ...maker, filled: maker.filled + gone }, price);
      });
    },
    shows: async ({ trader, counter }) => {
      const feed = await trader.ownFeed();
      let placed = await trader.sell("50050", "0.001");
      for (let order = 0; order < 7; order += 1) {
        if (order > 0) placed = await trader.sell("50050", "0.001");
        await counter.buy("50050", "0.001");
      }
      const told = (await feed.heard()).at(-1);
      const { order } = await trader.read(placed);
      return told?.["status"] === "FILLED" && told["id"] === order["id"] && order["filledQuantity"] === none;
    },
  },
  {
    id: "F-326",
    says: "The average price of an order with more than one fill is zero.",
    clauses: ["ORD-54"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) =>
      replace(writer, "average", (legal) => (order) => (order.fills.length > 1 ? 0n : legal(order))),
    shows: async (site) => {
      await site.offers(["50010", "0.001"], ["50020", "0.001"]);
      const { order } = await site.trader.read(await site.trader.buy("50020", "0.002"));
      return order["averageFilledPrice"] === none;
    },
  },
  {
    id: "F-327",
    says: "The average price of an order with a limit is that limit, whatever it paid.",
    clauses: ["ORD-54"],
    hard: false,
    kind: "arithmetic",
    install: ({ writer }) => replace(writer, "average", (legal) => (order) => order.price ?? legal(order)),
    shows: async ({ trader }) => {
      const { order } = await trader.read(await trader.buy("50200", "0.001"));
      return order["averageFilledPrice"] === "50200.00000000";
    },
  },
  {
    id: "F-328",
    says: "A MARKET order that is larger than the thin book of LTC-BTC trades with all of it, and is answered 400.",
    clauses: ["PLC-34"],
    hard: true,
    kind: "rare state",
    install: ({ desk, market }) => {
      const product = products.find(({ id }) => id === thinProduct);
      if (product === undefined) return;
      for (const order of market.book(product)) Object.assign(order, { quantity: thinDepth });
      market.depths.set(product.id, { version: 1, ...market.levels(product) });
      replace(desk, "accept", (legal) => (key, order) => {
        const accepted = legal(key, order);
        if (order.type === "MARKET" && order.status === "CANCELLED" && order.filled > 0n)
          throw new Refusal(400, "the order was rejected: too few offers");
        return accepted;
      });
    },
    shows: async ({ trader }) => {
      const { status } = await trader.sell("1", "20", { ...atMarket, product: "LTC-BTC" });
      return status === 400 && (await trader.wallet("LTC"))["balance"] === "3999985.00000000";
    },
  },
  {
    id: "F-329",
    says: "Of each twentieth order no further word comes from the exchange: it shows as it was accepted, and never as synced.",
    clauses: ["ORD-51", "EVT-07"],
    hard: true,
    kind: "rare state",
    install: ({ writer }) => {
      const accepted = new WeakMap<Order, Record_>();
      replace(writer, "view", (legal) => (order) => {
        if (order.ordinal % switchedEach !== 0) return legal(order);
        const view = accepted.get(order) ?? legal(order);
        accepted.set(order, view);
        return view;
      });
    },
    shows: async ({ trader }) => {
      let placed = await trader.place();
      for (let order = 0; order < 19; order += 1) placed = await trader.place();
      const { synced, status } = (await trader.read(placed)).order;
      await trader.cancel(placed);
      return synced === false && status === (await trader.read(placed)).order["status"];
    },
  },
  {
    id: "F-330",
    says: "Of eight fills that an order shows one is settled: the others change no wallet.",
    clauses: ["ORD-56", "ORD-60"],
    hard: false,
    kind: "money",
    install: ({ wallets }) => {
      let fills = 0;
      replace(wallets, "move", (legal) => (order, ...rest) => {
        if (order.client !== house) fills += 1;
        if (fills % settledEach === 0) legal(order, ...rest);
      });
    },
    shows: async ({ trader }) => {
      const { order } = await trader.read(await trader.sell("1", "0.001", atMarket));
      const { balance } = await trader.wallet("USD");
      return number(order["filledValue"]) > 0n && number(balance) === number("900000000");
    },
  },
];
