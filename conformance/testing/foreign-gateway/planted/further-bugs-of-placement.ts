import { fixed } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import type { Draft } from "../order.ts";

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
  },
  {
    id: "F-91",
    says: "The number in an id turns over: order 201 has the id of the first.",
    clauses: ["ORD-38", "ORD-39"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) => replace(desk, "newId", (legal) => (count) => legal(((count - 1) % 200) + 1)),
  },
];
