import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bug, replace } from "../bug.ts";
import type { Record_ } from "../order.ts";
import { mentions, number, used } from "../site.ts";
import { keys } from "../world.ts";

export const bugsOfFeedsAndKeys: readonly Bug[] = [
  {
    id: "F-201",
    says: "Messages are numbered for the client and not for the connection: of two that are open each has gaps.",
    clauses: ["EVT-11"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const numbers = new Map<string | undefined, number>();
      replace(stream, "open", (legal) => (socket, key) => {
        if (![...stream.lines].some((line) => line.key.client === key.client)) numbers.delete(key.client);
        return legal(socket, key);
      });
      replace(stream, "send", (legal) => (line, message) => {
        line.count = numbers.get(line.key.client) ?? 0;
        legal(line, message);
        numbers.set(line.key.client, line.count);
      });
    },
    shows: async ({ trader }) => {
      const feeds = [await trader.ownFeed(), await trader.ownFeed()];
      await trader.place();
      for (const feed of feeds) await feed.heard();
      return feeds.some(({ messages }) =>
        messages.some(({ n }, at) => at > 0 && n !== Number(messages[at - 1]?.["n"]) + 1),
      );
    },
  },
  {
    id: "F-202",
    says: "The image of a book is kept until the next trade: what orders that came or went since have changed is not in it.",
    clauses: ["EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ market, stream }) => {
      const kept = new Map<unknown, Record_>();
      replace(market, "trade", (legal) => (taker, ...rest) => {
        kept.delete(taker.product.id);
        legal(taker, ...rest);
      });
      replace(stream, "send", (legal) => (line, message) => {
        if (message["kind"] !== "image") return legal(line, message);
        const image = kept.get(message["pair"]) ?? message;
        kept.set(message["pair"], image);
        legal(line, image);
      });
    },
    shows: async ({ trader, counter }) => {
      await (await trader.feed())?.join("depth", ["BTC-USD"]);
      await counter.sell("50050", "0.001");
      const feed = await trader.feed();
      await feed?.join("depth", ["BTC-USD"]);
      await feed?.heard();
      return !mentions(feed?.messages, "50050.00000000");
    },
  },
  {
    id: "F-203",
    says: "The stream tells of an order when its status is another one: that an open order was filled in part is not told.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) => {
      const told = new Map<string, unknown>();
      replace(stream, "order", (legal) => (order, view) => {
        if (told.get(order.id) !== order.status) legal(order, view);
        told.set(order.id, order.status);
      });
    },
    shows: async (site) => {
      const feed = await site.trader.ownFeed();
      await site.started();
      return !(await feed.heard()).some(({ filledQuantity }) => number(filledQuantity) === number("0.001"));
    },
  },
  {
    id: "F-204",
    says: "When one of a client's connections closes, its other connections hear no more of its orders.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "open", (legal) => (socket, key) => {
        const opened = legal(socket, key);
        socket.on("close", () => {
          for (const line of stream.lines) {
            if (line.key.client === key.client) line.topics.delete("own-orders");
          }
        });
        return opened;
      }),
    shows: async ({ trader, second }) => {
      const feed = await trader.ownFeed();
      const closing = await second.ownFeed();
      closing.socket.close();
      await once(closing.socket, "close");
      await sleep(20);
      await trader.place();
      return (await feed.heard()).length === 0;
    },
  },
  {
    id: "F-205",
    says: "A connection that was told of a mistake in a message stays open, and its subscriptions are gone.",
    clauses: ["EVT-07", "EVT-08"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(stream, "send", (legal) => (line, message) => {
        if (message["kind"] === "oops") line.topics.clear();
        legal(line, message);
      }),
    shows: async ({ trader }) => {
      const feed = await trader.ownFeed();
      await feed.ask("join", "weather");
      await trader.place();
      return (await feed.heard()).length === 0;
    },
  },
  {
    id: "F-206",
    says: "Keys are found whatever letters their ids are written in, and nonces are remembered under the id as it was sent.",
    clauses: ["AUTH-26", "AUTH-27", "AUTH-45", "AUTH-05"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) => {
      replace(authenticator, "keyNamed", (legal) => (id, visit) => legal(id.toLowerCase(), visit));
      replace(
        authenticator,
        "mark",
        () => (_key, nonce, visit) => `${authenticator.header(visit, "key")} ${nonce.toLowerCase()}`,
      );
    },
    shows: async ({ trader }) => {
      await trader.get("/order/open", used);
      const keyId = keys.trader.id.toUpperCase();
      return (await trader.get("/order/open", { ...used, keyId })).status === 200;
    },
  },
  {
    id: "F-207",
    says: "A request whose signature does not fit takes its nonce out of memory, even one that was used long before.",
    clauses: ["AUTH-26", "AUTH-27", "AUTH-45", "AUTH-48"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(authenticator, "isGenuine", (legal) => (visit, key, ...rest) => {
        const isGenuine = legal(visit, key, ...rest);
        const nonce = authenticator.header(visit, "nonce") ?? "";
        if (!isGenuine) authenticator.spent.delete(authenticator.mark(key, nonce, visit));
        return isGenuine;
      }),
    shows: async ({ trader }) => {
      await trader.get("/order/open", used);
      await trader.get("/order/open", { ...used, secret: "guessed" });
      return (await trader.get("/order/open", used)).status === 200;
    },
  },
  {
    id: "F-208",
    says: "The claim of a route is looked up by the target as it was sent: with a query there is none, and every key passes.",
    clauses: ["CLM-01", "CLM-03"],
    hard: true,
    kind: "claims",
    install: (gateway) =>
      replace(
        gateway,
        "permits",
        (legal) => (route, call) => call.visit.target.includes("?") || legal(route, call),
      ),
    shows: async ({ reader }) =>
      (await reader.call("POST", "/order?from=app", JSON.stringify(reader.body()))).status === 200,
  },
  {
    id: "F-209",
    says: "The handshake of a stream begins a new session: the nonces that its key has used before are forgotten.",
    clauses: ["AUTH-26", "AUTH-27", "AUTH-45", "AUTH-48"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(authenticator, "admit", (legal) => async (visit) => {
        const key = await legal(visit);
        if (visit.transport === "rest") return key;
        const own = authenticator.mark(key, authenticator.header(visit, "nonce") ?? "", visit);
        for (const mark of authenticator.spent) {
          if (mark !== own && mark.startsWith(`${key.id} `)) authenticator.spent.delete(mark);
        }
        return key;
      }),
    shows: async ({ trader }) => {
      await trader.get("/order/open", used);
      await trader.feed();
      return (await trader.get("/order/open", used)).status === 200;
    },
  },
  {
    id: "F-210",
    says: "A signature that fitted is kept with its key for a second, in which it fits whatever comes with it.",
    clauses: ["AUTH-12", "AUTH-13", "AUTH-14", "AUTH-16", "AUTH-18", "GEN-03"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) => {
      const fitted = new Map<string, number>();
      replace(authenticator, "isGenuine", (legal) => (visit, key, canonical, signature) => {
        const name = `${key.id} ${signature}`;
        if (Date.now() - (fitted.get(name) ?? 0) < 1000) return true;
        const isGenuine = legal(visit, key, canonical, signature);
        if (isGenuine) fitted.set(name, Date.now());
        return isGenuine;
      });
    },
    shows: async ({ trader }) => {
      let kept = "";
      await trader.get("/order/open", { spoil: (signature) => (kept = signature) });
      return (await trader.place({}, { spoil: () => kept })).status === 200;
    },
  },
];
