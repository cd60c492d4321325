import { textOf } from "../amounts.ts";
import { type Bug, replace } from "../bug.ts";
import type { Desk } from "../desk.ts";
import { isLive, type Order } from "../order.ts";
import { isIn } from "../site.ts";
import { keys } from "../world.ts";

const isStarted = (order: Order): boolean => order.filled > 0n && isLive(order);

/** Another client gets at orders in one operation only. */
export function showsForeign(
  operation: "cancel" | "read" | "open" | "list",
  shows: (order: Order, desk: Desk, client: string | undefined) => boolean,
  when: (filter: { status?: string; cursor?: string; clientOrderId?: string }) => boolean = () => true,
): Bug["install"] {
  return ({ desk }) => {
    let within = false;
    replace(
      desk,
      "isOwn",
      (legal) => (key, order) => legal(key, order) || (within && shows(order, desk, key.client)),
    );
    replace(
      desk,
      operation,
      (legal) =>
        ((...given: unknown[]) => {
          within = when(Object(given[1]) as object);
          try {
            return (legal as (...args: unknown[]) => unknown)(...given);
          } finally {
            within = false;
          }
        }) as never,
    );
  };
}

export const bugsOfClients: readonly Bug[] = [
  {
    id: "F-18",
    says: "An order that has ended can be read by every client that knows its id.",
    clauses: ["OWN-01"],
    hard: true,
    kind: "other client",
    install: showsForeign("read", (order) => !isLive(order)),
    shows: async ({ trader, other }) => {
      const placed = await trader.place();
      await trader.cancel(placed);
      return (await other.read(placed)).status === 200;
    },
  },
  {
    id: "F-19",
    says: "An order that is filled in part can be cancelled by every client that knows its id.",
    clauses: ["OWN-04"],
    hard: true,
    kind: "other client",
    install: showsForeign("cancel", isStarted),
    shows: async (site) => (await site.other.cancel(await site.started())).status === 200,
  },
  {
    id: "F-20",
    says: "From the second page on, a list of orders goes on with those of all clients.",
    clauses: ["OWN-03", "OWN-02"],
    hard: true,
    kind: "other client",
    install: showsForeign(
      "list",
      () => true,
      ({ cursor }) => cursor !== undefined,
    ),
    shows: async ({ trader, other }) => {
      const placed = await trader.place();
      await other.place();
      await other.place();
      const { data } = await other.get("/orders?limit=1");
      return isIn(await other.get(`/orders?cursor=${String(data["nextCursor"])}`), placed);
    },
  },
  {
    id: "F-21",
    says: "A list that is filtered by status shows the orders of all clients.",
    clauses: ["OWN-02"],
    hard: true,
    kind: "other client",
    install: showsForeign(
      "list",
      () => true,
      ({ status }) => status !== undefined,
    ),
    shows: async ({ trader, other }) => {
      const placed = await trader.place();
      return isIn(await other.get("/orders?status=OPEN"), placed);
    },
  },
  {
    id: "F-22",
    says: "The open list of a client also shows orders of clients whose names begin with its own.",
    clauses: ["OWN-02"],
    hard: true,
    kind: "other client",
    install: showsForeign(
      "open",
      (order, _desk, client) => client !== undefined && order.client.startsWith(client),
    ),
    shows: async ({ trader, other }) => {
      const placed = await other.place();
      return isIn(await trader.get("/order/open"), placed);
    },
  },
  {
    id: "F-23",
    says: "A client_order_id of another client's order that was cancelled is answered with that order.",
    clauses: ["PLC-19"],
    hard: true,
    kind: "other client",
    install: ({ desk }) =>
      replace(
        desk,
        "earlier",
        (legal) => (key, draft) =>
          legal(key, draft) ??
          desk.orders.find(
            (order) => order.clientOrderId === draft.clientOrderId && order.status === "CANCELLED",
          ),
      ),
    shows: async ({ trader, other }) => {
      const body = trader.body();
      await trader.cancel(await trader.again(body));
      return (await other.again(body)).order["userId"] === keys.trader.client;
    },
  },
  {
    id: "F-24",
    says: "The stream tells a client about fills of other clients' orders.",
    clauses: ["EVT-09"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(
        stream,
        "concerns",
        (legal) => (line, order) =>
          legal(line, order) || (line.topics.has("own-orders") && order.filled > 0n),
      ),
    shows: async (site) => {
      const feed = await site.other.ownFeed();
      await site.started();
      return (await feed.heard()).length > 0;
    },
  },
  {
    id: "F-25",
    says: "A connection that subscribes to its orders a second time hears about those of all clients.",
    clauses: ["EVT-09", "OWN-06"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      replace(stream, "join", (legal) => (line, topic, ...rest) => {
        if (line.topics.has(topic)) line.topics.add("everybody");
        legal(line, topic, ...rest);
      });
      replace(
        stream,
        "concerns",
        (legal) => (line, order) => legal(line, order) || line.topics.has("everybody"),
      );
    },
    shows: async ({ trader, other }) => {
      const feed = await other.ownFeed();
      await feed.join("own-orders");
      await trader.place();
      return (await feed.heard()).length > 0;
    },
  },
  {
    id: "F-26",
    says: "A second connection that subscribes to the orders of a client silences the first.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "join", (legal) => (line, topic, ...rest) => {
        for (const other of stream.lines) {
          if (other !== line && other.key.client === line.key.client) other.topics.delete(topic);
        }
        legal(line, topic, ...rest);
      }),
    shows: async ({ trader, second }) => {
      const feed = await trader.ownFeed();
      await second.ownFeed();
      await trader.place();
      return (await feed.heard()).length === 0;
    },
  },
  {
    id: "F-27",
    says: "On the stream the filled quantity of a partly filled order is a JSON number.",
    clauses: ["GEN-04"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(
        stream,
        "order",
        (legal) => (order, view) =>
          legal(order, isStarted(order) ? { ...view, filledQuantity: Number(textOf(order.filled)) } : view),
      ),
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await site.started();
      return (await feed.heard()).some(({ filledQuantity }) => typeof filledQuantity === "number");
    },
  },
  {
    id: "F-28",
    says: "The stream of a book says nothing of a level that became empty.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(
        stream,
        "changed",
        (legal) => (before, after) => legal(before, after).filter(([, quantity]) => quantity !== "0"),
      ),
    shows: async ({ trader }) => {
      const feed = await trader.ownFeed();
      await feed.join("depth", ["BTC-USD"]);
      await trader.cancel(await trader.place());
      await feed.heard();
      const levels = feed.messages.flatMap(({ kind, bids }) =>
        kind === "delta" ? (bids as string[][]) : [],
      );
      return !levels.some(([, quantity]) => quantity === "0");
    },
  },
];
