import type { Difference } from "../model/finding.ts";
import { isArray, type Json, type JsonObject } from "../model/json.ts";
import type { StreamPlan } from "../model/stream.ts";
import { type LevelPointers, priceOf, quantityOf } from "./book-levels.ts";
import { type ExactDecimal, parseDecimal, plain } from "./decimal.ts";
import { describeJson } from "./describe.ts";
import { wholeNumber } from "./stream-numbers.ts";

type Side = "bids" | "asks";
type Level = readonly [price: ExactDecimal, quantity: ExactDecimal];
const sides: readonly Side[] = ["bids", "asks"];

/** A book at one moment, as in a reply or a message. */
export interface ShownBook {
  readonly bids: Json | undefined;
  readonly asks: Json | undefined;
  readonly version: Json | undefined;
  readonly levels?: LevelPointers;
}

/**
 * The book that the messages of a stream make: first a whole book, then changes. Each change gives the new quantity of
 * a level, zero for none. A change applies if its `previous` is the current version; older changes are dropped.
 */
export class StreamBook {
  readonly #plan: StreamPlan;
  readonly #levels = { bids: new Map<string, ExactDecimal>(), asks: new Map<string, ExactDecimal>() };
  version: bigint | undefined;

  constructor(plan: StreamPlan) {
    this.#plan = plan;
  }

  /** A gap is a difference, because the missing changes cannot be recovered. */
  take(event: JsonObject): Difference[] {
    const is = event.get("is");
    if (is === "book") return this.#begin(event);
    if (is !== "bookUpdate" || this.version === undefined) return [];
    const version = wholeNumber(event.get("version"));
    if (version !== undefined && version <= this.version) return [];
    const previous = event.get("previous");
    if (previous !== undefined && wholeNumber(previous) !== this.version)
      return [
        {
          pointer: "event/previous",
          expected: `${this.version}, the version before`,
          actual: describeJson(previous),
        },
      ];
    this.version = version ?? this.version + 1n;
    return this.#apply(event, "bookUpdate");
  }

  /** Compares level by level, the best first, to the depth of the shorter one. */
  differencesFrom(shown: ShownBook): Difference[] {
    return sides.flatMap((side) => {
      const [mine, theirs] = [
        this.#best(side),
        bestFirst(side, this.#read(shown[side], shown.levels ?? {}) ?? []),
      ];
      if (theirs.length > mine.length && mine.length < deepest)
        return [
          {
            pointer: side,
            expected: `${theirs.length} levels`,
            actual: `${mine.length} levels from the stream`,
          },
        ];
      const wrong = theirs.findIndex(
        ([price, quantity], at) => !mine[at]?.[0].eq(price) || !mine[at][1].eq(quantity),
      );
      if (wrong === -1) return [];
      return [
        {
          pointer: `${side}/${wrong}`,
          expected: text(theirs[wrong]),
          actual: `${text(mine[wrong])} from the stream`,
        },
      ];
    });
  }

  #begin(event: JsonObject): Difference[] {
    for (const side of sides) this.#levels[side].clear();
    this.version = wholeNumber(event.get("version")) ?? 0n;
    return this.#apply(event, "book");
  }

  #apply(event: JsonObject, is: "book" | "bookUpdate"): Difference[] {
    return sides.flatMap((side) => {
      const levels = this.#read(event.get(side), this.#plan.events[is]?.fields ?? {});
      if (levels === undefined)
        return [
          {
            pointer: `event/${side}`,
            expected: "levels with a price and a quantity in decimals",
            actual: describeJson(event.get(side)),
          },
        ];
      for (const [price, quantity] of levels) {
        if (quantity.isZero()) this.#levels[side].delete(plain(price));
        else this.#levels[side].set(plain(price), quantity);
      }
      return [];
    });
  }

  #best(side: Side): Level[] {
    const levels = [...this.#levels[side]].flatMap(([price, quantity]) => {
      const known = parseDecimal(price);
      return known === undefined ? [] : [[known, quantity] as const];
    });
    return bestFirst(side, levels);
  }

  /** Undefined if it is no list of levels; a missing side has not changed. */
  #read(list: Json | undefined, places: LevelPointers): Level[] | undefined {
    if (list === undefined) return [];
    if (!isArray(list)) return undefined;
    const levels = list.map((level) => [
      decimalIn(priceOf(level, places)),
      decimalIn(quantityOf(level, places)),
    ]);
    const complete = levels.flatMap(([at, size]) =>
      at === undefined || size === undefined ? [] : [[at, size] as const],
    );
    return complete.length === levels.length ? complete : undefined;
  }
}

/** Streams show a part of a deep book: a level missing beyond this depth is not judged. */
const deepest = 25;

/** No order of the levels is promised. */
const bestFirst = (side: Side, levels: Level[]): Level[] =>
  levels.sort(([a], [b]) => (side === "bids" ? b.cmp(a) : a.cmp(b)));

const decimalIn = (found: Json | undefined): ExactDecimal | undefined =>
  typeof found === "string" ? parseDecimal(found) : undefined;

const text = (level: Level | undefined): string =>
  level === undefined ? "no level" : `${plain(level[1])} at ${plain(level[0])}`;

/**
 * Do the messages make the book that a reply showed at the same version? Undefined if the stream never had that
 * version, because then the two cannot be compared.
 */
export function bookDifferences(
  events: readonly JsonObject[],
  shown: ShownBook,
  plan: StreamPlan,
): Difference[] | undefined {
  const wanted = wholeNumber(shown.version);
  const book = new StreamBook(plan);
  const product = events.find((event) => event.get("is") === "book")?.get("product");
  for (const event of events) {
    if (product !== undefined && event.get("product") !== product) continue;
    const gap = book.take(event);
    if (gap.length > 0) return gap;
    if (wanted !== undefined && book.version === wanted) return book.differencesFrom(shown);
  }
  return undefined;
}
