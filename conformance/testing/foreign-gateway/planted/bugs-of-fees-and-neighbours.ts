import { ratio, rounded, times } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import { leftOf, type Order } from "../order.ts";
import { atMarket, gone, isIn, number, stopLimit } from "../site.ts";
import type { Line } from "../stream.ts";
import { house, keys } from "../world.ts";

export const bugsOfFeesAndNeighbours: readonly Bug[] = [
  {
    id: "F-191",
    says: "The record of an order that took and then waited has all its fees at the rate of its last fill, the wallet not.",
    clauses: ["ORD-60"],
    hard: true,
    kind: "arithmetic",
    install: ({ market, writer }) => {
      const rates = new WeakMap<Order, bigint[]>();
      replace(market, "fill", (legal) => (order, quantity, price, rate) => {
        rates.set(order, [...(rates.get(order) ?? []), rate]);
        legal(order, quantity, price, rate);
      });
      replace(writer, "view", (legal) => (order) => {
        const paid = rates.get(order) ?? [];
        const last = paid.at(-1);
        if (last === undefined || paid.every((rate) => rate === last)) return legal(order);
        return legal({ ...order, fees: rounded(times(order.value, last), 10) });
      });
    },
    shows: async (site) => {
      const { trader, counter } = site;
      await site.offers(["50050", "0.001"]);
      const placed = await trader.buy("50050", "0.002");
      await counter.sell("50050", "0.001");
      const { order } = await trader.read(placed);
      return (await gone(site, "USD")) !== number(order["filledValue"]) + number(order["fees"]);
    },
  },
  {
    id: "F-192",
    says: "The average price of a MARKET BUY is its quote_value, and not what it spent of that, over what it bought.",
    clauses: ["ORD-54"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) =>
      replace(
        writer,
        "average",
        (legal) => (order) => (order.spend === undefined ? legal(order) : ratio(order.spend, order.filled)),
      ),
    shows: async ({ trader }) => {
      const { order } = await trader.read(await trader.place({ ...atMarket, quote_value: "60" }));
      return number(order["averageFilledPrice"]) > number("50100.01");
    },
  },
  {
    id: "F-193",
    says: "What a BUY of several fills brings counts the fill twice that completes it.",
    clauses: ["ORD-56"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) =>
      replace(writer, "received", (legal) => (order) => {
        const { side, status, fills } = order;
        const isTwice = side === "BUY" && status === "FILLED" && fills.length > 1;
        return legal(order) + (isTwice ? (fills.at(-1)?.quantity ?? 0n) : 0n);
      }),
    shows: async (site) => {
      await site.offers(["50010", "0.001"], ["50020", "0.001"]);
      const { order } = await site.trader.read(await site.trader.buy("50020", "0.002"));
      return number(order["totalUserRecieveAmount"]) > number(order["filledQuantity"]);
    },
  },
  {
    id: "F-194",
    says: "The quoteValue of an order that has begun to trade is what is left of it times its price.",
    clauses: ["ORD-47", "PLC-12"],
    hard: true,
    kind: "arithmetic",
    install: ({ writer }) =>
      replace(
        writer,
        "quoteValue",
        (legal) => (order) =>
          legal(order.price === undefined ? order : { ...order, quantity: leftOf(order) }),
      ),
    shows: async (site) => {
      const { order } = await site.trader.read(await site.started());
      return number(order["quoteValue"]) !== number("100.1");
    },
  },
  {
    id: "F-195",
    says: "The number that is the fee is taken from the dollars of the client, whatever the quote asset is.",
    clauses: ["ORD-60"],
    hard: true,
    kind: "arithmetic",
    install: ({ wallets }) =>
      replace(wallets, "move", (legal) => (order, quantity, value, fee) => {
        legal(order, quantity, value, 0n);
        if (order.client !== house) wallets.of(order.client, "USD").balance -= fee;
      }),
    shows: async (site) => {
      const placed = await site.trader.buy("46200", "0.001", { product: "BTC-EUR" });
      const { order } = await site.trader.read(placed);
      return (await gone(site, "EUR")) !== number(order["filledValue"]) + number(order["fees"]);
    },
  },
  {
    id: "F-196",
    says: "Of the stops with one side, product and trigger the last one is kept: a stranger's takes the place of one's own.",
    clauses: ["EPT-07"],
    hard: true,
    kind: "other client",
    install: ({ desk, market }) => {
      const kept = new Map<string, Order>();
      const place = ({ product, side, stop }: Order): string => `${product.id} ${side} ${stop}`;
      replace(market, "enter", (legal) => (order) => {
        legal(order);
        if (!market.waiting.includes(order)) return;
        const at = market.waiting.findIndex((other) => other !== order && place(other) === place(order));
        if (at !== -1) market.waiting.splice(at, 1);
        kept.set(place(order), order);
      });
      replace(
        desk,
        "isOpen",
        (legal) => (order) =>
          legal(order) && (order.status !== "PENDING" || kept.get(place(order)) === order),
      );
    },
    shows: async ({ trader, other }) => {
      const placed = await trader.place({ ...stopLimit, stop_price: "60000" });
      await other.place({ ...stopLimit, stop_price: "60000" });
      return !isIn(await trader.get("/order/open"), placed);
    },
  },
  {
    id: "F-197",
    says: "An order that another client's order has traded with shows that client as its userId.",
    clauses: ["ORD-59"],
    hard: true,
    kind: "other client",
    install: ({ market, writer }) => {
      const takers = new WeakMap<Order, string>();
      replace(market, "trade", (legal) => (taker, maker, ...rest) => {
        takers.set(maker, taker.client);
        legal(taker, maker, ...rest);
      });
      replace(writer, "view", (legal) => (order) => {
        const view = legal(order);
        return { ...view, userId: takers.get(order) ?? view["userId"] };
      });
    },
    shows: async (site) =>
      (await site.trader.read(await site.started())).order["userId"] !== keys.trader.client,
  },
  {
    id: "F-198",
    says: "Subscriptions are kept under the ref of their request: who joins with a ref that is in use takes over its orders.",
    clauses: ["EVT-09", "EVT-07"],
    hard: true,
    kind: "other client",
    install: ({ stream }) => {
      const holders = new Map<unknown, Line>();
      const clientOf = new WeakMap<Line, string | undefined>();
      const own = (line: Line): string | undefined => clientOf.get(line) ?? line.key.client;
      const release = (line: Line): void => {
        clientOf.delete(line);
        for (const [ref, holder] of holders) if (holder === line) holders.delete(ref);
      };
      replace(stream, "open", (legal) => (socket, key) => {
        const line = legal(socket, key);
        socket.on("close", () => release(line));
        return line;
      });
      replace(stream, "leave", (legal) => (line, topic, ...rest) => {
        if (topic === "own-orders") release(line);
        legal(line, topic, ...rest);
      });
      replace(stream, "join", (legal) => (line, topic, pairs, ref, desk) => {
        const holder = holders.get(ref);
        legal(line, topic, pairs, ref, desk);
        if (topic !== "own-orders" || ref === null) return;
        if (holder !== undefined && holder !== line) {
          holder.topics.delete(topic);
          clientOf.set(line, own(holder));
        }
        holders.set(ref, line);
      });
      replace(
        stream,
        "concerns",
        () => (line, order) => line.topics.has("own-orders") && own(line) === order.client,
      );
    },
    shows: async ({ trader, other }) => {
      const feeds = [await trader.feed(), await other.feed()];
      for (const feed of feeds) {
        feed?.socket.send(JSON.stringify({ op: "join", topic: "own-orders", ref: "1" }));
        await feed?.heard();
      }
      await trader.place();
      const [own, foreign] = [await feeds[0]?.heard(), await feeds[1]?.heard()];
      return own?.length === 0 && (foreign?.length ?? 0) > 0;
    },
  },
  {
    id: "F-199",
    says: "An order can be read by every client that has traded with it.",
    clauses: ["OWN-01"],
    hard: true,
    kind: "other client",
    install: ({ desk, market, writer }) => {
      const partners = new Map<string, Set<string | undefined>>();
      const note = (order: Order, { client }: Order): void =>
        void partners.set(order.id, (partners.get(order.id) ?? new Set()).add(client));
      replace(market, "trade", (legal) => (taker, maker, ...rest) => {
        note(taker, maker);
        note(maker, taker);
        legal(taker, maker, ...rest);
      });
      replace(desk, "read", (legal) => (key, id) => {
        const order = desk.orders.find((known) => known.id === id);
        const isPartner = partners.get(id)?.has(key.client) === true;
        return order !== undefined && isPartner ? writer.view(order) : legal(key, id);
      });
    },
    shows: async (site) => (await site.counter.read(await site.started())).status === 200,
  },
  {
    id: "F-200",
    says: "The money of a fill moves in the wallets of the client that used the order's client_order_id first.",
    clauses: ["ORD-60"],
    hard: true,
    kind: "other client",
    install: ({ desk, wallets }) =>
      replace(wallets, "move", (legal) => (order, ...rest) => {
        const id = order.clientOrderId.toLowerCase();
        const first = desk.orders.find(({ clientOrderId }) => clientOrderId.toLowerCase() === id);
        legal(first === undefined ? order : { ...order, client: first.client }, ...rest);
      }),
    shows: async (site) => {
      const { trader, other } = site;
      const body = trader.body();
      await trader.cancel(await trader.again(body));
      await other.again({ ...body, price: "50200" });
      return (await gone(site, "USD")) !== 0n;
    },
  },
];
