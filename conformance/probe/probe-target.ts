import { randomUUID } from "node:crypto";
import { plain } from "../check/decimal.ts";
import { type Exchange, headerOf, isSuccess } from "../model/exchange.ts";
import { isArray, type Json, JsonObject } from "../model/json.ts";
import { isWithin, type SafetyClass } from "../model/profile.ts";
import { readDialects } from "../parse/mistakes.ts";
import { Market } from "../runner/prepare/market.ts";
import { preflight } from "../runner/prepare/preflight.ts";
import { type Book, bookIn } from "../runner/prepare/seen-prices.ts";
import { type ListedPair, pairsIn } from "../runner/send/listing.ts";
import type { Session } from "../runner/session.ts";
import { answerOf, ask, kindOfAnswer, partsOf, statusOf } from "./ask.ts";
import { type Candidate, candidates, noRoute, orderPaths, streamPaths } from "./candidates.ts";
import type { OperationFinding, ProbeFindings, ProductFinding } from "./findings.ts";
import { claimsOf, signedPathOf, streamOf } from "./probe-access.ts";

/**
 * Probes a target and returns the observations. At first only GETs; with `reject-only` also requests that every gateway
 * has to refuse. A feature that was not found is unknown, not absent, because it may have another path. Throws
 * TargetUnusable, with the dialect, if the first signed request is refused.
 */
export async function probeTarget(session: Session, allow: SafetyClass): Promise<ProbeFindings> {
  const { notes } = await preflight(session, readDialects);
  const context = await lookAround(session);
  const openOrders = openOrdersFinding(context.open.json);
  const operations: OperationFinding[] = [];
  for (const candidate of candidates) operations.push(await tryCandidate(session, candidate, context));
  operations.push(await tryReadOrder(session, context));
  operations.push(await tryCancel(session, context, allow));
  const book = operations.find(({ operation }) => operation === "orderBook");
  const claims = await claimsOf(session, operations, allow);
  const stream = await streamOf(session);
  return {
    requests: session.parts.egress.used.requests,
    clockSkew: notes["clockSkew"] ?? "unknown",
    signedPath: await signedPathOf(session),
    openOrders,
    operations,
    claims,
    products: await productsOf(session, context.pairs, book),
    capabilities: [
      {
        name: "ws",
        presence: stream === undefined ? "unknown" : "present",
        evidence: stream?.evidence ?? `none of ${streamPaths.join(", ")} asks for an upgrade`,
      },
      {
        name: "liquidity.cross",
        presence: "unknown",
        evidence: "write present if orders of this key may trade here",
      },
    ],
    ...(stream === undefined ? {} : { stream }),
    remarks: remarksOn(context),
  };
}

interface Context {
  readonly open: Exchange;
  readonly lost: Exchange;
  readonly pairs: readonly ListedPair[];
  readonly orderId: string | undefined;
  /** A product to ask about; without one, places that need it are not tried. */
  readonly product: string | undefined;
}

async function lookAround(session: Session): Promise<Context> {
  const open = await ask(session, { path: "/order/open" });
  const listing = await ask(session, { path: "/product" });
  const lost = await ask(session, { path: "/gatewright-no-such-route" });
  const pairs = pairsIn(listing.json);
  const product = (pairs.find(({ enabled }) => enabled) ?? pairs[0])?.id;
  return { open, lost, pairs, product, orderId: firstOrder(open.json)?.id };
}

function firstOrder(
  json: Json | undefined,
): { readonly pointer: string; readonly order?: JsonObject; readonly id?: string } | undefined {
  for (const { pointer, value } of partsOf(json)) {
    if (!isArray(value)) continue;
    const [order] = value;
    if (!(order instanceof JsonObject)) return { pointer };
    const id = order.get("id");
    return { pointer, order, ...(typeof id === "string" ? { id } : {}) };
  }
  return undefined;
}

function openOrdersFinding(json: Json | undefined): OperationFinding {
  const found = firstOrder(json);
  const operation = "openOrders";
  if (found === undefined)
    return { operation, evidence: "no list was found in the answer of GET /order/open" };
  const { pointer, order } = found;
  if (order === undefined)
    return {
      operation,
      mapping: { items: pointer },
      evidence: "the list is empty, so the names of its fields were not seen",
    };
  const expected = ["id", "status", "clientOrderId", "productId", "side", "type"];
  const missing = expected.filter((name) => order.get(name) === undefined);
  return {
    operation,
    mapping: { items: pointer },
    evidence:
      missing.length === 0
        ? `its elements have ${expected.join(", ")}`
        : `its elements lack ${missing.join(", ")} and have ${[...order.entries.keys()].slice(0, 20).join(", ")}`,
  };
}

/** The first spelling that is answered as this operation would be. */
async function tryCandidate(
  session: Session,
  { operation, paths, signed = true, found }: Candidate,
  { lost, product }: Context,
): Promise<OperationFinding> {
  if (isSuccess(lost))
    return {
      operation,
      evidence: "the target answers every path with success, so probing shows nothing",
    };
  const seen: string[] = [];
  for (const path of paths) {
    if (path.includes("{product}") && product === undefined) continue;
    const exchange = await ask(session, {
      path: path.replace("{product}", encodeURIComponent(product ?? "")),
      signed,
    });
    const extra = isSuccess(exchange) ? found(exchange.json) : undefined;
    if (extra !== undefined) {
      const auth: Record<string, string> = signed ? {} : { auth: "none" };
      return {
        operation,
        mapping: { method: "GET", path, ...auth, ...extra },
        evidence: `answered ${statusOf(exchange)} in the shape of ${operation}`,
      };
    }
    if (kindOfAnswer(exchange) !== kindOfAnswer(lost)) seen.push(`${path} ${answerOf(exchange)}`);
  }
  const tried = `${paths.length} spellings were tried (${paths.map((path) => `GET ${path}`).join(", ")})`;
  return {
    operation,
    evidence:
      seen.length === 0
        ? `${tried}, all answered like a route that does not exist`
        : `${tried}: ${seen.slice(0, 3).join("; ")}`,
  };
}

async function tryReadOrder(session: Session, { orderId, lost }: Context): Promise<OperationFinding> {
  const operation = "readOrder";
  const id = orderId ?? randomUUID();
  const seen: string[] = [];
  for (const path of orderPaths) {
    const exchange = await ask(session, { path: path.replace("{id}", encodeURIComponent(id)) });
    const at = isSuccess(exchange) ? orderPointer(exchange.json, id) : undefined;
    if (at !== undefined && !isSuccess(lost))
      return {
        operation,
        mapping: { method: "GET", path, order: at },
        evidence: "returned an open order",
      };
    if (kindOfAnswer(exchange) !== kindOfAnswer(lost)) seen.push(`${path} ${answerOf(exchange)}`);
  }
  const why = orderId === undefined ? "there is no open order to read; with a made-up id: " : "";
  return {
    operation,
    evidence: `${why}${seen.join("; ") || "all answered like a route that does not exist"}`,
  };
}

function orderPointer(json: Json | undefined, id: string): string | undefined {
  for (const { pointer, value } of partsOf(json))
    if (value instanceof JsonObject && value.get("id") === id) return pointer;
  return undefined;
}

/** A cancel route cannot be found by reading. With permission, the probe cancels an order that does not exist. */
async function tryCancel(session: Session, { lost }: Context, allow: SafetyClass): Promise<OperationFinding> {
  const operation = "cancelOrder";
  if (!isWithin("reject-only", allow))
    return { operation, evidence: "not tried: --allow reject-only cancels an order that does not exist" };
  const cancel = (place: string) => {
    const id = randomUUID();
    session.parts.egress.madeUp.add(id);
    return ask(session, { method: "DELETE", path: place.replace("{id}", id) });
  };
  const none = await cancel(noRoute);
  const seen: string[] = [];
  for (const path of orderPaths) {
    const exchange = await cancel(path);
    if (kindOfAnswer(exchange) !== kindOfAnswer(none)) seen.push(`DELETE ${path} ${answerOf(exchange)}`);
  }
  return {
    operation,
    evidence:
      seen.length === 0
        ? `DELETE of ${orderPaths.join(", ")} is answered like a route that does not exist (${statusOf(lost)})`
        : `${seen.join("; ")}; an unknown route: ${answerOf(none)}`,
  };
}

/** Pairs with a plan for each: prices far from the market, taken from the order book, twice the smallest size, and its cost. */
async function productsOf(
  session: Session,
  pairs: readonly ListedPair[],
  book: OperationFinding | undefined,
): Promise<ProductFinding[]> {
  const { path, bids = "", asks = "", price, quantity } = book?.mapping ?? {};
  const chosen = pairs.filter(({ enabled }) => enabled).slice(0, 3);
  const books = new Map<string, Book>();
  for (const { id } of path === undefined ? [] : chosen) {
    const { json } = await ask(session, { path: (path ?? "").replace("{product}", encodeURIComponent(id)) });
    books.set(id, bookIn(json, { bids, asks, price, quantity }));
  }
  const market = new Market(session.profile, pairs, books);
  return chosen.map((pair) => {
    const least = pair.size("minOrderSize") ?? pair.size("exchangeMinSize");
    const [buyFar, sellFar] = [market.farPrice(pair.id, "BUY"), market.farPrice(pair.id, "SELL")];
    const spend = market.usualSpend(pair.id);
    return {
      id: pair.id,
      ...(buyFar === undefined ? {} : { buyFar }),
      ...(sellFar === undefined ? {} : { sellFar }),
      ...(least === undefined ? {} : { qty: plain(least.times(2)) }),
      ...(spend === undefined ? {} : { spend }),
    };
  });
}

function remarksOn({ open, pairs }: Context): string[] {
  const limits = (open.reply?.headers ?? []).filter(([name]) => /ratelimit/i.test(name));
  const closed = pairs.filter(({ enabled }) => !enabled).map(({ id }) => id);
  return [
    ...limits.map(([name, value]) => `rate limit header ${name}: ${value}`),
    ...(closed.length === 0
      ? []
      : [
          `listed as not enabled: ${closed.slice(0, 5).join(", ")}; one of them may be facts.disabledProduct`,
        ]),
    ...(pairs.length === 0 ? ["no pair was found in the answer of GET /product"] : []),
    ...(headerOf(open.reply, "date") === undefined ? ["the target sends no Date header"] : []),
  ];
}
