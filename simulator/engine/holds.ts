/** The hold of an order: the most that it can still cost, in quote units for a BUY and in base units for a SELL (F-buy-hold). */
import { noUnits, type Units, units } from "../domain/amount.ts";
import type { Product } from "../domain/market.ts";
import type { Order, OrderTerms } from "../domain/order.ts";
import { notionalOf, worstBuyCost, worstRestOfBuy } from "./fees.ts";
import { remainingLots, type VenueState } from "./state.ts";

interface HeldFor {
  readonly terms: Pick<Order["terms"], "product" | "side">;
}

/** Index of the asset that an order's hold is in. */
export function holdAsset(state: VenueState, { terms }: HeldFor): number {
  const { product } = state.market(terms.product);
  return terms.side === "BUY" ? product.quote.index : product.base.index;
}

/** The hold at acceptance; for a MARKET BUY its whole budget. */
export function holdFor(terms: OrderTerms, product: Product): Units {
  const { side, quantity, price, budget, rates } = terms;
  if (budget !== null) return budget;
  if (quantity === null) return noUnits;
  if (side === "SELL") return units(BigInt(quantity) * product.unitsPerLot);
  return price === null ? noUnits : worstBuyCost(notionalOf(product, price, quantity), rates, product.quote);
}

/** The most that the lots that remain can cost; a MARKET BUY, which has none, may spend its whole hold. */
export function stillCosts(state: VenueState, order: Order): Units {
  const { side, price, rates } = order.terms;
  const { product } = state.market(order.terms.product);
  const remaining = remainingLots(order);
  if (remaining === null) return order.hold;
  if (side === "SELL") return units(BigInt(remaining) * product.unitsPerLot);
  if (price === null) return noUnits;
  return worstRestOfBuy(order, notionalOf(product, price, remaining), rates, product.quote);
}

/** Sets the hold of an order, and that of its wallet with it. */
export function setHold(state: VenueState, order: Order, hold: bigint, at: number): void {
  state.ledger.hold(order.terms.client, holdAsset(state, order), units(hold - order.hold), at);
  order.hold = units(hold);
}
