/** Products, order book and candles. */
import { ok, type Result } from "../../domain/result.ts";
import type { Market, VenueState } from "../../engine/state.ts";
import { type Candle, joinCandles } from "../../engine/tape.ts";
import type { Shape } from "../../schema/fields.ts";
import { type Component, component } from "../../wire/components.ts";
import { type Granularity, granularities, granularityNames } from "../../wire/granularity.ts";
import { bookView, candleView, pairs, pairView, productGroups } from "../../wire/market-view.ts";
import { assets, bool, instant, integer, type QueryValues, required } from "../../wire/query-fields.ts";
import { list } from "../../wire/schema.ts";
import type { Refusal } from "../errors.ts";
import {
  type Call,
  type Reply,
  type Route,
  refuseProblems,
  route,
  success,
  unknownProduct,
} from "../route.ts";

const productQuery = {
  base: assets("Base asset symbol."),
  quote: assets("Quote asset symbol."),
  apiEnabled: bool("Only pairs that can (or cannot) be traded through this interface."),
};

const productRoute = <A>(
  path: string,
  operationId: string,
  summary: string,
  schema: Shape<readonly A[]>,
  view: (state: VenueState, query: QueryValues<typeof productQuery>) => readonly A[],
): Route<typeof productQuery, readonly A[]> => ({
  method: "GET",
  path,
  operationId,
  tag: "Products",
  summary,
  query: productQuery,
  answer: { schema },
  refusals: [],
  view: ({ query }, _outcome, state) => success(view(state, query)),
});

const readProduct = route({
  method: "GET",
  path: "/product/{product}",
  operationId: "readProduct",
  tag: "Products",
  summary: "Read one pair",
  answer: { schema: component("ProductPair") },
  refusals: ["PRODUCT_NOT_FOUND"],
  view: (call, _outcome, state) => {
    const market = marketOf(call, state);
    return market.ok ? success(pairView(state, market.value)) : market;
  },
});

function marketOf({ params }: Pick<Call, "params">, state: VenueState): Result<Market, Refusal> {
  const id = params["product"] ?? "";
  const market = state.marketOf(id);
  return market === null ? unknownProduct(id) : ok(market);
}

const bookQuery = { depth: integer("Price levels on each side.", 1, 100, 10) };

const orderBook = route({
  method: "GET",
  path: "/order-book/{product}",
  operationId: "readOrderBook",
  tag: "Order Book",
  summary: "Read the top of the order book",
  query: bookQuery,
  answer: { schema: component("OrderBook") },
  refusals: ["PRODUCT_NOT_FOUND"],
  view: (call, _outcome, state) => {
    const market = marketOf(call, state);
    return market.ok ? success(bookView(market.value, call.query.depth)) : market;
  },
});

const mostCandles = 350;
const defaultCandles = 300;

const candleQuery = {
  granularity: required("Length of an interval.", granularityNames),
  startTime: instant(
    "First interval starts at or after this time; 300 intervals before the end when absent.",
  ),
  endTime: instant("Last interval starts before this time; now when absent."),
  limit: integer("Keeps the newest intervals.", 1, mostCandles, mostCandles),
};

const candlesRoute = route({
  method: "GET",
  path: "/product/{product}/candles",
  operationId: "readCandles",
  tag: "Products",
  summary: "Read candles",
  description: "Ascending. Intervals without trades are absent; the current one is included and may change.",
  query: candleQuery,
  answer: { schema: list(component("Candle")) },
  refusals: ["PRODUCT_NOT_FOUND"],
  view: (call, _outcome, state) => {
    const market = marketOf(call, state);
    return market.ok ? candles(call, state.now, market.value) : market;
  },
});

function candles(
  { query, options }: Call<typeof candleQuery>,
  now: number,
  market: Market,
): Reply<readonly Component<"Candle">[]> {
  const step = granularities[query.granularity as Granularity];
  const end = query.endTime ?? now + 1;
  const start = query.startTime ?? end - defaultCandles * step;
  const first = Math.ceil(start / step) * step;
  const asked = Math.max(0, Math.ceil((end - first) / step));
  if (asked > mostCandles) {
    const issue = `spans ${asked} intervals up to endTime; at most ${mostCandles} can be asked for`;
    return refuseProblems("INVALID_QUERY", [{ field: "startTime", issue }]);
  }
  const joined = joinCandles(market.tape.minutes, step, first, end);
  const filled = options.fillCandleGaps ? fillGaps(joined, market.tape.minutes, step, first, end) : joined;
  return success(filled.slice(-query.limit).map((candle) => candleView(market.product, candle)));
}

/** F-candle-gaps: repeats the previous close with volume zero. There is none before the first trade. */
function fillGaps(
  joined: readonly Candle[],
  minutes: readonly Candle[],
  step: number,
  first: number,
  end: number,
): Candle[] {
  const known = new Map(joined.map((candle) => [candle.start, candle]));
  let close = minutes.findLast((minute) => minute.start < first)?.close;
  const filled: Candle[] = [];
  for (let start = first; start < end; start += step) {
    const candle = known.get(start);
    if (candle !== undefined) close = candle.close;
    if (close === undefined) continue;
    filled.push(candle ?? { start, open: close, high: close, low: close, close, volume: 0n });
  }
  return filled;
}

/** `/product/pairs` comes before `/product/{product}`, so it is never read as the product `pairs`. */
export const marketDataRoutes: readonly Route[] = [
  productRoute(
    "/product",
    "listProducts",
    "List products grouped by base asset",
    list(component("ProductGroup")),
    productGroups,
  ),
  productRoute("/product/pairs", "listPairs", "List pairs, ungrouped", list(component("ProductPair")), pairs),
  readProduct,
  candlesRoute,
  orderBook,
];
