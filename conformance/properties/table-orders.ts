import { parseDecimal } from "../check/decimal.ts";
import { renameReferences } from "../model/expr.ts";
import { Blocked } from "../model/outcome.ts";
import type { Value, ValueMap } from "../model/value.ts";
import { NotSeenYet } from "../runner/prepare/market.ts";
import type { Situation } from "./property.ts";
import { type Shape, shapes, stopLimits } from "./templates.ts";

/** Orders of any type, on any product of the profile, in any state: the material of the tables of orders. */
export const types = ["LIMIT", "MARKET", "STOP_LIMIT"] as const;
export const sides = ["BUY", "SELL"] as const;

/** Words of `$product`: each product of the profile, and one on which the kit's own clients can make a book. */
export const productWords = ["tradable", "second", "third", "fourth", "fifth", "sixth"] as const;

const byName: Readonly<Record<string, Shape>> = {
  "LIMIT BUY": shapes.limitBuy,
  "LIMIT SELL": shapes.limitSell,
  "MARKET BUY": shapes.marketBuy,
  "MARKET SELL": shapes.marketSell,
  "STOP_LIMIT BUY": shapes.stopLimitBuy,
  "STOP_LIMIT SELL": shapes.stopLimitSell,
};

export function shapeOf(type: string, side: string): Shape {
  const shape = byName[`${type} ${side}`];
  if (shape === undefined) throw new Error(`there is no ${type} ${side}`);
  return shape;
}

/** The names that shapes use, for one product; with a prefix they do not collide with those of another. */
export function marketOf(word: string): ValueMap {
  const price = (side: string, away: string): Value => ({ $price: { side, away, product: "${product}" } });
  return {
    product: { $product: word },
    quantity: { $qty: { size: "typical", product: "${product}" } },
    double: { $calc: "quantity * 2" },
    spend: { $spend: { size: "typical", product: "${product}" } },
    far: price("BUY", "far"),
    farSell: price("SELL", "far"),
    buyCross: price("BUY", "cross"),
    sellCross: price("SELL", "cross"),
    bid: price("BUY", "near"),
    ask: price("SELL", "near"),
    tick: { $step: { of: "price", product: "${product}" } },
    ...stopLimits,
  };
}

/** The value for one product becomes that for the other. */
export const ofSecond = (value: Value): Value => renameReferences(value, (name) => `${name}2`);

/** `product2`, `quantity2` …, in addition to those of the original. */
export function renamed(names: ValueMap): ValueMap {
  return Object.fromEntries(Object.entries(names).map(([name, value]) => [`${name}2`, ofSecond(value)]));
}

/**
 * The missing market data of that product, as a reason; checked against the profile alone, some of it may be left to
 * the target.
 */
export function unknownPrice({ market }: Situation, word: string, away: string): string | undefined {
  const known = told.get(market) ?? new Map<string, string | undefined>();
  told.set(market, known);
  const name = `${word} ${away}`;
  if (!known.has(name)) known.set(name, unpriced(market, word, away));
  return known.get(name);
}

const told = new WeakMap<Situation["market"], Map<string, string | undefined>>();

function unpriced(market: Situation["market"], word: string, away: string): string | undefined {
  return toldBy(() => {
    const product = market.product(word);
    for (const side of sides) market.generate("$price", { side, away, product }, false);
    market.generate("$qty", { size: "typical", product }, false);
    market.generate("$spend", { size: "typical", product }, false);
  });
}

/** The reason why the spread of that product has no room for the kit's own book, which takes sixteen steps. */
export function noRoom({ market }: Situation, word: string, step: string): string | undefined {
  return toldBy(() => {
    const product = market.product(word);
    const [bid, ask] = sides.map((side) =>
      parseDecimal(String(market.generate("$price", { side, away: "near", product }, false))),
    );
    if (bid === undefined || ask === undefined || ask.minus(bid).div(step).gte(16)) return;
    throw new Blocked(`the spread of ${product} has no room for prices of our own`);
  });
}

/** The reason why the question cannot be answered; data that only the target knows is left to the target. */
function toldBy(ask: () => void): string | undefined {
  try {
    ask();
    return undefined;
  } catch (error) {
    if (error instanceof NotSeenYet) return undefined;
    if (error instanceof Blocked) return error.message;
    throw error;
  }
}

/** Half of an amount of that market, with no more digits than its prices have. */
export function halfOf(
  amount: string,
  situation: Situation,
  word: string,
  side: string,
  away: string,
): Value {
  return { $calc: `${amount} / 2 @ ${digitsOf(priceOf(situation, word, side, away), situation, word)}` };
}

/** The reason why the far price has no half: it is one unit of its last digit, and no finer step is stated. */
export function noHalf(situation: Situation, word: string, side: string): string | undefined {
  try {
    const price = priceOf(situation, word, side, "far");
    const isOneUnit = /^0*\.?0*1$/.test(price);
    return isOneUnit && digitsOf(price, situation, word) === decimalsOf(price)
      ? `half of the price ${price} is not known to be a price: state priceStep of the product`
      : undefined;
  } catch (error) {
    if (error instanceof NotSeenYet) return undefined;
    throw error;
  }
}

const priceOf = ({ market }: Situation, word: string, side: string, away: string): string =>
  String(market.generate("$price", { side, away, product: market.product(word) }, false));

const decimalsOf = (amount: string): number => amount.split(".")[1]?.length ?? 0;

function digitsOf(price: string, { market, profile }: Situation, word: string): number {
  const step = profile.safety.products[market.product(word)]?.priceStep ?? "";
  return Math.max(decimalsOf(price), decimalsOf(step));
}

/** Between the best bid and the best ask. */
export const middleOf = (situation: Situation, word: string): Value =>
  halfOf("(bid + ask)", situation, word, "BUY", "near");
