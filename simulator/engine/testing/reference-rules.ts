/** Checks of a new order in the order of check-order.ts, on decimals as the client wrote them. */
import type { PlaceOrder } from "../../domain/command.ts";
import type { Settings } from "../../domain/settings.ts";
import { ceilAt, type Decimal, decimal, decimalsBeyond } from "./exact.ts";
import { isPassed } from "./reference-matching.ts";
import {
  type ReferenceClient,
  type ReferenceOutcome,
  type ReferenceProduct,
  type ReferenceRules,
  refuse,
} from "./reference-model.ts";

const NO_RULES: ReferenceRules = {
  enabled: true,
  minOrderSize: null,
  maxOrderSize: null,
  minQuoteValue: null,
  maxQuoteValue: null,
};

type Limit = string | null | undefined;

export function checkPlacement(
  client: ReferenceClient,
  product: ReferenceProduct,
  settings: Settings,
  openOrders: number,
  bestAsk: Decimal | null,
  command: PlaceOrder,
): ReferenceOutcome | null {
  const rules = client.rules.get(product.id) ?? NO_RULES;
  const isMarketBuy = command.type === "MARKET" && command.side === "BUY";
  if (!product.apiEnabled || !client.tradingEnabled || !rules.enabled) return refuse("PRODUCT_NOT_ENABLED");
  const { spec } = product;
  const size = isMarketBuy
    ? outside(
        command.quoteValue,
        [spec.exchangeQuoteMinSize, rules.minQuoteValue],
        [spec.exchangeQuoteMaxSize, rules.maxQuoteValue],
      )
    : outside(
        command.baseQuantity,
        [spec.exchangeMinSize, spec.minOrderSize, rules.minOrderSize],
        [spec.exchangeMaxSize, spec.maxOrderSize, rules.maxOrderSize],
      );
  if (size !== null) return refuse(size);
  if (product.halted) return refuse("EXCHANGE_REJECTED", "TRADING_HALTED");
  const increment = checkIncrements(product, isMarketBuy, command);
  if (increment !== null) return refuse("EXCHANGE_REJECTED", increment);
  if (command.type !== "MARKET") {
    const notional = decimal(command.baseQuantity ?? "0").times(command.price ?? "0");
    if (outside(notional.toFixed(), [spec.exchangeQuoteMinSize], [spec.exchangeQuoteMaxSize]) !== null) {
      return refuse("EXCHANGE_REJECTED", "QUOTE_SIZE_OUT_OF_RANGE");
    }
  }
  if (
    isMarketBuy &&
    bestAsk !== null &&
    buysNothing(client, product, decimal(command.quoteValue ?? "0"), bestAsk)
  ) {
    return refuse("EXCHANGE_REJECTED", "QUOTE_SIZE_OUT_OF_RANGE");
  }
  if (command.type === "STOP_LIMIT" && settings.stopOnCrossed === "reject") {
    const stop = decimal(command.stopPrice ?? "0");
    if (isPassed(command.side, stop, product.last))
      return refuse("EXCHANGE_REJECTED", "STOP_PRICE_WOULD_TRIGGER");
  }
  if (openOrders >= settings.maxOpenOrders) return refuse("EXCHANGE_REJECTED", "TOO_MANY_OPEN_ORDERS");
  return null;
}

/** Known at placement: the budget does not pay for one increment at the best ask. */
function buysNothing(
  client: ReferenceClient,
  product: ReferenceProduct,
  budget: Decimal,
  ask: Decimal,
): boolean {
  const { takerCommission, takerExchange } = client.rates;
  const value = ask.times(product.baseIncrement);
  const fees = ceilAt(value.times(takerCommission), product.feeScale).plus(
    ceilAt(value.times(takerExchange), product.feeScale),
  );
  return value.plus(fees).gt(budget);
}

function outside(text: string | null, lower: readonly Limit[], upper: readonly Limit[]): string | null {
  const value = decimal(text ?? "0");
  const given = (limits: readonly Limit[]): Decimal[] =>
    limits.flatMap((limit) => (limit === null || limit === undefined ? [] : [decimal(limit)]));
  if (given(lower).some((limit) => value.lt(limit))) return "ORDER_SIZE_BELOW_MINIMUM";
  if (given(upper).some((limit) => value.gt(limit))) return "ORDER_SIZE_ABOVE_MAXIMUM";
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
    return decimalsBeyond(command.quoteValue ?? "0", product.feeScale) ? "INVALID_SIZE_INCREMENT" : null;
  }
  if (isOff(command.baseQuantity, product.baseIncrement)) return "INVALID_SIZE_INCREMENT";
  if (command.type !== "MARKET" && isOff(command.price, product.priceIncrement))
    return "INVALID_PRICE_INCREMENT";
  if (command.type === "STOP_LIMIT" && isOff(command.stopPrice, product.priceIncrement))
    return "INVALID_PRICE_INCREMENT";
  return null;
}
