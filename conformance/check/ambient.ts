import { failedOutcomes, orderFields } from "../contract/fields.ts";
import { type Exchange, headerOf, isSuccess } from "../model/exchange.ts";
import type { Difference } from "../model/finding.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import type { Value } from "../model/value.ts";
import { describeJson } from "./describe.ts";
import { endedClauses } from "./ended-orders.ts";
import { envelopeDifferences, errorEnvelope } from "./envelope.ts";
import { checkJsonMedia } from "./expectation.ts";
import { readJson } from "./lossless-json.ts";
import { checkMarket, type MarketPlaces } from "./market-laws.ts";
import { match } from "./match.ts";
import { noContext } from "./matching.ts";
import { echoClauses, echoDifferences } from "./order-echo.ts";
import { memoryClauses } from "./order-memory.ts";
import { relationClauses, relationDifferences } from "./order-relations.ts";
import { orderRequest, ordersIn } from "./orders-in-reply.ts";
import { resolvePointer } from "./pointer.ts";
import { checkProductListing, type ListingReading, listingClauses } from "./product-listing.ts";

/**
 * The rules for every reply, whatever the case: envelope, media type, field tables, decimals, times, sums within an
 * order, a new order compared with its request, a reason with each 400, no 5xx. Each finding belongs to one clause. The
 * run counts occurrences, so that one systematic bug is one line of the report. `exercised` names the clauses that this
 * reply could have violated.
 */
export interface AmbientReading {
  readonly exercised: readonly string[];
  readonly differences: readonly (Difference & { readonly clause: string })[];
}

export interface ReplyContext {
  /** The 2xx of the operation is wrapped in the envelope. */
  readonly envelope: boolean;
  /** A fault was injected, or the case expects this failure: then a 5xx is not the target's mistake. */
  readonly failureExpected: boolean;
  /** Where the answer has a book or candles. */
  readonly market?: MarketPlaces | undefined;
}

export function checkAmbient(exchange: Exchange, context: ReplyContext): AmbientReading {
  const { reply } = exchange;
  if (reply === undefined) return { exercised: [], differences: [] };
  const parts: AmbientReading[] = [];
  if (!context.failureExpected) parts.push(serverErrors(reply.status));
  if (isSuccess(exchange) && context.envelope) parts.push(successEnvelope(exchange));
  if (reply.status >= 400) parts.push(errorBody(exchange));
  if (isSuccess(exchange) && exchange.json instanceof JsonObject) {
    parts.push(...ordersIn(exchange).map(({ pointer, order }) => orderRecord(order, pointer)));
    if (exchange.request.operation === "placeOrder" && reply.status === 200)
      parts.push(orderResult(exchange.json), newOrder(exchange));
    if (exchange.request.operation === "products")
      parts.push(citedReading(checkProductListing(exchange.json)));
    if (context.market !== undefined) parts.push(checkMarket(exchange, context.market));
  }
  return {
    exercised: [...new Set([...new Set(parts.map((part) => part.exercised))].flat())],
    differences: parts.flatMap((part) => part.differences),
  };
}

function serverErrors(status: number): AmbientReading {
  const differences =
    status < 500
      ? []
      : [{ pointer: "status", expected: "no server error", actual: String(status), clause: "ERR-09" }];
  return { exercised: ["ERR-09"], differences };
}

const envelopeClauses = [
  "GEN-07",
  "GEN-12",
  "GEN-13",
  "ENV-01",
  "ENV-02",
  "ENV-03",
  "ENV-04",
  "ENV-05",
  "ENV-06",
  "ENV-07",
];

function successEnvelope(exchange: Exchange): AmbientReading {
  const media = checkJsonMedia(exchange.reply);
  if (exchange.jsonProblem !== undefined) {
    const unreadable = {
      pointer: "body",
      expected: "a JSON body in UTF-8",
      actual: exchange.jsonProblem,
      clause: "GEN-13",
    };
    return { exercised: envelopeClauses, differences: cited([...media, unreadable], "GEN-12") };
  }
  const type = resolvePointer(exchange.json, "#/data/type");
  const failed = failedOutcomes.some((outcome) => outcome === type);
  return {
    exercised: envelopeClauses,
    differences: cited([...media, ...envelopeDifferences(exchange, failed ? "any" : "ok")], "GEN-07"),
  };
}

function errorBody(exchange: Exchange): AmbientReading {
  const media = headerOf(exchange.reply, "content-type")?.split(";")[0]?.trim().toLowerCase();
  const notJson =
    !isNowhere(exchange) &&
    (exchange.jsonProblem !== undefined || !/^application\/(?:problem\+)?json$/.test(media ?? ""));
  const found: Difference[] = errorEnvelope(exchange);
  if (notJson)
    found.push({
      pointer: "body",
      expected: "a JSON error body",
      actual: exchange.jsonProblem ?? media ?? "(no Content-Type)",
      clause: "ERR-10",
    });
  if (reply400(exchange) && !saysWhy(exchange.json))
    found.push({
      pointer: "/message",
      expected: "a text, or a list of texts, that says what was wrong; or a detail that does",
      actual: describeJson(exchange.json instanceof JsonObject ? exchange.json.get("message") : undefined),
      clause: "ERR-05",
    });
  return { exercised: ["ENV-09", "ERR-10"], differences: cited(found, "ERR-10") };
}

/** A path that no route has may be answered by a server before the gateway, with a page. */
function isNowhere({ request: { operation, path }, reply }: Exchange): boolean {
  return reply?.status === 404 && (operation === undefined || /^[^?]*%/.test(path));
}

/** A refused order whose answer is a JSON object; an answer without one is a matter of ERR-10. */
function reply400({ request, reply, json }: Exchange): boolean {
  return request.operation === "placeOrder" && reply?.status === 400 && json instanceof JsonObject;
}

/**
 * The specification does not show the shape of refusals: a problem document has the reason in `detail`, other bodies in
 * a message.
 */
function saysWhy(json: Json | undefined): boolean {
  return ["message", "detail"].some((name) => {
    const said = json instanceof JsonObject ? json.get(name) : undefined;
    const texts = isArray(said) ? said : [said];
    return texts.length > 0 && texts.every((text) => typeof text === "string" && /\S/.test(text));
  });
}

/** The clauses that every shown order could violate. */
const orderClauses = ["GEN-04", "GEN-06", "STA-01", ...orderFields.map((field) => field.clause)];

/** Orders without any finding: lists show the same orders again and again. */
const flawless = new Set<string>();
const mostFlawless = 2000;

function orderRecord(order: JsonObject, pointer: string): AmbientReading {
  const text = flatText(order);
  if (text !== undefined && flawless.has(text)) return { exercised: orderClauses, differences: [] };
  const differences = orderDifferences(order, pointer);
  if (text !== undefined && differences.length === 0) {
    if (flawless.size >= mostFlawless) flawless.clear();
    flawless.add(text);
  }
  return { exercised: orderClauses, differences };
}

const longestFlatText = 4000;

/**
 * An object of plain values and empty lists as one text that no other object has; undefined for an object with other
 * values.
 */
function flatText({ entries, duplicates }: JsonObject): string | undefined {
  if (duplicates.length > 0) return undefined;
  const parts: unknown[] = [];
  for (const [name, value] of entries) {
    if (value instanceof JsonObject || (isArray(value) && value.length > 0)) return undefined;
    parts.push(name, value instanceof JsonNumber ? [value.lexeme] : value);
  }
  const text = JSON.stringify(parts);
  return text.length > longestFlatText ? undefined : text;
}

function orderDifferences(order: JsonObject, pointer: string): AmbientReading["differences"] {
  const differences = match({ $macro: "orderShape" }, order, noContext, { pointer });
  const numbers = orderFields.filter(
    (field) => order.get(field.name) instanceof JsonNumber && field.kind !== "boolean",
  );
  const asNumbers = numbers.map((field) => ({
    pointer: `${pointer}/${field.name}`,
    expected: "a decimal as string, not a number",
    actual: describeJson(order.get(field.name)),
    clause: "GEN-04",
  }));
  const times = orderFields.filter((field) => field.kind === "date-time").map((field) => field.clause);
  const notTimes = differences
    .filter((found) => times.includes(found.clause ?? ""))
    .map((found) => ({ ...found, clause: "GEN-06" }));
  return cited([...differences, ...asNumbers, ...notTimes, ...relationDifferences(order, pointer)], "ORD-01");
}

/** Compares a new order with its request. */
function newOrder({ request, json }: Exchange): AmbientReading {
  const order = resolvePointer(json, "#/data/order");
  const reading = readJson(request.body);
  const asked = orderRequest(reading.ok ? reading.json : undefined);
  const isNew = resolvePointer(json, "#/data/type") === "NEW_ORDER";
  const differences =
    isNew && asked !== undefined && order instanceof JsonObject
      ? echoDifferences(asked, order, "/data/order")
      : [];
  return { exercised: [], differences };
}

/** RES-01 to RES-07 on every 200 of POST /order. */
function orderResult(json: JsonObject): AmbientReading {
  const data = json.get("data");
  if (!(data instanceof JsonObject)) {
    return {
      exercised: ["ENV-08"],
      differences: [
        { pointer: "/data", expected: "an OrderResult object", actual: describeJson(data), clause: "ENV-08" },
      ],
    };
  }
  const type = data.get("type");
  if (type === undefined) {
    return {
      exercised: ["ENV-08", "RES-01"],
      differences: [
        { pointer: "/data/type", expected: "the outcome", actual: "(missing)", clause: "RES-01" },
      ],
    };
  }
  const rules = resultRules(type);
  const differences = rules.flatMap(([clause, field, matcher]) =>
    match({ $cite: clause, is: matcher }, data.get(field), noContext, { pointer: `/data/${field}` }),
  );
  return {
    exercised: ["ENV-08", "RES-01", ...rules.map(([clause]) => clause)],
    differences: cited(differences, "RES-02"),
  };
}

function resultRules(type: Json): (readonly [string, string, Value])[] {
  const known: readonly [string, string, Value] = [
    "RES-02",
    "type",
    { $in: ["NEW_ORDER", "DUPLICATE_REPLAY", ...failedOutcomes] },
  ];
  const worded: readonly [string, string, Value] = ["RES-07", "message", { $re: "\\S" }];
  const text: readonly [string, string, Value] = [
    "RES-06",
    "message",
    { $optional: { $type: ["string", "null"] } },
  ];
  if (type === "NEW_ORDER") return [known, text, ["RES-03", "order", { $type: "object" }]];
  if (type === "DUPLICATE_REPLAY") return [known, worded, ["RES-04", "order", { $type: "object" }]];
  if (failedOutcomes.some((outcome) => outcome === type))
    return [known, worded, ["RES-05", "order", "$absent"]];
  return [known, text];
}

/** Every clause that is checked on each reply that shows it, whatever the case. */
export const everyReplyClauses: ReadonlySet<string> = new Set([
  ...echoClauses,
  ...relationClauses,
  ...memoryClauses,
  ...endedClauses,
  "ERR-05",
  "ERR-09",
  ...envelopeClauses,
  "ENV-08",
  "ENV-09",
  "ERR-10",
  "GEN-04",
  "GEN-06",
  "STA-01",
  ...orderFields.map((field) => field.clause),
  "RES-01",
  "RES-02",
  "RES-03",
  "RES-04",
  "RES-05",
  "RES-06",
  "RES-07",
  ...listingClauses,
  "EPT-13",
  "EPT-14",
]);

function citedReading({ exercised, differences }: ListingReading): AmbientReading {
  return { exercised, differences: cited(differences, "PRD-01") };
}

function cited(differences: readonly Difference[], otherwise: string): (Difference & { clause: string })[] {
  return differences.map((found) => ({ ...found, clause: found.clause ?? otherwise }));
}
