import { type ExactDecimal, parseDecimal, plain } from "../check/decimal.ts";
import { shorten } from "../check/describe.ts";
import { amountFields } from "../contract/order-text.ts";
import type { SentRequest } from "../model/exchange.ts";
import { isOurs, isWithin, type Profile } from "../model/profile.ts";
import {
  amountOf,
  costOf,
  couldBeOrder,
  isOrder,
  largest,
  meantBy,
  type OrderScan,
  scanOrder,
  wordsOf,
} from "./order-scan.ts";

/** The run's knowledge of the market, for the guard: the pairs, the prices that cannot trade, and the limits. */
export interface OrderRules extends OrderLimits {
  readonly listed: ReadonlySet<string>;
  readonly far: (product: string, side: "BUY" | "SELL") => string | undefined;
}

/** One order is at most so many times a usual one of its product. */
export const mostTimes = 4;

/** The most of one order. A member is undefined if neither the profile nor the target shows it. */
export interface OrderLimit {
  readonly quantity?: ExactDecimal | undefined;
  readonly notional?: ExactDecimal | undefined;
  /** The largest quantity of an order that cannot trade, if the profile states one. */
  readonly resting?: ExactDecimal | undefined;
}

export interface OrderLimits {
  /** Undefined on this machine, and while the target has not been asked. */
  readonly most: (product: string) => OrderLimit | undefined;
  /** The most of all orders of a run, decimal by quote asset. */
  readonly whole: Readonly<Record<string, string>>;
}

/**
 * Reads every body before it is sent (docs/live-safety.md), as exact bytes, after every mutation, for every step. Caps
 * that a profile states hold everywhere; an order that alone costs more than a run may is refused here, so that the plan
 * knows it. For remote machines a body must be JSON with a single interpretation. An order there must be for a product of
 * the profile, and at a price that cannot trade unless the case is about trading; a request counts as an order if it could
 * be read as one, whatever its method and path.
 */
export function orderProblem(request: SentRequest, profile: Profile, rules: OrderRules): string | undefined {
  const scan = scanOrder(request);
  const order = isOrder(request);
  const cap = order ? overCap(scan, profile, rules) : undefined;
  if (cap !== undefined || isOurs(profile)) return cap;
  const unread = unreadable(request, scan);
  if (unread !== undefined || !order) return unread;
  return (
    unknownProduct(scan, profile, rules) ??
    unknownAmount(scan) ??
    (isWithin("trades", request.permit?.safety ?? "rests") ? undefined : couldTrade(scan, profile, rules)) ??
    oversized(scan, profile, rules)
  );
}

function overCap(scan: OrderScan, profile: Profile, { whole }: OrderRules): string | undefined {
  const cost = costOf(scan, Object.keys(profile.safety.products));
  if (cost === undefined) return undefined;
  const above = (cap: string | undefined, limited: string): string | undefined => {
    const most = parseDecimal(cap ?? "");
    if (most === undefined || cost.amount.lte(most)) return undefined;
    return `an order of ${shown(cost.amount)} ${cost.quote} is above the ${plain(most)} that ${limited}`;
  };
  return (
    above(profile.safety.notionalPerOrder[cost.quote], "safety.notional.perOrder allows") ??
    // An amount that cannot be read has a sentence of its own.
    (cost.amount.isFinite()
      ? above(whole[cost.quote], "safety.notional allows to all orders of a run")
      : undefined)
  );
}

function unreadable(request: SentRequest, scan: OrderScan): string | undefined {
  if (request.body.length === 0) return undefined;
  const coded = request.headers.some(([name]) => /^(?:content|transfer)-encoding$/i.test(name));
  if (coded) return "a body in a content coding cannot be checked: it is sent on this machine only";
  const type = unreadableType(request);
  if (type !== undefined)
    return `bodies of the type ${type} cannot be checked: they are sent on this machine only`;
  const charset = unreadableCharset(request);
  if (charset !== undefined)
    return `the character set ${charset} cannot be checked: it is sent on this machine only`;
  if (scan.wellFormed) return undefined;
  if (request.permit?.malformed !== true)
    return "the body is ambiguous, and the case does not have the tag malformed";
  return couldBeOrder(scan)
    ? "the body is broken, but a lenient target could read a complete order in it: leave out a required field"
    : undefined;
}

/** The content type, if the guard could not read an order in it. XML without a tag can contain no order. */
function unreadableType({ headers, body }: SentRequest): string | undefined {
  const readable = /^(?:application\/json|text\/plain|application\/x-www-form-urlencoded)$/;
  const types = headers
    .filter(([name]) => /^content-type$/i.test(name))
    .map(([, value]) => (value.split(";")[0] ?? "").trim().toLowerCase());
  return types.find(
    (type) =>
      type !== "" &&
      !readable.test(type) &&
      !(/^(?:application|text)\/xml$/.test(type) && !Buffer.from(body).includes("<")),
  );
}

/** Character sets in which text looks as in ASCII, or does so without its NUL bytes. */
const readableCharsets = /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii|iso-8859-1)$/i;

function unreadableCharset({ headers }: SentRequest): string | undefined {
  const types = headers.filter(([name]) => /^content-type$/i.test(name)).map(([, value]) => value);
  const named = types.flatMap((type) => [...type.matchAll(/charset\s*=\s*["']?([^"';,\s]*)/gi)]);
  return named.map(([, charset = ""]) => charset).find((charset) => !readableCharsets.test(charset));
}

function unknownProduct(scan: OrderScan, profile: Profile, { listed }: OrderRules): string | undefined {
  const { products } = profile.safety;
  const stray = scan
    .values("product")
    .map((value) => meantBy(value, listed) ?? value)
    .find((id) => listed.has(id) && !Object.hasOwn(products, id) && profile.facts["disabledProduct"] !== id);
  return stray === undefined ? undefined : `${stray} is not among safety.products of the profile`;
}

/** Cases send such amounts to have them refused; a target that reads one would order any amount, at any price. */
function unknownAmount(scan: OrderScan): string | undefined {
  if (!(["side", "type", "product"] as const).every((field) => scan.values(field).length > 0))
    return undefined;
  const field = amountFields.find((one) => amountOf(scan, one).isUnreadable);
  if (field === undefined) return undefined;
  return `a target may read any number in the ${field} ${shorten(scan.values(field).join(", "), 60)}: it is sent on this machine only`;
}

/**
 * An order that may only rest is not a complete MARKET order, and each of its prices is on the side that does not
 * trade. The rule includes incomplete orders: cases send them to have them refused, and a target that does not refuse
 * them would trade them.
 */
function couldTrade(scan: OrderScan, { facts }: Profile, { listed, far }: OrderRules): string | undefined {
  const products = scan
    .values("product")
    .map((value) => (listed.size === 0 ? value : meantBy(value, listed)))
    .filter((id) => id !== undefined);
  if (products.length === 0) return undefined;
  const disabled = products.find((id) => id === facts["disabledProduct"]);
  if (disabled !== undefined)
    return `${disabled} is disabled, and a target that ignores that may trade it at any price: only cases that are "trades" may order it`;
  if (wordsOf(scan, "type").includes("MARKET") && couldBeOrder(scan))
    return 'a MARKET order is sent only by cases that are "trades"';
  const prices = amountOf(scan, "price").values;
  for (const side of ["BUY", "SELL"] as const) {
    if (!wordsOf(scan, "side").includes(side) || prices.length === 0) continue;
    for (const product of products) {
      const limit = parseDecimal(far(product, side) ?? "");
      if (limit === undefined)
        return `no ${side === "BUY" ? "buyFar" : "sellFar"} price of ${product} is known: state it in safety.products`;
      if (prices.some((price) => (side === "BUY" ? price.gt(limit) : price.lt(limit))))
        return `a ${side} at ${scan.values("price").join(", ")} is not on the far side of ${plain(limit)}, and the orders of this case may only rest`;
    }
  }
  return undefined;
}

/** No order is far larger than the amounts that the profile states for its own product, whatever its type. */
function oversized(scan: OrderScan, profile: Profile, rules: OrderRules): string | undefined {
  const ids = [...Object.keys(profile.safety.products), String(profile.facts["disabledProduct"] ?? "")];
  for (const product of new Set(scan.values("product").map((value) => meantBy(value, ids)))) {
    const limit = product === undefined ? undefined : rules.most(product);
    if (product === undefined || limit === undefined) continue;
    const [size, cost] = [largest(scan, "base_quantity"), costOf(scan, [product])?.amount];
    const isRestingSize = limit.resting !== undefined && size?.lte(limit.resting) === true;
    if (isRestingSize && couldTrade(scan, profile, rules) === undefined) continue;
    if (limit.quantity !== undefined && size?.gt(limit.quantity) === true)
      return `a quantity of ${shown(size)} is more than ${mostTimes} times the qty of ${product} in safety.products`;
    if (limit.notional !== undefined && cost !== undefined && !cost.lte(limit.notional))
      return `an order of ${shown(cost)} is more than ${mostTimes} times the cost of a usual one for ${product}, which is at most ${plain(limit.notional.div(mostTimes))} by the amounts in safety.products`;
    if ((cost === undefined ? limit.quantity : limit.notional) === undefined && couldBeOrder(scan))
      return `no usual amount of ${product} is known: state its qty, spend and prices in safety.products`;
  }
  return undefined;
}

const shown = (amount: ExactDecimal): string => shorten(plain(amount), 60);
