/**
 * PlaceOrder: the ladder of checks in `CHECK_ORDER`, one early return each, then acceptance.
 *
 * Nothing is decided here about matching: with a match delay of zero the accepted order goes through the market in the
 * same command (settle.ts), else the agenda brings it back. Either way the answer is the order as accepted, unfilled.
 */

import type { Client } from "../domain/account.ts";
import { type Lots, lots, NO_UNITS, type Ticks, ticks, type Units, units } from "../domain/amount.ts";
import type { PlaceOrder } from "../domain/command.ts";
import {
  type DecimalText,
  formatScaled,
  fractionDigits,
  onGrid,
  scaleDecimal,
  scaleToNumber,
} from "../domain/decimal-text.ts";
import type { Event, OrderAccepted } from "../domain/event.ts";
import type { OrderFault } from "../domain/fault.ts";
import type { Product } from "../domain/market.ts";
import type { OrderTerms } from "../domain/order.ts";
import type { ExchangeFacts, ExchangeReason, Rejection } from "../domain/rejection.ts";
import type { Decision, Stamp } from "./decision.ts";
import { addFill, NO_FEES, worstBuyCost } from "./fees.ts";
import { canAfford, costOf, notionalOf } from "./market-buy-sizing.ts";
import { differingParameters } from "./replay.ts";
import { matchOrder, openOrder, stopPassed } from "./settle.ts";
import { checkBaseSize, checkEstimatedSize, checkQuoteSize, outsideQuoteLimits } from "./size-limits.ts";
import type { Market, VenueState } from "./state.ts";

export function decidePlaceOrder(state: VenueState, stamp: Stamp, command: PlaceOrder): Decision {
  const client = state.client(command.client);
  const earlier = client.orderIds.get(command.clientOrderId.toLowerCase());
  if (earlier !== undefined) {
    const differs = differingParameters(state, state.order(earlier), command);
    return { outcome: { kind: "replayed", order: earlier, differs }, events: [] };
  }
  const fault = command.fault;
  if (fault?.kind === "clientNotFound")
    return failure("CLIENT_NOT_FOUND", "No client stands behind this API key");

  const market = state.marketOf(command.product);
  if (market === null)
    return refuse({
      code: "PRODUCT_NOT_FOUND",
      message: `Unknown product ${command.product}`,
      product: command.product,
    });
  const disabled = checkEnabled(client, market);
  if (disabled !== null) return refuse(disabled);
  const size =
    checkBaseSize(client, market.product, command) ??
    checkQuoteSize(client, market.product, command) ??
    checkEstimatedSize(state, market, command);
  if (size !== null) return refuse(size);

  if (fault?.kind === "rejectByExchange")
    return refuse(exchange(fault.reason, `The exchange rejected the order: ${fault.reason}`));
  if (market.halted)
    return refuse(
      exchange("TRADING_HALTED", `Trading in ${market.product.id} is halted; cancelling stays possible`),
    );
  const read = readTerms(stamp, command, client, market.product);
  if (!("terms" in read)) return refuse(read);
  const refused =
    checkMarketState(state, market, client, read.terms) ?? checkFunds(state, market.product, client, read);
  if (refused !== null) return refuse(refused);
  return accept(state, stamp, market, read, fault);
}

/** Terms in whole ticks and lots, with the hold they need. */
interface Priced {
  readonly terms: OrderTerms;
  readonly hold: Units;
}

const refuse = (rejection: Rejection): Decision => ({ outcome: { kind: "rejected", rejection }, events: [] });

const failure = (
  type: "EXTERNAL_EXECUTION_FAILED" | "INTERNAL_EXECUTION_FAILED" | "CLIENT_NOT_FOUND",
  message: string,
  events: readonly Event[] = [],
  isUnknown = false,
): Decision => ({ outcome: { kind: "failed", type, message, isUnknown }, events });

const exchange = (reason: ExchangeReason, message: string, facts: ExchangeFacts = {}): Rejection => ({
  code: "EXCHANGE_REJECTED",
  message,
  reason,
  ...facts,
});

function checkEnabled(client: Client, market: Market): Rejection | null {
  const { id, index } = market.product;
  const refusal = (message: string): Rejection => ({ code: "PRODUCT_NOT_ENABLED", message, product: id });
  if (!client.tradingEnabled) return refusal("Trading is not enabled for this account");
  if (!market.apiEnabled) return refusal(`Product ${id} is not enabled for trading through the API`);
  if (client.rules.get(index)?.enabled === false)
    return refusal(`Product ${id} is not enabled for this account`);
  return null;
}

function readTerms(stamp: Stamp, command: PlaceOrder, client: Client, product: Product): Priced | Rejection {
  const quantity = readQuantity(command, product);
  if (quantity !== null && typeof quantity === "object") return quantity;
  const price = readPrice("price", command.type === "MARKET" ? null : command.price, product);
  if (price !== null && typeof price === "object") return price;
  const stopPrice = readPrice(
    "stop_price",
    command.type === "STOP_LIMIT" ? command.stopPrice : null,
    product,
  );
  if (stopPrice !== null && typeof stopPrice === "object") return stopPrice;
  const budget = readBudget(command, product);
  if (budget !== null && typeof budget === "object") return budget;

  const terms: OrderTerms = {
    number: stamp.seq,
    client: command.client,
    product: product.index,
    clientOrderId: command.clientOrderId,
    side: command.side,
    type: command.type,
    quantity,
    price,
    stopPrice,
    budget,
    rates: client.rates,
    createdAt: stamp.at,
  };
  return { terms, hold: holdFor(terms, product) };
}

function readQuantity(command: PlaceOrder, product: Product): Lots | null | Rejection {
  if (command.baseQuantity === null || (command.type === "MARKET" && command.side === "BUY")) return null;
  const quantity = onGrid(command.baseQuantity, product.lotScale, product.lotUnit);
  if (quantity !== null) return lots(quantity);
  const text = command.baseQuantity as DecimalText;
  if (isBeyond(text, product.lotScale))
    return tooLarge("base_quantity", text, product.lotUnit, product.lotScale, product.base.symbol);
  const increment = formatScaled(product.lotUnit, product.lotScale);
  const message = `base_quantity must be a whole multiple of ${increment} ${product.base.symbol}, was ${command.baseQuantity}`;
  return exchange("INVALID_SIZE_INCREMENT", message, { field: "base_quantity", expected: increment });
}

function readPrice(
  field: "price" | "stop_price",
  text: string | null,
  product: Product,
): Ticks | null | Rejection {
  if (text === null) return null;
  const price = onGrid(text, product.priceScale, product.tickUnit);
  if (price !== null) return ticks(price);
  const increment = formatScaled(product.tickUnit, product.priceScale);
  if (isBeyond(text as DecimalText, product.priceScale))
    return tooLarge(field, text, product.tickUnit, product.priceScale, product.quote.symbol);
  const message = `${field} must be a whole multiple of ${increment} ${product.quote.symbol}, was ${text}`;
  return exchange("INVALID_PRICE_INCREMENT", message, { field, expected: increment });
}

/** F-amount-range: on its grid perhaps, and no safe integer of its steps. */
const isBeyond = (text: DecimalText, scale: number): boolean =>
  fractionDigits(text) <= scale && scaleToNumber(text, scale) === null;

function tooLarge(field: string, value: string, unit: number, scale: number, asset: string): Rejection {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  const limit = formatScaled(largest - (largest % BigInt(unit)), scale);
  const message = `${field} ${value} is above ${limit}, the largest that this exchange can hold for the product`;
  return exchange("AMOUNT_TOO_LARGE", message, { field, value, limit, asset });
}

function readBudget(command: PlaceOrder, product: Product): Units | null | Rejection {
  if (command.type !== "MARKET" || command.side !== "BUY" || command.quoteValue === null) return null;
  const text = command.quoteValue as DecimalText;
  const { precision, scale, symbol } = product.quote;
  if (fractionDigits(text) <= precision) return units(scaleDecimal(text, scale));
  const increment = formatScaled(1, precision);
  const message = `quote_value must be a whole multiple of ${increment} ${symbol}, was ${text}`;
  return exchange("INVALID_SIZE_INCREMENT", message, { field: "quote_value", expected: increment });
}

/** F-buy-hold: what acceptance sets aside, in quote units for a BUY and base units for a SELL. */
function holdFor(terms: OrderTerms, product: Product): Units {
  const { side, quantity, price, budget, rates } = terms;
  if (budget !== null) return budget;
  if (quantity === null) return units(0n);
  if (side === "SELL") return units(BigInt(quantity) * product.unitsPerLot);
  return price === null
    ? units(0n)
    : worstBuyCost(notionalOf(product, price, quantity), rates, product.quote);
}

function checkMarketState(
  state: VenueState,
  market: Market,
  client: Client,
  terms: OrderTerms,
): Rejection | null {
  return (
    checkValue(client, market.product, terms) ??
    checkBudget(market, terms) ??
    checkStop(state, market, terms) ??
    checkOpenOrders(state, client, terms)
  );
}

/** The value of a priced order lies within the limits of quote values, of the exchange and of the client. */
function checkValue(client: Client, product: Product, terms: OrderTerms): Rejection | null {
  if (terms.price === null || terms.quantity === null) return null;
  const outside = outsideQuoteLimits(client, product, notionalOf(product, terms.price, terms.quantity));
  if (outside === null) return null;
  const { which, source, ...amounts } = outside;
  const than = which === "minimum" ? "below" : "above";
  const whose = source === "CLIENT" ? "this account" : product.id;
  const message = `Order value ${amounts.value} ${amounts.asset} is ${than} the ${which} of ${amounts.limit} ${amounts.asset} for ${whose}`;
  if (source !== "CLIENT")
    return exchange("QUOTE_SIZE_OUT_OF_RANGE", message, { field: "base_quantity", ...amounts });
  const code = which === "minimum" ? "ORDER_SIZE_BELOW_MINIMUM" : "ORDER_SIZE_ABOVE_MAXIMUM";
  const { limit, asset } = amounts;
  return { code, message, field: "base_quantity", limit, asset, source };
}

function checkBudget(market: Market, terms: OrderTerms): Rejection | null {
  const ask = market.book.bestPrice("SELL");
  if (terms.budget === null || ask === null) return null;
  if (canAfford(market.product, terms.rates, NO_FEES, terms.budget, ask, lots(1))) return null;
  const { product } = market;
  const { scale, symbol } = product.quote;
  const one = addFill(NO_FEES, notionalOf(product, ask, lots(1)), terms.rates, "taker", "BUY", product.quote);
  const [value, limit] = [formatScaled(terms.budget, scale), formatScaled(costOf(one), scale)];
  const message =
    `quote_value ${value} ${symbol}, fees included, buys less than one increment of ` +
    `${formatScaled(product.lotUnit, product.lotScale)} ${product.base.symbol}, which costs ${limit} ${symbol} at the best ask`;
  return exchange("QUOTE_SIZE_OUT_OF_RANGE", message, { field: "quote_value", value, limit, asset: symbol });
}

function checkStop(state: VenueState, market: Market, terms: OrderTerms): Rejection | null {
  if (terms.stopPrice === null || state.settings.stopOnCrossed === "trigger") return null;
  if (!stopPassed(market, terms.side, terms.stopPrice)) return null;
  const { product, tape } = market;
  const show = (price: number): string =>
    formatScaled(BigInt(price) * BigInt(product.tickUnit), product.priceScale);
  const where = terms.side === "BUY" ? "above" : "below";
  const last = tape.traded
    ? `the last price ${show(tape.last)}`
    : `${show(tape.last)}, the reference price before the first trade`;
  const message = `stop_price ${show(terms.stopPrice)} must be ${where} ${last}: it would trigger at once`;
  return exchange("STOP_PRICE_WOULD_TRIGGER", message, {
    field: "stop_price",
    value: show(terms.stopPrice),
    limit: show(tape.last),
    asset: product.quote.symbol,
  });
}

/** A MARKET order never rests, so there is always room for it. */
function checkOpenOrders(state: VenueState, client: Client, { type }: OrderTerms): Rejection | null {
  const limit = state.settings.maxOpenOrders;
  const open = client.openOrders.size;
  if (open < limit || type === "MARKET") return null;
  const message = `The account has ${open} open orders; the limit is ${limit}. Cancel some first`;
  return exchange("TOO_MANY_OPEN_ORDERS", message, { value: String(open), limit: String(limit) });
}

function checkFunds(state: VenueState, product: Product, client: Client, priced: Priced): Rejection | null {
  const asset = priced.terms.side === "BUY" ? product.quote : product.base;
  const available = state.ledger.available(client.index, asset.index);
  if (priced.hold <= available) return null;
  const [needed, left] = [formatScaled(priced.hold, asset.scale), formatScaled(available, asset.scale)];
  const message = `Insufficient funds: the order needs ${needed} ${asset.symbol} and ${left} is available`;
  return exchange("INSUFFICIENT_FUNDS", message, {
    needed,
    available: left,
    asset: asset.symbol,
  });
}

function accept(
  state: VenueState,
  stamp: Stamp,
  market: Market,
  priced: Priced,
  fault: OrderFault | null,
): Decision {
  const event = acceptance(state, stamp, priced, fault);
  if (fault?.kind === "externalFailure") {
    const message =
      fault.outcome === "certain"
        ? "The exchange could not be reached: the order was not executed"
        : "The exchange did not answer: the outcome is unknown. Read the order, or repeat with the same client_order_id";
    return failure("EXTERNAL_EXECUTION_FAILED", message, [event], fault.outcome === "unknown");
  }
  if (fault?.kind === "internalFailure") {
    return failure("INTERNAL_EXECUTION_FAILED", "The gateway failed while executing the order", [event]);
  }
  const order = openOrder(event, stamp.at);
  const matches = event.status === "OPEN" && event.due === null;
  const rest = matches ? matchOrder(state, market, order) : [];
  return { outcome: { kind: "accepted", order }, events: [event, ...rest] };
}

function acceptance(
  state: VenueState,
  stamp: Stamp,
  priced: Priced,
  fault: OrderFault | null,
): OrderAccepted {
  const { matchDelayMs, acceptance: mode, confirmDelayMs } = state.settings;
  const { at } = stamp;
  if (fault?.kind === "externalFailure" && fault.outcome === "unknown") {
    const action = fault.resolvesTo === "OPEN" ? "ConfirmOrder" : "FailOrder";
    return accepted(priced, "PENDING", { at: at + fault.afterMs, action });
  }
  if (fault?.kind === "externalFailure") return failed(priced, "The exchange could not be reached");
  if (fault?.kind === "internalFailure") return failed(priced, "Internal execution failure");
  if (fault?.kind === "stuckPending") return accepted(priced, "PENDING", null);
  const willSync = fault?.kind !== "neverSync";
  if (mode === "async")
    return accepted(priced, "PENDING", { at: at + confirmDelayMs, action: "ConfirmOrder" }, willSync);
  const due = matchDelayMs === 0 ? null : ({ at: at + matchDelayMs, action: "MatchOrder" } as const);
  return accepted(priced, "OPEN", due, willSync);
}

// Written out, not spread from a common part: this runs for every order, and spreading costs more than the rest of it.
function accepted(
  { terms, hold }: Priced,
  status: "OPEN" | "PENDING",
  due: OrderAccepted["due"],
  willSync = true,
): OrderAccepted {
  return { kind: "OrderAccepted", terms, status, hold, reason: null, due, willSync };
}

function failed({ terms }: Priced, reason: string): OrderAccepted {
  return {
    kind: "OrderAccepted",
    terms,
    status: "FAILED",
    hold: NO_UNITS,
    reason,
    due: null,
    willSync: true,
  };
}
