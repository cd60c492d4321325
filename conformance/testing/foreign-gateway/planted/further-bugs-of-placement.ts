import { randomUUID } from "node:crypto";
import { fixed } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import type { Draft } from "../order.ts";
import { atMarket, stopLimit } from "../site.ts";

export const furtherBugsOfPlacement: readonly Bug[] = [
  {
    id: "F-83",
    says: "Funds are looked at before earlier orders: a repeat that they would not cover is refused.",
    clauses: ["PLC-11", "PLC-12"],
    hard: true,
    kind: "rare state",
    install: ({ desk, wallets }) =>
      replace(desk, "place", (legal) => (key, draft) => {
        if (desk.earlier(key, draft) !== undefined) {
          const order = desk.create(key, draft);
          if (!wallets.covers(order)) desk.refuseFunds(order);
        }
        return legal(key, draft);
      }),
    shows: async ({ trader }) => {
      const body = trader.body({ ...stopLimit, base_quantity: "25", price: "30000000", stop_price: "60000" });
      await trader.again(body);
      return (await trader.again(body)).status === 400;
    },
  },
  {
    id: "F-84",
    says: "The repeat of a request whose execution failed is called a duplicate, and there is no order to show.",
    clauses: ["RES-04", "PLC-12"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) => {
      const failed = new Set<string>();
      replace(desk, "place", (legal) => async (key, draft) => {
        const index = desk.indexOf(key, draft);
        if (failed.has(index)) return { type: "DUPLICATE_REPLAY", message: "this has been tried" };
        const result = await legal(key, draft);
        if (String(result["type"]).endsWith("EXECUTION_FAILED")) failed.add(index);
        return result;
      });
    },
    shows: async ({ trader }) => {
      const body = trader.body({ client_order_id: `e0e00001${randomUUID().slice(8)}` });
      await trader.again(body);
      const { data } = await trader.again(body);
      return data["type"] === "DUPLICATE_REPLAY" && data["order"] === undefined;
    },
  },
  {
    id: "F-85",
    says: "An order that was refused for lack of funds keeps its client_order_id, and answers for it.",
    clauses: ["PLC-34", "PLC-20"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) =>
      replace(desk, "refuseFunds", (legal) => (order) => {
        desk.byClientOrderId.set(`${order.client} ${order.clientOrderId.toLowerCase()}`, order);
        return legal(order);
      }),
    shows: async ({ trader }) => {
      const body = trader.body();
      const dear = { ...body, ...stopLimit, base_quantity: "25", price: "90000000", stop_price: "90000000" };
      const { status } = await trader.again(dear);
      return status === 400 && (await trader.again(body)).data["type"] !== "NEW_ORDER";
    },
  },
  {
    id: "F-86",
    says: "An order with a price and the type null is a LIMIT.",
    clauses: ["REQ-19", "REQ-03"],
    hard: false,
    kind: "rare state",
    install: ({ orderReader }) =>
      replace(orderReader, "parse", (legal) => (bytes) => {
        const body = legal(bytes);
        return body["type"] === null && body["price"] !== undefined ? { ...body, type: "LIMIT" } : body;
      }),
    shows: async ({ trader }) => (await trader.place({ type: null })).status === 200,
  },
  {
    id: "F-87",
    says: "A price with more than ten places is cut to the increment, not refused.",
    clauses: ["REQ-25", "ORD-45"],
    hard: true,
    kind: "arithmetic",
    install: ({ orderReader }) =>
      replace(orderReader, "whole", (legal) => (amount, step, field) => {
        const isLong = field === "price" && amount % fixed("0.0000000001") !== 0n && amount > step;
        return legal(isLong ? amount - (amount % step) : amount, step, field);
      }),
    shows: async ({ trader }) => (await trader.buy("30000.00000000001", "0.001")).status === 200,
  },
  {
    id: "F-88",
    says: "The name of a product is cut to seven letters: BTC-USDT is traded as BTC-USD.",
    clauses: ["REQ-22", "ORD-43"],
    hard: true,
    kind: "rare state",
    install: ({ orderReader }) =>
      replace(orderReader, "parse", (legal) => (bytes) => {
        const body = legal(bytes);
        const { product } = body;
        return typeof product === "string" ? { ...body, product: product.slice(0, 7) } : body;
      }),
    shows: async ({ trader }) => (await trader.place({ product: "BTC-USDT" })).status === 200,
  },
  {
    id: "F-89",
    says: "The maximum is compared in whole units: what is less than one beyond it passes.",
    clauses: ["PLC-28"],
    hard: true,
    kind: "arithmetic",
    install: ({ desk }) =>
      replace(desk, "checkRules", (legal) => (draft) => {
        const { largest } = draft.product;
        const { quantity = 0n } = draft;
        const isNear = quantity > largest && quantity - largest < fixed("1");
        legal(isNear ? { ...draft, quantity: largest } : draft);
      }),
    shows: async ({ trader }) => (await trader.buy("30000", "25.5")).status === 200,
  },
  {
    id: "F-90",
    says: "A MARKET BUY that also gives a base_quantity has no minimum.",
    clauses: ["PLC-27"],
    hard: true,
    kind: "rare state",
    install: ({ orderReader, desk }) => {
      const sized = new WeakSet<Draft>();
      replace(orderReader, "draft", (legal) => (bytes) => {
        const draft = legal(bytes);
        if (typeof orderReader.parse(bytes)["base_quantity"] === "string") sized.add(draft);
        return draft;
      });
      replace(desk, "checkRules", (legal) => (draft) => {
        const isFree = draft.spend !== undefined && sized.has(draft);
        legal(isFree ? { ...draft, product: { ...draft.product, leastSpend: 0n } } : draft);
      });
    },
    shows: async ({ trader }) =>
      (await trader.place({ ...atMarket, quote_value: "1", base_quantity: "0.001" })).status === 200,
  },
  {
    id: "F-91",
    says: "The number in an id turns over: order 201 has the id of the first.",
    clauses: ["ORD-38", "ORD-39"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) => replace(desk, "newId", (legal) => (count) => legal(((count - 1) % 200) + 1)),
    shows: async ({ trader }) => {
      const { order } = await trader.place();
      for (let count = 0; count < 199; count += 1) await trader.place();
      return (await trader.place()).order["id"] === order["id"];
    },
  },
];
