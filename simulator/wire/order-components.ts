/** Orders on the wire as schemas: the request, the result, and the record itself. */
import { inDocument } from "../schema/document.ts";
import type { Schema, ValueOf } from "../schema/fields.ts";
import { orderShapes } from "./order-request.ts";
import {
  decimal,
  type Fields,
  flag,
  list,
  nullable,
  oneOfText,
  partial,
  productId,
  record,
  ref,
  text,
  time,
  uuid,
} from "./schema.ts";

export const orderTypesInRecord = [
  "MARKET",
  "LIMIT",
  "TWAP",
  "BLOCK",
  "VWAP",
  "STOP_LIMIT",
  "RFQ",
  "PEG",
] as const;
export const orderStatuses = ["OPEN", "FILLED", "CANCELLED", "EXPIRED", "FAILED", "PENDING"] as const;
export const resultTypes = [
  "NEW_ORDER",
  "DUPLICATE_REPLAY",
  "EXTERNAL_EXECUTION_FAILED",
  "INTERNAL_EXECUTION_FAILED",
  "CLIENT_NOT_FOUND",
] as const;

/** Records of an edit that no operation makes (F-edit-history-elements): the shape a future one would fill. */
const edited = <F extends Fields>(properties: F) => partial("What an order was before an edit.", properties);

const amount = (description: string) => nullable(decimal(description));

const editHistoryEntry = edited({
  price: amount("Limit price."),
  baseQuantity: amount("Base quantity."),
  quoteValue: amount("Quote value."),
  displayBaseSize: amount("Shown base quantity."),
  displayQuoteSize: amount("Shown quote value."),
  stopPrice: amount("Trigger price."),
  expiryTime: nullable(time("Expiry.")),
  acceptTime: nullable(time("When it was accepted.")),
  clientOrderId: nullable(uuid("Idempotency key of the edit.")),
});

const orderEditHistoryEntry = edited({
  price: amount("Limit price."),
  size: amount("Size."),
  displaySize: amount("Shown size."),
  stopPrice: amount("Trigger price."),
  stopLimitPrice: amount("Limit price after the trigger."),
  endTime: nullable(time("Expiry.")),
  acceptTime: nullable(time("When it was accepted.")),
  clientOrderId: nullable(uuid("Idempotency key of the edit.")),
});

const order = record("An order, as it is now.", {
  id: uuid("Order id."),
  createdAt: time("When the order was accepted."),
  updatedAt: time("When the record last changed; never decreases."),
  externalId: nullable(text("Reference of the exchange, set once the order is accepted.")),
  userId: nullable(uuid("Owning client.")),
  portfolioId: nullable(uuid("Portfolio of the client.")),
  productId: productId("Trading pair."),
  side: oneOfText("Order side.", ["BUY", "SELL"]),
  clientOrderId: uuid("Idempotency key, as the client spelled it."),
  type: oneOfText("Order type. LIMIT, MARKET and STOP_LIMIT can be placed.", orderTypesInRecord),
  baseQuantity: nullable(decimal("Base quantity; null for a MARKET BUY.")),
  quoteValue: nullable(
    decimal("baseQuantity x limitPrice, or the quote_value of a MARKET BUY; null for a MARKET SELL."),
  ),
  limitPrice: nullable(decimal("Limit price; null for MARKET.")),
  startTime: nullable(time("Not used.")),
  expiryTime: nullable(time("Not used.")),
  status: oneOfText("Order status. OPEN covers a partly filled order.", orderStatuses),
  timeInForce: nullable(oneOfText("Time in force.", ["GOOD_UNTIL_CANCELLED", "IMMEDIATE_OR_CANCEL"])),
  filledQuantity: nullable(decimal("Base quantity filled so far.")),
  filledValue: nullable(decimal("Quote value filled so far, fees excluded.")),
  averageFilledPrice: nullable(decimal("filledValue / filledQuantity; null before the first fill.")),
  commission: nullable(decimal("Commission charged so far, in the quote asset.")),
  exchangeFee: nullable(decimal("Exchange fee charged so far, in the quote asset.")),
  historicalPov: nullable(text("Not used.")),
  stopPrice: nullable(decimal("Trigger price of a STOP_LIMIT.")),
  netAverageFilledPrice: nullable(decimal("Average price with fees; null before the first fill.")),
  userContext: nullable(
    text("Why the order ended, or what self-trade prevention took from it, in plain English."),
  ),
  clientProductId: nullable(productId("Trading pair as the client named it.")),
  postOnly: nullable(flag("Not used: always false.")),
  orderEditHistory: nullable(
    list(
      ref<ValueOf<typeof orderEditHistoryEntry>>("OrderEditHistoryEntry"),
      "Empty: orders cannot be edited.",
    ),
  ),
  isRaiseExact: nullable(flag("Not used: always false.")),
  displaySize: nullable(text("Not used.")),
  editHistory: nullable(
    list(ref<ValueOf<typeof editHistoryEntry>>("EditHistoryEntry"), "Empty: orders cannot be edited."),
  ),
  displayQuoteSize: nullable(text("Not used.")),
  displayBaseSize: nullable(text("Not used.")),
  synced: flag("True once the latest state is reconciled with the exchange."),
  fees: nullable(decimal("commission + exchangeFee.")),
  totalUserRecieveAmount: nullable(
    decimal(
      "What the client receives: base for a BUY, quote for a SELL. The spelling is the interface's own.",
    ),
  ),
});

export const orderComponents = {
  OrderRequest: {
    description: "A new order; its fields depend on type and side. A member that is null counts as absent.",
    oneOf: Object.values(orderShapes).map(inDocument),
  },
  OrderResult: record(
    "The outcome of POST /order. `type` tells them apart; `order` is there for NEW_ORDER and DUPLICATE_REPLAY only.",
    {
      type: oneOfText("Outcome.", resultTypes),
      order: ref("Order"),
      message: text("Explanation of a failure or duplicate."),
    },
    ["order", "message"],
  ),
  Order: order,
  OrderPage: record("A page of orders.", { items: list(ref("Order")), pagination: ref("Pagination") }),
  EditHistoryEntry: editHistoryEntry,
  OrderEditHistoryEntry: orderEditHistoryEntry,
} satisfies Readonly<Record<string, Schema>>;
