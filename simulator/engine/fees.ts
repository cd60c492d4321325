/**
 * Fees: rounded up, cumulatively per order and component (F-fee-rounding).
 *
 * After every fill the total owed is `ceil(sum of notional x rate)` at the quote asset's fee scale, and the fill is
 * charged the increase. The total therefore never depends on how an order was split into fills, and exceeds the exact
 * value by less than one unit of the fee scale per component. On a sell no fill is charged more than it brings
 * (F-sell-fee-cap), nor the order more than its proceeds; the rest of the fee is charged with the next fill. The
 * quote wallet of a seller holds nothing for fees: earlier proceeds may have been spent, so a fill of dust that crosses
 * a cent must not overdraw it.
 */
import {
  addUnits,
  ceilDiv,
  type Lots,
  minUnits,
  pow10,
  subUnits,
  type Ticks,
  ticksTimesLots,
  type Units,
  units,
} from "../domain/amount.ts";
import type { Asset, Product } from "../domain/market.ts";
import { type FeeRates, rateScale, type Side } from "../domain/order.ts";

export type LiquidityRole = "maker" | "taker";

/** The running sums of one order: of its record, or those that a plan carries forward without touching it. */
export interface FeeTally {
  readonly filledValue: Units;
  readonly commissionExact: bigint;
  readonly exchangeFeeExact: bigint;
  readonly commission: Units;
  readonly exchangeFee: Units;
}

export const noFees: FeeTally = {
  filledValue: units(0n),
  commissionExact: 0n,
  exchangeFeeExact: 0n,
  commission: units(0n),
  exchangeFee: units(0n),
};

/** Price times quantity, in units of the quote asset. */
export function notionalOf(product: Product, price: Ticks, quantity: Lots): Units {
  return units(ticksTimesLots(price, quantity) * product.unitsPerTickLot);
}

/** The tally after one more fill of `notional` quote units. */
export function addFill(
  tally: FeeTally,
  notional: Units,
  rates: FeeRates,
  liquidity: LiquidityRole,
  side: Side,
  quote: Asset,
): FeeTally {
  const taker = liquidity === "taker";
  const filledValue = units(tally.filledValue + notional);
  const commissionExact =
    tally.commissionExact + notional * (taker ? rates.takerCommission : rates.makerCommission);
  const exchangeFeeExact =
    tally.exchangeFeeExact + notional * (taker ? rates.takerExchange : rates.makerExchange);
  let commission = roundUp(commissionExact, quote);
  let exchangeFee = roundUp(exchangeFeeExact, quote);
  if (side === "SELL") {
    commission = minUnits(commission, addUnits(tally.commission, notional));
    const left = subUnits(addUnits(tally.commission, notional), commission);
    exchangeFee = minUnits(exchangeFee, addUnits(tally.exchangeFee, left));
  }
  return { filledValue, commissionExact, exchangeFeeExact, commission, exchangeFee };
}

/** A fee sum at ledger scale + rateScale, rounded up to whole fee units and back to ledger units. */
function roundUp(exact: bigint, quote: Asset): Units {
  if (exact === 0n) return units(0n);
  const feeUnit = pow10(quote.scale - quote.feeScale);
  return units(ceilDiv(exact, feeUnit * pow10(rateScale)) * feeUnit);
}

/**
 * The most that buying for `notional` can cost: each component at its dearer rate, rounded up on its own, so that no
 * mix of maker and taker fills can pass it (F-buy-hold). Rebates are not counted on.
 */
export function worstBuyCost(notional: Units, rates: FeeRates, quote: Asset): Units {
  const commission = dearer(rates.makerCommission, rates.takerCommission);
  const exchange = dearer(rates.makerExchange, rates.takerExchange);
  return units(notional + roundUp(notional * commission, quote) + roundUp(notional * exchange, quote));
}

/**
 * The most that an order can still cost after what `tally` holds, if the rest of it trades for `notional`. Fees
 * are rounded up on the sum of all fills, so the rest owes the rounded total minus what was charged.
 */
export function worstRestOfBuy(tally: FeeTally, notional: Units, rates: FeeRates, quote: Asset): Units {
  const commission = tally.commissionExact + notional * dearer(rates.makerCommission, rates.takerCommission);
  const exchange = tally.exchangeFeeExact + notional * dearer(rates.makerExchange, rates.takerExchange);
  const fees = roundUp(commission, quote) + roundUp(exchange, quote) - tally.commission - tally.exchangeFee;
  return units(notional + fees);
}

function dearer(a: bigint, b: bigint): bigint {
  const worst = a > b ? a : b;
  return worst > 0n ? worst : 0n;
}
