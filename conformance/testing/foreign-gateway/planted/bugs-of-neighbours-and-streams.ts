import { setTimeout as sleep } from "node:timers/promises";
import { type Bug, replace } from "../bug.ts";
import type { Record_ } from "../order.ts";
import { turns } from "../site.ts";
import type { Line } from "../stream.ts";
import { type Key, keys } from "../world.ts";

const everyKey: readonly Key[] = Object.values(keys);

/** The answer to the second of two requests that share one. */
const asDuplicate = (result: Record_): Record_ =>
  result["order"] === undefined
    ? result
    : { ...result, type: "DUPLICATE_REPLAY", message: "this order is being placed already" };

export const bugsOfNeighboursAndStreams: readonly Bug[] = [
  {
    id: "F-107",
    says: "The refusal to cancel another client's order has that order with it.",
    clauses: ["OWN-01"],
    hard: true,
    kind: "other client",
    install: (gateway) =>
      replace(gateway, "refused", (legal) => (error, visit) => {
        const answer = legal(error, visit);
        const [, id] = /\/orders\/([\w-]+)\/cancel$/.exec(visit.target) ?? [];
        const order = gateway.desk.orders.find((known) => known.id === id);
        if (answer.status !== 404 || order === undefined) return answer;
        return { ...answer, body: { ...answer.body, data: gateway.writer.view(order) } };
      }),
    shows: async ({ trader, other }) =>
      (await other.cancel(await trader.place())).order["userId"] === keys.trader.client,
  },
  {
    id: "F-108",
    says: "The userId of an order names its key, unless that is the first key that the client ever had.",
    clauses: ["ORD-59"],
    hard: true,
    kind: "other client",
    install: ({ writer }) =>
      replace(writer, "view", (legal) => (order) => {
        const first = everyKey.find(({ client }) => client === order.client)?.id;
        return order.keyId === first ? legal(order) : { ...legal(order), userId: order.keyId };
      }),
    shows: async ({ second }) => (await second.place()).order["userId"] !== keys.second.client,
  },
  {
    id: "F-109",
    says: "Requests with one client_order_id that arrive together share one answer, whichever clients sent them.",
    clauses: ["PLC-19"],
    hard: true,
    kind: "race",
    install: ({ desk }) => {
      const running = new Map<string, Promise<Record_>>();
      replace(desk, "place", (legal) => async (key, draft) => {
        const id = draft.clientOrderId.toLowerCase();
        const other = running.get(id);
        if (other !== undefined) return asDuplicate(await other);
        const own = sleep(10)
          .then(() => legal(key, draft))
          .finally(() => running.delete(id));
        running.set(id, own);
        return own;
      });
    },
    shows: async ({ trader, other }) => {
      for (const _ of turns(10)) {
        const body = trader.body();
        const [, foreign] = await Promise.all([trader, other].map((one) => one.again(body, { apart: true })));
        if (foreign?.order["userId"] === keys.trader.client) return true;
      }
      return false;
    },
  },
  {
    id: "F-110",
    says: "Events of two topics that go out in the same millisecond share a number.",
    clauses: ["EVT-11"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const before = new WeakMap<Line, { at: number; kind: unknown }>();
      replace(stream, "send", (legal) => (line, message) => {
        const { kind } = message;
        const event = { at: Date.now(), kind };
        const last = before.get(line);
        const isPair = ["order delta", "delta order"].includes(`${String(last?.kind)} ${String(kind)}`);
        if (isPair && last?.at === event.at) line.count -= 1;
        before.set(line, event);
        legal(line, message);
      });
    },
    shows: async ({ trader }) => {
      const feed = await trader.ownFeed();
      await feed.join("depth", ["BTC-USD"]);
      for (const _ of turns(10)) await trader.place();
      await feed.heard();
      return feed.messages.some(({ n }, at) => n !== at + 1);
    },
  },
  {
    id: "F-111",
    says: "In what the channel of orders begins with, times are milliseconds since the epoch.",
    clauses: ["GEN-06", "ORD-08", "ORD-09"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(
        stream,
        "initial",
        (legal) => (line, desk) =>
          legal(line, desk).map((view) => ({
            ...view,
            createdAt: Date.parse(String(view["createdAt"])),
            updatedAt: Date.parse(String(view["updatedAt"])),
          })),
      ),
    shows: async ({ trader }) => {
      await trader.place();
      const feed = await trader.ownFeed();
      await feed.heard();
      return feed.messages.some(
        ({ orders }) =>
          typeof (orders as Record<string, unknown>[] | undefined)?.[0]?.["createdAt"] === "number",
      );
    },
  },
  {
    id: "F-112",
    says: "When an order is filled, the stream calls it by its externalId.",
    clauses: ["ORD-39", "EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(
        stream,
        "order",
        (legal) => (order, view) =>
          legal(order, order.status === "FILLED" ? { ...view, id: view["externalId"] } : view),
      ),
    shows: async ({ trader }) => {
      const feed = await trader.ownFeed();
      const { order } = await trader.buy("50200", "0.001");
      return (await feed.heard()).some(({ status, id }) => status === "FILLED" && id !== order["id"]);
    },
  },
  {
    id: "F-113",
    says: "Streams that have closed still count: the thirteenth of a key is turned away.",
    clauses: ["EVT-02"],
    hard: true,
    kind: "stream",
    install: ({ authenticator, stream }) => {
      const opened = new Map<string, number>();
      replace(stream, "open", (legal) => (socket, key) => {
        opened.set(key.id, (opened.get(key.id) ?? 0) + 1);
        return legal(socket, key);
      });
      replace(
        authenticator,
        "keyNamed",
        (legal) => (id, visit) =>
          visit.transport === "stream" && (opened.get(id) ?? 0) >= 12 ? undefined : legal(id, visit),
      );
    },
    shows: async ({ trader }) => {
      for (let opened = 0; opened < 12; opened += 1) (await trader.feed())?.socket.close();
      return (await trader.feed()) === undefined;
    },
  },
];
