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
import { isoTime } from "./envelope.ts";
import type { Identities } from "./identities.ts";

/** JSON text of one order. Every value is made of characters that JSON writes as they are, but for the reason. */
export function orderJson(state: VenueState, ids: Identities, order: Order): string {
  const { terms } = order;
  const { product } = state.market(terms.product);
  const lots = (count: number | null): string => (count === null ? "null" : quoted(lotsText(product, count)));
  const ticks = (count: number | null): string =>
    count === null ? "null" : quoted(ticksText(product, count));
  const fills = order.filled === 0 ? unfilled : fillsOf(order, product);
  const external = order.accepted ? quoted(ids.external.idOf(terms.number)) : "null";
  const context = JSON.stringify(order.reason ?? reduction(order, product));
  const timeInForce = terms.type === "MARKET" ? "IMMEDIATE_OR_CANCEL" : "GOOD_UNTIL_CANCELLED";
  return (
    `{"id":"${ids.order.idOf(terms.number)}","createdAt":"${isoTime(terms.createdAt)}",` +
    `"updatedAt":"${isoTime(order.updatedAt)}","externalId":${external},"userId":"${ids.clientId(terms.client)}",` +
    `"portfolioId":"${ids.portfolioId(terms.client)}","productId":"${product.id}","side":"${terms.side}",` +
    `"clientOrderId":"${terms.clientOrderId}","type":"${terms.type}","baseQuantity":${lots(terms.quantity)},` +
    `"quoteValue":${quoteValue(order, product)},"limitPrice":${ticks(terms.price)},"startTime":null,"expiryTime":null,` +
    `"status":"${order.status}","timeInForce":"${timeInForce}",${fills.sums},"historicalPov":null,` +
    `"stopPrice":${ticks(terms.stopPrice)},"netAverageFilledPrice":${fills.netAverage},` +
    `"userContext":${context},"clientProductId":"${product.id}","postOnly":false,"orderEditHistory":[],` +
    `"isRaiseExact":false,"displaySize":null,"editHistory":[],"displayQuoteSize":null,"displayBaseSize":null,` +
    `"synced":${order.synced},${fills.totals}}`
  );
}

/** The quantity that self-trade prevention took from an order that stays open (F-self-trade, mode `decrement`). */
const reduction = ({ removed }: Order, product: Product): string | null =>
  removed === 0
    ? null
    : `Self-trade prevention took ${lotsText(product, removed)} ${product.base.symbol} away`;

/** The members that only fills change, as JSON text; adjacent members are one piece. */
interface FillsText {
  readonly sums: string;
  readonly netAverage: string;
  readonly totals: string;
}

/** Most orders that are shown have just been placed. */
const unfilled: FillsText = {
  sums: '"filledQuantity":"0","filledValue":"0","averageFilledPrice":null,"commission":"0","exchangeFee":"0"',
  netAverage: "null",
  totals: '"fees":"0","totalUserRecieveAmount":"0"',
};

function fillsOf(order: Order, product: Product): FillsText {
  const money = (value: bigint): string => formatScaled(value, product.quote.scale);
  const fees = order.commission + order.exchangeFee;
  return {
    sums:
      `"filledQuantity":"${lotsText(product, order.filled)}","filledValue":"${money(order.filledValue)}",` +
      `"averageFilledPrice":${average(order, product, 0n)},"commission":"${money(order.commission)}",` +
      `"exchangeFee":"${money(order.exchangeFee)}"`,
    netAverage: average(order, product, fees),
    totals: `"fees":"${money(fees)}","totalUserRecieveAmount":"${received(order, product, fees)}"`,
  };
}

const quoted = (text: string): string => `"${text}"`;

/** LIMIT and STOP_LIMIT: quantity x price, exact. MARKET BUY: the amount to spend. MARKET SELL: null (F-quote-value-by-type). */
function quoteValue({ terms }: Order, product: Product): string {
  if (terms.budget !== null) return quoted(formatScaled(terms.budget, product.quote.scale));
  if (terms.price === null || terms.quantity === null) return "null";
  const exact = ticksTimesLots(terms.price, terms.quantity) * product.unitsPerTickLot;
  return quoted(formatScaled(exact, product.quote.scale));
}

/** The amount that the client receives: base for a BUY, quote less fees for a SELL (ORD-56). */
function received(order: Order, product: Product, fees: bigint): string {
  if (order.terms.side === "BUY") return lotsText(product, order.filled);
  return formatScaled(order.filledValue - fees, product.quote.scale);
}

/** Value per base unit, half up; `fees` make it net: dearer for a BUY, cheaper for a SELL. Never summed again. */
function average(order: Order, product: Product, fees: bigint): string {
  const scale = Math.max(8, product.priceScale + 4);
  const value = order.terms.side === "BUY" ? order.filledValue + fees : order.filledValue - fees;
  const quantity = BigInt(order.filled) * BigInt(product.lotUnit);
  const shift = scale + product.lotScale - product.quote.scale;
  const numerator = shift >= 0 ? value * pow10(shift) : value;
  const denominator = shift >= 0 ? quantity : quantity * pow10(-shift);
  return quoted(formatScaled(halfUpDiv(numerator, denominator), scale));
}
