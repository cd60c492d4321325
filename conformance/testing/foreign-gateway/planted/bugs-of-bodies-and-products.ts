import { randomUUID } from "node:crypto";
import { fixed } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import type { Record_ } from "../order.ts";
import { atMarket, mentions, number, stopLimit } from "../site.ts";
import type { Product } from "../world.ts";

const amounts = ["base_quantity", "quote_value", "price", "stop_price"];
const bytesOf = (body: Record_): Buffer => Buffer.from(JSON.stringify(body));

export const bugsOfBodiesAndProducts: readonly Bug[] = [
  {
    id: "F-114",
    says: "A side with the name of something that every object has, such as constructor, passes and sells.",
    clauses: ["REQ-02"],
    hard: false,
    kind: "validation",
    install: ({ orderReader }) =>
      replace(orderReader, "parse", (legal) => (bytes) => {
        const body = legal(bytes);
        const { side } = body;
        return typeof side === "string" && side in {} ? { ...body, side: "SELL" } : body;
      }),
    shows: async ({ trader }) => (await trader.place({ side: "constructor" })).status === 200,
  },
  {
    id: "F-115",
    says: "Of a client_order_id with several lines the first is looked at, and all of them are kept.",
    clauses: ["REQ-15", "ORD-04"],
    hard: false,
    kind: "validation",
    install: ({ orderReader }) =>
      replace(orderReader, "draft", (legal) => (bytes) => {
        const body = orderReader.parse(bytes);
        const { client_order_id: id } = body;
        if (typeof id !== "string") return legal(bytes);
        const draft = legal(bytesOf({ ...body, client_order_id: id.split("\n")[0] }));
        return { ...draft, clientOrderId: id };
      }),
    shows: async ({ trader }) =>
      (await trader.place({ client_order_id: `${randomUUID()}\nand more` })).status === 200,
  },
  {
    id: "F-116",
    says: "What stands behind the last brace of a body is not read.",
    clauses: ["REQ-23"],
    hard: false,
    kind: "validation",
    install: ({ orderReader }) =>
      replace(
        orderReader,
        "parse",
        (legal) => (bytes) => legal(bytes.subarray(0, bytes.lastIndexOf("}") + 1)),
      ),
    shows: async ({ trader }) =>
      (await trader.call("POST", "/order", `${JSON.stringify(trader.body())} and more`)).status === 200,
  },
  {
    id: "F-117",
    says: "An amount that is left out is that of the order before it on the same connection.",
    clauses: ["PLC-02", "PLC-03", "PLC-04", "PLC-07"],
    hard: true,
    kind: "validation",
    install: (gateway) => {
      const before = new WeakMap<object, Record_>();
      replace(gateway, "place", (legal) => (call) => {
        const { visit } = call;
        const body = gateway.orderReader.parse(visit.body);
        const whole = { ...before.get(visit.connection), ...body };
        const result = legal({ ...call, visit: { ...visit, body: bytesOf(whole) } });
        const given = amounts.filter((name) => typeof whole[name] === "string");
        before.set(visit.connection, Object.fromEntries(given.map((name) => [name, whole[name]])));
        return result;
      });
    },
    shows: async ({ trader }) => {
      await trader.place();
      return (await trader.place({ price: undefined })).status === 200;
    },
  },
  {
    id: "F-118",
    says: "The quote_value of a MARKET BUY is cut to two places, even where the quote asset is BTC.",
    clauses: ["PLC-06", "REQ-25"],
    hard: true,
    kind: "arithmetic",
    install: ({ orderReader }) =>
      replace(orderReader, "size", (legal) => (body, product, isBySpend) => {
        const { quantity, spend } = legal(body, product, isBySpend);
        return { quantity, spend: spend === undefined ? spend : spend - (spend % fixed("0.01")) };
      }),
    shows: async ({ trader }) => {
      const { order } = await trader.place({ ...atMarket, product: "LTC-BTC", quote_value: "0.0159" });
      return number(order["quoteValue"]) !== number("0.0159");
    },
  },
  {
    id: "F-119",
    says: "The stop_price of a STOP_LIMIT to sell is read up to its first comma.",
    clauses: ["REQ-12"],
    hard: false,
    kind: "validation",
    install: ({ orderReader }) =>
      replace(orderReader, "positive", (legal) => (body, field) => {
        const { side, stop_price: text } = body;
        const isCut = side === "SELL" && field === "stop_price" && typeof text === "string";
        return legal(isCut ? { ...body, stop_price: text.split(",")[0] } : body, field);
      }),
    shows: async ({ trader }) =>
      (await trader.sell("39000", "0.001", { ...stopLimit, stop_price: "40000,5" })).status === 200,
  },
  {
    id: "F-120",
    says: "A group has every pair whose id contains its symbol: LTC-BTC stands under BTC, too.",
    clauses: ["PRD-16", "PRD-18"],
    hard: false,
    kind: "products",
    install: ({ desk }) =>
      replace(
        desk,
        "groups",
        (legal) => () =>
          legal().map(({ name }) => ({
            name,
            availablePairs: desk.pairs().filter(({ id }) => String(id).includes(String(name))),
          })),
      ),
    shows: async ({ trader }) => {
      const groups = (await trader.get("/product")).list;
      return groups.some(({ name, availablePairs }) => name === "BTC" && mentions(availablePairs, "LTC-BTC"));
    },
  },
  {
    id: "F-121",
    says: "Once a product has traded, its updatedAt is the time of that, as a date is written in English.",
    clauses: ["PRD-06", "GEN-06"],
    hard: true,
    kind: "products",
    install: ({ desk, market }) => {
      const traded = new Map<unknown, Date>();
      replace(market, "trade", (legal) => (taker, ...rest) => {
        traded.set(taker.product.id, new Date(market.now()));
        legal(taker, ...rest);
      });
      replace(
        desk,
        "pairs",
        (legal) => () =>
          legal().map((pair) => {
            const time = traded.get(pair["id"]);
            return time === undefined ? pair : { ...pair, updatedAt: time.toString() };
          }),
      );
    },
    shows: async ({ trader }) => {
      await trader.buy("50200", "0.001");
      return (await trader.get("/pairs")).list.some(({ updatedAt }) => /^[A-Z]/.test(String(updatedAt)));
    },
  },
  {
    id: "F-122",
    says: "Whether a product is enabled is looked at once: the second order for one that is not passes.",
    clauses: ["PLC-26"],
    hard: true,
    kind: "products",
    install: ({ desk }) => {
      const seen = new Set<string>();
      replace(desk, "checkRules", (legal) => (draft) => {
        const { product } = draft;
        const enabled = product.enabled || seen.has(product.id);
        seen.add(product.id);
        legal({ ...draft, product: { ...product, enabled } });
      });
    },
    shows: async ({ trader }) => {
      const body = { product: "XRP-USD", price: "0.4", base_quantity: "10" };
      const { status } = await trader.place(body);
      return status === 400 && (await trader.place(body)).status === 200;
    },
  },
  {
    id: "F-123",
    says: "Size limits are kept for a second under the base asset: an order for BTC-EUR brings those of BTC-USD along.",
    clauses: ["PLC-27", "PLC-28"],
    hard: true,
    kind: "products",
    install: ({ desk }) => {
      const kept = new Map<string, { at: number; product: Product }>();
      replace(desk, "checkRules", (legal) => (draft) => {
        const { base } = draft.product;
        const now = Date.now();
        const memory = kept.get(base);
        const entry = memory && now - memory.at < 1000 ? memory : { at: now, product: draft.product };
        kept.set(base, entry);
        const { smallest, largest, leastSpend, mostSpend } = entry.product;
        legal({ ...draft, product: { ...draft.product, smallest, largest, leastSpend, mostSpend } });
      });
    },
    shows: async ({ trader }) => {
      await trader.buy("30000", "0.001", { product: "BTC-EUR" });
      return (await trader.buy("30000", "26")).status === 200;
    },
  },
];
