import { parseDecimal, plain, scaleOf } from "../check/decimal.ts";
import { resolvePointer } from "../check/pointer.ts";
import type { Exchange } from "../model/exchange.ts";
import { isArray, type Json, JsonObject } from "../model/json.ts";
import type { Profile } from "../model/profile.ts";
import type { Book } from "../runner/prepare/seen-prices.ts";
import { type ListedPair, pairsIn } from "../runner/send/listing.ts";

const sizes = [
  "exchangeMinSize",
  "exchangeMaxSize",
  "exchangeQuoteMinSize",
  "exchangeQuoteMaxSize",
  "minOrderSize",
  "maxOrderSize",
] as const;

/** A product as the target lists it, in the words of a world. */
export interface SeenProduct {
  readonly id: string;
  readonly base: string;
  readonly quote: string;
  readonly enabled: boolean;
  /** Limits that the listing states, by their names there. */
  readonly limits: Readonly<Partial<Record<(typeof sizes)[number], string>>>;
  readonly baseIncrement?: string;
  readonly priceIncrement?: string;
  /** The increment is that of the finest price that was seen, and the target may take finer ones. */
  readonly isIncrementGuessed?: true;
  readonly referencePrice?: string;
}

/** Each product as the listing, the order books and the profile show it. Nothing is invented: unknown parts are left out. */
export function seenProducts(
  listing: Exchange,
  books: ReadonlyMap<string, Book>,
  profile: Profile,
): SeenProduct[] {
  const records = recordsIn(listing.json);
  return pairsIn(listing.json).map((pair) => {
    const record = records.find((one) => one.get("id") === pair.id);
    const [first = "", second = ""] = pair.id.split("-");
    const named = (key: string, otherwise: string): string => {
      const value = record?.get(key);
      return typeof value === "string" ? value : otherwise;
    };
    return {
      id: pair.id,
      base: named("base", first),
      quote: named("quote", second),
      enabled: pair.enabled,
      limits: Object.fromEntries(sizes.flatMap((name) => sizeOf(pair, name))),
      ...Object.fromEntries(sizeOf(pair, "exchangeBaseIncrement").map(([, step]) => ["baseIncrement", step])),
      ...prices(pair.id, books.get(pair.id), profile),
    };
  });
}

const sizeOf = (pair: ListedPair, name: string): [string, string][] => {
  const size = pair.size(name);
  return size === undefined || size.lte(0) ? [] : [[name, plain(size)]];
};

function recordsIn(listing: Json | undefined): JsonObject[] {
  const data = resolvePointer(listing, "#/data");
  return (isArray(data) ? data : []).flatMap((group) => {
    const inner = group instanceof JsonObject ? group.get("availablePairs") : undefined;
    return (isArray(inner) ? inner : [group]).filter((pair) => pair instanceof JsonObject);
  });
}

/**
 * The middle of the book, or else of the near prices of the profile, or else of those that do not trade; the step is the
 * finest that was seen.
 */
function prices(id: string, book: Book | undefined, { safety }: Profile): Partial<SeenProduct> {
  const { buyFar, sellFar, buyNear, sellNear, priceStep } = safety.products[id] ?? {};
  const [best, lowest] = [book?.bids[0], book?.asks[0]];
  const [bid, ask] = (
    [
      [best ?? lowest, lowest ?? best],
      [buyNear, sellNear],
      [buyFar, sellFar],
    ].find((both) => both.every((price) => price !== undefined)) ?? []
  ).map((text) => parseDecimal(text ?? ""));
  const texts = [...(book?.bids ?? []), ...(book?.asks ?? []), buyFar, sellFar].filter(
    (text) => text !== undefined,
  );
  const scale = texts.reduce((most, text) => Math.max(most, scaleOf(text)), 0);
  const step =
    priceStep ?? (texts.length === 0 ? undefined : scale === 0 ? "1" : `0.${"0".repeat(scale - 1)}1`);
  if (bid === undefined || ask === undefined || step === undefined) return {};
  const size = parseDecimal(step);
  if (size === undefined) return {};
  const referencePrice = plain(bid.plus(ask).div(2).div(size).floor().times(size));
  return {
    priceIncrement: step,
    referencePrice,
    ...(priceStep === undefined ? { isIncrementGuessed: true } : {}),
  };
}
