import { type ExactDecimal, infinite, parseDecimal, plain } from "../../check/decimal.ts";
import { mostTimes, type OrderLimit, type OrderLimits } from "../../client/order-guard.ts";
import { Blocked } from "../../model/outcome.ts";
import { isOurs, type Profile } from "../../model/profile.ts";
import { asMap } from "../../model/value.ts";
import { type Market, NotSeenYet } from "./market.ts";

/**
 * What one order and a whole run may come to (docs/live-safety.md), from the amounts that the cases take as well. Both
 * the run and its plan ask here.
 */
export function limitsOf(profile: Profile, market: Market): OrderLimits {
  const { budget, notional, products } = profile.safety;
  if (isOurs(profile)) return { most: () => undefined, whole: notional };
  const known = new Map(Object.keys(products).map((id) => [id, usualOrder(id, market)]));
  const dearest = new Map<string, ExactDecimal>();
  for (const [id, usual] of known) {
    const quote = quoteOf(id);
    const [cost, before] = [usual.notional, dearest.get(quote)];
    if (cost?.isFinite() === true && (before === undefined || cost.gt(before))) dearest.set(quote, cost);
  }
  const whole = [...dearest].map(([quote, cost]) => [quote, plain(cost.times(budget.orders))]);
  return {
    most: (id) => {
      if (known.has(id)) return times(known.get(id), stated(profile, id));
      // A product without a plan is one that must be refused: it costs no more than the dearest of its quote asset.
      return times({ notional: dearest.get(quoteOf(id)) });
    },
    whole: { ...(Object.fromEntries(whole) as Record<string, string>), ...notional },
  };
}

/** A usual order: its quantity, and its cost at the highest price that the cases use. */
function usualOrder(product: string, market: Market): OrderLimit {
  const amount = (name: string, more: object): ExactDecimal | undefined =>
    known(() => market.generate(name, { ...more, product }, false));
  const quantity = amount("$qty", { size: "typical" });
  const price = (side: string, away: string) => amount("$price", { side, away });
  const highest = price("SELL", "far");
  const prices = ["far", "near", "cross"].flatMap((away) => [price("BUY", away), price("SELL", away)]);
  // A price that the book will show is not above the one that is too high to trade.
  const seen = prices.filter((one) => one?.isFinite() === true || highest?.isFinite() !== true);
  const costs = seen.map((one) => (one === undefined ? undefined : quantity?.times(one)));
  const spend = amount("$spend", { size: "typical" });
  return {
    quantity,
    notional: [...costs, spend?.isFinite() === false ? undefined : spend].reduce(larger, undefined),
  };
}

/** Undefined: nobody states it. Infinite: the target has not been asked yet. */
function known(generate: () => unknown): ExactDecimal | undefined {
  try {
    return parseDecimal(String(generate()));
  } catch (error) {
    if (error instanceof NotSeenYet) return infinite;
    if (error instanceof Blocked) return undefined;
    throw error;
  }
}

function larger(one: ExactDecimal | undefined, other: ExactDecimal | undefined): ExactDecimal | undefined {
  return one === undefined || other?.gt(one) === true ? other : one;
}

/** A size just beyond the limit that the owner states is sent, at a price that cannot trade, to be refused. */
function stated({ facts }: Profile, product: string): ExactDecimal | undefined {
  const { product: limited, max, step } = asMap(facts["limits"]);
  if (limited !== product) return undefined;
  return parseDecimal(String(max))?.plus(parseDecimal(String(step)) ?? 0);
}

function times(usual: OrderLimit | undefined, resting?: ExactDecimal): OrderLimit | undefined {
  if (usual === undefined) return undefined;
  return { quantity: usual.quantity?.times(mostTimes), notional: usual.notional?.times(mostTimes), resting };
}

export const quoteOf = (product: string): string => product.split("-")[1] ?? "?";
