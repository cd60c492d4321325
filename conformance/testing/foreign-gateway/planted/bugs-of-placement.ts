import { setTimeout as sleep } from "node:timers/promises";
import { affordable, amountOf } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import type { Order } from "../order.ts";

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
  },
  {
    id: "F-30",
    says: "A repeat places again when the order was filled in part and then cancelled.",
    clauses: ["PLC-17", "PLC-10"],
    hard: true,
    kind: "rare state",
    install: placesAgain(({ status, filled }) => status === "CANCELLED" && filled > 0n),
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
  },
  {
    id: "F-33",
    says: "A client_order_id is remembered for the key: on another key of the client it places again.",
    clauses: ["PLC-10"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) =>
      replace(desk, "indexOf", (legal) => (key, draft) => `${key.id} ${legal(key, draft)}`),
  },
  {
    id: "F-34",
    says: "A repeat that names another product places an order.",
    clauses: ["PLC-14", "PLC-10"],
    hard: false,
    kind: "rare state",
    install: ({ desk }) =>
      replace(desk, "indexOf", (legal) => (key, draft) => `${draft.product.id} ${legal(key, draft)}`),
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
  },
  {
    id: "F-44",
    says: "Orders that are placed in the same millisecond get the same id.",
    clauses: ["ORD-38"],
    hard: true,
    kind: "race",
    install: ({ desk }) => replace(desk, "newId", () => () => `L${Date.now()}`),
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
  },
];
