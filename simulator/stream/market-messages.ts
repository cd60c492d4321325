/**
 * A market as its subscribers know it, followed from entry to entry, and what they are told of each.
 *
 * **Invariants.** Every entry that touches the book gives exactly one book message, even if no level within the window
 * changed: the numbers of the book are joined without a gap. A candle is announced as closed once, by the first entry of
 * the journal at or after its end: the stream has no clock of its own.
 *
 * **Ordering.** Of one entry: trades, book, ticker, candles.
 */
import type { Product } from "../domain/market.ts";
import type { Market } from "../engine/state.ts";
import { type Candle, joinCandles, type Print, type Tape } from "../engine/tape.ts";
import type { CommittedEntry } from "../sequencer/sequencer.ts";
import { type Granularity, granularities, granularityNames } from "../wire/granularity.ts";
import { type BookSide, bestPrice, moveWindow, setLevel, sideOf } from "./book-side.ts";
import type { Channel } from "./channels.ts";
import {
  bookSnapshot,
  bookUpdate,
  candleText,
  sameTicker,
  type Ticker,
  tickerText,
  tradesText,
} from "./market-texts.ts";
import { type Message, topicOf, type Wanted } from "./topics.ts";

const { ONE_DAY: Day, ONE_MINUTE: Minute } = granularities;

export interface MarketCopy {
  readonly product: Product;
  /** The topics of the market that have a subscriber. */
  readonly topics: Set<string>;
  readonly tape: Tape;
  readonly bids: BookSide;
  readonly asks: BookSide;
  bookSequence: number;
  /** Market time of the last entry. */
  now: number;
  /** The ticker as its subscribers know it; null while there are none. */
  ticker: Ticker | null;
  /** The volume of the 24 hours from `from`; null if it has to be summed again. */
  volume: { readonly from: number; readonly sum: bigint } | null;
  /** Starts of the candles that subscribers see as open, of all intervals: later subscribers get their end too. */
  readonly open: Map<Granularity, number>;
}

/** The copy of a committed state. */
export function copyOf({ product, book, tape, bookSequence }: Market, now: number): MarketCopy {
  const open = new Map<Granularity, number>();
  for (const granularity of granularityNames) {
    const newest = newestCandle(tape, granularity);
    if (newest !== null && !isOver(newest, granularity, now)) open.set(granularity, newest.start);
  }
  const [bids, asks] = [sideOf(book, "BUY"), sideOf(book, "SELL")];
  const empty = { topics: new Set<string>(), ticker: null, volume: null };
  return { ...empty, product, tape: tape.copy(), bids, asks, bookSequence, now, open };
}

/** Moves the copy past an entry; returns the messages to its subscribers. */
export function marketMessages(copy: MarketCopy, entry: CommittedEntry, isWanted: Wanted): Message[] {
  const { product, bookSequence: before } = copy;
  const { at } = entry;
  const told: Message[] = [];
  const tell = (channel: Channel, granularity: Granularity | null, text: () => string): void => {
    const topic = topicOf(channel, product.id, granularity);
    if (isWanted(topic)) told.push({ topic, product: product.id, text: text() });
  };
  const prints = follow(copy, entry);
  const [isTraded, isMoved] = [prints.length > 0, copy.bookSequence !== before];
  if (isTraded) tell("trades", null, () => tradesText("update", product, prints, at));
  if (isMoved) {
    const sides = { bids: moveWindow(copy.bids), asks: moveWindow(copy.asks) };
    tell("orderBook", null, () => bookUpdate(product, before, copy.bookSequence, sides, at));
  }
  if (!isWanted(topicOf("ticker", product.id, null))) copy.ticker = null;
  else if (isTraded || isMoved) {
    const [known, ticker] = [copy.ticker, tickerOf(copy)];
    copy.ticker = ticker;
    if (!sameTicker(known, ticker)) tell("ticker", null, () => tickerText("update", product, ticker, at));
  }
  for (const granularity of granularityNames)
    for (const { start, closed } of candleMoves(copy, granularity, isTraded))
      tell("candles", granularity, () => {
        const candle = candleAt(copy.tape, granularity, start);
        return candleText("update", product, granularity, candle, closed, at);
      });
  return told;
}

/** Takes over what the entry changed in this market; returns its trades. */
function follow(copy: MarketCopy, { at, events, changes }: CommittedEntry): readonly Print[] {
  const { index } = copy.product;
  const prints: Print[] = [];
  for (const event of events) {
    if ((event.kind !== "Traded" && event.kind !== "TradePrinted") || event.product !== index) continue;
    const { trade, price, quantity } = event;
    const takerSide = event.kind === "Traded" ? event.takerSide : "BUY";
    prints.push({ trade, at, price, quantity, takerSide });
  }
  for (const print of prints) copy.tape.print(print);
  for (const { product, bookSequence, levels } of changes.books) {
    if (product !== index) continue;
    for (const { side, price, quantity } of levels)
      setLevel(side === "BUY" ? copy.bids : copy.asks, { price, quantity });
    copy.bookSequence = bookSequence;
  }
  copy.now = at;
  if (prints.length > 0) copy.volume = null;
  return prints;
}

/** The candle of an interval that has ended, and the one that is traded in now. */
function candleMoves(
  { open, now }: MarketCopy,
  granularity: Granularity,
  isTraded: boolean,
): { readonly start: number; readonly closed: boolean }[] {
  const moves = [];
  const step = granularities[granularity];
  const start = open.get(granularity);
  if (start !== undefined && start + step <= now) {
    open.delete(granularity);
    moves.push({ start, closed: true });
  }
  if (!isTraded) return moves;
  const current = now - (now % step);
  open.set(granularity, current);
  return [...moves, { start: current, closed: false }];
}

/** The first messages to a subscriber of a channel of the market. `at`: the venue's clock. */
export function marketSnapshot(
  copy: MarketCopy,
  channel: Channel,
  granularity: Granularity | null,
  at: number,
): string {
  const { product, tape } = copy;
  if (channel === "orderBook")
    return bookSnapshot(product, copy.bookSequence, { bids: copy.bids.window, asks: copy.asks.window }, at);
  if (channel === "trades") return tradesText("snapshot", product, tape.recent, at);
  if (channel === "ticker") {
    const ticker = tickerOf(copy);
    copy.ticker ??= ticker;
    return tickerText("snapshot", product, ticker, at);
  }
  const interval = granularity ?? "ONE_MINUTE";
  const newest = newestCandle(tape, interval);
  const closed = newest !== null && isOver(newest, interval, copy.now);
  return candleText("snapshot", product, interval, newest, closed, at);
}

function tickerOf(copy: MarketCopy): Ticker {
  const { tape, bids, asks } = copy;
  const last = tape.traded ? tape.last : null;
  return { last, bid: bestPrice(bids), ask: bestPrice(asks), volume: dayVolume(copy) };
}

/** The volume of 24 hours, by whole minutes. Summed again only when a trade or a minute has passed. */
function dayVolume(copy: MarketCopy): bigint {
  const from = Math.ceil((copy.now - Day) / Minute) * Minute;
  if (copy.volume?.from === from) return copy.volume.sum;
  let sum = 0n;
  const { minutes } = copy.tape;
  for (let index = minutes.length - 1; index >= 0; index--) {
    const minute = minutes[index];
    if (minute === undefined || minute.start < from) break;
    sum += minute.volume;
  }
  copy.volume = { from, sum };
  return sum;
}

function newestCandle(tape: Tape, granularity: Granularity): Candle | null {
  const last = tape.minutes.at(-1);
  return last === undefined
    ? null
    : candleAt(tape, granularity, last.start - (last.start % granularities[granularity]));
}

/** Looks at the minutes of this interval and later ones only. */
function candleAt({ minutes }: Tape, granularity: Granularity, start: number): Candle | null {
  let first = minutes.length;
  while (first > 0 && (minutes[first - 1]?.start ?? 0) >= start) first--;
  const step = granularities[granularity];
  return joinCandles(minutes.slice(first), step, start, start + step)[0] ?? null;
}

const isOver = ({ start }: Candle, granularity: Granularity, now: number): boolean =>
  start + granularities[granularity] <= now;
