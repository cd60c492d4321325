/**
 * What subscribers of one product's market are told, from what they know and what an entry made of it.
 *
 * **Invariants.** Every entry that touches the book gives exactly one book message, even if no level within the window
 * changed: the numbers of the book are joined without a gap. A candle is announced as closed once, by the first entry of
 * the journal at or after its end: the stream has no clock of its own.
 *
 * **Ordering.** Of one entry: trades, book, ticker, candles.
 */
import type { Event } from "../domain/event.ts";
import type { Market } from "../engine/state.ts";
import { type Candle, joinCandles, type Print, type Tape } from "../engine/tape.ts";
import { GRANULARITIES, type Granularity } from "../wire/granularity.ts";
import type { Audience, MarketAudiences } from "./audience.ts";
import { BookWindow, bestOf } from "./book-window.ts";
import { bookUpdate, candleText, type Ticker, tickerText, tradesText } from "./market-texts.ts";

export type Emit = (audience: Audience, text: string, product: string | null) => void;

const { ONE_DAY: DAY, ONE_MINUTE: MINUTE } = GRANULARITIES;

export class MarketFeed {
  private readonly audiences: MarketAudiences;
  private readonly window = new BookWindow();
  private prints: Print[] = [];
  private ticker: Ticker | null = null;
  private readonly volume = new DayVolume();
  private bookSequence = 0;
  /** Starts of the candles that subscribers see as open. */
  private readonly open = new Map<Granularity, number>();

  constructor(audiences: MarketAudiences) {
    this.audiences = audiences;
  }

  /** From now on, subscribers know this state: called when somebody begins to listen, between two entries. */
  reset(market: Market, now: number): void {
    this.window.reset(market);
    this.prints = [];
    this.bookSequence = market.bookSequence;
    this.ticker = tickerOf(market, this.volume.at(market.tape, now));
    this.open.clear();
    for (const granularity of this.audiences.candles.keys()) {
      const newest = newestCandle(market.tape, granularity);
      if (newest !== null && !isOver(newest, granularity, now)) this.open.set(granularity, newest.start);
    }
  }

  traded(event: Extract<Event, { kind: "Traded" | "TradePrinted" }>, at: number): void {
    const { trade, price, quantity } = event;
    const takerSide = event.kind === "Traded" ? event.takerSide : "BUY";
    this.prints.push({ trade, at, price, quantity, takerSide });
  }

  /** The entry is complete. */
  recorded(market: Market, now: number, emit: Emit): void {
    const { trades, orderBook } = this.audiences;
    const { product } = market;
    const { prints } = this;
    const touched = market.bookSequence !== this.bookSequence || prints.length > 0;
    this.bookSequence = market.bookSequence;
    if (prints.length > 0) {
      if (trades.size > 0) emit(trades, tradesText("update", product, prints, now), product.id);
      this.prints = [];
    }
    const change = this.window.advance(market);
    if (change !== null && orderBook.size > 0) emit(orderBook, bookUpdate(product, change, now), product.id);
    if (touched) this.tellTicker(market, now, emit);
    for (const [granularity, audience] of this.audiences.candles)
      this.tellCandle(market, granularity, audience, prints.length > 0, now, emit);
  }

  private tellTicker(market: Market, now: number, emit: Emit): void {
    const audience = this.audiences.ticker;
    if (audience.size === 0) return;
    const ticker = tickerOf(market, this.volume.at(market.tape, now));
    const same = this.ticker !== null && sameTicker(this.ticker, ticker);
    this.ticker = ticker;
    if (!same) emit(audience, tickerText("update", market.product, ticker, now), market.product.id);
  }

  /** Which candle is open is known for all intervals, so that whoever comes later hears of its end as well. */
  private tellCandle(
    { product, tape }: Market,
    granularity: Granularity,
    audience: Audience,
    traded: boolean,
    now: number,
    emit: Emit,
  ): void {
    const step = GRANULARITIES[granularity];
    const open = this.open.get(granularity);
    if (open !== undefined && open + step <= now) {
      this.open.delete(granularity);
      const ended = audience.size > 0 ? candleAt(tape, granularity, open) : null;
      if (ended !== null)
        emit(audience, candleText("update", product, granularity, ended, true, now), product.id);
    }
    if (!traded) return;
    const start = now - (now % step);
    this.open.set(granularity, start);
    const current = audience.size > 0 ? candleAt(tape, granularity, start) : null;
    if (current !== null)
      emit(audience, candleText("update", product, granularity, current, false, now), product.id);
  }
}

export function tickerOf({ book, tape }: Market, volume: bigint): Ticker {
  const [bid, ask] = bestOf(book);
  return { last: tape.traded ? tape.last : null, bid, ask, volume };
}

const sameTicker = (a: Ticker, b: Ticker): boolean =>
  a.last === b.last && a.bid === b.bid && a.ask === b.ask && a.volume === b.volume;

/** What was traded in 24 hours, by whole minutes. Summed again only when a trade or a minute has passed. */
export class DayVolume {
  private from = Number.NaN;
  private trade = Number.NaN;
  private sum = 0n;

  at({ minutes, recent }: Tape, now: number): bigint {
    const from = Math.ceil((now - DAY) / MINUTE) * MINUTE;
    const trade = recent.at(-1)?.trade ?? 0;
    if (from === this.from && trade === this.trade) return this.sum;
    this.from = from;
    this.trade = trade;
    this.sum = 0n;
    for (let index = minutes.length - 1; index >= 0; index--) {
      const minute = minutes[index];
      if (minute === undefined || minute.start < from) break;
      this.sum += minute.volume;
    }
    return this.sum;
  }
}

export function newestCandle(tape: Tape, granularity: Granularity): Candle | null {
  const last = tape.minutes.at(-1);
  return last === undefined
    ? null
    : candleAt(tape, granularity, last.start - (last.start % GRANULARITIES[granularity]));
}

/** Looks at the minutes of this interval and later ones only. */
function candleAt({ minutes }: Tape, granularity: Granularity, start: number): Candle | null {
  let first = minutes.length;
  while (first > 0 && (minutes[first - 1]?.start ?? 0) >= start) first--;
  const step = GRANULARITIES[granularity];
  return joinCandles(minutes.slice(first), step, start, start + step)[0] ?? null;
}

export const isOver = ({ start }: Candle, granularity: Granularity, now: number): boolean =>
  start + GRANULARITIES[granularity] <= now;
