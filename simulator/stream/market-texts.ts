/** Messages about a product's market, as the text that stands behind their number. */
import type { Product } from "../domain/market.ts";
import { lotsText, ticksText } from "../domain/steps.ts";
import type { Market } from "../engine/state.ts";
import type { Candle, Print } from "../engine/tape.ts";
import { isoTime } from "../wire/envelope.ts";
import type { Granularity } from "../wire/granularity.ts";
import { candleView } from "../wire/market-view.ts";
import { type BookChange, type LevelChange, WINDOW } from "./book-window.ts";
import type { Channel } from "./channels.ts";

type Kind = "snapshot" | "update";

/** Closes the message around its payload. */
const about = (kind: Kind, channel: Channel, { id }: Product, at: number, data: string): string =>
  `,"type":"${kind}","channel":"${channel}","product":"${id}","timestamp":"${isoTime(at)}","data":{${data}}}`;

const level = (product: Product, { price, quantity }: LevelChange): string =>
  `{"price":"${ticksText(product, price)}","quantity":"${lotsText(product, quantity)}"}`;

const levels = (product: Product, changes: readonly LevelChange[]): string =>
  `[${changes.map((change) => level(product, change)).join()}]`;

export function bookSnapshot({ product, book, bookSequence }: Market, at: number): string {
  const bids = levels(product, book.depth("BUY", WINDOW));
  const asks = levels(product, book.depth("SELL", WINDOW));
  return about(
    "snapshot",
    "orderBook",
    product,
    at,
    `"bookSequence":${bookSequence},"bids":${bids},"asks":${asks}`,
  );
}

export function bookUpdate(product: Product, { before, after, bids, asks }: BookChange, at: number): string {
  return about(
    "update",
    "orderBook",
    product,
    at,
    `"prevBookSequence":${before},"bookSequence":${after},"bids":${levels(product, bids)},"asks":${levels(product, asks)}`,
  );
}

export function tradesText(kind: Kind, product: Product, prints: readonly Print[], at: number): string {
  const trades = prints.map(
    (print) =>
      `{"tradeId":"${print.trade}","price":"${ticksText(product, print.price)}","quantity":"${lotsText(product, print.quantity)}",` +
      `"takerSide":"${print.takerSide}","time":"${isoTime(print.at)}"}`,
  );
  return about(kind, "trades", product, at, `"trades":[${trades.join()}]`);
}

/** Null where there is nothing: no trade so far, or an empty side. */
export interface Ticker {
  readonly last: number | null;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly volume: bigint;
}

export function tickerText(kind: Kind, product: Product, ticker: Ticker, at: number): string {
  const price = (ticks: number | null): string =>
    ticks === null ? "null" : `"${ticksText(product, ticks)}"`;
  const { last, bid, ask, volume } = ticker;
  return about(
    kind,
    "ticker",
    product,
    at,
    `"lastPrice":${price(last)},"referencePrice":${price(product.referencePrice)},"bestBid":${price(bid)},"bestAsk":${price(ask)},"volume24h":"${lotsText(product, volume)}"`,
  );
}

export function candleText(
  kind: Kind,
  product: Product,
  granularity: Granularity,
  candle: Candle | null,
  closed: boolean,
  at: number,
): string {
  const shown = candle === null ? "null" : JSON.stringify(candleView(product, candle));
  return about(
    kind,
    "candles",
    product,
    at,
    `"granularity":"${granularity}","closed":${closed},"candle":${shown}`,
  );
}
