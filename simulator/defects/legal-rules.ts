/** Legal habits in what is accepted and what is refused: V-21 to V-40, V-44. */
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
import { lettingIn } from "./credentials.ts";
import { type Decorators, type Defect, defect } from "./defect.ts";
import { alsoAccepting, onlyAccepting, rightlySigned, screening } from "./rightly-signed.ts";

const FIELDS = [
  "side",
  "type",
  "base_quantity",
  "quote_value",
  "price",
  "stop_price",
  "client_order_id",
  "product",
];
const AMOUNTS = FIELDS.slice(2, 6);
const TOLERANCE_MS = 5_000;
const RACE_MS = 10;

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
        // Whoever has the answer may repeat: it is on its way until then.
        await wait(RACE_MS);
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

/** Ids belong to everybody: who comes second is refused, and learns nothing of the order. */
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

export const LEGAL_RULES: readonly Defect[] = [
  defect("V-21", () => statusFor(["NONCE_REUSED"], 409)),
  defect("V-22", ({ now }) => ({
    authenticator: screening((sent) =>
      Math.abs(Number(sent.timestamp) - now()) > TOLERANCE_MS ? { ...sent, timestamp: "1" } : sent,
    ),
  })),
  defect("V-23", () => ({
    authenticator: alsoAccepting(
      (screened, request) =>
        rightlySigned(screened, { ...request, target: request.target.replace("?", "%3F") }).sent.signature ===
        screened.sent.signature,
    ),
  })),
  defect("V-24", () => ({
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
  defect("V-25", () => {
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
  defect("V-26", () => ({
    route: reading((body) => ({ ...body, client_order_id: lowered(body["client_order_id"]) })),
  })),
  defect("V-27", () =>
    refusing((body) => Object.keys(body).some((name) => !FIELDS.includes(name)), "unknown field"),
  ),
  defect("V-28", () => ({
    route: reading((body) => {
      const numbers = AMOUNTS.filter((field) => typeof body[field] === "number");
      return { ...body, ...Object.fromEntries(numbers.map((field) => [field, String(body[field])])) };
    }),
  })),
  defect("V-29", () => ({
    route: reading((body) => {
      const spelled = ["side", "type"].filter((field) => typeof body[field] === "string");
      return {
        ...body,
        ...Object.fromEntries(spelled.map((field) => [field, textOf(body, field).toUpperCase()])),
      };
    }),
  })),
  defect("V-30", () => ({
    authenticator: onlyAccepting(
      (screened, request) => rightlySigned(screened, request).sent.signature === screened.sent.signature,
    ),
  })),
  defect("V-31", () => ({
    listener: ({ app, refuse: answer }) => {
      app.addHook("onRequest", (request, reply, next) => {
        if (request.receivedHeaders?.contentType !== undefined || /__gatewright|\/health/.test(request.url))
          return next();
        answer(request, reply, { code: "UNSUPPORTED_MEDIA_TYPE", message: "Content-Type is required" });
      });
    },
  })),
  defect("V-32", () =>
    refusing((body) => body["type"] === "MARKET" && !missing(body, "price"), "price is not allowed"),
  ),
  defect("V-33", () =>
    refusing((body) => isMarketBuy(body) && !missing(body, "base_quantity"), "base_quantity is not allowed"),
  ),
  defect("V-34", () =>
    refusing(
      (body) => !isMarketBuy(body) && !missing(body, "quote_value") && !isDecimal(body["quote_value"]),
      "quote_value is malformed",
    ),
  ),
  defect("V-35", () => statusFor(["PRODUCT_NOT_FOUND"], 404)),
  defect("V-36", () => ({
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
  defect("V-37", withoutLiquidity),
  defect("V-38", inFlight),
  defect("V-39", () => {
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
  defect("V-40", sharedIds),
  defect("V-44", (parts) => ({
    authenticator: lettingIn(
      parts,
      ({ keyId, signature }) => keyId === "" && signature === "",
      ({ method, target }) => method === "GET" && /\/product(?:\?|$)/.test(target),
    ),
  })),
];

const lowered = (value: unknown): unknown => (typeof value === "string" ? value.toLowerCase() : value);
