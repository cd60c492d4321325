import { fixed, textOf, times } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import type { Order } from "../order.ts";
import { none, number, stopLimit } from "../site.ts";
import { house, type Product, products } from "../world.ts";

const othersOfBase = ({ id, base }: Product): readonly Product[] =>
  products.filter((other) => other.base === base && other.id !== id);

export const furtherBugsOfMoney: readonly Bug[] = [
  {
    id: "F-92",
    says: "The repeat of a LIMIT that was cancelled without a fill opens it again.",
    clauses: ["STA-04", "PLC-10"],
    hard: true,
    kind: "rare state",
    install: ({ desk, market }) =>
      replace(desk, "replay", (legal) => (original, draft) => {
        if (original.status === "CANCELLED" && original.filled === 0n && original.type === "LIMIT")
          market.enter(Object.assign(original, { status: "OPEN" as const }));
        return legal(original, draft);
      }),
    shows: async ({ trader }) => {
      const body = trader.body();
      const placed = await trader.again(body);
      await trader.cancel(placed);
      await trader.again(body);
      return (await trader.read(placed)).order["status"] !== "CANCELLED";
    },
  },
  {
    id: "F-93",
    says: "The cancel of a filled order is refused, and the order is CANCELLED all the same.",
    clauses: ["STA-04"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) =>
      replace(desk, "refuseCancel", (legal) => (order) => {
        if (order.status === "FILLED") order.status = "CANCELLED";
        return legal(order);
      }),
    shows: async ({ trader }) => {
      const placed = await trader.buy("50200", "0.001");
      await trader.cancel(placed);
      return (await trader.read(placed)).order["status"] !== "FILLED";
    },
  },
  {
    id: "F-94",
    says: "Of two cancels of an order within a quarter of a second the refused one gives its funds back again.",
    clauses: ["PLC-36"],
    hard: true,
    kind: "race",
    install: ({ desk, market, wallets }) => {
      const given = new Map<Order, { at: number; amount: bigint }>();
      replace(market, "finish", (legal) => (order, status) => {
        given.set(order, { at: Date.now(), amount: order.held });
        legal(order, status);
      });
      replace(desk, "refuseCancel", (legal) => (order) => {
        const { at = 0, amount = 0n } = given.get(order) ?? {};
        if (order.status === "CANCELLED" && Date.now() - at < 250)
          wallets.of(order.client, wallets.assetOf(order)).hold -= amount;
        given.delete(order);
        return legal(order);
      });
    },
    shows: async ({ trader }) => {
      const placed = await trader.place();
      await Promise.all([1, 2].map(() => trader.cancel(placed, { apart: true })));
      return (await trader.wallet("USD"))["hold"] !== none;
    },
  },
  {
    id: "F-95",
    says: "When one trade sets off two stops, the second is executed twice.",
    clauses: ["ORD-60"],
    hard: true,
    kind: "money",
    install: ({ market }) => {
      let stops = 0;
      replace(market, "afterwards", (legal) => (product) => {
        stops = 0;
        legal(product);
        stops = 0;
      });
      replace(market, "execute", (legal) => (order) => {
        const twin = { ...order, fills: [], held: 0n };
        legal(order);
        if (order.type !== "STOP_LIMIT" || order.status !== "FILLED") return;
        stops += 1;
        if (stops === 2) legal(twin);
      });
    },
    shows: async (site) => {
      for (const price of ["50200", "50210"])
        await site.trader.buy(price, "0.001", { ...stopLimit, stop_price: "50080" });
      await site.rise();
      return (await site.trader.wallet("BTC"))["balance"] !== "40000.00200000";
    },
  },
  {
    id: "F-96",
    says: "The last price is kept for the base asset: a trade for dollars sets off stops in euros.",
    clauses: ["PLC-32", "PLC-39"],
    hard: true,
    kind: "rare state",
    install: ({ market }) => {
      replace(market, "trade", (legal) => (taker, maker, quantity, price) => {
        legal(taker, maker, quantity, price);
        for (const { id } of othersOfBase(taker.product)) market.last.set(id, price);
      });
      replace(market, "afterwards", (legal) => (product) => {
        legal(product);
        for (const other of othersOfBase(product)) legal(other);
      });
    },
    shows: async (site) => {
      const other = { ...stopLimit, product: "BTC-EUR", stop_price: "47500" };
      const placed = await site.trader.buy("48000", "0.001", other);
      await site.rise();
      return (await site.trader.read(placed)).order["status"] !== "PENDING";
    },
  },
  {
    id: "F-97",
    says: "From 100000 on, filledValue is a number of single precision.",
    clauses: ["ORD-55", "ORD-54"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) =>
      replace(writer, "view", (legal) => (order) => {
        const view = legal(order);
        if (order.value < fixed("100000")) return view;
        const single = Math.fround(Number(textOf(order.value)));
        return { ...view, filledValue: textOf(fixed(single.toFixed(8))) };
      }),
    shows: async ({ trader }) => {
      const { order } = await trader.read(await trader.buy("50100", "2.00000007"));
      return order["filledValue"] !== "100200.00350700";
    },
  },
  {
    id: "F-98",
    says: "A LIMIT BUY that was filled below its price keeps the difference held.",
    clauses: ["PLC-36"],
    hard: false,
    kind: "money",
    install: ({ market }) =>
      replace(market, "holdFor", (legal) => (order) => {
        const { type, side, status, price = 0n, quantity = 0n, value } = order;
        const isBought = type === "LIMIT" && side === "BUY" && status === "FILLED";
        return isBought ? times(price, quantity) - value : legal(order);
      }),
    shows: async ({ trader }) => {
      await trader.buy("50200", "0.001");
      return (await trader.wallet("USD"))["hold"] !== none;
    },
  },
  {
    id: "F-99",
    says: "Where two clients trade, the one who came second pays the fees of both.",
    clauses: ["ORD-60"],
    hard: true,
    kind: "money",
    install: ({ market, wallets }) => {
      let payer: Order | undefined;
      replace(market, "trade", (legal) => (taker, maker, ...rest) => {
        payer = taker.client === house || maker.client === house ? undefined : taker;
        legal(taker, maker, ...rest);
        payer = undefined;
      });
      replace(wallets, "move", (legal) => (order, quantity, value, fee) => {
        const isOther = payer !== undefined && payer.client !== order.client;
        legal(order, quantity, value, isOther ? 0n : fee);
        if (payer !== undefined && isOther) legal(payer, 0n, 0n, fee);
      });
    },
    shows: async (site) => {
      const { filledValue, fees } = (await site.trader.read(await site.started())).order;
      const { balance } = await site.trader.wallet("USD");
      return number(balance) - number("900000000") !== number(filledValue) - number(fees);
    },
  },
  {
    id: "F-100",
    says: "A cancel takes the order behind it out of the book, too, when that is another client's.",
    clauses: ["OWN-04", "PLC-37"],
    hard: true,
    kind: "other client",
    install: ({ market }) =>
      replace(market, "leave", (legal) => (order) => {
        const book = market.book(order.product);
        const next = book[book.indexOf(order) + 1];
        const isForeign = next !== undefined && next.client !== order.client && next.client !== house;
        if (order.status === "CANCELLED" && book.includes(order) && isForeign)
          book.splice(book.indexOf(next), 1);
        legal(order);
      }),
    shows: async ({ trader, other, counter }) => {
      const [first, next] = [await trader.sell("50050", "0.001"), await other.sell("50050", "0.001")];
      await trader.cancel(first);
      await counter.buy("50050", "0.001");
      return (await other.read(next)).order["status"] !== "FILLED";
    },
  },
];
