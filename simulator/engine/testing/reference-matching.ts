/** Matching by looking at everything, every time: filter, sort, take the first, begin again. */
import type { OrderStatus, Side } from "../../domain/order.ts";
import type { SelfTradePrevention, Settings } from "../../domain/settings.ts";
import { type Decimal, smaller, zero } from "./exact.ts";
import { affordable, chargeFill, restCost } from "./reference-fees.ts";
import {
  holdWallet,
  largestSizes,
  type ReferenceCharge,
  type ReferenceFill,
  type ReferenceLevel,
  type ReferenceOrder,
  type ReferenceProduct,
  remainingOf,
  walletOf,
} from "./reference-model.ts";

export interface ReferenceBook {
  orders: ReferenceOrder[];
  levels: ReferenceLevel[];
  arrivals: number;
  settings: Settings;
  readonly fills: ReferenceFill[];
  /** Stops that trades have triggered, in the order in which they enter. */
  readonly triggered: ReferenceOrder[];
}

type Resting = { readonly order: ReferenceOrder } | { readonly level: ReferenceLevel };

const free: ReferenceCharge = { commission: zero, exchangeFee: zero };
const opposite = (side: Side): Side => (side === "BUY" ? "SELL" : "BUY");

/** Everything that rests on one side: best price first, at one price the earliest arrival first. */
export function restingOn(book: ReferenceBook, product: ReferenceProduct, side: Side): Resting[] {
  const orders = book.orders.filter(
    (order) => order.phase === "resting" && order.product === product && order.side === side,
  );
  const levels = book.levels.filter((level) => level.product === product && level.side === side);
  const all: Resting[] = [...orders.map((order) => ({ order })), ...levels.map((level) => ({ level }))];
  const direction = side === "SELL" ? 1 : -1;
  return all.sort((a, b) => direction * priceOf(a).comparedTo(priceOf(b)) || arrivalOf(a) - arrivalOf(b));
}

const bestAgainst = (book: ReferenceBook, product: ReferenceProduct, side: Side): Resting | null =>
  restingOn(book, product, opposite(side))[0] ?? null;

export const priceOf = (resting: Resting): Decimal =>
  "level" in resting ? resting.level.price : (resting.order.price ?? zero);
const arrivalOf = (resting: Resting): number =>
  "level" in resting ? resting.level.arrival : resting.order.arrival;
export const offered = (resting: Resting): Decimal =>
  "level" in resting ? resting.level.remaining : remainingOf(resting.order);

/** Runs a LIMIT, a MARKET or a triggered stop against the book, then rests or ends it. */
export function match(book: ReferenceBook, taker: ReferenceOrder): void {
  const { product, side, price } = taker;
  let lastPrice: Decimal | null = null;
  for (;;) {
    if (taker.budget === null && remainingOf(taker).isZero()) return finish(taker);
    const best = bestAgainst(book, product, side);
    if (best === null) break;
    const at = priceOf(best);
    if (taker.type !== "MARKET" && price !== null && (side === "BUY" ? at.gt(price) : at.lt(price))) break;
    const room =
      book.settings.marketBuySizeCheck === "quote-limits" ? [] : largestSizes(taker.client, product);
    const most = room.map((limit) => limit.minus(taker.filled)).reduce(smaller, offered(best));
    if (taker.budget !== null && most.isZero()) break;
    const wanted = taker.budget === null ? remainingOf(taker) : affordable(taker, at, most);
    if (wanted.isZero()) return end(taker, taker.filled.isZero() ? "CANCELLED" : "FILLED");
    if ("order" in best && best.order.client === taker.client && book.settings.stp !== "none") {
      if (preventSelfTrade(book.settings.stp, taker, best.order) === "taker-ended") return;
      continue;
    }
    trade(book, taker, best, smaller(wanted, offered(best)));
    lastPrice = at;
  }
  if (taker.type !== "MARKET") return rest(book, taker);
  const canGoOn =
    taker.budget === null || lastPrice === null || affordable(taker, lastPrice, product.baseIncrement).gt(0);
  end(taker, canGoOn ? "CANCELLED" : "FILLED");
}

function preventSelfTrade(
  mode: Exclude<SelfTradePrevention, "none">,
  taker: ReferenceOrder,
  maker: ReferenceOrder,
): "taker-ended" | "taker-goes-on" {
  // A MARKET BUY has no size that could shrink.
  const effective = mode === "decrement" && taker.budget !== null ? "cancel-newest" : mode;
  switch (effective) {
    case "cancel-newest":
      end(taker, "CANCELLED");
      return "taker-ended";
    case "cancel-oldest":
      end(maker, "CANCELLED");
      return "taker-goes-on";
    case "cancel-both":
      end(maker, "CANCELLED");
      end(taker, "CANCELLED");
      return "taker-ended";
    case "decrement": {
      const size = smaller(remainingOf(taker), remainingOf(maker));
      for (const order of [maker, taker]) {
        order.changes++;
        const before = restCost(order);
        order.removed = order.removed.plus(size);
        releaseHold(order, before.minus(restCost(order)));
        if (remainingOf(order).isZero()) end(order, "CANCELLED");
      }
      return taker.phase === "done" ? "taker-ended" : "taker-goes-on";
    }
  }
}

function trade(book: ReferenceBook, taker: ReferenceOrder, best: Resting, quantity: Decimal): void {
  const price = priceOf(best);
  const maker = "order" in best ? best.order : null;
  const takerCharge = settle(book, taker, price, quantity, false);
  const makerCharge = maker === null ? free : settle(book, maker, price, quantity, true);
  if ("level" in best) takeFromLevel(book, best.level, quantity);
  print(book, taker.product, price);
  const { product, side } = taker;
  book.fills.push({
    product: product.id,
    price,
    quantity,
    takerSide: side,
    taker: taker.id,
    maker: maker?.id ?? 0,
    takerCharge,
    makerCharge,
  });
  if (maker !== null && remainingOf(maker).isZero()) finish(maker);
}

/** Moves the money of one side of a fill. */
function settle(
  book: ReferenceBook,
  order: ReferenceOrder,
  price: Decimal,
  quantity: Decimal,
  isMaker: boolean,
): ReferenceCharge {
  order.changes++;
  const charge = chargeFill(order, price, quantity, isMaker);
  const fees = charge.commission.plus(charge.exchangeFee);
  const notional = price.times(quantity);
  const base = walletOf(order.client, order.product.base.symbol);
  const quote = walletOf(order.client, order.product.quote.symbol);
  if (order.side === "SELL") {
    base.balance = base.balance.minus(quantity);
    releaseHold(order, quantity);
    quote.balance = quote.balance.plus(notional).minus(fees);
    return charge;
  }
  base.balance = base.balance.plus(quantity);
  quote.balance = quote.balance.minus(notional).minus(fees);
  releaseHold(order, notional.plus(fees));
  if (book.settings.releaseImprovement === "per-fill" && order.price !== null)
    releaseHold(order, order.hold.minus(restCost(order)));
  return charge;
}

/** The last price moves, and every waiting stop that it reaches wakes, in order of acceptance. */
function print(book: ReferenceBook, product: ReferenceProduct, price: Decimal): void {
  product.last = price;
  const triggered = book.orders.filter(
    (order) =>
      order.phase === "waiting" && order.product === product && isPassed(order.side, order.stop, price),
  );
  for (const order of triggered.sort((a, b) => a.id - b.id)) {
    order.changes++;
    order.phase = "queued";
    book.triggered.push(order);
  }
}

export const isPassed = (side: Side, stop: Decimal | null, last: Decimal): boolean =>
  stop !== null && (side === "BUY" ? last.gte(stop) : last.lte(stop));

/** A level of the synthetic market arrives: it meets what it crosses at the prices that rest there, then rests itself. */
export function addLevel(
  book: ReferenceBook,
  product: ReferenceProduct,
  side: Side,
  price: Decimal,
  size: Decimal,
): void {
  const remaining = fillClients(book, product, side, price, size);
  if (remaining.gt(0)) book.levels.push({ product, side, price, remaining, arrival: ++book.arrivals });
}

/** A printed trade: clients at its price or a better one come first, whoever of the synthetic market is before them. */
export function printTrade(
  book: ReferenceBook,
  product: ReferenceProduct,
  price: Decimal,
  size: Decimal,
): void {
  const unsold = fillClients(book, product, "SELL", price, size);
  const remaining = fillClients(book, product, "BUY", price, unsold);
  if (remaining.gt(0)) print(book, product, price);
}

/** The synthetic market takes orders of clients at their prices; gives what is left of its size. */
function fillClients(
  book: ReferenceBook,
  product: ReferenceProduct,
  side: Side,
  price: Decimal,
  size: Decimal,
): Decimal {
  let remaining = size;
  for (;;) {
    const best = restingOn(book, product, opposite(side)).find((resting) => "order" in resting);
    if (remaining.isZero() || best === undefined || !("order" in best)) return remaining;
    const at = priceOf(best);
    if (side === "BUY" ? at.gt(price) : at.lt(price)) return remaining;
    const maker = best.order;
    const quantity = smaller(remaining, remainingOf(maker));
    const makerCharge = settle(book, maker, at, quantity, true);
    remaining = remaining.minus(quantity);
    print(book, product, at);
    const fill = {
      price: at,
      quantity,
      takerSide: side,
      taker: 0,
      maker: maker.id,
      takerCharge: free,
      makerCharge,
    };
    book.fills.push({ product: product.id, ...fill });
    if (remainingOf(maker).isZero()) finish(maker);
  }
}

function takeFromLevel(book: ReferenceBook, level: ReferenceLevel, quantity: Decimal): void {
  level.remaining = level.remaining.minus(quantity);
  if (level.remaining.isZero()) book.levels = book.levels.filter((other) => other !== level);
}

function rest(book: ReferenceBook, order: ReferenceOrder): void {
  order.changes++;
  order.phase = "resting";
  order.arrival = ++book.arrivals;
}

/** Nothing remains: FILLED, unless self-trade prevention took a part of it away. */
const finish = (order: ReferenceOrder): void => end(order, order.removed.isZero() ? "FILLED" : "CANCELLED");

export function end(order: ReferenceOrder, status: OrderStatus): void {
  order.changes++;
  order.status = status;
  order.phase = "done";
  releaseHold(order, order.hold);
}

function releaseHold(order: ReferenceOrder, amount: Decimal): void {
  order.hold = order.hold.minus(amount);
  const wallet = holdWallet(order);
  wallet.hold = wallet.hold.minus(amount);
  if (order.hold.lt(0)) throw new RangeError(`order ${order.id} holds ${order.hold.toFixed()}`);
}
