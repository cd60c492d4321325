/** Bugs in what an order must and must not carry, and in what becomes of it. The limits of sizes stand in `sizes.ts`. */
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
import { type BrokenCall, bug, type Decorators, type Defect } from "./defect.ts";
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
  bug("M-059", "A MARKET BUY must carry base_quantity", ["PLC-05", "REQ-27"], () =>
    refusing((body) => isMarketBuy(body) && missing(body, "base_quantity"), "base_quantity is required"),
  ),
  bug("M-060", "A MARKET BUY is sized by base_quantity", ["PLC-06"], () => ({
    route: when(isMarketBuy, (body) => ({
      ...body,
      quote_value: times(textOf(body, "base_quantity") || "0.01", 60_000),
    })),
  })),
  bug("M-061", "A MARKET BUY takes quote_value for a base quantity", ["PLC-06"], () => ({
    route: when(isMarketBuy, (body) =>
      isDecimal(body["quote_value"])
        ? { ...body, quote_value: times(textOf(body, "quote_value"), 20) }
        : body,
    ),
  })),
  bug("M-062", "A MARKET BUY spends a little more than quote_value", ["PLC-06"], () =>
    ordersWith((order) =>
      order["type"] === "MARKET" && order["side"] === "BUY" && Number(order["filledQuantity"]) > 0
        ? { ...order, filledValue: String((Number(order["quoteValue"]) * 1.01).toFixed(6)) }
        : order,
    ),
  ),
  bug("M-063", "A MARKET BUY without quote_value is accepted", ["PLC-04"], () =>
    filling("quote_value", isMarketBuy),
  ),
  bug("M-064", "A LIMIT without price becomes a MARKET order", ["PLC-02"], () => ({
    route: when(
      (body) => isType("LIMIT")(body) && missing(body, "price"),
      (body) => ({
        ...body,
        type: "MARKET",
        quote_value: SOME.quote_value,
      }),
    ),
  })),
  bug("M-065", "A STOP_LIMIT without stop_price is accepted", ["PLC-07"], () => ({
    route: when(
      (body) => isType("STOP_LIMIT")(body) && missing(body, "stop_price"),
      (body) => ({
        ...body,
        type: "LIMIT",
      }),
    ),
  })),
  bug("M-066", "A STOP_LIMIT without price is accepted", ["PLC-07"], () => ({
    route: when(
      (body) => isType("STOP_LIMIT")(body) && missing(body, "price"),
      (body) => ({
        ...body,
        type: "LIMIT",
        price: body["side"] === "SELL" ? "1000000" : SOME.price,
      }),
    ),
  })),
  bug("M-067", "A MARKET SELL must carry a price", ["PLC-03", "REQ-11"], () =>
    refusing(
      (body) => isType("MARKET")(body) && body["side"] === "SELL" && missing(body, "price"),
      "price is required",
    ),
  ),
  bug("M-068", "quote_value on a LIMIT changes its quantity", ["PLC-08"], () => ({
    route: when(
      (body) => !isMarketBuy(body) && !missing(body, "quote_value"),
      (body) => ({
        ...body,
        base_quantity: times(textOf(body, "base_quantity"), 2),
      }),
    ),
  })),
  bug("M-069", "stop_price on a LIMIT makes it a stop order", ["PLC-09"], () => ({
    route: when(
      (body) => isType("LIMIT")(body) && !missing(body, "stop_price"),
      (body) => ({
        ...body,
        type: "STOP_LIMIT",
      }),
    ),
  })),
  bug("M-070", "quote_value on a LIMIT is refused", ["PLC-08"], () =>
    refusing((body) => isType("LIMIT")(body) && !missing(body, "quote_value"), "quote_value is not allowed"),
  ),
  bug("M-071", "A missing side means BUY", ["PLC-01", "REQ-01"], () => ({
    route: when(
      (body) => missing(body, "side"),
      (body) => ({ ...body, side: "BUY" }),
    ),
  })),
  bug("M-072", "An unknown type means LIMIT", ["REQ-04"], () => ({
    route: when(
      (body) => !missing(body, "type") && !KNOWN_TYPES.includes(String(body["type"])),
      (body) => ({ ...body, type: "LIMIT" }),
    ),
  })),
  bug("M-073", "TWAP is accepted at placement", ["REQ-04"], () => ({
    route: when(isType("TWAP"), (body) => ({ ...body, type: "LIMIT" })),
  })),
  bug("M-074", "A negative quantity trades the other way", ["REQ-18"], () => ({
    route: when(
      (body) => textOf(body, "base_quantity").startsWith("-"),
      (body) => ({
        ...body,
        base_quantity: textOf(body, "base_quantity").slice(1),
        side: body["side"] === "BUY" ? "SELL" : "BUY",
      }),
    ),
  })),
  bug("M-075", "A quantity of zero is accepted", ["REQ-18"], () =>
    repairing(["base_quantity"], (value) => /^0(?:\.0+)?$/.test(value)),
  ),
  bug("M-076", "NaN, Infinity and hexadecimal count as decimals", ["REQ-05", "REQ-09"], () =>
    repairing(AMOUNTS, (value) => /^(?:NaN|-?Infinity|0x[\da-f]+)$/i.test(value)),
  ),
  bug("M-077", "The exponent of an amount is dropped", ["REQ-26"], () => ({
    route: reading((body) => {
      const misread = AMOUNTS.filter((field) => /^\d+(?:\.\d+)?e[+-]?\d+$/i.test(textOf(body, field)));
      const values = misread.map((field) => [field, textOf(body, field).split(/e/i)[0]] as const);
      return misread.length === 0 ? null : { ...body, ...Object.fromEntries(values) };
    }),
  })),
  bug("M-078", "The quantity comes back through binary floating point", ["ORD-44", "REQ-25"], () =>
    ordersWith((order) =>
      order["baseQuantity"] === null
        ? order
        : {
            ...order,
            baseQuantity: (Number(order["baseQuantity"]) + 0.1 - 0.1).toFixed(20).replace(/0+$/, ""),
          },
    ),
  ),
  bug("M-079", "Amounts are cut after eight decimals", ["REQ-25"], () => ({
    route: reading((body) => {
      const long = AMOUNTS.filter((field) => /\.\d{9,}$/.test(textOf(body, field)));
      const values = long.map(
        (field) => [field, textOf(body, field).replace(/(\.\d{8})\d+$/, "$1")] as const,
      );
      return long.length === 0 ? null : { ...body, ...Object.fromEntries(values) };
    }),
  })),
  bug("M-080", "A client_order_id need not be a UUID", ["REQ-15"], () => {
    const aliases = new Aliases();
    return {
      route: when(
        (body) => !isUuid(textOf(body, "client_order_id")) && typeof body["client_order_id"] === "string",
        (body) => ({ ...body, client_order_id: aliases.another(textOf(body, "client_order_id")) }),
      ),
      answer: aliases.answer,
    };
  }),
  bug("M-081", "An unknown product makes an order on another one", ["REQ-22"], () => ({
    route: reading((body, call) =>
      /^[A-Z0-9]+-[A-Z0-9]+$/.test(textOf(body, "product")) &&
      call.state.marketOf(textOf(body, "product")) === null
        ? { ...body, product: tradable(call), base_quantity: SOME.base_quantity, price: SOME.price }
        : null,
    ),
  })),
  // Price and size go with the product: those of another would be refused for themselves.
  bug("M-082", "A disabled product is accepted", ["PLC-26"], () => ({
    route: reading((body, call) =>
      call.state.marketOf(textOf(body, "product"))?.apiEnabled === false
        ? { ...body, product: tradable(call), base_quantity: SOME.base_quantity, price: SOME.price }
        : null,
    ),
  })),
  bug("M-083", "A disabled product is answered with 404", ["PLC-26"], () =>
    statusFor(["PRODUCT_NOT_ENABLED"], 404),
  ),
  bug("M-086", "A size out of limits is answered 200 with a failed outcome", ["PLC-27", "PLC-28"], () => ({
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
  bug(
    "M-088",
    "An invalid body is answered with 422",
    ["PLC-01", "PLC-02", "PLC-03", "PLC-04", "PLC-07", "ERR-01", "REQ-01"],
    () => statusFor(["VALIDATION_FAILED", "MALFORMED_JSON"], 422),
  ),
  bug("M-089", "A body that is no JSON is answered with 500", ["REQ-23", "ERR-09"], () =>
    statusFor(["MALFORMED_JSON"], 500),
  ),
  bug("M-090", "An empty body is answered with 500", ["REQ-21", "ERR-09"], () => ({
    answer: (answer, { route, header }) =>
      route === "POST /order" && answer.status === 400 && (header("content-length") ?? "0") === "0"
        ? withStatus(answer, 500)
        : answer,
  })),
  bug("M-091", "A value of another JSON type is answered with 500", ["REQ-20", "ERR-09"], () => ({
    route: placing((_call, body, place) =>
      Object.values(body).every((value) => value === null || typeof value === "string")
        ? place(body)
        : Promise.resolve(refuse("INTERNAL_ERROR", "value.toUpperCase is not a function")),
    ),
  })),
  bug("M-092", "A refused order is stored all the same", ["PLC-34", "EPT-08"], () => ({
    route: placing(storedAnyway),
  })),
  bug("M-093", "Placing an order is answered with 201", ["EPT-04"], () => ({
    answer: (answer, { route }) =>
      route === "POST /order" && answer.status === 200 ? withStatus(answer, 201) : answer,
  })),
  bug("M-151", "A malformed product means another one", ["REQ-17"], () => ({
    route: reading((body, call) =>
      typeof body["product"] === "string" && !/^[A-Z0-9]+-[A-Z0-9]+$/.test(textOf(body, "product"))
        ? { ...body, product: tradable(call) }
        : null,
    ),
  })),
  bug("M-152", "Missing product, type or id get a default", ["PLC-01", "REQ-03", "REQ-14", "REQ-16"], () => ({
    route: reading((body, call) => {
      const type = missing(body, "type") ? { type: "LIMIT" } : {};
      const product = missing(body, "product") ? { product: tradable(call) } : {};
      const id = missing(body, "client_order_id") ? { client_order_id: randomUUID() } : {};
      return { ...body, ...type, ...product, ...id };
    }),
  })),
  bug("M-153", "Any other side means BUY", ["REQ-02", "REQ-01", "PLC-01"], () => ({
    route: when(
      (body) => body["side"] !== "BUY" && body["side"] !== "SELL",
      (body) => ({ ...body, side: "BUY" }),
    ),
  })),
  bug("M-154", "stopPrice repeats the limit price", ["ORD-46"], () =>
    ordersWith((order) =>
      order["stopPrice"] === null ? order : { ...order, stopPrice: order["limitPrice"] },
    ),
  ),
  bug("M-155", "A malformed quote_value of a MARKET BUY is replaced", ["REQ-07"], () => ({
    route: when(
      (body) => isMarketBuy(body) && !missing(body, "quote_value") && !isDecimal(body["quote_value"]),
      (body) => ({
        ...body,
        quote_value: SOME.quote_value,
      }),
    ),
  })),
  bug("M-156", "A malformed stop_price is ignored on a STOP_LIMIT", ["REQ-12"], () => ({
    route: when(
      (body) => isType("STOP_LIMIT")(body) && !missing(body, "stop_price") && !isDecimal(body["stop_price"]),
      (body) => ({ ...body, type: "LIMIT" }),
    ),
  })),
  bug("M-157", "A MARKET order without price is refused", ["REQ-11"], () =>
    refusing((body) => isType("MARKET")(body) && missing(body, "price"), "price is required"),
  ),
  bug("M-170", "A pair that is listed as open cannot be ordered", ["PRD-19", "PLC-21"], () =>
    refusing((body) => textOf(body, "product") === "ETH-USD", "this product is not for the interface"),
  ),
  bug("M-171", "A side that is null means BUY", ["REQ-19"], () => ({
    route: when(
      (body) => body["side"] === null,
      (body) => ({ ...body, side: "BUY" }),
    ),
  })),
  bug("M-158", "An order that the exchange refuses is answered with 502", ["ERR-04"], () =>
    statusFor(["EXCHANGE_REJECTED"], 502),
  ),
  bug("M-159", "Amounts must be JSON numbers", ["GEN-05", "EPT-05", "PLC-21"], () => ({
    route: placing((_call, body, place) => {
      const given = AMOUNTS.filter((field) => !missing(body, field));
      if (given.some((field) => typeof body[field] === "string")) {
        return Promise.resolve(refuse("VALIDATION_FAILED", "amounts must be JSON numbers"));
      }
      return place({ ...body, ...Object.fromEntries(given.map((field) => [field, String(body[field])])) });
    }),
  })),
];
