/**
 * The body of POST /order, from parsed JSON to a command that cannot be wrong (REQ-01..28, PLC-01..09).
 *
 * One table says what each field is and which orders use it. A field that an order does not use is ignored entirely,
 * even when it is malformed (F-ignored-field-syntax); `base_quantity` of a MARKET BUY is the exception: it is not used,
 * but must be well formed when given (F-market-buy-base-quantity). A `null` counts as absent.
 */

import type { PlaceOrder } from "../domain/command.ts";
import { type DecimalText, fractionDigits, spellDecimal } from "../domain/decimal-text.ts";
import type { OrderType, Side } from "../domain/order.ts";
import { err, ok, type Result } from "../domain/result.ts";
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

type Field = keyof typeof ORDER_FIELDS;
type DecimalField = "base_quantity" | "quote_value" | "price" | "stop_price";

/** Which decimals an order of each shape must have, and which it may have without using them. */
const USES: Readonly<
  Record<
    OrderShape,
    { readonly required: readonly DecimalField[]; readonly checked: readonly DecimalField[] }
  >
> = {
  LIMIT: { required: ["base_quantity", "price"], checked: [] },
  "MARKET SELL": { required: ["base_quantity"], checked: [] },
  "MARKET BUY": { required: ["quote_value"], checked: ["base_quantity"] },
  STOP_LIMIT: { required: ["base_quantity", "price", "stop_price"], checked: [] },
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
  const { required, checked } = USES[shape];
  const fields: Record<string, Schema> = {
    side: side === undefined ? ORDER_FIELDS.side : { ...ORDER_FIELDS.side, enum: [side] },
    type: { ...ORDER_FIELDS.type, enum: [type] },
  };
  for (const name of [...required, ...checked]) fields[name] = ORDER_FIELDS[name];
  fields["client_order_id"] = ORDER_FIELDS.client_order_id;
  fields["product"] = ORDER_FIELDS.product;
  const description = `${SHAPE_WORDS[shape]} Fields that it does not use are ignored.`;
  return { title: shape, ...record(description, fields, checked), additionalProperties: true };
}

export interface DecodeOptions {
  /** F-unknown-request-fields */
  readonly unknownFields: "ignore" | "reject";
}

export function decodeOrderRequest(
  body: unknown,
  options: DecodeOptions,
): Result<OrderRequest, readonly Problem[]> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return err([{ field: "", issue: "the body must be one JSON object" }]);
  }
  const reader = new Reader(body as Readonly<Record<string, unknown>>);
  const side = reader.choice("side") as Side | null;
  const type = reader.choice("type") as OrderType | null;
  const clientOrderId = reader.matching(
    "client_order_id",
    "must be a UUID v4, for example 9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10",
  );
  const product = reader.matching(
    "product",
    "must be a trading pair of the form BASE-QUOTE, for example BTC-USD",
  );
  const shape = side === null || type === null ? null : shapeOf(type, side);
  const baseQuantity = reader.decimal("base_quantity", shape);
  const price = reader.decimal("price", shape);
  const stopPrice = reader.decimal("stop_price", shape);
  const quoteValue = reader.decimal("quote_value", shape);
  if (options.unknownFields === "reject") reader.rejectUnknown();
  if (
    reader.problems.length > 0 ||
    shape === null ||
    side === null ||
    type === null ||
    clientOrderId === null ||
    product === null
  ) {
    return err(reader.problems);
  }
  return ok({ clientOrderId, product, side, type, baseQuantity, price, stopPrice, quoteValue });
}

function shapeOf(type: OrderType, side: Side): OrderShape {
  return type === "MARKET" ? (side === "BUY" ? "MARKET BUY" : "MARKET SELL") : type;
}

const PATTERNS: Readonly<Partial<Record<Field, RegExp>>> = {
  client_order_id: new RegExp(UUID_V4),
  product: new RegExp(PRODUCT_ID),
};

/** Reads fields and collects everything that is wrong, not just the first. */
class Reader {
  readonly problems: Problem[] = [];
  private readonly body: Readonly<Record<string, unknown>>;

  constructor(body: Readonly<Record<string, unknown>>) {
    this.body = body;
  }

  choice(field: "side" | "type"): string | null {
    const value = this.present(field);
    if (value === undefined) return null;
    const choices: readonly string[] = CHOICES[field];
    if (typeof value === "string" && choices.includes(value)) return value;
    return this.refuse(field, `must be one of ${choices.join(", ")}`, value);
  }

  matching(field: "client_order_id" | "product", issue: string): string | null {
    const value = this.present(field);
    if (value === undefined) return null;
    return typeof value === "string" && PATTERNS[field]?.test(value)
      ? value
      : this.refuse(field, issue, value);
  }

  /** What an order of this shape has there; null for a field that it does not use. */
  decimal(field: DecimalField, shape: OrderShape | null): string | null {
    if (shape === null) return null;
    const { required, checked } = USES[shape];
    if (required.includes(field)) return this.spelled(field, this.present(field, shape));
    if (checked.includes(field)) this.spelled(field, this.own(field));
    return null;
  }

  rejectUnknown(): void {
    for (const field of Object.keys(this.body)) {
      if (!Object.hasOwn(ORDER_FIELDS, field)) this.refuse(field, "is not a field of an order");
    }
  }

  private spelled(field: DecimalField, value: unknown): string | null {
    if (value === undefined) return null;
    if (typeof value !== "string") {
      return this.refuse(
        field,
        `must be a decimal as a JSON string such as "0.00000001", was a ${kindOf(value)}`,
        value,
      );
    }
    const spelled = spellDecimal(value);
    if (spelled === null) {
      return this.refuse(
        field,
        "must be a plain decimal: digits, at most one point, no sign, exponent or leading zero",
        value,
      );
    }
    return isZero(spelled) ? this.refuse(field, "must be above zero", value) : spelled;
  }

  /** The value, or undefined after noting that it is missing. */
  private present(field: Field, shape: OrderShape | null = null): unknown {
    const value = this.own(field);
    if (value === undefined)
      this.refuse(field, shape === null ? "is required" : `is required for a ${shape} order`);
    return value;
  }

  /** Never what a prototype holds. A null counts as absent. */
  private own(field: Field): unknown {
    return Object.hasOwn(this.body, field) ? (this.body[field] ?? undefined) : undefined;
  }

  private refuse(field: string, issue: string, value?: unknown): null {
    this.problems.push(value === undefined ? { field, issue } : { field, issue, value: shown(value) });
    return null;
  }
}

const isZero = (text: DecimalText): boolean =>
  text.startsWith("0") && (text === "0" || (text[1] === "." && fractionDigits(text) === 0));

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? "list" : value === null ? "null" : typeof value;

/** Enough of the value to recognise it; never a whole document. */
function shown(value: unknown): unknown {
  if (typeof value === "string") return value.length > 64 ? `${value.slice(0, 64)}…` : value;
  return typeof value === "number" || typeof value === "boolean" ? value : kindOf(value);
}
