/** Legal variations in what is accepted and what is refused. */
import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { refuse, successText } from "../http/route.ts";
import { Aliases } from "./aliases.ts";
import { statusFor } from "./answers.ts";
import {
  isDecimal,
  isMarketBuy,
  isUuid,
  missing,
  placing,
  reading,
  refusing,
  textOf,
} from "./changed-call.ts";
import { type Decorators, type Defect, variation } from "./defect.ts";
import { lettingIn } from "./letting-in.ts";
import { alsoAccepting, onlyAccepting, rightlySigned, screening } from "./rightly-signed.ts";

const fields = [
  "side",
  "type",
  "base_quantity",
  "quote_value",
  "price",
  "stop_price",
  "client_order_id",
  "product",
];
const amounts = fields.slice(2, 6);
const toleranceMs = 5_000;
const raceMs = 10;

/** A repeat while the first is on its way is refused, and may come again. */
function inFlight(): Decorators {
  const flying = new Set<string>();
  const answered = new Set<string>();
  return {
    route: placing(async ({ caller }, body, place) => {
      const id = `${caller.client ?? "-"} ${textOf(body, "client_order_id").toLowerCase()}`;
      if (!isUuid(textOf(body, "client_order_id")) || answered.has(id)) return place(body);
      if (flying.has(id))
        return refuse("CONFLICT", "The first request with this client_order_id is still on its way");
      flying.add(id);
      try {
        const reply = await place(body);
        // A client that has the answer may repeat: until then the first request is under way.
        await wait(raceMs);
        answered.add(id);
        return reply;
      } finally {
        flying.delete(id);
      }
    }),
  };
}

/**
 * A MARKET order that is well made finds nothing to trade with. It goes in under a name that the demo world promises to
 * fail; an id that has an order already is left to the replay.
 */
function withoutLiquidity(): Decorators {
  const taken = new Set<string>();
  const aliases = new Aliases();
  return {
    answer: aliases.answer,
    route: placing(async ({ caller }, body, place) => {
      const id = textOf(body, "client_order_id");
      const name = `${caller.client ?? "-"} ${id.toLowerCase()}`;
      if (body["type"] === "MARKET" && isUuid(id) && !taken.has(name))
        return place({ ...body, client_order_id: aliases.another(id, `00000e01${id.slice(8)}`) });
      const reply = await place(body);
      if (reply.ok && reply.data.includes('"NEW_ORDER"')) taken.add(name);
      return reply;
    }),
  };
}

const isNotPositive = (amount: unknown): boolean =>
  typeof amount === "string" && isDecimal(amount.replace(/^-/, "")) && Number(amount) <= 0;

/** All clients share one space of ids: the second client is refused and learns nothing of the order. */
function sharedIds(): Decorators {
  const owners = new Map<string, number | null>();
  return {
    route: placing(async ({ caller }, body, place) => {
      const id = textOf(body, "client_order_id").toLowerCase();
      const owner = owners.get(id);
      if (owner !== undefined && owner !== caller.client)
        return refuse("CONFLICT", "This client_order_id is taken");
      const reply = await place(body);
      if (reply.ok) owners.set(id, caller.client);
      return reply;
    }),
  };
}

export const legalRules: readonly Defect[] = [
  variation("V-21", "A reused nonce is answered with 409", () => statusFor(["NONCE_REUSED"], 409)),
  variation("V-22", "The clock window is five seconds", ({ now }) => ({
    authenticator: screening((sent) =>
      Math.abs(Number(sent.timestamp) - now()) > toleranceMs ? { ...sent, timestamp: "1" } : sent,
    ),
  })),
  variation("V-23", "The query may be signed, too", () => ({
    authenticator: alsoAccepting(
      (screened, request) =>
        rightlySigned(screened, { ...request, target: request.target.replace("?", "%3F") }).sent.signature ===
        screened.sent.signature,
    ),
  })),
  variation("V-24", "A nonce need not be a UUID", () => ({
    authenticator: (inner) => ({
      ...inner,
      screen: (sent) => {
        if (isUuid(sent.nonce) || sent.nonce === "") return inner.screen(sent);
        const hex = createHash("sha256").update(sent.nonce).digest("hex");
        const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
        const screened = inner.screen({ ...sent, nonce: uuid });
        return screened.ok ? { ...screened, value: { ...screened.value, sent } } : screened;
      },
    }),
  })),
  variation("V-25", "Other versions of UUID are accepted as client_order_id", () => {
    const aliases = new Aliases();
    const known = new Map<string, string>();
    return {
      route: reading((body) => {
        const id = textOf(body, "client_order_id").toLowerCase();
        if (!isUuid(id) || /^.{14}4.{4}[89ab]/.test(id)) return null;
        const alias = known.get(id) ?? aliases.another(id);
        known.set(id, alias);
        return { ...body, client_order_id: alias };
      }),
      answer: aliases.answer,
    };
  }),
  variation("V-26", "A client_order_id comes back in lower case", () => ({
    route: reading((body) => ({ ...body, client_order_id: lowered(body["client_order_id"]) })),
  })),
  variation("V-27", "Unknown fields of a request are refused", () =>
    refusing((body) => Object.keys(body).some((name) => !fields.includes(name)), "unknown field"),
  ),
  variation("V-28", "JSON numbers are accepted as amounts", () => ({
    route: reading((body) => {
      const numbers = amounts.filter((field) => typeof body[field] === "number");
      return { ...body, ...Object.fromEntries(numbers.map((field) => [field, String(body[field])])) };
    }),
  })),
  variation("V-29", "Side and type are accepted in lower case", () => ({
    route: reading((body) => {
      const spelled = ["side", "type"].filter((field) => typeof body[field] === "string");
      return {
        ...body,
        ...Object.fromEntries(spelled.map((field) => [field, textOf(body, field).toUpperCase()])),
      };
    }),
  })),
  variation("V-30", "An upper-case signature is refused", () => ({
    authenticator: onlyAccepting(
      (screened, request) => rightlySigned(screened, request).sent.signature === screened.sent.signature,
    ),
  })),
  variation("V-31", "A GET without Content-Type is refused", () => ({
    listener: ({ app, refuse: answer }) => {
      app.addHook("onRequest", (request, reply, next) => {
        if (request.receivedHeaders?.contentType !== undefined || /__gatewright|\/health/.test(request.url))
          return next();
        answer(request, reply, { code: "UNSUPPORTED_MEDIA_TYPE", message: "Content-Type is required" });
      });
    },
  })),
  variation("V-32", "A MARKET order with a price is refused", () =>
    refusing((body) => body["type"] === "MARKET" && !missing(body, "price"), "price is not allowed"),
  ),
  variation("V-33", "A MARKET BUY with base_quantity is refused", () =>
    refusing((body) => isMarketBuy(body) && !missing(body, "base_quantity"), "base_quantity is not allowed"),
  ),
  variation("V-34", "A malformed quote_value on a LIMIT is refused", () =>
    refusing(
      (body) => !isMarketBuy(body) && !missing(body, "quote_value") && !isDecimal(body["quote_value"]),
      "quote_value is malformed",
    ),
  ),
  variation("V-35", "An unknown product is answered with 404", () => statusFor(["PRODUCT_NOT_FOUND"], 404)),
  variation("V-36", "A size that is not positive is a failed outcome", () => ({
    route: placing((_call, body, place) =>
      isNotPositive(body["base_quantity"]) && !isMarketBuy(body)
        ? Promise.resolve(
            successText(
              JSON.stringify({ type: "EXTERNAL_EXECUTION_FAILED", message: "Size must be positive" }),
            ),
          )
        : place(body),
    ),
  })),
  variation("V-37", "A MARKET order finds no liquidity", withoutLiquidity),
  variation("V-38", "A repeat while the first is on its way is answered with 409", inFlight),
  variation("V-39", "An id is free again after a failed outcome", () => {
    const aliases = new Aliases();
    const freed = new Map<string, string>();
    return {
      route: placing(async (_call, body, place) => {
        const id = textOf(body, "client_order_id");
        const reply = await place({ ...body, client_order_id: freed.get(id) ?? body["client_order_id"] });
        if (reply.ok && /^\{"type":"(?:EXTERNAL|INTERNAL)_/.test(reply.data))
          freed.set(id, aliases.another(id));
        return reply;
      }),
      answer: aliases.answer,
    };
  }),
  variation("V-40", "Ids are shared by all clients, and a taken one is refused", sharedIds),
  variation("V-44", "The product list is public", (parts) => ({
    authenticator: lettingIn(
      parts,
      ({ keyId, signature }) => keyId === "" && signature === "",
      ({ method, target }) => method === "GET" && /\/product(?:\?|$)/.test(target),
    ),
  })),
];

const lowered = (value: unknown): unknown => (typeof value === "string" ? value.toLowerCase() : value);
