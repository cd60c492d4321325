/** Checks of a new order in the order of docs/simulator.md, on decimals as the client wrote them. */
import type { PlaceOrder } from "../../domain/command.ts";
import type { Settings } from "../../domain/settings.ts";
import { ceilAt, type Decimal, decimal, decimalsBeyond } from "./exact.ts";
import { isPassed } from "./reference-matching.ts";
import {
  given,
  largestSizes,
  type ReferenceClient,
  type ReferenceOutcome,
  type ReferenceProduct,
  refuse,
  rulesOf,
} from "./reference-model.ts";

type Limit = string | null | undefined;

export function checkPlacement(
  client: ReferenceClient,
  product: ReferenceProduct,
  settings: Settings,
  openOrders: number,
  bestAsk: Decimal | null,
  command: PlaceOrder,
): ReferenceOutcome | null {
  const rules = rulesOf(client, product);
  const isMarketBuy = command.type === "MARKET" && command.side === "BUY";
  const budget = decimal(command.quoteValue ?? "0");
  if (!product.apiEnabled || !client.tradingEnabled || !rules.enabled) return refuse("PRODUCT_NOT_ENABLED");
  const { spec } = product;
  const sizes = {
    lower: given([spec.exchangeMinSize, spec.minOrderSize, rules.minOrderSize]),
    upper: largestSizes(client, product),
  };
  const size = isMarketBuy
    ? outside(
        command.quoteValue,
        given([spec.exchangeQuoteMinSize, rules.minQuoteValue]),
        given([spec.exchangeQuoteMaxSize, rules.maxQuoteValue]),
      )
    : outside(command.baseQuantity, sizes.lower, sizes.upper);
  if (size !== null) return refuse(size);
  if (isMarketBuy && settings.marketBuySizeCheck === "estimate" && bestAsk !== null) {
    const costs = (quantity: Decimal): Decimal => takerCost(client, product, bestAsk.times(quantity));
    if (sizes.lower.some((limit) => costs(limit).gt(budget))) return refuse("ORDER_SIZE_BELOW_MINIMUM");
    if (sizes.upper.some((limit) => costs(limit.plus(product.baseIncrement)).lte(budget)))
      return refuse("ORDER_SIZE_ABOVE_MAXIMUM");
  }
  if (product.halted) return refuse("EXCHANGE_REJECTED", "TRADING_HALTED");
  const increment = checkIncrements(product, isMarketBuy, command);
  if (increment !== null) return refuse("EXCHANGE_REJECTED", increment);
  const notional = command.type === "MARKET" ? null : checkNotional(client, product, command);
  if (notional !== null) return notional;
  if (isMarketBuy && bestAsk !== null && buysNothing(client, product, budget, bestAsk))
    return refuse("EXCHANGE_REJECTED", "QUOTE_SIZE_OUT_OF_RANGE");
  if (command.type === "STOP_LIMIT" && settings.stopOnCrossed === "reject") {
    const stop = decimal(command.stopPrice ?? "0");
    if (isPassed(command.side, stop, product.last))
      return refuse("EXCHANGE_REJECTED", "STOP_PRICE_WOULD_TRIGGER");
  }
  if (command.type !== "MARKET" && openOrders >= settings.maxOpenOrders)
    return refuse("EXCHANGE_REJECTED", "TOO_MANY_OPEN_ORDERS");
  return null;
}

/** Of two limits that are passed, the tighter one is named, and of two that are equal the client's own. */
function checkNotional(
  client: ReferenceClient,
  product: ReferenceProduct,
  command: PlaceOrder,
): ReferenceOutcome | null {
  const rules = rulesOf(client, product);
  const { spec } = product;
  const notional = decimal(command.baseQuantity ?? "0").times(command.price ?? "0");
  const outsideOf = (min: Limit, max: Limit): string | null =>
    outside(notional.toFixed(), given([min]), given([max]));
  const ofClient = outsideOf(rules.minQuoteValue, rules.maxQuoteValue);
  const ofExchange = outsideOf(spec.exchangeQuoteMinSize, spec.exchangeQuoteMaxSize);
  const low = decimal(rules.minQuoteValue ?? "0").gte(spec.exchangeQuoteMinSize ?? "0");
  const high = decimal(rules.maxQuoteValue ?? "0").lte(spec.exchangeQuoteMaxSize ?? "0");
  const isTighter = ofClient === "ORDER_SIZE_BELOW_MINIMUM" ? low : high;
  if (ofClient !== null && (ofExchange === null || isTighter)) return refuse(ofClient);
  if (ofExchange !== null) return refuse("EXCHANGE_REJECTED", "QUOTE_SIZE_OUT_OF_RANGE");
  return null;
}

/** Known at placement: the budget does not pay for one increment at the best ask. */
const buysNothing = (
  client: ReferenceClient,
  product: ReferenceProduct,
  budget: Decimal,
  ask: Decimal,
): boolean => takerCost(client, product, ask.times(product.baseIncrement)).gt(budget);

/** The price of a notional for a taker without fills. */
function takerCost({ rates }: ReferenceClient, { feeScale }: ReferenceProduct, value: Decimal): Decimal {
  const { takerCommission, takerExchange } = rates;
  return value
    .plus(ceilAt(value.times(takerCommission), feeScale))
    .plus(ceilAt(value.times(takerExchange), feeScale));
}

function outside(text: string | null, lower: readonly Decimal[], upper: readonly Decimal[]): string | null {
  const value = decimal(text ?? "0");
  if (lower.some((limit) => value.lt(limit))) return "ORDER_SIZE_BELOW_MINIMUM";
  if (upper.some((limit) => value.gt(limit))) return "ORDER_SIZE_ABOVE_MAXIMUM";
  return null;
}

function checkIncrements(
  product: ReferenceProduct,
  isMarketBuy: boolean,
  command: PlaceOrder,
): string | null {
  const isOff = (text: string | null, increment: Decimal): boolean =>
    !decimal(text ?? "0")
      .mod(increment)
      .isZero();
  if (isMarketBuy) {
    return decimalsBeyond(command.quoteValue ?? "0", product.quotePrecision)
      ? "INVALID_SIZE_INCREMENT"
      : null;
  }
  if (isOff(command.baseQuantity, product.baseIncrement)) return "INVALID_SIZE_INCREMENT";
  if (command.type !== "MARKET" && isOff(command.price, product.priceIncrement))
    return "INVALID_PRICE_INCREMENT";
  if (command.type === "STOP_LIMIT" && isOff(command.stopPrice, product.priceIncrement))
    return "INVALID_PRICE_INCREMENT";
  return null;
}
