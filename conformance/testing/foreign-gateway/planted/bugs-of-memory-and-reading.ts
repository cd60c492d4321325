import { setTimeout as sleep } from "node:timers/promises";
import { amountOf } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import { isLive, type Order, type Record_ } from "../order.ts";
import { apart, atMarket, number, turns } from "../site.ts";
import { type Product, products } from "../world.ts";
import { cancelled } from "./bugs-of-rare-states-and-races.ts";

/** The names that fields of a request have on the record of an order. */
const recordNames: Readonly<Record<string, string>> = {
  base_quantity: "baseQuantity",
  quote_value: "quoteValue",
  price: "limitPrice",
  stop_price: "stopPrice",
  client_order_id: "clientOrderId",
  product: "productId",
};
const lastOf = (base: string): Product | undefined => products.findLast((product) => product.base === base);

export const bugsOfMemoryAndReading: readonly Bug[] = [
  {
    id: "F-211",
    says: "While an order is being cancelled its client_order_id is off the list: a repeat in that time places it anew.",
    clauses: ["PLC-10", "PLC-11", "PLC-17"],
    hard: true,
    kind: "placement",
    install: (gateway) => {
      const { byClientOrderId } = gateway.desk;
      replace(gateway, "run", (legal) => async (route, call) => {
        const order = cancelled(gateway, call);
        if (order === undefined || !isLive(order)) return legal(route, call);
        const index = gateway.desk.indexOf(call.key, order);
        byClientOrderId.delete(index);
        await sleep(10);
        const answer = await legal(route, call);
        byClientOrderId.set(index, order);
        return answer;
      });
    },
    shows: async ({ trader }) => {
      for (const _ of turns(4)) {
        const body = trader.body();
        const cancel = trader.cancel(await trader.again(body));
        await sleep(2);
        const repeat = await trader.again(body, apart);
        await cancel;
        if (repeat.data["type"] === "NEW_ORDER") return true;
      }
      return false;
    },
  },
  {
    id: "F-212",
    says: "A client_order_id whose first order was refused for its size is never noted: each repeat of the corrected one places.",
    clauses: ["PLC-10", "PLC-11", "PLC-15"],
    hard: true,
    kind: "placement",
    install: ({ desk }) => {
      const refused = new Set<string>();
      replace(desk, "checkRules", (legal) => (draft) => {
        try {
          legal(draft);
        } catch (error) {
          refused.add(draft.clientOrderId.toLowerCase());
          throw error;
        }
      });
      replace(desk, "accept", (legal) => (key, order) => {
        const result = legal(key, order);
        if (refused.has(order.clientOrderId.toLowerCase()))
          desk.byClientOrderId.delete(desk.indexOf(key, order));
        return result;
      });
    },
    shows: async ({ trader }) => {
      const body = trader.body();
      await trader.again({ ...body, base_quantity: "26" });
      await trader.again(body);
      return (await trader.again(body)).data["type"] === "NEW_ORDER";
    },
  },
  {
    id: "F-213",
    says: "The order for a repeat is found by its client and its millisecond: of two of one millisecond the first is shown.",
    clauses: ["PLC-12", "ORD-40"],
    hard: true,
    kind: "placement",
    install: ({ desk }) =>
      replace(desk, "replay", (legal) => (original, draft) => {
        const isSame = ({ client, created }: Order): boolean =>
          client === original.client && created === original.created;
        return legal(desk.orders.find(isSame) ?? original, draft);
      }),
    shows: async ({ trader }) => {
      for (const _ of turns(4)) {
        const bodies = Array.from({ length: 8 }, () => trader.body());
        await Promise.all(bodies.map((body) => trader.again(body, apart)));
        for (const body of bodies) {
          if ((await trader.again(body)).order["clientOrderId"] !== body["client_order_id"]) return true;
        }
      }
      return false;
    },
  },
  {
    id: "F-214",
    says: "An order that is filled at once is taken off the list of used ids in the place of the client's newest open order.",
    clauses: ["PLC-10", "PLC-11", "PLC-15"],
    hard: true,
    kind: "placement",
    install: ({ desk }) =>
      replace(desk, "accept", (legal) => (key, order) => {
        const result = legal(key, order);
        if (isLive(order)) return result;
        const newest = desk.orders.findLast((other) => desk.isOwn(key, other) && isLive(other));
        if (newest !== undefined) desk.byClientOrderId.delete(desk.indexOf(key, newest));
        return result;
      }),
    shows: async ({ trader }) => {
      const body = trader.body();
      await trader.again(body);
      await trader.buy("50200", "0.001");
      return (await trader.again(body)).data["type"] === "NEW_ORDER";
    },
  },
  {
    id: "F-215",
    says: "The repeat of an order that has ended writes what a new one begins with over what it was filled and charged.",
    clauses: ["STA-06"],
    hard: true,
    kind: "placement",
    install: ({ desk }) =>
      replace(desk, "replay", (legal) => (original, draft) => {
        if (!isLive(original)) Object.assign(original, { filled: 0n, value: 0n, fees: 0n });
        return legal(original, draft);
      }),
    shows: async ({ trader }) => {
      const body = trader.body({ price: "50200" });
      const placed = await trader.again(body);
      await trader.again(body);
      return number((await trader.read(placed)).order["filledQuantity"]) === 0n;
    },
  },
  {
    id: "F-216",
    says: "The increment of a quantity is looked up by its base asset: one for BTC-USD is cut to the places of BTC-EUR.",
    clauses: ["REQ-25", "ORD-44", "PLC-28"],
    hard: false,
    kind: "validation",
    install: ({ orderReader }) =>
      replace(orderReader, "size", (legal) => (body, product, isBySpend) => {
        const { quantity, spend } = legal(body, product, isBySpend);
        const step = lastOf(product.base)?.quantityStep ?? product.quantityStep;
        return { quantity: quantity === undefined ? quantity : quantity - (quantity % step), spend };
      }),
    shows: async ({ trader }) => {
      const { order } = await trader.buy("30000", "0.00123456");
      return number(order["baseQuantity"]) !== number("0.00123456");
    },
  },
  {
    id: "F-217",
    says: "An amount that is not understood is read as JavaScript reads numbers: 0x10 is sixteen, and long ones are rounded.",
    clauses: ["REQ-05", "REQ-07", "REQ-09", "REQ-12", "REQ-25"],
    hard: false,
    kind: "validation",
    install: ({ orderReader }) =>
      replace(orderReader, "positive", (legal) => (body, field) => {
        const text = body[field];
        if (typeof text !== "string" || amountOf(text) !== undefined) return legal(body, field);
        const value = Number(text);
        return legal(value > 0 && value < 1e15 ? { ...body, [field]: value.toFixed(8) } : body, field);
      }),
    shows: async ({ trader }) => (await trader.buy("30000", "0x10")).status === 200,
  },
  {
    id: "F-218",
    says: "A pair that does not exist is turned round: an order for USD-BTC is one for BTC-USD.",
    clauses: ["REQ-22", "ORD-43"],
    hard: false,
    kind: "validation",
    install: ({ orderReader }) =>
      replace(orderReader, "parse", (legal) => (bytes) => {
        const body = legal(bytes);
        const turned = String(body["product"]).split("-").reverse().join("-");
        return products.some(({ id }) => id === turned) ? { ...body, product: turned } : body;
      }),
    shows: async ({ trader }) => (await trader.place({ product: "USD-BTC" })).status === 200,
  },
  {
    id: "F-219",
    says: "A field that is missing is taken under its name on the record: a LIMIT without price can have a limitPrice.",
    clauses: ["PLC-01", "PLC-02", "PLC-03", "PLC-07"],
    hard: true,
    kind: "validation",
    install: ({ orderReader }) =>
      replace(orderReader, "parse", (legal) => (bytes) => {
        const body = legal(bytes);
        const named = Object.entries(recordNames).map(([name, other]) => [name, body[name] ?? body[other]]);
        return { ...body, ...Object.fromEntries(named.filter(([, value]) => value !== undefined)) };
      }),
    shows: async ({ trader }) =>
      (await trader.place({ price: undefined, limitPrice: "30000" })).status === 200,
  },
  {
    id: "F-220",
    says: "What a body has under __proto__ is there for every later body of anybody, where that leaves it out.",
    clauses: ["PLC-01", "PLC-02", "PLC-03", "PLC-04", "PLC-07"],
    hard: true,
    kind: "validation",
    install: ({ orderReader }) => {
      const inherited: Record_ = {};
      replace(orderReader, "parse", (legal) => (bytes) => {
        const body = legal(bytes);
        if (Object.hasOwn(body, "__proto__")) Object.assign(inherited, body["__proto__"]);
        return { ...inherited, ...body };
      });
    },
    shows: async ({ trader, other }) => {
      const text = JSON.stringify(trader.body());
      await trader.call("POST", "/order", text.replace("{", '{"__proto__":{"quote_value":"60"},'));
      return (await other.place(atMarket)).status === 200;
    },
  },
];
