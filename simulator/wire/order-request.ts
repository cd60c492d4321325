/**
 * The body of POST /order, from parsed JSON to a command that cannot be wrong (REQ-01..28, PLC-01..09).
 *
 * One table says what each field is and which orders use it. A field that an order does not use is ignored whatever it
 * holds (F-ignored-field-syntax, F-market-buy-base-quantity, F-market-price-field), and told to the client.
 */

import type { PlaceOrder } from "../domain/command.ts";
import { type DecimalText, fractionDigits, spellDecimal } from "../domain/decimal-text.ts";
import type { OrderType, Side } from "../domain/order.ts";
import { err, ok } from "../domain/result.ts";
import { BodyReader, type Decoded, type DecodeOptions, kindOf, notAnObject } from "./body.ts";
import { PRODUCT_ID, productId, record, type Schema, text } from "./schema.ts";

/** One thing wrong with a request: where, what was expected, and what was found. */
export interface Problem {
  readonly field: string;
  readonly issue: string;
  readonly value?: unknown;
}

/** What a client asked for; the caller adds who asks. */
export type OrderRequest = Omit<PlaceOrder, "kind" | "client" | "fault">;

export type OrderShape = "LIMIT" | "MARKET SELL" | "MARKET BUY" | "STOP_LIMIT";
export const ORDER_SHAPES: readonly OrderShape[] = ["LIMIT", "MARKET BUY", "MARKET SELL", "STOP_LIMIT"];

export const DECIMAL_IN = "^(0|[1-9][0-9]{0,19})(\\.[0-9]{1,20})?$";
export const UUID_V4 =
  "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$";

/** Zero in any spelling is refused by a second rule: one pattern for both would need what few tools understand. */
const positiveDecimal = (description: string, example: string): Schema =>
  text(description, {
    pattern: DECIMAL_IN,
    not: { description: "Zero in any spelling.", pattern: "^[0.]*$" },
    examples: [example],
  });

const CHOICES = { side: ["BUY", "SELL"], type: ["LIMIT", "MARKET", "STOP_LIMIT"] } as const satisfies Record<
  string,
  readonly string[]
>;

export const ORDER_FIELDS = {
  side: text("Order side.", { enum: CHOICES.side }),
  type: text("Order type.", { enum: CHOICES.type }),
  base_quantity: positiveDecimal(
    "Base quantity, above zero. A MARKET BUY is sized by `quote_value` instead.",
    "0.5",
  ),
  quote_value: positiveDecimal(
    "Quote currency to spend, fees included, above zero. Used by a MARKET BUY only.",
    "1000",
  ),
  price: positiveDecimal("Limit price, above zero. Used by LIMIT and STOP_LIMIT only.", "60000"),
  stop_price: positiveDecimal("Trigger price, above zero. Used by STOP_LIMIT only.", "60500"),
  client_order_id: text("Idempotency key made by the client: a UUID v4.", {
    pattern: UUID_V4,
    format: "uuid",
  }),
  product: productId("Trading pair, `<BASE>-<QUOTE>`."),
} as const satisfies Record<string, Schema>;

const FIELD_NAMES = Object.keys(ORDER_FIELDS);
const DECIMALS = ["base_quantity", "quote_value", "price", "stop_price"] as const;
type DecimalField = (typeof DECIMALS)[number];

/** The decimals that an order of each shape uses: it must have them. */
const USES: Readonly<Record<OrderShape, readonly DecimalField[]>> = {
  LIMIT: ["base_quantity", "price"],
  "MARKET SELL": ["base_quantity"],
  "MARKET BUY": ["quote_value"],
  STOP_LIMIT: ["base_quantity", "price", "stop_price"],
};

const SHAPE_WORDS: Readonly<Record<OrderShape, string>> = {
  LIMIT: "Buys or sells at `price` or better, and rests until it is filled or cancelled.",
  "MARKET BUY": "Spends at most `quote_value`, fees included, at the prices of the book.",
  "MARKET SELL": "Sells `base_quantity` at the prices of the book.",
  STOP_LIMIT: "Becomes a LIMIT order at `price` once a trade reaches `stop_price`.",
};

/** JSON Schema of one shape, for the API documentation. A `null` member is not in it: it counts as absent. */
export function shapeSchema(shape: OrderShape): Schema {
  const [type = shape, side] = shape.split(" ");
  const fields: Record<string, Schema> = {
    side: side === undefined ? ORDER_FIELDS.side : { ...ORDER_FIELDS.side, enum: [side] },
    type: { ...ORDER_FIELDS.type, enum: [type] },
  };
  for (const name of USES[shape]) fields[name] = ORDER_FIELDS[name];
  fields["client_order_id"] = ORDER_FIELDS.client_order_id;
  fields["product"] = ORDER_FIELDS.product;
  const description = `${SHAPE_WORDS[shape]} Fields that it does not use are ignored, whatever they hold.`;
  return { title: shape, ...record(description, fields), additionalProperties: true };
}

export function decodeOrderRequest(body: unknown, options: DecodeOptions): Decoded<OrderRequest> {
  const reader = BodyReader.over(body, FIELD_NAMES);
  if (reader === null) return notAnObject();
  // as: a choice is one of the names in CHOICES.
  const side = choice(reader, "side") as Side | null;
  const type = choice(reader, "type") as OrderType | null;
  const clientOrderId = matching(
    reader,
    "client_order_id",
    "must be a UUID v4, for example 9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10",
  );
  const product = matching(
    reader,
    "product",
    "must be a trading pair of the form BASE-QUOTE, for example BTC-USD",
  );
  const shape = side === null || type === null ? null : shapeOf(type, side);
  const baseQuantity = decimal(reader, "base_quantity", shape);
  const price = decimal(reader, "price", shape);
  const stopPrice = decimal(reader, "stop_price", shape);
  const quoteValue = decimal(reader, "quote_value", shape);
  const unused = shape === null ? [] : DECIMALS.filter((field) => !USES[shape].includes(field));
  const ignored = reader.ignored(unused, options);
  if (
    reader.problems.length > 0 ||
    shape === null ||
    side === null ||
    type === null ||
    clientOrderId === null ||
    product === null
  ) {
    return { ...err(reader.problems), ignored };
  }
  return {
    ...ok({ clientOrderId, product, side, type, baseQuantity, price, stopPrice, quoteValue }),
    ignored,
  };
}

function shapeOf(type: OrderType, side: Side): OrderShape {
  return type === "MARKET" ? (side === "BUY" ? "MARKET BUY" : "MARKET SELL") : type;
}

const PATTERNS = {
  client_order_id: new RegExp(UUID_V4),
  product: new RegExp(PRODUCT_ID),
} as const;

function choice(reader: BodyReader, field: "side" | "type"): string | null {
  const value = reader.present(field);
  if (value === undefined) return null;
  const choices: readonly string[] = CHOICES[field];
  if (typeof value === "string" && choices.includes(value)) return value;
  return reader.refuse(field, `must be one of ${choices.join(", ")}`, value);
}

function matching(reader: BodyReader, field: "client_order_id" | "product", issue: string): string | null {
  const value = reader.present(field);
  if (value === undefined) return null;
  return typeof value === "string" && PATTERNS[field].test(value)
    ? value
    : reader.refuse(field, issue, value);
}

/** What an order of this shape has there; null for a field that it does not use. */
function decimal(reader: BodyReader, field: DecimalField, shape: OrderShape | null): string | null {
  if (shape === null || !USES[shape].includes(field)) return null;
  const value = reader.present(field, `is required for a ${shape} order`);
  if (value === undefined) return null;
  if (typeof value !== "string") {
    return reader.refuse(
      field,
      `must be a decimal as a JSON string such as "0.00000001", was a ${kindOf(value)}`,
      value,
    );
  }
  const spelled = spellDecimal(value);
  if (spelled === null) {
    return reader.refuse(
      field,
      "must be a plain decimal: digits, at most one point, no sign, exponent or leading zero",
      value,
    );
  }
  return isZero(spelled) ? reader.refuse(field, "must be above zero", value) : spelled;
}

const isZero = (text: DecimalText): boolean =>
  text.startsWith("0") && (text === "0" || (text[1] === "." && fractionDigits(text) === 0));
