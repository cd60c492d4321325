/** Orders as they are sent and as they are shown. */
import { randomUUID } from "node:crypto";

export type Fields = Readonly<Record<string, unknown>>;

export function withShortTrigger(fields: Fields): Fields {
  const { stop_price: trigger } = fields;
  const [digits] = typeof trigger === "string" ? (/^\d+(?:\.\d+)?/.exec(trigger) ?? []) : [];
  return digits === undefined ? fields : { ...fields, stop_price: digits };
}

/** The whole Order of the specification. */
export function recordOf(fields: Fields): Record<string, unknown> {
  const now = new Date().toISOString();
  const nothing = [
    "externalId",
    "portfolioId",
    "quoteValue",
    "startTime",
    "expiryTime",
    "timeInForce",
    "commission",
  ];
  const unused = [
    "exchangeFee",
    "historicalPov",
    "netAverageFilledPrice",
    "userContext",
    "clientProductId",
    "postOnly",
  ];
  const rest = [
    "orderEditHistory",
    "isRaiseExact",
    "displaySize",
    "editHistory",
    "displayQuoteSize",
    "displayBaseSize",
  ];
  const last = ["fees", "totalUserRecieveAmount", "averageFilledPrice"];
  return {
    ...Object.fromEntries([...nothing, ...unused, ...rest, ...last].map((name) => [name, null])),
    id: randomUUID(),
    createdAt: now,
    updatedAt: now,
    userId: "client",
    productId: fields["product"],
    side: fields["side"],
    clientOrderId: fields["client_order_id"],
    type: fields["type"],
    baseQuantity: fields["base_quantity"] ?? null,
    limitPrice: fields["price"] ?? null,
    stopPrice: fields["stop_price"] ?? null,
    status: "OPEN",
    filledQuantity: "0",
    filledValue: "0",
    synced: false,
  };
}
