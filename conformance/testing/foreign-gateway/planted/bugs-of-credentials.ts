import { setTimeout as sleep } from "node:timers/promises";
import { Refusal, type Visit } from "../authenticator.ts";
import { type Bug, replace } from "../bug.ts";
import type { Gateway } from "../gateway.ts";
import { letters, stopLimit } from "../site.ts";
import { type Key, keys } from "../world.ts";

const everyKey: readonly Key[] = Object.values(keys);

/** The nonce of a visit becomes usable again. */
export function forget({ authenticator }: Gateway, visit: Visit): void {
  const key = everyKey.find(({ id }) => id === authenticator.header(visit, "key"));
  if (key !== undefined)
    authenticator.spent.delete(authenticator.mark(key, authenticator.header(visit, "nonce") ?? "", visit));
}

/** Nonces of requests with these answers can be used again. */
function forgetsAfter(status: number): Bug["install"] {
  return (gateway) =>
    replace(gateway, "refused", (legal) => (error, visit) => {
      const answer = legal(error, visit);
      if (answer.status === status) forget(gateway, visit);
      return answer;
    });
}

/** Also takes a signature that fits after a change of the six lines. */
export function takesAlso(lines: (lines: string[], visit: Visit) => readonly string[][]): Bug["install"] {
  return ({ authenticator }) =>
    replace(
      authenticator,
      "isGenuine",
      (legal) => (visit, key, canonical, signature) =>
        [canonical.split("\n"), ...lines(canonical.split("\n"), visit)].some((six) =>
          legal(visit, key, six.join("\n"), signature),
        ),
    );
}

export const withLine = (lines: readonly string[], at: number, value: string): string[] => [
  ...lines.slice(0, at),
  value,
  ...lines.slice(at + 1),
];

export const bugsOfCredentials: readonly Bug[] = [
  {
    id: "F-01",
    says: "A nonce that was used in small letters works again in capital letters.",
    clauses: ["AUTH-46", "AUTH-26", "AUTH-27"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(authenticator, "mark", () => (key, nonce) => `${key.id} ${nonce}`),
    shows: async ({ trader }) => {
      await trader.get("/order/open", { nonce: letters });
      return (await trader.get("/order/open", { nonce: letters.toUpperCase() })).status === 200;
    },
  },
  {
    id: "F-02",
    says: "The nonce of a request that was answered 403 works again.",
    clauses: ["AUTH-48", "AUTH-26", "AUTH-27"],
    hard: true,
    kind: "signature",
    install: forgetsAfter(403),
    shows: async ({ reader }) => {
      await reader.place({}, { nonce: letters });
      return (await reader.get("/order/open", { nonce: letters })).status === 200;
    },
  },
  {
    id: "F-03",
    says: "The nonce of a request that was answered 400 works again.",
    clauses: ["AUTH-48", "AUTH-26", "AUTH-27"],
    hard: true,
    kind: "signature",
    install: forgetsAfter(400),
    shows: async ({ trader }) => {
      await trader.call("POST", "/order", "{}", { nonce: letters });
      return (await trader.get("/order/open", { nonce: letters })).status === 200;
    },
  },
  {
    id: "F-04",
    says: "Requests and the handshake of the stream remember their nonces apart.",
    clauses: ["EVT-05", "AUTH-26"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "mark",
        (legal) => (key, nonce, visit) => `${visit.transport} ${legal(key, nonce, visit)}`,
      ),
    shows: async ({ trader }) => {
      await trader.get("/order/open", { nonce: letters });
      return (await trader.feed({ nonce: letters })) !== undefined;
    },
  },
  {
    id: "F-05",
    says: "Of each key the last 60 nonces are remembered, however young the older ones are.",
    clauses: ["AUTH-45", "AUTH-26", "AUTH-27", "AUTH-30"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(authenticator, "spend", (legal) => (mark, key) => {
        const admitted = legal(mark, key);
        const own = [...authenticator.spent].filter((known) => known.startsWith(`${key.id} `));
        for (const old of own.slice(0, -60)) authenticator.spent.delete(old);
        return admitted;
      }),
    shows: async ({ trader }) => {
      await trader.get("/order/open", { nonce: letters });
      for (let request = 0; request < 60; request += 1) await trader.get("/order/open");
      return (await trader.get("/order/open", { nonce: letters })).status === 200;
    },
  },
  {
    id: "F-06",
    says: "A nonce is remembered for the connection that it came in on, and works again on another one.",
    clauses: ["AUTH-47", "AUTH-26", "AUTH-27"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) => {
      const numbers = new WeakMap<object, number>();
      let connections = 0;
      replace(authenticator, "mark", (legal) => (key, nonce, visit) => {
        const number = numbers.get(visit.connection) ?? (connections += 1);
        numbers.set(visit.connection, number);
        return `${legal(key, nonce, visit)} ${number}`;
      });
    },
    shows: async ({ trader }) => {
      await trader.get("/order/open", { nonce: letters });
      return (await trader.get("/order/open", { nonce: letters, apart: true })).status === 200;
    },
  },
  {
    id: "F-07",
    says: "Between the look at a nonce and its note a few milliseconds pass: raced requests all get in.",
    clauses: ["AUTH-28"],
    hard: true,
    kind: "race",
    install: ({ authenticator }) =>
      replace(authenticator, "spend", () => async (mark, key) => {
        if (authenticator.spent.has(mark)) throw new Refusal(401, "the nonce has been used");
        await sleep(4);
        authenticator.spent.add(mark);
        return key;
      }),
    shows: async ({ trader }) => {
      const raced = [1, 2, 3, 4].map(() => trader.get("/order/open", { nonce: letters, apart: true }));
      return (await Promise.all(raced)).filter(({ status }) => status === 200).length > 1;
    },
  },
  {
    id: "F-08",
    says: "White space at the end of a body is cut off before the body is hashed.",
    clauses: ["AUTH-18", "AUTH-21"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      takesAlso((lines, visit) => [
        withLine(lines, 5, authenticator.digest(Buffer.from(visit.body.toString("utf8").trimEnd()), visit)),
      ])({ authenticator } as Gateway),
    shows: async ({ trader }) => {
      const body = JSON.stringify(trader.body());
      return (await trader.call("POST", "/order", `${body}\n`, { body })).status === 200;
    },
  },
  {
    id: "F-09",
    says: "The handshake of the stream takes a signature that was made for another path.",
    clauses: ["EVT-04", "AUTH-16"],
    hard: true,
    kind: "signature",
    install: takesAlso((lines, { transport }) =>
      transport === "rest"
        ? []
        : ["/order/open", "/product", "/order"].map((path) => withLine(lines, 3, `/api/v1/trading${path}`)),
    ),
    shows: async ({ trader }) => (await trader.feed({ path: "/order/open" })) !== undefined,
  },
  {
    id: "F-10",
    says: "A signature verifies with the secret of any key of the same client.",
    clauses: ["AUTH-06"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "isGenuine",
        (legal) => (visit, key, canonical, signature) =>
          everyKey
            .filter(({ client }) => client === key.client)
            .some((sibling) => legal(visit, sibling, canonical, signature)),
      ),
    shows: async ({ trader }) =>
      (await trader.get("/order/open", { secret: keys.reader.secret })).status === 200,
  },
  {
    id: "F-11",
    says: "A key id with more characters behind it is taken for the key that it begins with.",
    clauses: ["AUTH-05"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "keyNamed",
        (legal) => (id, visit) => legal(everyKey.find((key) => id.startsWith(key.id))?.id ?? id, visit),
      ),
    shows: async ({ trader }) =>
      (await trader.get("/order/open", { keyId: `${keys.trader.id}x` })).status === 200,
  },
  {
    id: "F-12",
    says: "A request without a body may be signed for GET, whatever its method is.",
    clauses: ["AUTH-14"],
    hard: false,
    kind: "signature",
    install: takesAlso((lines, { body }) => (body.length > 0 ? [] : [withLine(lines, 2, "GET")])),
    shows: async ({ trader }) =>
      (await trader.cancel(await trader.place(), { method: "GET" })).status === 200,
  },
  {
    id: "F-13",
    says: "A disabled key can still open the stream.",
    clauses: ["EVT-04", "AUTH-34"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "keyNamed",
        (legal) => (id, visit) =>
          visit.transport === "stream" ? everyKey.find((key) => key.id === id) : legal(id, visit),
      ),
    shows: async ({ revoked }) => (await revoked.feed()) !== undefined,
  },
  {
    id: "F-14",
    says: "Of the signature the first half is compared.",
    clauses: ["AUTH-24"],
    hard: false,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "same",
        () => (wanted, given) => wanted.length === given.length && wanted.slice(0, 32) === given.slice(0, 32),
      ),
    shows: async ({ trader }) => {
      const spoil = (text: string) => text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
      return (await trader.get("/order/open", { spoil })).status === 200;
    },
  },
  {
    id: "F-15",
    says: "A STOP_LIMIT can be placed with a key that has no write:orders.",
    clauses: ["CLM-01"],
    hard: true,
    kind: "claims",
    install: (gateway) =>
      replace(
        gateway,
        "permits",
        (legal) => (route, call) =>
          legal(route, call) ||
          (route.method === "POST" && /"type"\s*:\s*"STOP_LIMIT"/.test(call.visit.body.toString("utf8"))),
      ),
    shows: async ({ reader }) => (await reader.place({ ...stopLimit, stop_price: "60000" })).status === 200,
  },
  {
    id: "F-16",
    says: "A repeat is answered with the order, whether or not the key has write:orders.",
    clauses: ["CLM-01"],
    hard: true,
    kind: "claims",
    install: (gateway) =>
      replace(gateway, "permits", (legal) => (route, call) => {
        if (legal(route, call) || route.method !== "POST") return legal(route, call);
        try {
          return gateway.desk.earlier(call.key, gateway.orderReader.draft(call.visit.body)) !== undefined;
        } catch {
          return false;
        }
      }),
    shows: async ({ trader, reader }) => {
      const body = trader.body();
      await trader.again(body);
      return (await reader.again(body)).status === 200;
    },
  },
  {
    id: "F-17",
    says: "A key without write:orders is answered 403, and its order is placed all the same.",
    clauses: ["CLM-01"],
    hard: true,
    kind: "claims",
    install: (gateway) =>
      replace(gateway, "run", (legal) => async (route, call) => {
        if (route.method === "POST" && !gateway.permits(route, call))
          await Promise.resolve()
            .then(() => gateway.place(call))
            .catch(() => undefined);
        return legal(route, call);
      }),
    shows: async ({ trader, reader }) => {
      const before = (await trader.get("/order/open")).list.length;
      const { status } = await reader.place();
      return status === 403 && (await trader.get("/order/open")).list.length > before;
    },
  },
];
