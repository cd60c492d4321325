/** Fees, holds and the size of a MARKET BUY, written a second time and plainly. */
import { ceilAt, type Decimal, decimal, larger, smaller, zero } from "./exact.ts";
import {
  type ReferenceCharge,
  type ReferenceOrder,
  type ReferenceProduct,
  type ReferenceRates,
  remainingOf,
} from "./reference-model.ts";

/** Charges one fill to one order: cumulative, rounded up per component; a fill of a SELL never pays more than it brings. */
export function chargeFill(
  order: ReferenceOrder,
  price: Decimal,
  quantity: Decimal,
  isMaker: boolean,
): ReferenceCharge {
  const { rates, product } = order;
  const notional = price.times(quantity);
  order.filled = order.filled.plus(quantity);
  order.value = order.value.plus(notional);
  order.exactCommission = order.exactCommission.plus(
    notional.times(isMaker ? rates.makerCommission : rates.takerCommission),
  );
  order.exactExchangeFee = order.exactExchangeFee.plus(
    notional.times(isMaker ? rates.makerExchange : rates.takerExchange),
  );
  let commission = ceilAt(order.exactCommission, product.feeScale);
  let exchangeFee = ceilAt(order.exactExchangeFee, product.feeScale);
  if (order.side === "SELL") {
    commission = smaller(commission, order.commission.plus(notional));
    const left = notional.minus(commission.minus(order.commission));
    exchangeFee = smaller(exchangeFee, order.exchangeFee.plus(left));
  }
  const charge = {
    commission: commission.minus(order.commission),
    exchangeFee: exchangeFee.minus(order.exchangeFee),
  };
  order.commission = commission;
  order.exchangeFee = exchangeFee;
  return charge;
}

/** The most that buying for `notional` can cost: each component at its dearer rate, rounded up on its own. */
export function dearestCost(notional: Decimal, rates: ReferenceRates, product: ReferenceProduct): Decimal {
  const dearer = (maker: Decimal, taker: Decimal): Decimal => larger(zero, larger(maker, taker));
  const commission = notional.times(dearer(rates.makerCommission, rates.takerCommission));
  const exchangeFee = notional.times(dearer(rates.makerExchange, rates.takerExchange));
  return notional.plus(ceilAt(commission, product.feeScale)).plus(ceilAt(exchangeFee, product.feeScale));
}

/** The most that the part of an order which is neither filled nor taken away can cost after the fees charged so far. */
export function restCost(order: ReferenceOrder): Decimal {
  const { side, price, rates, product } = order;
  const rest = remainingOf(order);
  if (side === "SELL") return rest;
  const notional = rest.times(price ?? 0);
  const owed = (exact: Decimal, maker: Decimal, taker: Decimal): Decimal =>
    ceilAt(exact.plus(notional.times(larger(zero, larger(maker, taker)))), product.feeScale);
  return notional
    .plus(owed(order.exactCommission, rates.makerCommission, rates.takerCommission))
    .minus(order.commission)
    .plus(owed(order.exactExchangeFee, rates.makerExchange, rates.takerExchange))
    .minus(order.exchangeFee);
}

/** Quantity of a MARKET BUY at a price: the largest multiple of the increment that its budget pays for, fees included. */
export function affordable(order: ReferenceOrder, price: Decimal, available: Decimal): Decimal {
  const { product, rates, budget } = order;
  const { baseIncrement, feeScale } = product;
  const cost = (quantity: Decimal): Decimal => {
    const value = order.value.plus(price.times(quantity));
    return value
      .plus(ceilAt(value.times(rates.takerCommission), feeScale))
      .plus(ceilAt(value.times(rates.takerExchange), feeScale));
  };
  const fits = (steps: Decimal): boolean => cost(steps.times(baseIncrement)).lte(budget ?? 0);
  let low = decimal(0);
  let high = available.div(baseIncrement);
  if (fits(high)) return available;
  while (high.minus(low).gt(1)) {
    const middle = low.plus(high).div(2).floor();
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low.times(baseIncrement);
}
