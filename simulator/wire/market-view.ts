/** Products, order book and candles on the wire. Product records are closed: exactly the specification's fields. */
import { formatScaled } from "../domain/decimal-text.ts";
import type { Product } from "../domain/market.ts";
import { lotsText, ticksText } from "../domain/steps.ts";
import type { DepthLevel } from "../engine/book/order-book.ts";
import type { Market, VenueState } from "../engine/state.ts";
import type { Candle } from "../engine/tape.ts";
import type { Component } from "./components.ts";
import { isoTime } from "./envelope.ts";

const orNull = <T>(value: T | null, show: (value: T) => string): string | null =>
  value === null ? null : show(value);

export function pairView(state: VenueState, market: Market): Component<"ProductPair"> {
  const { product } = market;
  const lots = (value: number | null): string | null => orNull(value, (v) => lotsText(product, v));
  const money = (value: bigint | null): string | null =>
    orNull(value, (v) => formatScaled(v, product.quote.scale));
  return {
    id: product.id,
    apiEnabled: market.apiEnabled,
    createdAt: isoTime(state.world.startAt),
    updatedAt: isoTime(market.updatedAt),
    base: product.base.symbol,
    quote: product.quote.symbol,
    exchangeProductId: product.exchangeProductId,
    exchangeMinSize: lots(product.exchangeMinSize),
    exchangeMaxSize: lots(product.exchangeMaxSize),
    exchangeBaseIncrement: lotsText(product, 1),
    exchangeQuoteMinSize: money(product.exchangeQuoteMinSize),
    exchangeQuoteMaxSize: money(product.exchangeQuoteMaxSize),
    minOrderSize: lots(product.minOrderSize),
    maxOrderSize: lots(product.maxOrderSize),
  };
}

export interface ProductFilter {
  readonly base: readonly string[];
  readonly quote: readonly string[];
  readonly apiEnabled: boolean | null;
}

/** Pairs that pass the filter, by id. Disabled pairs are listed, with `apiEnabled` false (F-disabled-pairs-listed). */
export function pairs(state: VenueState, filter: ProductFilter): Component<"ProductPair">[] {
  return state.markets
    .filter(({ product, apiEnabled }) => {
      if (filter.base.length > 0 && !filter.base.includes(product.base.symbol)) return false;
      if (filter.quote.length > 0 && !filter.quote.includes(product.quote.symbol)) return false;
      return filter.apiEnabled === null || filter.apiEnabled === apiEnabled;
    })
    .sort((a, b) => (a.product.id < b.product.id ? -1 : 1))
    .map((market) => pairView(state, market));
}

/** The same pairs grouped by base asset, groups by name (PRD-01..17). */
export function productGroups(state: VenueState, filter: ProductFilter): Component<"ProductGroup">[] {
  const groups = new Map<string, Component<"ProductPair">[]>();
  for (const pair of pairs(state, filter)) {
    const group = groups.get(pair.base);
    if (group === undefined) groups.set(pair.base, [pair]);
    else group.push(pair);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, availablePairs]) => ({ name, availablePairs }));
}

export function bookView(market: Market, depth: number): Component<"OrderBook"> {
  const { product, book } = market;
  const level = ({ price, quantity }: DepthLevel) => ({
    price: ticksText(product, price),
    quantity: lotsText(product, quantity),
  });
  return {
    product: product.id,
    bookSequence: market.bookSequence,
    timestamp: isoTime(market.bookChangedAt),
    bids: book.depth("BUY", depth).map(level),
    asks: book.depth("SELL", depth).map(level),
  };
}

export function candleView(product: Product, candle: Candle): Component<"Candle"> {
  return {
    timestamp: isoTime(candle.start),
    open: ticksText(product, candle.open),
    high: ticksText(product, candle.high),
    low: ticksText(product, candle.low),
    close: ticksText(product, candle.close),
    volume: lotsText(product, candle.volume),
  };
}
