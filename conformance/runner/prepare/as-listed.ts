import { parseDecimal, plain } from "../../check/decimal.ts";
import type { ProductPlan, Profile } from "../../model/profile.ts";
import { isMap, type Value, type ValueMap } from "../../model/value.ts";
import type { ListedPair } from "../send/listing.ts";
import type { Book } from "./seen-prices.ts";

/**
 * A profile of many worlds (`onlyListed`) as it holds for the one that answers. If the target lists all products that
 * the profile names, it is the world of the profile, which stays as it is. In another world facts about products are
 * read from the listing, and a product stays if its plan fits the listed sizes and the book. Without any, products,
 * prices and sizes are the target's own, as for a target without a profile. What it promises of signatures is left out.
 */
export function asListed(
  profile: Profile,
  pairs: readonly ListedPair[],
  books: ReadonlyMap<string, Book>,
): Profile {
  const { safety, facts } = profile;
  const pairOf = (id: string): ListedPair | undefined => pairs.find((pair) => pair.id === id);
  const named = [...Object.keys(safety.products), facts["disabledProduct"]];
  if (named.every((id) => typeof id !== "string" || pairOf(id) !== undefined)) return profile;
  const products = Object.fromEntries(
    Object.entries(safety.products).filter(([id, plan]) => isPlanFor(plan, pairOf(id), books.get(id))),
  );
  return {
    ...profile,
    safety: { ...safety, products },
    facts: factsAsListed(facts, pairs),
    auth: { signedPath: profile.auth.signedPath },
    said: { ...profile.said, auth: {} },
  };
}

function isPlanFor(
  { qty, buyFar, sellFar }: ProductPlan,
  pair: ListedPair | undefined,
  book: Book | undefined,
): boolean {
  if (pair === undefined || !pair.enabled) return false;
  const size = parseDecimal(qty ?? "");
  const [least, most] = ["minOrderSize", "maxOrderSize"].map((field) => pair.size(field));
  const [bid, ask] = [parseDecimal(book?.bids[0] ?? ""), parseDecimal(book?.asks[0] ?? "")];
  const [low, high] = [parseDecimal(buyFar ?? ""), parseDecimal(sellFar ?? "")];
  const isBelow = (one: typeof size, other: typeof size): boolean =>
    one === undefined || other === undefined || one.lte(other);
  return isBelow(least, size) && isBelow(size, most) && isBelow(low, bid) && isBelow(ask, high);
}

function factsAsListed(facts: ValueMap, pairs: readonly ListedPair[]): ValueMap {
  const { disabledProduct, limits, depositRequest, ...others } = facts;
  const isClosed = ({ enabled }: ListedPair): boolean => !enabled;
  const closed = pairs.find((pair) => pair.id === disabledProduct && isClosed(pair)) ?? pairs.find(isClosed);
  const stated = isMap(limits) ? limits["product"] : undefined;
  const limited = pairs.find(({ id }) => id === stated) ?? pairs.find(({ enabled }) => enabled);
  const asset = isMap(depositRequest) ? depositRequest["asset"] : undefined;
  const isKnown = pairs.some(({ id }) => id.split("-").includes(String(asset)));
  return {
    ...others,
    ...(closed === undefined ? {} : { disabledProduct: closed.id }),
    ...limitsOf(limited),
    ...(depositRequest === undefined || !isKnown ? {} : { depositRequest }),
  };
}

function limitsOf(pair: ListedPair | undefined): Readonly<Record<string, Value>> {
  const [min, max, step] = ["minOrderSize", "maxOrderSize", "exchangeBaseIncrement"].map((field) =>
    pair?.size(field),
  );
  if (pair === undefined || min === undefined || max === undefined || step === undefined) return {};
  return { limits: { product: pair.id, min: plain(min), max: plain(max), step: plain(step) } };
}
