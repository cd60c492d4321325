/** Messages about a product's market, as the text after their number. */
import type { Product } from "../domain/market.ts";
import { lotsText, ticksText } from "../domain/steps.ts";
import type { Candle, Print } from "../engine/tape.ts";
import { isoTime } from "../wire/envelope.ts";
import type { Granularity } from "../wire/granularity.ts";
import { candleView } from "../wire/market-view.ts";
import type { Level } from "./book-side.ts";
import type { Channel } from "./channels.ts";

type Kind = "snapshot" | "update";

/** Closes the message around its payload. */
const about = (kind: Kind, channel: Channel, { id }: Product, at: number, data: string): string =>
  `,"type":"${kind}","channel":"${channel}","product":"${id}","timestamp":"${isoTime(at)}","data":{${data}}}`;

const levels = (product: Product, side: readonly Level[]): string =>
  `[${side
    .map(
      ({ price, quantity }) =>
        `{"price":"${ticksText(product, price)}","quantity":"${lotsText(product, quantity)}"}`,
    )
    .join()}]`;

export interface BookText {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

const bookText = (product: Product, sequence: string, { bids, asks }: BookText): string =>
  `${sequence},"bids":${levels(product, bids)},"asks":${levels(product, asks)}`;

export const bookSnapshot = (product: Product, sequence: number, sides: BookText, at: number): string =>
  about("snapshot", "orderBook", product, at, bookText(product, `"bookSequence":${sequence}`, sides));

export function bookUpdate(
  product: Product,
  before: number,
  after: number,
  sides: BookText,
  at: number,
): string {
  const sequence = `"prevBookSequence":${before},"bookSequence":${after}`;
  return about("update", "orderBook", product, at, bookText(product, sequence, sides));
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

export const sameTicker = (a: Ticker | null, b: Ticker): boolean =>
  a?.last === b.last && a.bid === b.bid && a.ask === b.ask && a.volume === b.volume;

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
