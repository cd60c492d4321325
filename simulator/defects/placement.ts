/** Bugs in reading a placement and in its answer. The needs of each order type are in `order-kinds.ts`, sizes in `sizes.ts`. */
import { randomUUID } from "node:crypto";
import { type Reply, refuse, successText } from "../http/route.ts";
import { Aliases } from "../variations/aliases.ts";
import { statusFor, withStatus } from "../variations/answers.ts";
import {
  isUuid,
  missing,
  type OrderBody,
  placing,
  reading,
  refusing,
  textOf,
} from "../variations/changed-call.ts";
import { type BrokenCall, bug, type Decorators, type Defect } from "../variations/defect.ts";
import { ordersWith } from "../variations/order-records.ts";
import { amounts, isType, some, tradable, when } from "./sound-order.ts";

/** Repairs a field by its own rules, so that what should be refused becomes an order. */
const repairing = (fields: readonly string[], broken: (value: string) => boolean): Decorators => ({
  route: reading((body) => {
    const bad = fields.filter((field) => typeof body[field] === "string" && broken(textOf(body, field)));
    if (bad.length === 0) return null;
    return { ...body, ...Object.fromEntries(bad.map((field) => [field, some[field as keyof typeof some]])) };
  }),
});

const knownTypes = ["LIMIT", "MARKET", "STOP_LIMIT"];

const sizeCodes = ["ORDER_SIZE_BELOW_MINIMUM", "ORDER_SIZE_ABOVE_MAXIMUM"];

/** Places a sound order under the id of a request that was refused. */
async function storedAnyway(
  call: BrokenCall,
  body: OrderBody,
  place: (body: OrderBody) => Promise<Reply>,
): Promise<Reply> {
  const reply = await place(body);
  if (reply.ok) return reply;
  const { price, base_quantity } = some;
  const sound = { side: "BUY", type: "LIMIT", price, base_quantity, product: tradable(call) };
  await place({ ...sound, client_order_id: body["client_order_id"] });
  return reply;
}

export const placementDefects: readonly Defect[] = [
  bug("M-071", "A missing side means BUY", ["PLC-01", "REQ-01"], () => ({
    route: when(
      (body) => missing(body, "side"),
      (body) => ({ ...body, side: "BUY" }),
    ),
  })),
  bug("M-072", "An unknown type means LIMIT", ["REQ-04"], () => ({
    route: when(
      (body) => !missing(body, "type") && !knownTypes.includes(String(body["type"])),
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
    repairing(amounts, (value) => /^(?:NaN|-?Infinity|0x[\da-f]+)$/i.test(value)),
  ),
  bug("M-077", "The exponent of an amount is dropped", ["REQ-26"], () => ({
    route: reading((body) => {
      const misread = amounts.filter((field) => /^\d+(?:\.\d+)?e[+-]?\d+$/i.test(textOf(body, field)));
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
      const long = amounts.filter((field) => /\.\d{9,}$/.test(textOf(body, field)));
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
        ? { ...body, product: tradable(call), base_quantity: some.base_quantity, price: some.price }
        : null,
    ),
  })),
  // Price and size go with the product: those of another would be refused for themselves.
  bug("M-082", "A disabled product is accepted", ["PLC-26"], () => ({
    route: reading((body, call) =>
      call.state.marketOf(textOf(body, "product"))?.apiEnabled === false
        ? { ...body, product: tradable(call), base_quantity: some.base_quantity, price: some.price }
        : null,
    ),
  })),
  bug("M-083", "A disabled product is answered with 404", ["PLC-26"], () =>
    statusFor(["PRODUCT_NOT_ENABLED"], 404),
  ),
  bug("M-086", "A size out of limits is answered 200 with a failed outcome", ["PLC-27", "PLC-28"], () => ({
    route: placing(async (_call, body, place) => {
      const reply = await place(body);
      return !reply.ok && sizeCodes.includes(reply.error.code)
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
      const given = amounts.filter((field) => !missing(body, field));
      if (given.some((field) => typeof body[field] === "string")) {
        return Promise.resolve(refuse("VALIDATION_FAILED", "amounts must be JSON numbers"));
      }
      return place({ ...body, ...Object.fromEntries(given.map((field) => [field, String(body[field])])) });
    }),
  })),
];
