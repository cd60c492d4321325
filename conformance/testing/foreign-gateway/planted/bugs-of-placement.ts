import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { affordable, amountOf } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import type { Order } from "../order.ts";
import { atMarket, number, stopLimit } from "../site.ts";

/** Repeats of such orders are taken for orders that nobody has placed before. */
function placesAgain(when: (order: Order, repeat: number) => boolean): Bug["install"] {
  return ({ desk }) => {
    const repeats = new Map<Order, number>();
    replace(desk, "earlier", (legal) => (key, draft) => {
      const order = legal(key, draft);
      if (order === undefined) return undefined;
      const repeat = (repeats.get(order) ?? 0) + 1;
      repeats.set(order, repeat);
      return when(order, repeat) ? undefined : order;
    });
  };
}

export const bugsOfPlacement: readonly Bug[] = [
  {
    id: "F-29",
    says: "The first repeat of a client_order_id is answered with the order, the second places another one.",
    clauses: ["PLC-15", "PLC-10"],
    hard: true,
    kind: "rare state",
    install: placesAgain((_, repeat) => repeat === 2),
    shows: async ({ trader }) => {
      const body = trader.body();
      const types = [await trader.again(body), await trader.again(body), await trader.again(body)];
      return types[1]?.data["type"] === "DUPLICATE_REPLAY" && types[2]?.data["type"] === "NEW_ORDER";
    },
  },
  {
    id: "F-30",
    says: "A repeat places again when the order was filled in part and then cancelled.",
    clauses: ["PLC-17", "PLC-10"],
    hard: true,
    kind: "rare state",
    install: placesAgain(({ status, filled }) => status === "CANCELLED" && filled > 0n),
    shows: async (site) => {
      const body = site.trader.body({ side: "SELL", price: "50050", base_quantity: "0.002" });
      await site.trader.cancel(await site.started(body));
      return (await site.trader.again(body)).data["type"] === "NEW_ORDER";
    },
  },
  {
    id: "F-31",
    says: "Two values of client_order_id with the same first three groups count as one.",
    clauses: ["PLC-21", "PLC-12", "ORD-40"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) =>
      replace(
        desk,
        "indexOf",
        (legal) => (key, draft) => legal(key, { ...draft, clientOrderId: draft.clientOrderId.slice(0, 18) }),
      ),
    shows: async ({ trader }) => {
      const id = randomUUID();
      await trader.place({ client_order_id: id });
      const near = `${id.slice(0, 18)}${randomUUID().slice(18)}`;
      return (await trader.place({ client_order_id: near })).data["type"] === "DUPLICATE_REPLAY";
    },
  },
  {
    id: "F-32",
    says: "Requests with one client_order_id that arrive within a few milliseconds each place an order.",
    clauses: ["PLC-16", "PLC-10"],
    hard: false,
    kind: "race",
    install: ({ desk }) =>
      replace(desk, "place", (legal) => async (key, draft) => {
        if (key.client === undefined || desk.earlier(key, draft) !== undefined) return legal(key, draft);
        await sleep(4);
        return desk.placeNew(key, draft);
      }),
    shows: async ({ trader }) => {
      const body = trader.body();
      await Promise.all([1, 2, 3, 4].map(() => trader.again(body, { apart: true })));
      return (await trader.get("/order/open")).list.length > 1;
    },
  },
  {
    id: "F-33",
    says: "A client_order_id is remembered for the key: on another key of the client it places again.",
    clauses: ["PLC-10"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) =>
      replace(desk, "indexOf", (legal) => (key, draft) => `${key.id} ${legal(key, draft)}`),
    shows: async ({ trader, second }) => {
      const body = trader.body();
      await trader.again(body);
      return (await second.again(body)).data["type"] === "NEW_ORDER";
    },
  },
  {
    id: "F-34",
    says: "A repeat that names another product places an order.",
    clauses: ["PLC-14", "PLC-10"],
    hard: false,
    kind: "rare state",
    install: ({ desk }) =>
      replace(desk, "indexOf", (legal) => (key, draft) => `${draft.product.id} ${legal(key, draft)}`),
    shows: async ({ trader }) => {
      const body = trader.body();
      await trader.again(body);
      return (await trader.again({ ...body, product: "BTC-EUR" })).data["type"] === "NEW_ORDER";
    },
  },
  {
    id: "F-35",
    says: "A repeat is answered with the original's id and with price and quantity of the repeat.",
    clauses: ["PLC-12"],
    hard: false,
    kind: "rare state",
    install: ({ desk }) =>
      replace(
        desk,
        "replay",
        (legal) => (original, draft) =>
          legal({ ...original, price: draft.price, quantity: draft.quantity }, draft),
      ),
    shows: async ({ trader }) => {
      const body = trader.body();
      const first = await trader.again(body);
      const repeat = await trader.again({ ...body, price: "29000" });
      return repeat.order["limitPrice"] !== first.order["limitPrice"];
    },
  },
  {
    id: "F-36",
    says: "After 60 further orders of the client, a client_order_id is forgotten and places again.",
    clauses: ["PLC-18", "PLC-10"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) =>
      replace(desk, "earlier", (legal) => (key, draft) => {
        const order = legal(key, draft);
        if (order === undefined) return undefined;
        const since = desk.orders.filter(
          ({ client, ordinal }) => client === key.client && ordinal > order.ordinal,
        );
        return since.length > 60 ? undefined : order;
      }),
    shows: async ({ trader }) => {
      const body = trader.body();
      await trader.again(body);
      for (let order = 0; order < 61; order += 1) await trader.place();
      return (await trader.again(body)).data["type"] === "NEW_ORDER";
    },
  },
  {
    id: "F-37",
    says: "The repeat of a MARKET BUY is answered with the original, and the money is spent again.",
    clauses: ["PLC-10"],
    hard: true,
    kind: "money",
    install: ({ desk, market }) =>
      replace(desk, "replay", (legal) => (original, draft) => {
        if (original.spend !== undefined)
          market.enter({ ...original, status: "OPEN", filled: 0n, value: 0n, fees: 0n, fills: [] });
        return legal(original, draft);
      }),
    shows: async ({ trader }) => {
      const body = trader.body({ ...atMarket, quote_value: "100" });
      await trader.again(body);
      const before = (await trader.wallet("BTC"))["balance"];
      await trader.again(body);
      return (await trader.wallet("BTC"))["balance"] !== before;
    },
  },
  {
    id: "F-38",
    says: "A LIMIT that is refused for its size leaves its funds held.",
    clauses: ["PLC-35", "PLC-34"],
    hard: true,
    kind: "money",
    install: ({ desk, wallets }) =>
      replace(desk, "placeNew", (legal) => (key, draft) => {
        try {
          return legal(key, draft);
        } catch (error) {
          if (draft.type === "LIMIT" && /minimum|maximum/.test(String(error))) {
            const order = desk.create(key, draft);
            wallets.hold(order, wallets.needed(order));
          }
          throw error;
        }
      }),
    shows: async ({ trader }) => {
      const { status } = await trader.buy("30000", "26");
      return status === 400 && (await trader.wallet("USD"))["hold"] !== "0.00000000";
    },
  },
  {
    id: "F-39",
    says: "The maximum size does not hold for a STOP_LIMIT.",
    clauses: ["PLC-28"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) =>
      replace(
        desk,
        "checkRules",
        (legal) => (draft) =>
          legal(
            draft.type === "STOP_LIMIT"
              ? { ...draft, product: { ...draft.product, largest: 10n ** 30n } }
              : draft,
          ),
      ),
    shows: async ({ trader }) =>
      (await trader.buy("30000", "26", { ...stopLimit, stop_price: "60000" })).status === 200,
  },
  {
    id: "F-40",
    says: "A LIMIT that comes with a stop_price waits for it like a STOP_LIMIT.",
    clauses: ["PLC-09"],
    hard: false,
    kind: "rare state",
    install: ({ orderReader, market }) => {
      replace(orderReader, "draft", (legal) => (bytes) => {
        const draft = legal(bytes);
        const stop = amountOf(orderReader.parse(bytes)["stop_price"]);
        return draft.type === "LIMIT" && stop !== undefined ? { ...draft, stop } : draft;
      });
      replace(market, "enter", (legal) => (order) => {
        if (order.type === "LIMIT" && order.stop !== undefined && !market.isTriggered(order))
          market.waiting.push(order);
        else legal(order);
      });
    },
    shows: async ({ trader }) => {
      const placed = await trader.buy("50200", "0.001", { stop_price: "60000" });
      return (await trader.read(placed)).order["status"] !== "FILLED";
    },
  },
  {
    id: "F-41",
    says: "A MARKET SELL that comes with a quote_value is sized by it.",
    clauses: ["PLC-08"],
    hard: true,
    kind: "rare state",
    install: ({ orderReader, market }) =>
      replace(orderReader, "draft", (legal) => (bytes) => {
        const draft = legal(bytes);
        const money = amountOf(orderReader.parse(bytes)["quote_value"]);
        if (draft.type !== "MARKET" || draft.side !== "SELL" || !money) return draft;
        const price = market.last.get(draft.product.id) ?? 1n;
        return { ...draft, quantity: affordable(money, price, draft.product.quantityStep) };
      }),
    shows: async ({ trader }) => {
      const placed = await trader.sell("1", "0.001", { ...atMarket, quote_value: "100" });
      return number((await trader.read(placed)).order["filledQuantity"]) !== number("0.001");
    },
  },
  {
    id: "F-42",
    says: "A MARKET BUY without base_quantity is refused, for one product and not for the others.",
    clauses: ["PLC-05"],
    hard: true,
    kind: "rare state",
    install: ({ orderReader }) =>
      replace(orderReader, "size", (legal) => (body, product, isBySpend) => {
        if (isBySpend && product.id === "LTC-BTC") orderReader.positive(body, "base_quantity");
        return legal(body, product, isBySpend);
      }),
    shows: async ({ trader }) => {
      const body = { ...atMarket, product: "LTC-BTC", quote_value: "0.01", base_quantity: undefined };
      return (await trader.place(body)).status === 400;
    },
  },
  {
    id: "F-43",
    says: "A STOP_LIMIT can have the price zero.",
    clauses: ["REQ-18"],
    hard: true,
    kind: "rare state",
    install: ({ orderReader }) =>
      replace(
        orderReader,
        "positive",
        (legal) => (body, field) =>
          body["type"] === "STOP_LIMIT" && field === "price" && amountOf(body["price"]) === 0n
            ? 0n
            : legal(body, field),
      ),
    shows: async ({ trader }) =>
      (await trader.place({ ...stopLimit, price: "0", stop_price: "60000" })).status === 200,
  },
  {
    id: "F-44",
    says: "Orders that are placed in the same millisecond get the same id.",
    clauses: ["ORD-38"],
    hard: true,
    kind: "race",
    install: ({ desk }) => replace(desk, "newId", () => () => `L${Date.now()}`),
    shows: async ({ trader }) => {
      const placed = await Promise.all(Array.from({ length: 40 }, () => trader.place({}, { apart: true })));
      return new Set(placed.map(({ order }) => order["id"])).size < placed.length;
    },
  },
  {
    id: "F-45",
    says: "From the second repeat on, the answer does not say that it is a duplicate.",
    clauses: ["PLC-13", "RES-07", "PLC-15"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) => {
      const seen = new Set<Order>();
      replace(desk, "replay", (legal) => (original, draft) => {
        const { message, ...rest } = legal(original, draft);
        const first = !seen.has(original);
        seen.add(original);
        return first ? { message, ...rest } : rest;
      });
    },
    shows: async ({ trader }) => {
      const body = trader.body();
      await trader.again(body);
      await trader.again(body);
      return (await trader.again(body)).data["message"] === undefined;
    },
  },
  {
    id: "F-46",
    says: "A product that is not enabled can be sold at the market.",
    clauses: ["PLC-26"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) =>
      replace(desk, "checkRules", (legal) => (draft) => {
        const { product, type, side } = draft;
        const passes = type === "MARKET" && side === "SELL" && !product.enabled;
        legal(passes ? { ...draft, product: { ...product, enabled: true } } : draft);
      }),
    shows: async ({ trader }) =>
      (await trader.place({ ...atMarket, side: "SELL", product: "XRP-USD", base_quantity: "10" })).status ===
      200,
  },
];
