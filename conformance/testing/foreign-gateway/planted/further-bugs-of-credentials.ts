import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { type Bug, replace } from "../bug.ts";
import type { Gateway } from "../gateway.ts";
import type { Record_ } from "../order.ts";
import { as, letters } from "../site.ts";
import { keys } from "../world.ts";
import { forget, takesAlso, withLine } from "./bugs-of-credentials.ts";

export const furtherBugsOfCredentials: readonly Bug[] = [
  {
    id: "F-61",
    says: "Each route remembers the nonces that it has seen: on another route one works again.",
    clauses: ["AUTH-26", "AUTH-27"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "mark",
        (legal) => (key, nonce, visit) =>
          `${legal(key, nonce, visit)} ${visit.method} ${visit.target.split("?")[0]}`,
      ),
    shows: async ({ trader }) => {
      await trader.get("/order/open", { nonce: letters });
      return (await trader.get("/wallets", { nonce: letters })).status === 200;
    },
  },
  {
    id: "F-62",
    says: "The nonce of a handshake works again when its stream has closed.",
    clauses: ["EVT-05", "AUTH-45", "AUTH-26"],
    hard: true,
    kind: "signature",
    install: (gateway) =>
      replace(gateway.authenticator, "admit", (legal) => async (visit) => {
        const key = await legal(visit);
        if (visit.transport === "stream")
          (visit.connection as Socket).once("close", () => forget(gateway, visit));
        return key;
      }),
    shows: async ({ trader }) => {
      const feed = await trader.feed({ nonce: letters });
      feed?.socket.close();
      if (feed !== undefined) await once(feed.socket, "close");
      for (let attempt = 0; attempt < 20; attempt += 1)
        if ((await trader.get("/order/open", { nonce: letters })).status === 200) return true;
      return false;
    },
  },
  {
    id: "F-63",
    says: "A nonce is remembered together with its timestamp, and works again with another one.",
    clauses: ["AUTH-27"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "mark",
        (legal) => (key, nonce, visit) =>
          `${legal(key, nonce, visit)} ${authenticator.header(visit, "timestamp")}`,
      ),
    shows: async ({ trader }) => {
      const now = Date.now();
      await trader.get("/order/open", { nonce: letters, timestamp: now });
      return (await trader.get("/order/open", { nonce: letters, timestamp: now + 1 })).status === 200;
    },
  },
  {
    id: "F-64",
    says: "A nonce is forgotten half a minute after its timestamp, which is accepted for a whole one.",
    clauses: ["AUTH-45", "AUTH-26"],
    hard: true,
    kind: "signature",
    install: (gateway) =>
      replace(gateway.authenticator, "admit", (legal) => async (visit) => {
        const key = await legal(visit);
        const age = Date.now() - Number(gateway.authenticator.header(visit, "timestamp"));
        if (age > 30_000) forget(gateway, visit);
        return key;
      }),
    shows: async ({ trader }) => {
      const signing = { nonce: letters, timestamp: Date.now() - 40_000 };
      await trader.get("/order/open", signing);
      return (await trader.get("/order/open", signing)).status === 200;
    },
  },
  {
    id: "F-65",
    says: "Two nonces with the same last group count as one, and the second request is refused.",
    clauses: ["AUTH-07", "AUTH-08"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "mark",
        (legal) => (key, nonce, visit) => legal(key, `${"0".repeat(24)}${nonce.slice(24)}`, visit),
      ),
    shows: async ({ trader }) => {
      await trader.get("/order/open", { nonce: letters });
      const near = `${randomUUID().slice(0, 24)}${letters.slice(24)}`;
      return (await trader.get("/order/open", { nonce: near })).status === 401;
    },
  },
  {
    id: "F-66",
    says: "A signature over the body with its keys in order of the alphabet fits, too.",
    clauses: ["AUTH-21", "AUTH-18"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      takesAlso((lines, visit) => {
        try {
          const body = JSON.parse(visit.body.toString("utf8")) as Record_;
          const sorted = JSON.stringify(body, Object.keys(body).sort());
          return [withLine(lines, 5, authenticator.digest(Buffer.from(sorted), visit))];
        } catch {
          return [];
        }
      })({ authenticator } as Gateway),
    shows: async ({ trader }) => {
      const sent = trader.body();
      const body = JSON.stringify(sent, Object.keys(sent).sort());
      return (await trader.again(sent, { body })).status === 200;
    },
  },
  {
    id: "F-67",
    says: "A signature for one order's path fits the same path of another order.",
    clauses: ["AUTH-16"],
    hard: true,
    kind: "signature",
    install: (gateway) =>
      takesAlso((lines) => {
        const [start, end] = (lines[3] ?? "").split(/\/orders\/[\w-]+/);
        return end === undefined
          ? []
          : gateway.desk.orders.map(({ id }) => withLine(lines, 3, `${start}/orders/${id}${end}`));
      })(gateway),
    shows: async ({ trader }) => {
      const [one, other] = [await trader.place(), await trader.place()];
      const path = `/orders/${String(other.order["id"])}/cancel`;
      return (await trader.cancel(one, { path })).status === 200;
    },
  },
  {
    id: "F-68",
    says: "A signature over the timestamp without its milliseconds fits every timestamp of that second.",
    clauses: ["AUTH-12"],
    hard: true,
    kind: "signature",
    install: takesAlso((lines) => [withLine(lines, 0, `${(lines[0] ?? "").slice(0, 10)}000`)]),
    shows: async ({ trader }) => {
      const second = Math.floor(Date.now() / 1000) * 1000;
      const signing = { timestamp: second + 7, signedTimestamp: second };
      return (await trader.get("/order/open", signing)).status === 200;
    },
  },
  {
    id: "F-69",
    says: "The claims of the first key on a connection hold for all requests that follow on it.",
    clauses: ["CLM-01", "CLM-03"],
    hard: true,
    kind: "claims",
    install: (gateway) => {
      const first = new WeakMap<object, readonly string[]>();
      replace(gateway, "permits", (legal) => (route, call) => {
        const claims = first.get(call.visit.connection) ?? call.key.claims;
        first.set(call.visit.connection, claims);
        return legal(route, { ...call, key: { ...call.key, claims } });
      });
    },
    shows: async ({ trader }) => {
      await trader.get("/order/open");
      return (await trader.place({}, as(keys.reader))).status === 200;
    },
  },
];
