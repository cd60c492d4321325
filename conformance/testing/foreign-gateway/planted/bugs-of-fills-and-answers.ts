import { randomUUID } from "node:crypto";
import { rounded, textOf } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import type { Answer, Gateway } from "../gateway.ts";
import type { Order, Record_, Side } from "../order.ts";
import { atMarket, none, number, stopLimit } from "../site.ts";
import { house } from "../world.ts";

/** Changes the answer to the repeat of an order that is in this state now. */
function answersRepeatsOf(state: Order["status"], change: (answer: Answer) => Answer): Bug["install"] {
  return (gateway: Gateway) =>
    replace(gateway, "run", (legal) => async (route, call) => {
      const answer = await legal(route, call);
      const { type, order } = Object(answer.body["data"]) as { type?: string; order?: Record_ };
      return type === "DUPLICATE_REPLAY" && order?.["status"] === state ? change(answer) : answer;
    });
}

const failing = (): string => `e0e00001${randomUUID().slice(8)}`;

export const bugsOfFillsAndAnswers: readonly Bug[] = [
  {
    id: "F-131",
    says: "An order that waited is booked at the price of the order that came, not at that of the trade.",
    clauses: ["ORD-55", "PLC-38"],
    hard: true,
    kind: "money",
    install: ({ market }) => {
      let waited: Order | undefined;
      let offered: bigint | undefined;
      replace(market, "trade", (legal) => (taker, maker, ...rest) => {
        [waited, offered] = [maker, taker.price];
        legal(taker, maker, ...rest);
        waited = undefined;
      });
      replace(market, "fill", (legal) => (order, quantity, price, rate) => {
        const isOffered = order === waited && order.client !== house;
        legal(order, quantity, isOffered ? (offered ?? price) : price, rate);
      });
    },
    shows: async ({ trader, counter }) => {
      const placed = await trader.sell("50050", "0.001");
      await counter.buy("50060", "0.001");
      return number((await trader.read(placed)).order["filledValue"]) !== number("50.05");
    },
  },
  {
    id: "F-132",
    says: "What an order that waited has brought is counted as if it had been on the other side.",
    clauses: ["ORD-56"],
    hard: true,
    kind: "money",
    install: ({ market, writer }) => {
      const sides = new Map<string, Side>();
      replace(market, "trade", (legal) => (taker, maker, ...rest) => {
        sides.set(maker.id, taker.side);
        legal(taker, maker, ...rest);
      });
      replace(
        writer,
        "received",
        (legal) => (order) => legal({ ...order, side: sides.get(order.id) ?? order.side }),
      );
    },
    shows: async ({ trader, counter }) => {
      const placed = await trader.buy("50000", "0.001");
      await counter.sell("50000", "0.001");
      const { order } = await trader.read(placed);
      return number(order["totalUserRecieveAmount"]) > number(order["filledQuantity"]);
    },
  },
  {
    id: "F-133",
    says: "The average price is rounded to two places, even where prices have seven.",
    clauses: ["ORD-54", "PLC-30", "PLC-31"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) => replace(writer, "average", (legal) => (order) => rounded(legal(order), 2)),
    shows: async ({ trader }) => {
      const { order } = await trader.read(await trader.buy("0.001605", "0.5", { product: "LTC-BTC" }));
      return number(order["averageFilledPrice"]) !== number("0.001605");
    },
  },
  {
    id: "F-134",
    says: "An order whose execution fails leaves its funds held.",
    clauses: ["PLC-35"],
    hard: true,
    kind: "money",
    install: ({ desk, wallets }) =>
      replace(desk, "placeNew", (legal) => (key, draft) => {
        const result = legal(key, draft);
        if (String(result["type"]).endsWith("EXECUTION_FAILED")) {
          const order = desk.create(key, draft);
          wallets.hold(order, wallets.needed(order));
        }
        return result;
      }),
    shows: async ({ trader }) => {
      await trader.place({ client_order_id: failing() });
      return (await trader.wallet("USD"))["hold"] !== none;
    },
  },
  {
    id: "F-135",
    says: "A MARKET order trades at the price of one in the second before it, whatever the book says now.",
    clauses: ["PLC-30", "PLC-31", "PLC-38"],
    hard: true,
    kind: "money",
    install: ({ market }) => {
      const kept = new Map<string, { of: Order; at: number; price: bigint }>();
      replace(market, "tradePrice", (legal) => (taker, maker) => {
        if (taker.type !== "MARKET") return legal(taker, maker);
        const name = `${taker.side} ${taker.product.id}`;
        const memory = kept.get(name);
        if (memory && memory.of !== taker && Date.now() - memory.at < 1000) return memory.price;
        const price = legal(taker, maker);
        kept.set(name, { of: taker, at: Date.now(), price });
        return price;
      });
    },
    shows: async (site) => {
      await site.rise();
      await site.offers(["50010", "0.001"]);
      const { order } = await site.trader.read(await site.trader.place({ ...atMarket, quote_value: "20" }));
      return number(order["averageFilledPrice"]) !== number("50010");
    },
  },
  {
    id: "F-136",
    says: "From a thousand on, filledValue is written with commas between the thousands.",
    clauses: ["GEN-04", "ORD-20", "ORD-54", "ORD-55"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) =>
      replace(writer, "view", (legal) => (order) => ({
        ...legal(order),
        filledValue: textOf(order.value).replace(/\B(?=(?:\d{3})+\.)/g, ","),
      })),
    shows: async ({ trader }) => {
      const { order } = await trader.read(await trader.buy("50200", "0.02"));
      return order["filledValue"] === "1,002.00000000";
    },
  },
  {
    id: "F-137",
    says: "Cancelling an order that was filled in part lowers its baseQuantity to what was filled.",
    clauses: ["ORD-44", "PLC-12"],
    hard: true,
    kind: "rare state",
    install: ({ writer }) =>
      replace(writer, "view", (legal) => (order) => {
        const view: Record_ = legal(order);
        const isCut = order.status === "CANCELLED" && order.filled > 0n && order.quantity !== undefined;
        return isCut ? { ...view, baseQuantity: view["filledQuantity"] } : view;
      }),
    shows: async (site) => {
      const { order } = await site.trader.cancel(await site.started());
      return number(order["baseQuantity"]) !== number("0.002");
    },
  },
  {
    id: "F-138",
    says: "The repeat of an order that waits for its trigger is answered 202.",
    clauses: ["EPT-04", "PLC-11", "ENV-03"],
    hard: true,
    kind: "rare state",
    install: answersRepeatsOf("PENDING", (answer) => ({ ...answer, status: 202 })),
    shows: async ({ trader }) => {
      const body = trader.body({ ...stopLimit, stop_price: "60000" });
      await trader.again(body);
      return (await trader.again(body)).status === 202;
    },
  },
  {
    id: "F-139",
    says: "The repeat of an order that was cancelled is answered 200 with success false.",
    clauses: ["ENV-05"],
    hard: true,
    kind: "rare state",
    install: answersRepeatsOf("CANCELLED", ({ status, body }) => ({
      status,
      body: { ...body, success: false },
    })),
    shows: async ({ trader }) => {
      const body = trader.body();
      await trader.cancel(await trader.again(body));
      return !(await trader.again(body)).success;
    },
  },
  {
    id: "F-140",
    says: "A request that comes again after its execution failed is told so again, with an order that is null.",
    clauses: ["RES-05"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) => {
      const failed = new Set<string>();
      replace(desk, "failed", (legal) => (type, draft) => {
        const result = legal(type, draft);
        if (failed.has(draft.clientOrderId)) return { ...result, order: null };
        failed.add(draft.clientOrderId);
        return result;
      });
    },
    shows: async ({ trader }) => {
      const body = trader.body({ client_order_id: failing() });
      await trader.again(body);
      return (await trader.again(body)).data["order"] === null;
    },
  },
];
