/**
 * The Order record on the wire (ORD-01..37): exactly the specification's fields, always all of them, null where nothing
 * applies. `totalUserRecieveAmount` is spelled as the specification spells it.
 */
import { halfUpDiv, pow10, ticksTimesLots } from "../domain/amount.ts";
import { formatScaled } from "../domain/decimal-text.ts";
import type { Product } from "../domain/market.ts";
import type { Order } from "../domain/order.ts";
import { lotsText, ticksText } from "../domain/steps.ts";
import type { VenueState } from "../engine/state.ts";
import type { Component } from "./components.ts";
import { isoTime } from "./envelope.ts";
import type { Identities } from "./identities.ts";

export type OrderRecord = Component<"Order">;

export const orderJson = (state: VenueState, ids: Identities, order: Order): string =>
  JSON.stringify(orderRecord(state, ids, order));

export function orderRecord(state: VenueState, ids: Identities, order: Order): OrderRecord {
  const { terms } = order;
  const { product } = state.market(terms.product);
  const money = (value: bigint): string => formatScaled(value, product.quote.scale);
  const ticks = (count: number | null): string | null => (count === null ? null : ticksText(product, count));
  const fees = order.commission + order.exchangeFee;
  return {
    id: ids.order.idOf(terms.number),
    createdAt: isoTime(terms.createdAt),
    updatedAt: isoTime(order.updatedAt),
    externalId: order.accepted ? ids.external.idOf(terms.number) : null,
    userId: ids.clientId(terms.client),
    portfolioId: ids.portfolioId(terms.client),
    productId: product.id,
    side: terms.side,
    clientOrderId: terms.clientOrderId,
    type: terms.type,
    baseQuantity: terms.quantity === null ? null : lotsText(product, terms.quantity),
    quoteValue: quoteValue(order, product),
    limitPrice: ticks(terms.price),
    startTime: null,
    expiryTime: null,
    status: order.status,
    timeInForce: terms.type === "MARKET" ? "IMMEDIATE_OR_CANCEL" : "GOOD_UNTIL_CANCELLED",
    filledQuantity: lotsText(product, order.filled),
    filledValue: money(order.filledValue),
    averageFilledPrice: average(order, product, 0n),
    commission: money(order.commission),
    exchangeFee: money(order.exchangeFee),
    historicalPov: null,
    stopPrice: ticks(terms.stopPrice),
    netAverageFilledPrice: average(order, product, fees),
    userContext: order.reason ?? reduction(order, product),
    clientProductId: product.id,
    postOnly: false,
    orderEditHistory: [],
    isRaiseExact: false,
    displaySize: null,
    editHistory: [],
    displayQuoteSize: null,
    displayBaseSize: null,
    synced: order.synced,
    fees: money(fees),
    totalUserRecieveAmount: received(order, product, fees),
  };
}

/** The quantity that self-trade prevention took from an order that stays open (F-self-trade, mode `decrement`). */
const reduction = ({ removed }: Order, product: Product): string | null =>
  removed === 0
    ? null
    : `Self-trade prevention took ${lotsText(product, removed)} ${product.base.symbol} away`;

/** LIMIT and STOP_LIMIT: quantity x price, exact. MARKET BUY: the amount to spend. MARKET SELL: null (F-quote-value-by-type). */
function quoteValue({ terms }: Order, product: Product): string | null {
  if (terms.budget !== null) return formatScaled(terms.budget, product.quote.scale);
  if (terms.price === null || terms.quantity === null) return null;
  const exact = ticksTimesLots(terms.price, terms.quantity) * product.unitsPerTickLot;
  return formatScaled(exact, product.quote.scale);
}

/** The amount that the client receives: base for a BUY, quote less fees for a SELL (ORD-56). */
function received(order: Order, product: Product, fees: bigint): string {
  if (order.terms.side === "BUY") return lotsText(product, order.filled);
  return formatScaled(order.filledValue - fees, product.quote.scale);
}

/** Value per base unit, half up; `fees` make it net: dearer for a BUY, cheaper for a SELL. Never summed again. */
function average(order: Order, product: Product, fees: bigint): string | null {
  if (order.filled === 0) return null;
  const scale = Math.max(8, product.priceScale + 4);
  const value = order.terms.side === "BUY" ? order.filledValue + fees : order.filledValue - fees;
  const quantity = BigInt(order.filled) * BigInt(product.lotUnit);
  const shift = scale + product.lotScale - product.quote.scale;
  const numerator = shift >= 0 ? value * pow10(shift) : value;
  const denominator = shift >= 0 ? quantity : quantity * pow10(-shift);
  return formatScaled(halfUpDiv(numerator, denominator), scale);
}
