/** The market as an operator sees it: products with their state, the whole book with the owners of its orders, trades, candles. */
import type { Product } from "../domain/market.ts";
import type { Side } from "../domain/order.ts";
import { ok, type Result } from "../domain/result.ts";
import { lotsText, ticksText } from "../domain/steps.ts";
import { marketOwner } from "../engine/book/order-book.ts";
import type { Market } from "../engine/state.ts";
import { joinCandles } from "../engine/tape.ts";
import type { Refusal } from "../http/errors.ts";
import { success } from "../http/route.ts";
import { component } from "../wire/components.ts";
import { isoTime } from "../wire/envelope.ts";
import { type Granularity, granularities, granularityNames } from "../wire/granularity.ts";
import { candleView } from "../wire/market-view.ts";
import { choice, integer } from "../wire/query-fields.ts";
import {
  count,
  decimal,
  flag,
  list,
  nullable,
  oneOfText,
  productId,
  record,
  text,
  time,
} from "../wire/schema.ts";
import { type Controls, controlRoute, notFound, type RefusedCall } from "./control-route.ts";

const unknownProduct: RefusedCall = {
  code: "NOT_FOUND",
  when: "There is no such product.",
  params: { product: "BTC-XYZ" },
  message:
    "There is no product BTC-XYZ: the products are BTC-USD, ETH-USD, SOL-USD, ETH-BTC, BTC-EUR, SHIB-USD, DOGE-USD",
};

function marketOf({ venue: { state } }: Controls, product: string): Result<Market, Refusal> {
  const market = state.marketOf(product);
  if (market !== null) return ok(market);
  const known = state.markets.map(({ product: { id } }) => id).join(", ");
  return notFound("product", product, `the products are ${known}`);
}

const price = decimal("Price, in the quote asset.");
const quantity = decimal("Quantity, in the base asset.");

const productSchema = record("A product.", {
  product: productId("Its id."),
  lastPrice: decimal("Price of the last trade; before the first one, the middle of the book at the start."),
  traded: flag("Whether there was a trade."),
  bestBid: nullable(decimal("Best price of a buyer.")),
  bestAsk: nullable(decimal("Best price of a seller.")),
  priceIncrement: decimal("Prices are multiples of it."),
  quantityIncrement: decimal("Quantities are multiples of it."),
  halted: flag("Whether trading is halted."),
  enabled: flag("Whether clients may trade it."),
});

const exampleProduct = {
  product: "BTC-USD",
  lastPrice: "60000",
  traded: false,
  bestBid: "59995",
  bestAsk: "60005",
  priceIncrement: "0.01",
  quantityIncrement: "0.00000001",
  halted: false,
  enabled: true,
};

function productView({ product, book, tape, halted, apiEnabled }: Market) {
  const best = (side: Side): string | null => {
    const ticks = book.bestPrice(side);
    return ticks === null ? null : ticksText(product, ticks);
  };
  return {
    product: product.id,
    lastPrice: ticksText(product, tape.last),
    traded: tape.traded,
    bestBid: best("BUY"),
    bestAsk: best("SELL"),
    priceIncrement: ticksText(product, 1),
    quantityIncrement: lotsText(product, 1),
    halted,
    enabled: apiEnabled,
  };
}

const listProducts = controlRoute({
  method: "GET",
  path: "/products",
  operationId: "listProducts",
  verbs: [{ words: "product list" }],
  summary: "The products with their last and best prices, and whether they are halted or disabled.",
  answer: {
    schema: record("The products.", { products: list(productSchema) }),
    example: { products: [exampleProduct] },
  },
  run: ({ venue: { state } }) => success({ products: state.markets.map((market) => productView(market)) }),
});

const levelSchema = record("All that rests at a price.", {
  price,
  quantity: decimal("Sum of its orders and of the synthetic market's liquidity."),
  synthetic: decimal("The part of the synthetic market."),
  orders: list(
    record("An order of a client.", {
      order: text("Id of the order."),
      client: text("Name of the client."),
      quantity: decimal("What is left of it."),
    }),
    "The older first.",
  ),
});

const readBook = controlRoute({
  method: "GET",
  path: "/products/{product}/book",
  operationId: "readBook",
  verbs: [{ words: "product depth" }],
  summary: "The order book with the owners of its orders, the best prices first.",
  query: { limit: integer("At most so many prices of a side.", 1, 1000, 50) },
  answer: {
    schema: record("The book of a product.", {
      product: productSchema,
      bookSequence: count("Grows with every change of the book."),
      bids: list(levelSchema),
      asks: list(levelSchema),
    }),
    example: {
      product: exampleProduct,
      bookSequence: 1,
      bids: [{ price: "59995", quantity: "0.5", synthetic: "0.5", orders: [] }],
      asks: [{ price: "60005", quantity: "0.5", synthetic: "0.5", orders: [] }],
    },
  },
  refusals: [unknownProduct],
  run: (controls, { product = "" }, _body, { limit }) => {
    const market = marketOf(controls, product);
    if (!market.ok) return market;
    const levels = (side: Side) => levelsOf(controls, market.value, side, limit);
    return success({
      product: productView(market.value),
      bookSequence: market.value.bookSequence,
      bids: levels("BUY"),
      asks: levels("SELL"),
    });
  },
});

function levelsOf({ venue: { state }, ids }: Controls, { product, book }: Market, side: Side, depth: number) {
  const sums = book.depth(side, depth);
  const slots = book.slots(side);
  let slot = slots.next();
  return sums.map(({ price: ticks, quantity: sum }) => {
    let synthetic = "0";
    const orders = [];
    for (; slot.done !== true && book.price(slot.value) === ticks; slot = slots.next()) {
      const rest = lotsText(product, book.remaining(slot.value));
      if (book.owner(slot.value) === marketOwner) synthetic = rest;
      else
        orders.push({
          order: ids.order.idOf(book.order(slot.value)),
          client: state.client(book.owner(slot.value)).name,
          quantity: rest,
        });
    }
    return { price: ticksText(product, ticks), quantity: lotsText(product, sum), synthetic, orders };
  });
}

const listTrades = controlRoute({
  method: "GET",
  path: "/products/{product}/trades",
  operationId: "listTrades",
  verbs: [{ words: "product trades" }],
  summary:
    "The last 50 trades of a product, the newest first. `GET /trades/{trade}` tells who the two sides were.",
  answer: {
    schema: record("Trades.", {
      trades: list(
        record("A trade.", {
          trade: count("Its number."),
          at: time("Market time."),
          price,
          quantity,
          takerSide: oneOfText("Side of the order that came later.", ["BUY", "SELL"]),
        }),
      ),
    }),
    example: {
      trades: [
        { trade: 1, at: "2026-01-01T00:00:00.000Z", price: "60000", quantity: "0.1", takerSide: "BUY" },
      ],
    },
  },
  refusals: [unknownProduct],
  run: (controls, { product = "" }) => {
    const market = marketOf(controls, product);
    if (!market.ok) return market;
    const { product: traded, tape } = market.value;
    const trades = tape.recent.map(({ trade, at, price: ticks, quantity: lots, takerSide }) => ({
      trade,
      at: isoTime(at),
      ...amountsOf(traded, ticks, lots),
      takerSide,
    }));
    return success({ trades: trades.reverse() });
  },
});

export const amountsOf = (product: Product, ticks: number, lots: number) => ({
  price: ticksText(product, ticks),
  quantity: lotsText(product, lots),
});

const readCandles = controlRoute({
  method: "GET",
  path: "/products/{product}/candles",
  operationId: "readCandles",
  verbs: [{ words: "product candles" }],
  summary: "The newest candles of a product, the oldest of them first. Intervals without trades are absent.",
  query: {
    granularity: choice("Length of an interval; ONE_MINUTE when absent.", granularityNames),
    limit: integer("At most so many.", 1, 1000, 300),
  },
  answer: {
    schema: record("Candles.", { candles: list(component("Candle")) }),
    example: { candles: [] },
  },
  refusals: [unknownProduct],
  run: (controls, { product = "" }, _body, { granularity, limit }) => {
    const market = marketOf(controls, product);
    if (!market.ok) return market;
    const { product: traded, tape } = market.value;
    // as: one of the names, or none.
    const step = granularities[(granularity ?? "ONE_MINUTE") as Granularity];
    const joined = joinCandles(tape.minutes, step, 0, Number.POSITIVE_INFINITY);
    return success({ candles: joined.slice(-limit).map((candle) => candleView(traded, candle)) });
  },
});

export const marketViews = [listProducts, readBook, listTrades, readCandles] as const;
