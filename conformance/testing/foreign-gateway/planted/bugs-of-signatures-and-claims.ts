import { type Bug, replace } from "../bug.ts";
import { letters } from "../site.ts";

/** How long something is remembered, or is not known yet. */
const second = 1000;

const otherEnd = (text: string): string => text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");

export const bugsOfSignaturesAndClaims: readonly Bug[] = [
  {
    id: "F-101",
    says: "A body that comes without a Content-Length, in chunks, counts as empty when it is hashed.",
    clauses: ["AUTH-08", "AUTH-18", "AUTH-21"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "digest",
        (legal) => (body, visit) =>
          legal(visit.headers["content-length"] === undefined ? Buffer.alloc(0) : body, visit),
      ),
    shows: async ({ trader }) => (await trader.place({}, { chunked: true, body: "" })).status === 200,
  },
  {
    id: "F-102",
    says: "The signature is decoded from hex before it is compared, and what is no hex at its end is dropped.",
    clauses: ["AUTH-23"],
    hard: false,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "same",
        () => (wanted, given) => Buffer.from(wanted, "hex").equals(Buffer.from(given, "hex")),
      ),
    shows: async ({ trader }) =>
      (await trader.get("/order/open", { spoil: (text) => `${text}zz` })).status === 200,
  },
  {
    id: "F-103",
    says: "A key signs for a route once on each connection: later signatures for it are not compared.",
    clauses: [
      "GEN-03",
      "AUTH-06",
      "AUTH-09",
      "AUTH-10",
      "AUTH-12",
      "AUTH-13",
      "AUTH-14",
      "AUTH-16",
      "AUTH-17",
      "AUTH-18",
      "AUTH-23",
      "AUTH-24",
      "AUTH-34",
      "AUTH-39",
    ],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) => {
      const signed = new WeakMap<object, Set<string>>();
      replace(authenticator, "isGenuine", (legal) => (visit, key, ...rest) => {
        const routes = signed.get(visit.connection) ?? new Set();
        const route = `${key.id} ${visit.method} ${visit.target.split("?")[0]}`;
        const isGenuine = routes.has(route) || legal(visit, key, ...rest);
        if (isGenuine) signed.set(visit.connection, routes.add(route));
        return isGenuine;
      });
    },
    shows: async ({ trader }) => {
      await trader.get("/order/open");
      return (await trader.get("/order/open", { spoil: otherEnd })).status === 200;
    },
  },
  {
    id: "F-104",
    says: "That a nonce has been used is known on other connections a second later.",
    clauses: ["AUTH-28", "AUTH-47", "AUTH-26", "AUTH-27", "AUTH-45", "EVT-04", "EVT-05"],
    hard: true,
    kind: "race",
    install: ({ authenticator }) => {
      const uses = new Map<string, { at: number; on: object }>();
      const numbers = new WeakMap<object, number>();
      let connections = 0;
      replace(authenticator, "mark", (legal) => (key, nonce, visit) => {
        const mark = legal(key, nonce, visit);
        const { connection: on } = visit;
        const use = uses.get(mark) ?? { at: Date.now(), on };
        uses.set(mark, use);
        if (use.on === on || Date.now() - use.at > second) return mark;
        const number = numbers.get(on) ?? (connections += 1);
        numbers.set(on, number);
        return `${mark} ${number}`;
      });
    },
    shows: async ({ trader }) => {
      await trader.get("/order/open", { nonce: letters });
      return (await trader.get("/order/open", { nonce: letters, apart: true })).status === 200;
    },
  },
  {
    id: "F-105",
    says: "The text of a body is brought into one normal form before it is hashed: an accent of its own changes it.",
    clauses: ["AUTH-25", "AUTH-21", "AUTH-18", "AUTH-08"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "digest",
        (legal) => (body, visit) => legal(Buffer.from(body.toString("utf8").normalize("NFC")), visit),
      ),
    shows: async ({ trader }) => (await trader.place({ note: "Cafe\u0301" })).status === 401,
  },
  {
    id: "F-106",
    says: "A claim that one key of a client has shown holds for its other keys for a second.",
    clauses: ["CLM-01", "CLM-03", "CLM-05"],
    hard: true,
    kind: "claims",
    install: (gateway) => {
      const shown = new Map<string, number>();
      replace(gateway, "permits", (legal) => (route, call) => {
        const claim = `${call.key.client} ${route.claim}`;
        if (!legal(route, call)) return Date.now() - (shown.get(claim) ?? 0) < second;
        shown.set(claim, Date.now());
        return true;
      });
    },
    shows: async ({ trader, reader }) => {
      await trader.place();
      return (await reader.place()).status === 200;
    },
  },
];
