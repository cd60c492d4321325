/** Products, order book and candles on the wire as schemas. */
import type { Schema } from "../schema/fields.ts";
import { count, decimal, flag, list, productId, record, ref, size, text, time } from "./schema.ts";

const pair = record("A tradable pair.", {
  id: productId("Pair id, `<BASE>-<QUOTE>`."),
  apiEnabled: flag("Whether the pair can be traded through this interface."),
  createdAt: time("When the pair was created."),
  updatedAt: time("When the pair last changed."),
  base: text("Base asset symbol."),
  quote: text("Quote asset symbol."),
  exchangeProductId: text("The exchange's own id of the pair."),
  exchangeMinSize: size("Smallest base quantity of the exchange."),
  exchangeMaxSize: size("Largest base quantity of the exchange."),
  exchangeBaseIncrement: size("Step of base quantities."),
  exchangeQuoteMinSize: size("Smallest order value of the exchange, in quote."),
  exchangeQuoteMaxSize: size("Largest order value of the exchange, in quote."),
  minOrderSize: size("Smallest base quantity of the gateway."),
  maxOrderSize: size("Largest base quantity of the gateway."),
});

const levelField = record("One price level.", {
  price: decimal("Price."),
  quantity: decimal("Total base quantity at that price."),
});

export const marketComponents = {
  ProductGroup: record("Pairs of one base asset.", {
    name: text("Base asset symbol."),
    availablePairs: list(ref("ProductPair")),
  }),
  ProductPair: pair,
  OrderBook: record("Top of the order book.", {
    product: productId("Trading pair."),
    bookSequence: count("Grows with every change of the book; the stream uses the same number."),
    timestamp: time("When the book last changed."),
    bids: list(ref("BookLevel"), "Best first: strictly descending prices."),
    asks: list(ref("BookLevel"), "Best first: strictly ascending prices."),
  }),
  BookLevel: levelField,
  Candle: record("Open, high, low, close and volume of one interval. Intervals without trades are absent.", {
    timestamp: time("Start of the interval, aligned to the epoch in UTC."),
    open: decimal("First price."),
    high: decimal("Highest price."),
    low: decimal("Lowest price."),
    close: decimal("Last price."),
    volume: decimal("Base quantity traded."),
  }),
} satisfies Readonly<Record<string, Schema>>;
