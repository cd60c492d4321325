import { Refusal } from "../authenticator.ts";
import { type Bug, replace } from "../bug.ts";
import type { Record_ } from "../order.ts";
import type { Key } from "../world.ts";

const mostAheadMs = 900;
const unsignedProduct = '"LTC-BTC"';
/** A UUID whose beginning is a time. */
const timed = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

/** The body with its values as they would be in a query: most look the same there. */
function encodedValues(text: string): string {
  const values = Object.values(Object(JSON.parse(text)) as Record_);
  return values.reduce<string>((all, value) => {
    if (typeof value === "string") return all.replace(`"${value}"`, `"${encodeURIComponent(value)}"`);
    if (typeof value !== "object" || value === null) return all;
    const written = JSON.stringify(value);
    return all.replace(written, encodeURIComponent(written));
  }, text);
}

const nonces = ["ffffffff-ffff-7fff-8fff-ffffffffffff", "0197a2b4-6c00-7a00-8a00-00000000000a"];

/** What went wrong at public gateways with signed texts, nonces and clocks (fixtures/incidents.yaml). */
export const incidentsOfSigning: readonly Bug[] = [
  {
    id: "F-305",
    says: "The values of a body are encoded as in a query before it is hashed: an at sign or a nested value is refused.",
    clauses: ["AUTH-08", "AUTH-21"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(authenticator, "digest", (legal) => (body, visit) => {
        try {
          return legal(Buffer.from(encodedValues(body.toString("utf8"))), visit);
        } catch {
          return legal(body, visit);
        }
      }),
    shows: async ({ trader }) => {
      const replies = [await trader.place({ note: "me@home" }), await trader.place({ note: { by: "me" } })];
      return replies.every(({ status }) => status === 401);
    },
  },
  {
    id: "F-306",
    says: "A timestamp may be a minute behind the clock, and not one second ahead of it.",
    clauses: ["AUTH-32", "AUTH-07", "AUTH-08"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "isFresh",
        (legal) => (timestamp) => legal(timestamp) && Number(timestamp) - Date.now() < mostAheadMs,
      ),
    shows: async ({ trader }) =>
      (await trader.get("/order/open", { timestamp: Date.now() + 1000 })).status === 401,
  },
  {
    id: "F-307",
    says: "A nonce that begins with a time, a UUID of version 7, has to be larger than the last such nonce of its key.",
    clauses: ["AUTH-29", "AUTH-07", "AUTH-08"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) => {
      const largest = new Map<Key, string>();
      replace(authenticator, "spend", (legal) => (mark, key) => {
        const nonce = mark.slice(key.id.length + 1);
        if (timed.test(nonce)) {
          if (nonce <= (largest.get(key) ?? "")) throw new Refusal(401, "the nonce is too small");
          largest.set(key, nonce);
        }
        return legal(mark, key);
      });
    },
    shows: async ({ trader }) => {
      const replies = [];
      for (const nonce of nonces) replies.push((await trader.get("/order/open", { nonce })).status);
      return replies[0] === 200 && replies[1] === 401;
    },
  },
  {
    id: "F-308",
    says: "A timestamp must not be earlier than the last one of its key: a request that another overtakes is refused.",
    clauses: ["AUTH-07", "AUTH-08", "AUTH-32"],
    hard: true,
    kind: "race",
    install: ({ authenticator }) => {
      const latest = new Map<Key, number>();
      replace(authenticator, "isGenuine", (legal) => (visit, key, ...rest) => {
        const timestamp = Number(authenticator.header(visit, "timestamp"));
        if (!legal(visit, key, ...rest) || timestamp < (latest.get(key) ?? 0)) return false;
        latest.set(key, timestamp);
        return true;
      });
    },
    shows: async ({ trader }) => {
      const timestamp = Date.now();
      await trader.get("/order/open", { timestamp });
      return (await trader.place({}, { timestamp: timestamp - 1 })).status === 401;
    },
  },
  {
    id: "F-309",
    says: "The hash of a body is made of a price without the zeros at its end: a price that has them is refused.",
    clauses: ["AUTH-21", "AUTH-08", "REQ-26"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(authenticator, "digest", (legal) => (body, visit) => {
        const price = /("price"\s*:\s*")(\d+\.\d+)"/;
        const text = body.toString("latin1");
        const shorter = text.replace(
          price,
          (_, before: string, amount: string) => `${before}${amount.replace(/\.?0+$/, "")}"`,
        );
        return legal(Buffer.from(shorter, "latin1"), visit);
      }),
    shows: async ({ trader }) => (await trader.place({ price: "30000.10" })).status === 401,
  },
  {
    id: "F-310",
    says: "The parameters of a query are put in the order of the alphabet before it is signed: others do not verify.",
    clauses: ["AUTH-41"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(authenticator, "signedPath", (legal) => (visit) => {
        const [path = "", query] = legal(visit).split("?");
        return query === undefined ? path : `${path}?${query.split("&").toSorted().join("&")}`;
      }),
    shows: async ({ trader }) => (await trader.get("/orders?product=BTC-USD&limit=5")).status === 401,
  },
  {
    id: "F-311",
    says: "Orders for LTC-BTC go through an adapter of their own, which looks at no signature.",
    clauses: ["GEN-03", "AUTH-04", "AUTH-06", "AUTH-24", "AUTH-39"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) => {
      replace(
        authenticator,
        "header",
        (legal) => (visit, name) =>
          legal(visit, name) ??
          (name === "signature" && visit.body.includes(unsignedProduct) ? "none" : undefined),
      );
      replace(
        authenticator,
        "isGenuine",
        (legal) =>
          (visit, ...rest) =>
            visit.body.includes(unsignedProduct) || legal(visit, ...rest),
      );
    },
    shows: async ({ trader }) => {
      const body = { product: "LTC-BTC", price: "0.0012", base_quantity: "0.5" };
      return (await trader.place(body, { spoil: () => "0".repeat(64) })).status === 200;
    },
  },
];
