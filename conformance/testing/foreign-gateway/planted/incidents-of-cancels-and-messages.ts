import { type Bug, replace } from "../bug.ts";
import type { Depth } from "../market.ts";
import { isLive } from "../order.ts";
import { atMarket, mentions, type Site, statusOf, turns } from "../site.ts";
import type { Line } from "../stream.ts";

const cancelMs = 2000;
/** By how much the copies are behind from which the open list is read. */
const copiesMs = [0, 1000, 3000];

const turned = ({ version, bids, asks }: Depth): Depth => ({ version, bids: asks, asks: bids });

/** What a stream tells of these books while an order comes and goes four times. */
async function told({ trader }: Site, ...pairs: readonly string[]): Promise<Record<string, unknown>[]> {
  const feed = await trader.feed();
  await feed?.join("depth", pairs);
  for (const _ of turns(4)) await trader.cancel(await trader.place());
  await feed?.heard();
  return feed?.messages ?? [];
}

/** What went wrong at public gateways with cancels, reads and messages (fixtures/incidents.yaml). */
export const incidentsOfCancelsAndMessages: readonly Bug[] = [
  {
    id: "F-297",
    says: "A cancel is answered as done and carried out two seconds later: until then the order trades.",
    clauses: ["EPT-11", "STA-04"],
    hard: true,
    kind: "race",
    install: ({ desk }) =>
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.found(key, id);
        if (!isLive(order)) return legal(key, id);
        setTimeout(() => isLive(order) && legal(key, id), cancelMs).unref();
        return { ...desk.writer.view(order), status: "CANCELLED" };
      }),
    shows: async ({ trader, counter }) => {
      const placed = await trader.sell("50050", "0.001");
      const cancelled = await statusOf(trader.cancel(placed));
      await counter.buy("50050", "0.001");
      return cancelled === "CANCELLED" && (await statusOf(trader.read(placed))) === "FILLED";
    },
  },
  {
    id: "F-298",
    says: "An order to cancel is looked for at the head of its price: the cancel of a later one does nothing.",
    clauses: ["EPT-11"],
    hard: true,
    kind: "rare state",
    install: ({ desk, market }) =>
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.found(key, id);
        const isBehind = market
          .book(order.product)
          .some(
            ({ side, price, ordinal }) =>
              side === order.side && price === order.price && ordinal < order.ordinal,
          );
        return order.status === "OPEN" && isBehind ? desk.writer.view(order) : legal(key, id);
      }),
    shows: async ({ trader }) => {
      await trader.place();
      const placed = await trader.place();
      await trader.cancel(placed);
      return (await statusOf(trader.read(placed))) === "OPEN";
    },
  },
  {
    id: "F-299",
    says: "An order that is filled in part is CANCELLED when it is read alone, and goes on.",
    clauses: ["STA-04"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) =>
      replace(desk, "read", (legal) => (key, id) => {
        const order = desk.found(key, id);
        const isStarted = isLive(order) && order.filled > 0n;
        return isStarted ? { ...legal(key, id), status: "CANCELLED" } : legal(key, id);
      }),
    shows: async (site) => (await statusOf(site.trader.read(await site.started()))) === "CANCELLED",
  },
  {
    id: "F-300",
    says: "The open list is read from three copies in turn, two of which are behind: new orders are missing there.",
    clauses: ["EPT-07"],
    hard: true,
    kind: "lists",
    install: ({ desk, market }) => {
      let reads = 0;
      replace(desk, "open", (legal) => (key) => {
        const time = market.now() - (copiesMs[reads % copiesMs.length] ?? 0);
        reads += 1;
        return legal(key).filter(({ createdAt }) => Date.parse(String(createdAt)) <= time);
      });
    },
    shows: async ({ trader }) => {
      await trader.place();
      const lists = [await trader.get("/order/open"), await trader.get("/order/open")];
      return lists.some(({ list }) => list.length === 0);
    },
  },
  {
    id: "F-301",
    says: "The message about a MARKET BUY that was filled says CANCELLED; that about a MARKET SELL says FILLED.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "order", (legal) => (order, view) => {
        const isChanged = order.type === "MARKET" && order.side === "BUY" && order.status === "FILLED";
        legal(order, isChanged ? { ...view, status: "CANCELLED" } : view);
      }),
    shows: async ({ trader }) => {
      const feed = await trader.ownFeed();
      const placed = await trader.place({ ...atMarket, quote_value: "100", base_quantity: undefined });
      const last = (await feed.heard()).at(-1)?.["status"];
      return last === "CANCELLED" && (await statusOf(trader.read(placed))) === "FILLED";
    },
  },
  {
    id: "F-302",
    says: "On a connection with several books, two updates in a row of each six are numbered and not sent.",
    clauses: ["EVT-11", "EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const updates = new WeakMap<Line, number>();
      replace(stream, "send", (legal) => (line, message) => {
        const books = [...line.topics].filter((name) => name !== "own-orders");
        if (message["kind"] !== "delta" || books.length < 2) return legal(line, message);
        const count = updates.get(line) ?? 0;
        updates.set(line, count + 1);
        if (count % 6 < 4) legal(line, message);
        else line.count += 1;
      });
    },
    shows: async (site) => (await told(site, "BTC-USD", "LTC-USD")).some(({ n }, at) => Number(n) !== at + 1),
  },
  {
    id: "F-303",
    says: "The updates of a book have its bids among the asks and its asks among the bids.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(
        stream,
        "depth",
        (legal) => (product, before, after) => legal(product, turned(before), turned(after)),
      ),
    shows: async (site) =>
      (await told(site, "BTC-USD")).some(
        ({ kind, asks }) => kind === "delta" && mentions(asks, "30000.00000000"),
      ),
  },
  {
    id: "F-304",
    says: "The stream of a book calls its product by the exchangeProductId, for which nobody asked.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "send", (legal) => (line, message) => {
        const { pair } = message;
        legal(line, typeof pair === "string" ? { ...message, pair: pair.replace("-", "/") } : message);
      }),
    shows: async (site) => (await told(site, "BTC-USD")).some(({ pair }) => pair === "BTC/USD"),
  },
];
