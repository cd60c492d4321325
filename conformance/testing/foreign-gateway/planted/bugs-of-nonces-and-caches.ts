import { randomUUID } from "node:crypto";
import { type Bug, replace } from "../bug.ts";
import type { Record_ } from "../order.ts";
import { letters } from "../site.ts";
import type { Key } from "../world.ts";

const idIn = (body: Buffer): string | undefined =>
  /"client_order_id"\s*:\s*"([^"]+)"/.exec(body.toString("utf8"))?.[1];
const firstPart = (target: string): string => target.split(/[/?]/)[4] ?? "";
const codes = (text: string): number => [...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

const swapped = (text: string): string => [...text].reverse().join("");

export const bugsOfNoncesAndCaches: readonly Bug[] = [
  {
    id: "F-141",
    says: "A nonce is kept for as long as its timestamp is old: one that is stamped ahead of the clock works again.",
    clauses: ["AUTH-45", "AUTH-26", "AUTH-27", "AUTH-48"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(authenticator, "mark", (legal) => (key, nonce, visit) => {
        const isAhead = Number(authenticator.header(visit, "timestamp")) > Date.now();
        return isAhead ? randomUUID() : legal(key, nonce, visit);
      }),
    shows: async ({ trader }) => {
      const signing = { nonce: letters, timestamp: Date.now() + 20_000 };
      await trader.get("/order/open", signing);
      return (await trader.get("/order/open", signing)).status === 200;
    },
  },
  {
    id: "F-142",
    says: "The nonce of a cancel is neither looked for nor noted.",
    clauses: ["AUTH-27", "AUTH-48"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "mark",
        (legal) => (key, nonce, visit) => (visit.method === "PUT" ? randomUUID() : legal(key, nonce, visit)),
      ),
    shows: async ({ trader }) => {
      const [one, next] = [await trader.place(), await trader.place()];
      await trader.cancel(one, { nonce: letters });
      return (await trader.cancel(next, { nonce: letters })).status === 200;
    },
  },
  {
    id: "F-143",
    says: "The hash of a body is kept under its client_order_id: another body with that id has the hash of the first.",
    clauses: ["AUTH-18", "AUTH-08", "PLC-14", "PLC-34"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) => {
      const kept = new Map<string, string>();
      replace(authenticator, "digest", (legal) => (body, visit) => {
        const id = idIn(body);
        const digest = (id === undefined ? undefined : kept.get(id)) ?? legal(body, visit);
        if (id !== undefined) kept.set(id, digest);
        return digest;
      });
    },
    shows: async ({ trader }) => {
      const body = trader.body();
      await trader.again(body);
      return (await trader.again({ ...body, price: "29000" })).status === 401;
    },
  },
  {
    id: "F-144",
    says: "A signature over the path with a slash behind it fits the path without it, too.",
    clauses: ["AUTH-16"],
    hard: false,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "isGenuine",
        (legal) => (visit, key, canonical, signature) =>
          legal(visit, key, canonical, signature) ||
          legal(visit, key, canonical.replace(visit.target, `${visit.target}/`), signature),
      ),
    shows: async ({ trader }) => (await trader.get("/order/open", { path: "/order/open/" })).status === 200,
  },
  {
    id: "F-145",
    says: "A key id that is unknown stands for the key of the request before it on the same connection.",
    clauses: ["AUTH-05"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) => {
      const before = new WeakMap<object, Key>();
      replace(authenticator, "keyNamed", (legal) => (id, visit) => {
        const key = legal(id, visit) ?? before.get(visit.connection);
        if (key !== undefined) before.set(visit.connection, key);
        return key;
      });
    },
    shows: async ({ trader }) => {
      await trader.get("/order/open");
      return (await trader.get("/order/open", { keyId: randomUUID() })).status === 200;
    },
  },
  {
    id: "F-146",
    says: "What a key may do is kept under the first word of the path: who has read /order/open may POST /order.",
    clauses: ["CLM-01", "CLM-03"],
    hard: true,
    kind: "claims",
    install: (gateway) => {
      const permitted = new Set<string>();
      replace(gateway, "permits", (legal) => (route, call) => {
        const place = `${call.key.id} ${firstPart(call.visit.target)}`;
        if (legal(route, call)) permitted.add(place);
        return permitted.has(place);
      });
    },
    shows: async ({ reader }) => {
      await reader.get("/order/open");
      return (await reader.place()).status === 200;
    },
  },
  {
    id: "F-147",
    says: "The handshake of the stream takes a timestamp of any age.",
    clauses: ["EVT-04"],
    hard: true,
    kind: "stream",
    install: ({ authenticator }) => {
      let isStream = false;
      replace(authenticator, "admit", (legal) => (visit) => {
        isStream = visit.transport === "stream";
        return legal(visit);
      });
      replace(authenticator, "isFresh", (legal) => (timestamp) => isStream || legal(timestamp));
    },
    shows: async ({ trader }) => (await trader.feed({ timestamp: Date.now() - 3_600_000 })) !== undefined,
  },
  {
    id: "F-148",
    says: "The body of a GET is not hashed, even when there is one.",
    clauses: ["AUTH-18", "AUTH-21"],
    hard: false,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "digest",
        (legal) => (body, visit) => legal(visit.method === "GET" ? Buffer.alloc(0) : body, visit),
      ),
    shows: async ({ trader }) =>
      (await trader.call("GET", "/order/open", "{}", { body: "", chunked: true })).status === 200,
  },
  {
    id: "F-149",
    says: "Signatures are compared by adding up the differences of their letters: two that change places still fit.",
    clauses: ["AUTH-24"],
    hard: true,
    kind: "arithmetic",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "same",
        () => (wanted, given) => wanted.length === given.length && codes(wanted) === codes(given),
      ),
    shows: async ({ trader }) => (await trader.get("/order/open", { spoil: swapped })).status === 200,
  },
  {
    id: "F-150",
    says: "A repeat changes nothing and is rolled back, and the note of its nonce with it.",
    clauses: ["AUTH-26", "AUTH-27", "AUTH-45", "AUTH-48"],
    hard: true,
    kind: "rare state",
    install: (gateway) => {
      const { authenticator } = gateway;
      replace(gateway, "run", (legal) => async (route, call) => {
        const answer = await legal(route, call);
        const data = answer.body["data"] as Record_;
        const nonce = authenticator.header(call.visit, "nonce") ?? "";
        if (data["type"] === "DUPLICATE_REPLAY")
          authenticator.spent.delete(authenticator.mark(call.key, nonce, call.visit));
        return answer;
      });
    },
    shows: async ({ trader }) => {
      const body = trader.body();
      await trader.again(body);
      await trader.again(body, { nonce: letters });
      return (await trader.again(body, { nonce: letters })).status === 200;
    },
  },
];
