import { type Bug, replace } from "../bug.ts";
import type { Market } from "../market.ts";
import type { Order, Record_, Writer } from "../order.ts";
import { isIn, statusOf, turns } from "../site.ts";
import type { Line } from "../stream.ts";

const behindMs = 30_000;
const slowMs = 120_000;
const slowEach = 5;

/** What each order looked like before its last fill. */
function viewsBeforeFills(market: Market, writer: Writer): WeakMap<Order, Record_> {
  const views = new WeakMap<Order, Record_>();
  replace(market, "fill", (legal) => (order, ...rest) => {
    views.set(order, writer.view(order));
    legal(order, ...rest);
  });
  return views;
}

/** What went wrong at public gateways with messages about orders, and with reads that disagree with them (fixtures/incidents.yaml). */
export const incidentsOfLateMessages: readonly Bug[] = [
  {
    id: "F-340",
    says: "The message about a cancelled order leaves nothing open: its whole quantity counts as filled.",
    clauses: ["EVT-07", "STA-05"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "order", (legal) => (order, view) => {
        const { status, baseQuantity } = view;
        const isTold = status === "CANCELLED" && baseQuantity !== null;
        legal(order, isTold ? { ...view, filledQuantity: baseQuantity } : view);
      }),
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await site.trader.cancel(await site.started());
      const last = (await feed.heard()).at(-1);
      return last?.["status"] === "CANCELLED" && last["filledQuantity"] === "0.00200000";
    },
  },
  {
    id: "F-341",
    says: "The stream says at once that an order is filled; for half a minute reads show it as it was before.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "race",
    install: ({ desk, market, writer }) => {
      const views = viewsBeforeFills(market, writer);
      const until = new WeakMap<Order, number>();
      replace(market, "finish", (legal) => (order, status) => {
        legal(order, status);
        if (status === "FILLED") until.set(order, market.now() + behindMs);
      });
      const old = (order: Order | undefined): Record_ | undefined =>
        order !== undefined && market.now() < (until.get(order) ?? 0) ? views.get(order) : undefined;
      replace(desk, "read", (legal) => (key, id) => old(desk.found(key, id)) ?? legal(key, id));
      const asItWas = (view: Record_): Record_ =>
        old(desk.orders.find(({ id }) => id === view["id"])) ?? view;
      replace(desk, "list", (legal) => (key, filter) => {
        const page = legal(key, filter);
        return { ...page, items: (page["items"] as Record_[]).map(asItWas) };
      });
      replace(desk, "isOpen", (legal) => (order) => legal(order) || old(order) !== undefined);
      replace(desk, "open", (legal) => (key) => legal(key).map(asItWas));
    },
    shows: async ({ trader }) => {
      const feed = await trader.ownFeed();
      const placed = await trader.buy("50100", "0.001");
      const told = (await feed.heard()).at(-1)?.["status"];
      const isListed = isIn(await trader.get("/order/open"), placed);
      return told === "FILLED" && isListed && (await statusOf(trader.read(placed))) === "OPEN";
    },
  },
  {
    id: "F-342",
    says: "The message that is sent because an order was filled shows it as it was before: open.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ market, stream, writer }) => {
      const views = viewsBeforeFills(market, writer);
      replace(
        stream,
        "order",
        (legal) => (order, view) =>
          legal(order, order.status === "FILLED" ? (views.get(order) ?? view) : view),
      );
    },
    shows: async ({ trader }) => {
      const feed = await trader.ownFeed();
      const placed = await trader.buy("50100", "0.001");
      const told = (await feed.heard()).at(-1)?.["status"];
      return told === "OPEN" && (await statusOf(trader.read(placed))) === "FILLED";
    },
  },
  {
    id: "F-343",
    says: "Each fifth connection is served by a slow process: it hears of orders two minutes late.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const slow = new WeakSet<Line>();
      let opened = 0;
      replace(stream, "open", (legal) => (socket, key) => {
        const line = legal(socket, key);
        opened += 1;
        if (opened % slowEach === 0) slow.add(line);
        return line;
      });
      replace(stream, "send", (legal) => (line, message) => {
        if (message["kind"] !== "order" || !slow.has(line)) return legal(line, message);
        setTimeout(() => legal(line, message), slowMs).unref();
      });
    },
    shows: async ({ trader }) => {
      const feeds = [];
      for (const _ of turns(5)) feeds.push(await trader.ownFeed());
      await trader.place();
      const counts = [];
      for (const feed of feeds) counts.push((await feed.heard()).length);
      return counts.join(" ") === "2 2 2 2 0";
    },
  },
  {
    id: "F-344",
    says: "In messages about orders the clientOrderId is an empty text.",
    clauses: ["EVT-07", "ORD-40"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "order", (legal) => (order, view) => legal(order, { ...view, clientOrderId: "" })),
    shows: async ({ trader }) => {
      const feed = await trader.ownFeed();
      await trader.place();
      return (await feed.heard()).every(({ clientOrderId }) => clientOrderId === "");
    },
  },
];
