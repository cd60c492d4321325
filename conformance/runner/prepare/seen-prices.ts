import { type LevelPointers, levelsAt, priceOf } from "../../check/book-levels.ts";
import {
  type ExactDecimal,
  floorTo,
  parseDecimal,
  plain,
  scaleOf,
  unitOfScale,
} from "../../check/decimal.ts";
import type { Json } from "../../model/json.ts";
import type { ProductPlan } from "../../model/profile.ts";

export interface Book {
  readonly bids: readonly string[];
  readonly asks: readonly string[];
  /** It has levels, and no price was found in them. */
  readonly isUnreadable?: boolean;
}

/**
 * The smallest difference between two prices or two quantities of a product: the stated step, or one unit of the last
 * decimal of those that the profile, the book and the listing show.
 */
export function stepOfProduct(
  kind: string,
  plan: ProductPlan,
  book: Book | undefined,
  least: ExactDecimal | undefined,
): string | undefined {
  const { buyFar, sellFar, buyNear, sellNear, buyCross, sellCross, priceStep, qtyStep, qty } = plan;
  const stated = kind === "price" ? priceStep : qtyStep;
  if (stated !== undefined) return stated;
  const prices = [buyFar, sellFar, buyNear, sellNear, buyCross, sellCross];
  const sizes = [qty, least === undefined ? undefined : plain(least)];
  const shown = kind === "price" ? [...prices, ...digitsOf(book)] : sizes;
  const step = stepOf(shown.filter((one) => one !== undefined));
  return step === undefined ? undefined : plain(step);
}

/** Prices of a book without zeros at the end: some targets show all prices with the same decimals. */
function digitsOf(book: Book | undefined): string[] {
  return [...(book?.bids ?? []), ...(book?.asks ?? [])].map((price) => price.replace(/(\.\d*?)0+$/, "$1"));
}

/** One unit of the last decimal of these amounts. */
function stepOf(amounts: readonly string[]): ExactDecimal | undefined {
  if (amounts.length === 0) return undefined;
  return unitOfScale(amounts.reduce((most, amount) => Math.max(most, scaleOf(amount)), 0));
}

/**
 * Resting prices are far from the middle of the book, crossing prices a little beyond the best opposite price. They
 * have at most the decimals seen in the book, because the tick size is not documented.
 */
export function bookPrice(book: Book | undefined, side: string, away: string): string | undefined {
  const bid = parseDecimal(book?.bids[0] ?? "");
  const ask = parseDecimal(book?.asks[0] ?? "");
  const reference = bid !== undefined && ask !== undefined ? bid.plus(ask).div(2) : (bid ?? ask);
  const step = stepOf(digitsOf(book));
  if (reference === undefined || step === undefined) return undefined;
  const factor: Readonly<Record<string, string>> = {
    far: side === "BUY" ? "0.5" : "1.5",
    near: "1",
    cross: side === "BUY" ? "1.05" : "0.95",
  };
  const base =
    away === "near"
      ? side === "BUY"
        ? bid
        : ask
      : away === "cross"
        ? side === "BUY"
          ? ask
          : bid
        : reference;
  if (base === undefined) return undefined;
  const price = base.times(factor[away] ?? "1");
  const whole = floorTo(price, step);
  return plain(
    whole.isZero() ? floorTo(price, stepOf([...(book?.bids ?? []), ...(book?.asks ?? [])]) ?? step) : whole,
  );
}

/** The best levels determine a price, and the market keeps them longer than the answer. */
const mostLevels = 200;

/** The prices of a book in the target's answer, the best first: no order of the levels is promised. */
export function bookIn(
  reply: Json | undefined,
  { bids, asks, ...level }: LevelPointers & { readonly bids: string; readonly asks: string },
): Book {
  const sides = [bids, asks].map((pointer) => levelsAt(reply, pointer));
  const [buying = [], sell = []] = sides.map((levels) =>
    cheapestFirst(levels.map((one) => priceOf(one, level)).filter((price) => typeof price === "string")),
  );
  const buy = buying.toReversed();
  const unreadable = buy.length + sell.length === 0 && sides.some((levels) => levels.length > 0);
  return {
    bids: buy.slice(0, mostLevels),
    asks: sell.slice(0, mostLevels),
    ...(unreadable ? { isUnreadable: true } : {}),
  };
}

function cheapestFirst(prices: readonly string[]): string[] {
  const known = prices.flatMap((price) => {
    const value = parseDecimal(price);
    return value === undefined ? [] : [{ price, value }];
  });
  return known.sort((a, b) => a.value.cmp(b.value)).map(({ price }) => price);
}
