/**
 * The body of POST /order, from parsed JSON to a command that cannot be wrong (REQ-01..28, PLC-01..09).
 *
 * One schema for each shape of an order says what its fields are; `type` and `side` say which shape is meant. A field that
 * an order does not use is ignored whatever it holds (F-ignored-field-syntax, F-market-buy-base-quantity,
 * F-market-price-field), and told to the client.
 */
import type { PlaceOrder } from "../domain/command.ts";
import type { OrderType, Side } from "../domain/order.ts";
import { oneOf, positiveDecimal, productId, type Shape, section, uuidV4 } from "../schema/fields.ts";
import { asBody, type Body, type Decoded, type DecodeOptions, decodeBody, notAnObject } from "./body.ts";

/** The request of a client, without the client itself. */
export type OrderRequest = Omit<PlaceOrder, "kind" | "client" | "fault">;

export type OrderShape = "LIMIT" | "MARKET SELL" | "MARKET BUY" | "STOP_LIMIT";

const orderSides = ["BUY", "SELL"] as const;
const side = (sides: readonly Side[] = orderSides) => oneOf(sides, "Order side.");
const type = (...types: readonly OrderType[]) => oneOf(types, "Order type.");

const ids = {
  client_order_id: uuidV4("Idempotency key made by the client: a UUID v4."),
  product: productId("Trading pair, `<BASE>-<QUOTE>`."),
};

const decimalFields = {
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
};
const { base_quantity, quote_value, price, stop_price } = decimalFields;

/** Members of every order type. */
const common = { side: side(), type: type("LIMIT", "MARKET", "STOP_LIMIT"), ...ids };

export const orderFields = { side: common.side, type: common.type, ...decimalFields, ...ids };
const fieldNames = Object.keys(orderFields);

type Decimals = Readonly<Partial<Record<keyof typeof decimalFields, string>>>;
type OrderBody = Readonly<Record<keyof typeof ids, string>> &
  Decimals & { readonly side: Side; readonly type: OrderType };

function shape(title: OrderShape, about: string, sides: readonly Side[], used: object): Shape<OrderBody> {
  const [name] = title.split(" ");
  const ofOrder = { side: side(sides), type: type(name as OrderType), ...ids, ...used };
  const description = `${about} Fields that it does not use are ignored with any value.`;
  // as: which decimals there are is known by the shape alone.
  return section(ofOrder, description, {
    title,
    additionalProperties: true,
  }) as Shape<unknown> as Shape<OrderBody>;
}

/** By shape. A `null` member is not in them: it counts as absent. */
export const orderShapes: Readonly<Record<OrderShape, Shape<OrderBody>>> = {
  LIMIT: shape(
    "LIMIT",
    "Buys or sells at `price` or better, and rests until it is filled or cancelled.",
    orderSides,
    { base_quantity, price },
  ),
  "MARKET BUY": shape(
    "MARKET BUY",
    "Spends at most `quote_value`, fees included, at the prices of the book.",
    ["BUY"],
    { quote_value },
  ),
  "MARKET SELL": shape("MARKET SELL", "Sells `base_quantity` at the prices of the book.", ["SELL"], {
    base_quantity,
  }),
  STOP_LIMIT: shape(
    "STOP_LIMIT",
    "Becomes a LIMIT order at `price` once a trade reaches `stop_price`.",
    orderSides,
    { base_quantity, price, stop_price },
  ),
};

/** Where it is not known which decimals the order needs. */
const noShape: Shape<OrderBody> = section(common);

export function decodeOrderRequest(given: unknown, options: DecodeOptions): Decoded<OrderRequest> {
  const body = asBody(given);
  if (body === null) return notAnObject();
  const decoded = decodeBody(shapeOf(body), body, fieldNames, options);
  if (!decoded.ok) return decoded;
  const order = decoded.value;
  const request = {
    clientOrderId: order.client_order_id,
    product: order.product,
    side: order.side,
    type: order.type,
    baseQuantity: order.base_quantity ?? null,
    price: order.price ?? null,
    stopPrice: order.stop_price ?? null,
    quoteValue: order.quote_value ?? null,
  };
  return { ok: true, value: request, ignored: decoded.ignored };
}

function shapeOf(body: Body): Shape<OrderBody> {
  const own = (name: string): unknown => (Object.hasOwn(body, name) ? body[name] : undefined);
  const [type, side] = [own("type"), own("side")];
  if (side !== "BUY" && side !== "SELL") return noShape;
  if (type === "MARKET") return orderShapes[`MARKET ${side}`];
  return type === "LIMIT" || type === "STOP_LIMIT" ? orderShapes[type] : noShape;
}
