/** Bugs in what an order must and must not carry, and in what becomes of it: M-059 to M-093, M-151 to M-159, M-170, M-171. The limits of sizes stand in `sizes.ts`. */
import { randomUUID } from "node:crypto";
import { type Reply, refuse, successText } from "../http/route.ts";
import { Aliases } from "./aliases.ts";
import { statusFor, withStatus } from "./answers.ts";
import {
  isDecimal,
  isMarketBuy,
  isUuid,
  missing,
  type OrderBody,
  placing,
  reading,
  refusing,
  textOf,
} from "./changed-call.ts";
import { type BrokenCall, type Decorators, type Defect, defect } from "./defect.ts";
import { ordersWith } from "./order-records.ts";

/** A size, a price and an amount to spend that the demo world takes. */
const SOME = { base_quantity: "0.01", price: "1000", quote_value: "10", stop_price: "1000" };

const when = (
  test: (body: OrderBody) => boolean,
  change: (body: OrderBody, call: BrokenCall) => OrderBody,
): NonNullable<Decorators["route"]> => reading((body, call) => (test(body) ? change(body, call) : null));

const filling = (field: keyof typeof SOME, test: (body: OrderBody) => boolean): Decorators => ({
  route: when(
    (body) => missing(body, field) && test(body),
    (body) => ({ ...body, [field]: SOME[field] }),
  ),
});

const isType = (type: string) => (body: OrderBody) => body["type"] === type;
const times = (text: string, factor: number): string => String(Number((Number(text) * factor).toFixed(8)));

/** Repairs a field by its own rules, so that what should be refused becomes an order. */
const repairing = (fields: readonly string[], broken: (value: string) => boolean): Decorators => ({
  route: reading((body) => {
    const bad = fields.filter((field) => typeof body[field] === "string" && broken(textOf(body, field)));
    if (bad.length === 0) return null;
    return { ...body, ...Object.fromEntries(bad.map((field) => [field, SOME[field as keyof typeof SOME]])) };
  }),
});

const AMOUNTS = ["base_quantity", "quote_value", "price", "stop_price"];
const KNOWN_TYPES = ["LIMIT", "MARKET", "STOP_LIMIT"];

const tradable = (call: BrokenCall): string =>
  [...call.state.markets].find(({ apiEnabled }) => apiEnabled)?.product.id ?? "BTC-USD";

const SIZE_CODES = ["ORDER_SIZE_BELOW_MINIMUM", "ORDER_SIZE_ABOVE_MAXIMUM"];

/** Places a sound order under the id of a request that was refused. */
async function storedAnyway(
  call: BrokenCall,
  body: OrderBody,
  place: (body: OrderBody) => Promise<Reply>,
): Promise<Reply> {
  const reply = await place(body);
  if (reply.ok) return reply;
  const { price, base_quantity } = SOME;
  const sound = { side: "BUY", type: "LIMIT", price, base_quantity, product: tradable(call) };
  await place({ ...sound, client_order_id: body["client_order_id"] });
  return reply;
}

export const PLACEMENT_DEFECTS: readonly Defect[] = [
  defect("M-059", () =>
    refusing((body) => isMarketBuy(body) && missing(body, "base_quantity"), "base_quantity is required"),
  ),
  defect("M-060", () => ({
    route: when(isMarketBuy, (body) => ({
      ...body,
      quote_value: times(textOf(body, "base_quantity") || "0.01", 60_000),
    })),
  })),
  defect("M-061", () => ({
    route: when(isMarketBuy, (body) =>
      isDecimal(body["quote_value"])
        ? { ...body, quote_value: times(textOf(body, "quote_value"), 20) }
        : body,
    ),
  })),
  defect("M-062", () =>
    ordersWith((order) =>
      order["type"] === "MARKET" && order["side"] === "BUY" && Number(order["filledQuantity"]) > 0
        ? { ...order, filledValue: String((Number(order["quoteValue"]) * 1.01).toFixed(6)) }
        : order,
    ),
  ),
  defect("M-063", () => filling("quote_value", isMarketBuy)),
  defect("M-064", () => ({
    route: when(
      (body) => isType("LIMIT")(body) && missing(body, "price"),
      (body) => ({
        ...body,
        type: "MARKET",
        quote_value: SOME.quote_value,
      }),
    ),
  })),
  defect("M-065", () => ({
    route: when(
      (body) => isType("STOP_LIMIT")(body) && missing(body, "stop_price"),
      (body) => ({
        ...body,
        type: "LIMIT",
      }),
    ),
  })),
  defect("M-066", () => ({
    route: when(
      (body) => isType("STOP_LIMIT")(body) && missing(body, "price"),
      (body) => ({
        ...body,
        type: "LIMIT",
        price: body["side"] === "SELL" ? "1000000" : SOME.price,
      }),
    ),
  })),
  defect("M-067", () =>
    refusing(
      (body) => isType("MARKET")(body) && body["side"] === "SELL" && missing(body, "price"),
      "price is required",
    ),
  ),
  defect("M-068", () => ({
    route: when(
      (body) => !isMarketBuy(body) && !missing(body, "quote_value"),
      (body) => ({
        ...body,
        base_quantity: times(textOf(body, "base_quantity"), 2),
      }),
    ),
  })),
  defect("M-069", () => ({
    route: when(
      (body) => isType("LIMIT")(body) && !missing(body, "stop_price"),
      (body) => ({
        ...body,
        type: "STOP_LIMIT",
      }),
    ),
  })),
  defect("M-070", () =>
    refusing((body) => isType("LIMIT")(body) && !missing(body, "quote_value"), "quote_value is not allowed"),
  ),
  defect("M-071", () => ({
    route: when(
      (body) => missing(body, "side"),
      (body) => ({ ...body, side: "BUY" }),
    ),
  })),
  defect("M-072", () => ({
    route: when(
      (body) => !missing(body, "type") && !KNOWN_TYPES.includes(String(body["type"])),
      (body) => ({ ...body, type: "LIMIT" }),
    ),
  })),
  defect("M-073", () => ({ route: when(isType("TWAP"), (body) => ({ ...body, type: "LIMIT" })) })),
  defect("M-074", () => ({
    route: when(
      (body) => textOf(body, "base_quantity").startsWith("-"),
      (body) => ({
        ...body,
        base_quantity: textOf(body, "base_quantity").slice(1),
        side: body["side"] === "BUY" ? "SELL" : "BUY",
      }),
    ),
  })),
  defect("M-075", () => repairing(["base_quantity"], (value) => /^0(?:\.0+)?$/.test(value))),
  defect("M-076", () => repairing(AMOUNTS, (value) => /^(?:NaN|-?Infinity|0x[\da-f]+)$/i.test(value))),
  defect("M-077", () => ({
    route: reading((body) => {
      const misread = AMOUNTS.filter((field) => /^\d+(?:\.\d+)?e[+-]?\d+$/i.test(textOf(body, field)));
      const values = misread.map((field) => [field, textOf(body, field).split(/e/i)[0]] as const);
      return misread.length === 0 ? null : { ...body, ...Object.fromEntries(values) };
    }),
  })),
  defect("M-078", () =>
    ordersWith((order) =>
      order["baseQuantity"] === null
        ? order
        : {
            ...order,
            baseQuantity: (Number(order["baseQuantity"]) + 0.1 - 0.1).toFixed(20).replace(/0+$/, ""),
          },
    ),
  ),
  defect("M-079", () => ({
    route: reading((body) => {
      const long = AMOUNTS.filter((field) => /\.\d{9,}$/.test(textOf(body, field)));
      const values = long.map(
        (field) => [field, textOf(body, field).replace(/(\.\d{8})\d+$/, "$1")] as const,
      );
      return long.length === 0 ? null : { ...body, ...Object.fromEntries(values) };
    }),
  })),
  defect("M-080", () => {
    const aliases = new Aliases();
    return {
      route: when(
        (body) => !isUuid(textOf(body, "client_order_id")) && typeof body["client_order_id"] === "string",
        (body) => ({ ...body, client_order_id: aliases.another(textOf(body, "client_order_id")) }),
      ),
      answer: aliases.answer,
    };
  }),
  defect("M-081", () => ({
    route: reading((body, call) =>
      /^[A-Z0-9]+-[A-Z0-9]+$/.test(textOf(body, "product")) &&
      call.state.marketOf(textOf(body, "product")) === null
        ? { ...body, product: tradable(call), base_quantity: SOME.base_quantity, price: SOME.price }
        : null,
    ),
  })),
  // Price and size go with the product: those of another would be refused for themselves.
  defect("M-082", () => ({
    route: reading((body, call) =>
      call.state.marketOf(textOf(body, "product"))?.apiEnabled === false
        ? { ...body, product: tradable(call), base_quantity: SOME.base_quantity, price: SOME.price }
        : null,
    ),
  })),
  defect("M-083", () => statusFor(["PRODUCT_NOT_ENABLED"], 404)),
  defect("M-086", () => ({
    route: placing(async (_call, body, place) => {
      const reply = await place(body);
      return !reply.ok && SIZE_CODES.includes(reply.error.code)
        ? successText(
            JSON.stringify({ type: "EXTERNAL_EXECUTION_FAILED", message: reply.error.message }),
            reply.error.message,
          )
        : reply;
    }),
  })),
  defect("M-088", () => statusFor(["VALIDATION_FAILED", "MALFORMED_JSON"], 422)),
  defect("M-089", () => statusFor(["MALFORMED_JSON"], 500)),
  defect("M-090", () => ({
    answer: (answer, { route, header }) =>
      route === "POST /order" && answer.status === 400 && (header("content-length") ?? "0") === "0"
        ? withStatus(answer, 500)
        : answer,
  })),
  defect("M-091", () => ({
    route: placing((_call, body, place) =>
      Object.values(body).every((value) => value === null || typeof value === "string")
        ? place(body)
        : Promise.resolve(refuse("INTERNAL_ERROR", "value.toUpperCase is not a function")),
    ),
  })),
  defect("M-092", () => ({ route: placing(storedAnyway) })),
  defect("M-093", () => ({
    answer: (answer, { route }) =>
      route === "POST /order" && answer.status === 200 ? withStatus(answer, 201) : answer,
  })),
  defect("M-151", () => ({
    route: reading((body, call) =>
      typeof body["product"] === "string" && !/^[A-Z0-9]+-[A-Z0-9]+$/.test(textOf(body, "product"))
        ? { ...body, product: tradable(call) }
        : null,
    ),
  })),
  defect("M-152", () => ({
    route: reading((body, call) => {
      const type = missing(body, "type") ? { type: "LIMIT" } : {};
      const product = missing(body, "product") ? { product: tradable(call) } : {};
      const id = missing(body, "client_order_id") ? { client_order_id: randomUUID() } : {};
      return { ...body, ...type, ...product, ...id };
    }),
  })),
  defect("M-153", () => ({
    route: when(
      (body) => body["side"] !== "BUY" && body["side"] !== "SELL",
      (body) => ({ ...body, side: "BUY" }),
    ),
  })),
  defect("M-154", () =>
    ordersWith((order) =>
      order["stopPrice"] === null ? order : { ...order, stopPrice: order["limitPrice"] },
    ),
  ),
  defect("M-155", () => ({
    route: when(
      (body) => isMarketBuy(body) && !missing(body, "quote_value") && !isDecimal(body["quote_value"]),
      (body) => ({
        ...body,
        quote_value: SOME.quote_value,
      }),
    ),
  })),
  defect("M-156", () => ({
    route: when(
      (body) => isType("STOP_LIMIT")(body) && !missing(body, "stop_price") && !isDecimal(body["stop_price"]),
      (body) => ({ ...body, type: "LIMIT" }),
    ),
  })),
  defect("M-157", () =>
    refusing((body) => isType("MARKET")(body) && missing(body, "price"), "price is required"),
  ),
  defect("M-170", () =>
    refusing((body) => textOf(body, "product") === "ETH-USD", "this product is not for the interface"),
  ),
  defect("M-171", () => ({
    route: when(
      (body) => body["side"] === null,
      (body) => ({ ...body, side: "BUY" }),
    ),
  })),
  defect("M-158", () => statusFor(["EXCHANGE_REJECTED"], 502)),
  defect("M-159", () => ({
    route: placing((_call, body, place) => {
      const given = AMOUNTS.filter((field) => !missing(body, field));
      if (given.some((field) => typeof body[field] === "string")) {
        return Promise.resolve(refuse("VALIDATION_FAILED", "amounts must be JSON numbers"));
      }
      return place({ ...body, ...Object.fromEntries(given.map((field) => [field, String(body[field])])) });
    }),
  })),
];
