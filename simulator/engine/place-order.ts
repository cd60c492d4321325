/**
 * PlaceOrder: an earlier order of that id is the answer; else the first of the checks that fails, in the order of
 * `documentedOrderChecks`; else acceptance.
 *
 * With a match delay of zero, the order then goes through the market in the same command (stops.ts, match-order.ts), else the agenda
 * brings it back as `MatchOrder`. Either way the answer is the order as accepted, unfilled.
 */
import type { Client } from "../domain/account.ts";
import { noUnits } from "../domain/amount.ts";
import type { PlaceOrder } from "../domain/command.ts";
import { formatScaled } from "../domain/decimal-text.ts";
import type { Event } from "../domain/event.ts";
import { canFollow, type OrderFault } from "../domain/fault.ts";
import type { Product } from "../domain/market.ts";
import { didYouMean } from "../domain/nearest-name.ts";
import type { OrderTerms } from "../domain/order.ts";
import type { Rejection } from "../domain/rejection.ts";
import { beginCourse } from "./course.ts";
import { type Decision, refusedByExchange, rejected, type Stamp } from "./decision.ts";
import { checkBudget, checkEstimatedSize } from "./market-buy.ts";
import { openOrder } from "./match-order.ts";
import { type Priced, readTerms } from "./order-terms.ts";
import { repeated } from "./repeat.ts";
import { checkBaseSize, checkQuoteSize, checkValue } from "./size-limits.ts";
import type { Market, VenueState } from "./state.ts";
import { checkStop, enterMarket } from "./stops.ts";

/**
 * The order in which a new order is checked (F-check-order). The specification gives none; this list is the contract of
 * the simulator, printed in docs/simulator.md and compared with it by a test. Authentication, claim and payload come
 * before the engine sees anything.
 */
export const documentedOrderChecks = [
  "duplicate client_order_id",
  "product known",
  "product enabled",
  "client and product size limits",
  "trading halted",
  "size increment",
  "price increment",
  "quote size",
  "stop price already passed",
  "open order limit",
  "funds",
] as const;

export function decidePlaceOrder(state: VenueState, command: PlaceOrder, stamp: Stamp): Decision {
  const client = state.client(command.client);
  const earlier = client.orderIds.get(command.clientOrderId.toLowerCase());
  if (earlier !== undefined) return repeated(state, state.order(earlier), command);
  const { fault } = command;
  if (fault?.kind === "clientNotFound") return failure("CLIENT_NOT_FOUND", "This API key has no client");
  const market = state.marketOf(command.product);
  if (market === null) return rejected(unknownProduct(command.product, state));
  const { product } = market;
  const unfit =
    checkEnabled(client, market) ??
    checkBaseSize(client, product, command) ??
    checkQuoteSize(client, product, command) ??
    checkEstimatedSize(state, market, command) ??
    checkFault(fault) ??
    checkHalted(market);
  if (unfit !== null) return rejected(unfit);
  const read = readTerms(stamp, command, client, product);
  if (!("terms" in read)) return rejected(read);
  const { terms } = read;
  const refused =
    checkValue(client, product, terms) ??
    checkBudget(market, terms) ??
    checkStop(state, market, terms) ??
    checkOpenOrders(state, client, terms) ??
    checkFunds(state, product, client, read);
  return refused === null ? accept(state, stamp, market, read, fault) : rejected(refused);
}

const failure = (
  type: "EXTERNAL_EXECUTION_FAILED" | "INTERNAL_EXECUTION_FAILED" | "CLIENT_NOT_FOUND",
  message: string,
  events: readonly Event[] = [],
  isUnknown = false,
): Decision => ({ outcome: { kind: "failed", type, message, isUnknown }, events });

function unknownProduct(product: string, { world }: VenueState): Rejection {
  const meant = didYouMean(
    product,
    world.products.map(({ id }) => id),
  );
  const message = `Unknown product ${product}${meant === null ? "" : `; ${meant}`}`;
  return { code: "PRODUCT_NOT_FOUND", message, product };
}

function checkEnabled(client: Client, market: Market): Rejection | null {
  const { id, index } = market.product;
  const refusal = (message: string): Rejection => ({ code: "PRODUCT_NOT_ENABLED", message, product: id });
  if (!client.tradingEnabled) return refusal("Trading is not enabled for this account");
  if (!market.apiEnabled) return refusal(`Product ${id} is not enabled for trading through the API`);
  if (client.rules.get(index)?.enabled === false)
    return refusal(`Product ${id} is not enabled for this account`);
  return null;
}

/** A refusal that a rule of the sandbox asked for, once the gateway itself has nothing against the order. */
const checkFault = (fault: OrderFault | null): Rejection | null =>
  fault?.kind === "rejectByExchange"
    ? refusedByExchange(fault.reason, `The exchange rejected the order: ${fault.reason}`)
    : null;

const checkHalted = ({ halted, product: { id } }: Market): Rejection | null =>
  halted
    ? refusedByExchange("TRADING_HALTED", `Trading in ${id} is halted; cancelling stays possible`)
    : null;

/** A MARKET order never rests, so there is always room for it. */
function checkOpenOrders(state: VenueState, client: Client, { type }: OrderTerms): Rejection | null {
  const limit = state.settings.maxOpenOrders;
  const open = client.openOrders.size;
  if (open < limit || type === "MARKET") return null;
  const message = `The account has ${open} open orders; the limit is ${limit}. Cancel some first`;
  return refusedByExchange("TOO_MANY_OPEN_ORDERS", message, { value: String(open), limit: String(limit) });
}

function checkFunds(state: VenueState, product: Product, client: Client, priced: Priced): Rejection | null {
  const asset = priced.terms.side === "BUY" ? product.quote : product.base;
  const available = state.ledger.available(client.index, asset.index);
  if (priced.hold <= available) return null;
  const [needed, left] = [formatScaled(priced.hold, asset.scale), formatScaled(available, asset.scale)];
  const message = `Insufficient funds: the order needs ${needed} ${asset.symbol} and ${left} is available`;
  return refusedByExchange("INSUFFICIENT_FUNDS", message, { needed, available: left, asset: asset.symbol });
}

function accept(
  state: VenueState,
  stamp: Stamp,
  market: Market,
  priced: Priced,
  fault: OrderFault | null,
): Decision {
  const event = acceptedEvent(state, stamp, priced, fault);
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
  const matches = event.status === "OPEN" && event.due === null && !hasCourse(priced.terms, fault);
  const rest = matches ? enterMarket(state, market, order) : [];
  return { outcome: { kind: "accepted", order }, events: [event, ...rest] };
}

const hasCourse = (
  { type }: OrderTerms,
  fault: OrderFault | null,
): fault is Extract<OrderFault, { readonly kind: "course" }> =>
  fault?.kind === "course" && canFollow(fault.steps, type);

function acceptedEvent(
  state: VenueState,
  { at }: Stamp,
  { terms, hold }: Priced,
  fault: OrderFault | null,
): Event<"OrderAccepted"> {
  const { matchDelayMs, acceptance: mode, confirmDelayMs } = state.settings;
  const willSync = fault?.kind === "lateSync" ? fault.ms : fault?.kind !== "neverSync";
  const make = (
    status: Event<"OrderAccepted">["status"],
    due: Event<"OrderAccepted">["due"],
    reason: string | null = null,
  ): Event<"OrderAccepted"> => {
    const held = status === "FAILED" ? noUnits : hold;
    const cancels =
      fault?.kind === "stuckCancel" ? { willCancel: fault.refusedAfterMs ?? (false as const) } : {};
    return { kind: "OrderAccepted", terms, status, hold: held, reason, due, willSync, ...cancels };
  };
  if (fault?.kind === "externalFailure") {
    if (fault.outcome === "certain") return make("FAILED", null, "The exchange could not be reached");
    const action = fault.resolvesTo === "OPEN" ? "ConfirmOrder" : "FailOrder";
    return make("PENDING", { at: at + fault.afterMs, action });
  }
  if (fault?.kind === "internalFailure") return make("FAILED", null, "Internal execution failure");
  if (fault?.kind === "stuckPending") return make("PENDING", null);
  if (hasCourse(terms, fault)) {
    const { status, due } = beginCourse(fault.steps, terms, at);
    return make(status, due);
  }
  if (mode === "async") return make("PENDING", { at: at + confirmDelayMs, action: "ConfirmOrder" });
  return make("OPEN", matchDelayMs === 0 ? null : { at: at + matchDelayMs, action: "MatchOrder" });
}
