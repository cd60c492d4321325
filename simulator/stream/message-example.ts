/**
 * An example of a message, made from its schema, so that it can be nothing but right. Names decide what is plausible: a
 * price looks like a price. Members that may be absent are shown, except where a message has either one or another.
 */
import { invariant } from "../domain/invariant.ts";
import type { Schema } from "../schema/fields.ts";
import { schemaComponents } from "../wire/components.ts";

const plausible: Readonly<Record<string, unknown>> = {
  sequence: 7,
  requestId: "r1",
  product: "BTC-USD",
  productId: "BTC-USD",
  clientProductId: "BTC-USD",
  products: ["BTC-USD"],
  subscriptions: [{ channel: "orderBook", products: ["BTC-USD"] }, { channel: "heartbeat" }],
  bids: [{ price: "59990", quantity: "0.5" }],
  asks: [
    { price: "60000", quantity: "0.25" },
    { price: "60010", quantity: "2" },
  ],
  prevBookSequence: 1042,
  bookSequence: 1043,
  revision: 2,
  counter: 12,
  tradeId: "881",
  price: "60000",
  limitPrice: "60000",
  averageFilledPrice: "60000",
  netAverageFilledPrice: "60150",
  lastPrice: "60000",
  referencePrice: "60000",
  bestBid: "59990",
  bestAsk: "60000",
  open: "59980",
  high: "60010",
  low: "59950",
  close: "60000",
  quantity: "0.25",
  baseQuantity: "0.25",
  filledQuantity: "0.1",
  quoteValue: "15000",
  value: "6000",
  filledValue: "6000",
  commission: "15",
  fees: "15",
  exchangeFee: "0",
  totalUserRecieveAmount: "0.1",
  volume: "12.5",
  volume24h: "310.25",
  asset: "BTC",
  name: "BTC wallet",
  network: "bitcoin-mainnet",
  balance: "2.5",
  hold: "0.5",
  available: "2",
  confirmations: 1,
  confirmationsRequired: 3,
  code: "MISSING_CLAIM",
  message:
    "The channel wallets asks for the claim read:account, which this key does not have. Use a key that has it.",
  event: "FILL",
  type: "LIMIT",
  address: "bc1qsim9b2f6a3e1c444f0b8c5e2f7f5c0f9a10",
  txHash: "1f24b6863f2a5bee38e8cea70d6dc6a2a68368e73109879834b87a2e848ba769",
};

export function exampleOf(schema: Schema, without: readonly string[] = []): unknown {
  const { $ref, properties, oneOf } = schema;
  if ($ref !== undefined) return exampleOf(component($ref));
  if (oneOf?.[0] !== undefined) return exampleOf(oneOf[0]);
  if (properties === undefined) return valueOf(schema);
  const members = Object.entries(properties).filter(([name]) => !without.includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, memberOf(name, member)]));
}

function memberOf(name: string, schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  const nullable = Array.isArray(schema.type) && schema.type.includes("null");
  if (name in plausible) return plausible[name];
  return nullable ? null : exampleOf(schema);
}

function valueOf({ const: only, enum: [first] = [], type, format, items, pattern }: Schema): unknown {
  if (only !== undefined || first !== undefined) return only ?? first;
  if (items !== undefined) return type === "array" ? listOf(items) : null;
  if (type === "boolean") return true;
  if (type === "integer") return 1;
  if (format === "date-time") return "2026-01-01T00:00:00.105Z";
  if (format === "uuid") return "3f0c2a52-7a3e-4c58-9a6e-0d5d3c1b7e11";
  return pattern === undefined ? "text" : "0.5";
}

/** One element is enough to see what they are. */
const listOf = (items: Schema): unknown[] => [exampleOf(items)];

function component(pointer: string): Schema {
  const found = schemaComponents[pointer.slice(pointer.lastIndexOf("/") + 1)];
  invariant(found !== undefined, `there is no component ${pointer}`);
  return found;
}
