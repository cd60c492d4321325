import type { Exchange } from "../model/exchange.ts";
import type { Difference } from "../model/finding.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import type { Operation } from "../model/profile.ts";
import { levelsAt, priceOf, quantityOf } from "./book-levels.ts";
import { type ExactDecimal, parseDecimal, plain } from "./decimal.ts";
import { describeJson } from "./describe.ts";
import { instantOf } from "./matcher-instant.ts";
import { resolveFirst } from "./pointer.ts";

/** Where the market stands in an answer: the statements of the profile about the operation. */
export type MarketPlaces = Pick<Operation, "bids" | "asks" | "price" | "quantity" | "items">;

export interface MarketReading {
  readonly exercised: readonly string[];
  readonly differences: readonly (Difference & { readonly clause: string })[];
}

/**
 * What holds in every market, in the answers of the operations orderBook (EPT-13) and candles (EPT-14). What cannot be read
 * is not judged: the specification shows neither of the two. An amount in a book is one of the decimals of GEN-04.
 */
export function checkMarket({ request, json }: Exchange, places: MarketPlaces): MarketReading {
  if (request.operation === "orderBook") {
    const { exercised, differences } = readingOf("EPT-13", bookDifferences(json, places));
    return { exercised, differences: [...differences, ...numbersInBook(json, places)] };
  }
  if (request.operation === "candles") return readingOf("EPT-14", candleDifferences(json, places));
  return { exercised: [], differences: [] };
}

function readingOf(clause: string, differences: readonly Difference[]): MarketReading {
  return { exercised: [clause], differences: differences.map((found) => ({ ...found, clause })) };
}

/** A level has something to trade, and what could trade with each other has traded. */
function bookDifferences(json: Json | undefined, places: MarketPlaces): Difference[] {
  const [bids, asks] = [places.bids, places.asks].map((pointer) => ({
    pointer,
    levels: levelsAt(json, pointer),
  }));
  if (bids === undefined || asks === undefined) return [];
  const empty = [bids, asks].flatMap(({ pointer, levels }) =>
    levels.flatMap((level, index): Difference[] => {
      const quantity = quantityOf(level, places);
      return decimalIn(quantity)?.gt(0) === false
        ? [
            {
              pointer: `${pointer}/${index}`,
              expected: "a quantity above zero",
              actual: describeJson(quantity),
            },
          ]
        : [];
    }),
  );
  const prices = ({ levels }: typeof bids): ExactDecimal[] =>
    levels.flatMap((level) => decimalIn(priceOf(level, places)) ?? []);
  const bid = prices(bids).reduce<ExactDecimal | undefined>(higher, undefined);
  const ask = prices(asks).reduce<ExactDecimal | undefined>(lower, undefined);
  if (bid === undefined || ask === undefined || bid.lt(ask)) return empty;
  const expected = `a best bid below the best ask, ${plain(ask)}`;
  return [...empty, { pointer: bids.pointer, expected, actual: plain(bid) }];
}

/** The first amount that is a number, as all of them will be. A book without one proves nothing of GEN-04. */
function numbersInBook(json: Json | undefined, places: MarketPlaces): MarketReading["differences"] {
  for (const side of [places.bids, places.asks])
    for (const [index, level] of (side === undefined ? [] : levelsAt(json, side)).entries()) {
      const amounts = [priceOf(level, places), quantityOf(level, places)];
      const number = amounts.find((amount) => amount instanceof JsonNumber);
      if (number === undefined) continue;
      const expected = "decimals as strings, not numbers";
      return [{ pointer: `${side}/${index}`, expected, actual: describeJson(number), clause: "GEN-04" }];
    }
  return [];
}

const higher = (best: ExactDecimal | undefined, one: ExactDecimal): ExactDecimal =>
  best === undefined || one.gt(best) ? one : best;
const lower = (best: ExactDecimal | undefined, one: ExactDecimal): ExactDecimal =>
  best === undefined || one.lt(best) ? one : best;

/** Open and close lie within low and high; each time has one candle; the times run one way, and are whole minutes if most are. */
function candleDifferences(json: Json | undefined, { items }: MarketPlaces): Difference[] {
  const listed = resolveFirst(json, items);
  const candles = isArray(listed) ? listed.filter((one) => one instanceof JsonObject) : [];
  return [...candles.flatMap(rangeDifferences), ...timeDifferences(candles)];
}

function rangeDifferences(candle: JsonObject, index: number): Difference[] {
  const [open, close, low, high] = ["open", "close", "low", "high"].map((name) =>
    decimalIn(candle.get(name)),
  );
  if (open === undefined || close === undefined || low === undefined || high === undefined) return [];
  return Object.entries({ open, close })
    .filter(([, price]) => price.lt(low) || price.gt(high))
    .map(([name, price]) => ({
      pointer: `candle ${index}: ${name}`,
      expected: `from ${plain(low)} to ${plain(high)}, its low and its high`,
      actual: plain(price),
    }));
}

/** Names of the moment of a candle. */
const timeNames = ["time", "timestamp", "start", "startTime", "openTime", "periodStart"];
const minute = 60_000;

function timeDifferences(candles: readonly JsonObject[]): Difference[] {
  const times = candles.flatMap((candle) => momentOf(candle) ?? []);
  if (times.length !== candles.length || times.length < 2) return [];
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const ways = new Set(steps.map(Math.sign));
  const at = (index: number, expected: string): Difference[] =>
    index < 0
      ? []
      : [{ pointer: `candle ${index}: time`, expected, actual: describeJson(timeOf(candles[index])) }];
  if (ways.has(0)) return at(steps.indexOf(0) + 1, "a time that no other candle has");
  if (ways.size > 1)
    return at(steps.findIndex((step) => step > 0 !== (steps[0] ?? 0) > 0) + 1, "times that run one way");
  // Periods without a trade may be left out, and the newest candle may show the time of its last trade.
  const inMinutes = steps.filter((step) => step % minute === 0).length * 2 > steps.length;
  const newest = Math.max(...times);
  return at(
    inMinutes ? times.findIndex((time) => time !== newest && time % minute !== 0) : -1,
    "a whole minute",
  );
}

const timeOf = (candle: JsonObject | undefined): Json | undefined =>
  timeNames.map((name) => candle?.get(name)).find((one) => one !== undefined);

/** A time as text, or as a number of milliseconds or seconds; without a name that is known, of no moment. */
function momentOf(candle: JsonObject): number | undefined {
  const value = timeOf(candle);
  const asText = typeof value === "string" ? instantOf(value) : undefined;
  if (asText !== undefined) return asText;
  const number = decimalIn(value)?.toNumber();
  return number === undefined || number >= firstOfMilliseconds ? number : number * 1000;
}

/** Smaller numbers are seconds: these milliseconds are of 1973. */
const firstOfMilliseconds = 1e11;

function decimalIn(value: Json | undefined): ExactDecimal | undefined {
  const text = value instanceof JsonNumber ? value.lexeme : value;
  return typeof text === "string" ? parseDecimal(text, "lax") : undefined;
}
