import { isUtf8 } from "node:buffer";
import { createHmac } from "node:crypto";
import { mock } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../authenticator.ts";
import { type Bug, replace } from "../bug.ts";
import { isLive } from "../order.ts";
import { apart, stopLimit, used } from "../site.ts";
import { keys } from "../world.ts";

const tolerance = 60_000;
const rememberedNonces = 10_000;
const hashedCharacters = 16_384;

/** What went wrong at public gateways with signatures, nonces, refusals and repeats (fixtures/incidents.yaml). */
export const incidentsOfRequests: readonly Bug[] = [
  {
    id: "F-221",
    says: "A body that is not valid UTF-8 cannot be written as text for the signature, and is signed as an empty one.",
    clauses: ["AUTH-18", "AUTH-21"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "digest",
        (legal) => (body, visit) => legal(isUtf8(body) ? body : Buffer.alloc(0), visit),
      ),
    shows: async ({ trader }) =>
      (await trader.call("POST", "/order", "", { bytes: Buffer.from([0xff]) })).status === 400,
  },
  {
    id: "F-222",
    says: "Of a long body the first 16384 characters are hashed for the signature.",
    clauses: ["AUTH-08", "AUTH-18", "AUTH-21"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "digest",
        (legal) => (body, visit) =>
          legal(Buffer.from(body.toString("utf8").slice(0, hashedCharacters)), visit),
      ),
    shows: async ({ trader }) => {
      const long = `${JSON.stringify(trader.body())}${" ".repeat(20_000)}`;
      return (await trader.call("POST", "/order", long)).status === 401;
    },
  },
  {
    id: "F-223",
    says: "A body with a backslash escape is parsed and written again before its signature is checked.",
    clauses: ["AUTH-08", "AUTH-21"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(authenticator, "digest", (legal) => (body, visit) => {
        const text = body.toString("utf8");
        try {
          return legal(text.includes("\\") ? Buffer.from(JSON.stringify(JSON.parse(text))) : body, visit);
        } catch {
          return legal(body, visit);
        }
      }),
    shows: async ({ trader }) => {
      const escaped = JSON.stringify(trader.body()).replace("BTC-USD", "BTC\\u002dUSD");
      return (await trader.call("POST", "/order", escaped)).status === 401;
    },
  },
  {
    id: "F-224",
    says: "The query is decoded before it is signed: a space or a sign beyond ASCII in it makes the signature wrong.",
    clauses: ["AUTH-41"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(authenticator, "signedPath", (legal) => (visit) => {
        try {
          return decodeURIComponent(legal(visit));
        } catch {
          return legal(visit);
        }
      }),
    shows: async ({ trader }) => (await trader.get("/orders?product=BTC%2DUSD")).status === 401,
  },
  {
    id: "F-225",
    says: "The signature says which hash it was made with: one that begins with sha1= is checked as HMAC with SHA-1.",
    clauses: ["AUTH-09"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "isGenuine",
        (legal) => (visit, key, canonical, signature) =>
          signature.startsWith("sha1=")
            ? signature === `sha1=${createHmac("sha1", key.secret).update(canonical).digest("hex")}`
            : legal(visit, key, canonical, signature),
      ),
    shows: async ({ trader }) => {
      const spoil = (signature: string) => `sha1=${signature}`;
      return (await trader.get("/order/open", { hash: "sha1", spoil })).status === 200;
    },
  },
  {
    id: "F-226",
    says: "A key without a secret, as that of a revoked key is wiped, is checked with the empty secret.",
    clauses: ["GEN-03", "AUTH-06"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "keyNamed",
        (legal) => (id, visit) =>
          id === keys.revoked.id ? { ...keys.revoked, secret: "", revoked: false } : legal(id, visit),
      ),
    shows: async ({ revoked }) => (await revoked.get("/order/open", { secret: "" })).status === 200,
  },
  {
    id: "F-227",
    says: "A signature of the right length that is not hex breaks the comparison: it is answered 500.",
    clauses: ["AUTH-34", "ERR-07", "ERR-09"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(authenticator, "same", (legal) => (wanted, given) => {
        if (given.length === wanted.length && Buffer.from(given, "hex").length !== wanted.length / 2)
          throw new Error("the inputs must have the same length");
        return legal(wanted, given);
      }),
    shows: async ({ trader }) =>
      (await trader.get("/order/open", { spoil: (signature) => "z".repeat(signature.length) })).status ===
      500,
  },
  {
    id: "F-228",
    says: "A nonce is forgotten a minute after its arrival, and the request of a clock that is ahead is still fresh then.",
    clauses: ["AUTH-45"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(authenticator, "spend", (legal) => (mark, key) => {
        const letIn = legal(mark, key);
        setTimeout(() => authenticator.spent.delete(mark), tolerance).unref();
        return letIn;
      }),
    shows: async ({ trader }) => {
      const ahead = { ...used, timestamp: Date.now() + 55_000 };
      mock.timers.enable({ apis: ["setTimeout"] });
      await trader.get("/order/open", ahead);
      mock.timers.tick(60_000);
      mock.timers.reset();
      return (await trader.get("/order/open", ahead)).status === 200;
    },
  },
  {
    id: "F-229",
    says: "Ten thousand nonces are remembered, and a newer one pushes out the oldest.",
    clauses: ["AUTH-45", "AUTH-27"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(authenticator, "spend", (legal) => (mark, key) => {
        const letIn = legal(mark, key);
        const [oldest] = authenticator.spent;
        if (authenticator.spent.size > rememberedNonces && oldest !== undefined)
          authenticator.spent.delete(oldest);
        return letIn;
      }),
    shows: async ({ trader, second, reader, readOrders }) => {
      await trader.get("/order/open", used);
      await Promise.all(
        [trader, second, reader, readOrders].map(async (caller) => {
          for (let request = 0; request < 2501; request += 1) await caller.get("/order/open");
        }),
      );
      return (await trader.get("/order/open", used)).status === 200;
    },
  },
  {
    id: "F-230",
    says: "A STOP_LIMIT BUY is placed and waits, and the client is answered 500.",
    clauses: ["PLC-21", "EPT-04"],
    hard: false,
    kind: "stops",
    install: ({ desk }) =>
      replace(desk, "accept", (legal) => (key, order) => {
        const accepted = legal(key, order);
        if (order.type === "STOP_LIMIT" && order.side === "BUY") throw new Error("something broke");
        return accepted;
      }),
    shows: async ({ trader }) => (await trader.place({ ...stopLimit, stop_price: "60000" })).status === 500,
  },
  {
    id: "F-231",
    says: "A STOP_LIMIT is refused with 400, whatever its prices.",
    clauses: ["REQ-04", "PLC-21", "EPT-01"],
    hard: false,
    kind: "stops",
    install: ({ orderReader }) =>
      replace(orderReader, "draft", (legal) => (bytes) => {
        const draft = legal(bytes);
        if (draft.type === "STOP_LIMIT") throw new Refusal(400, "bad price");
        return draft;
      }),
    shows: async ({ trader }) => (await trader.place({ ...stopLimit, stop_price: "60000" })).status === 400,
  },
  {
    id: "F-232",
    says: "A request without a timestamp is not checked for its age, and is signed with an empty one.",
    clauses: ["AUTH-02"],
    hard: false,
    kind: "signature",
    install: ({ authenticator }) => {
      replace(
        authenticator,
        "header",
        (legal) => (visit, name) => legal(visit, name) ?? (name === "timestamp" ? " " : undefined),
      );
      replace(authenticator, "isFresh", (legal) => (timestamp) => timestamp === " " || legal(timestamp));
      replace(
        authenticator,
        "canonical",
        (legal) => (visit, timestamp, nonce) => legal(visit, timestamp.trim(), nonce),
      );
    },
    shows: async ({ trader }) =>
      (await trader.get("/order/open", { without: "x-api-timestamp" })).status === 200,
  },
  {
    id: "F-233",
    says: "A client_order_id is looked up and written down in two steps: requests that come together both find it free.",
    clauses: ["PLC-16", "PLC-10"],
    hard: true,
    kind: "race",
    install: ({ desk }) =>
      replace(desk, "place", (legal) => async (key, draft) => {
        if (key.client === undefined || desk.earlier(key, draft) !== undefined) return legal(key, draft);
        await sleep(4);
        return desk.placeNew(key, draft);
      }),
    shows: async ({ trader }) => {
      const body = trader.body();
      await Promise.all([trader.again(body, apart), trader.again(body, apart)]);
      return (await trader.get("/order/open")).list.length > 1;
    },
  },
  {
    id: "F-234",
    says: "A stream tells of the orders that were placed with the client's other keys, and not of those of its own.",
    clauses: ["EVT-07"],
    hard: true,
    kind: "stream",
    install: ({ stream }) =>
      replace(
        stream,
        "concerns",
        (legal) => (line, order) => legal(line, order) && line.key.id !== order.keyId,
      ),
    shows: async ({ trader, second }) => {
      const feed = await trader.ownFeed();
      await second.place();
      await trader.place();
      return (await feed.heard()).length === 2;
    },
  },
  {
    id: "F-235",
    says: "A repeat of an order that has ended is answered with the client's newest open order of that product and side.",
    clauses: ["PLC-12", "PLC-17"],
    hard: true,
    kind: "placement",
    install: ({ desk }) =>
      replace(desk, "replay", (legal) => (original, draft) => {
        const newest = desk.orders.findLast(
          (order) =>
            order.client === original.client &&
            order.product === original.product &&
            order.side === original.side &&
            isLive(order),
        );
        return legal(isLive(original) ? original : (newest ?? original), draft);
      }),
    shows: async ({ trader }) => {
      const body = trader.body();
      const placed = await trader.again(body);
      await trader.cancel(placed);
      await trader.place();
      return (await trader.again(body)).order["id"] !== placed.order["id"];
    },
  },
];
