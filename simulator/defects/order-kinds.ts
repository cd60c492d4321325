/** Bugs in what each kind of order must carry, uses and ignores. */
import {
  isDecimal,
  isMarketBuy,
  missing,
  type OrderBody,
  refusing,
  textOf,
} from "../variations/changed-call.ts";
import { bug, type Decorators, type Defect } from "../variations/defect.ts";
import { ordersWith } from "../variations/order-records.ts";
import { isType, some, when } from "./sound-order.ts";

const filling = (field: keyof typeof some, test: (body: OrderBody) => boolean): Decorators => ({
  route: when(
    (body) => missing(body, field) && test(body),
    (body) => ({ ...body, [field]: some[field] }),
  ),
});

const times = (text: string, factor: number): string => String(Number((Number(text) * factor).toFixed(8)));

export const orderKindDefects: readonly Defect[] = [
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
        quote_value: some.quote_value,
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
        price: body["side"] === "SELL" ? "1000000" : some.price,
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
  bug("M-155", "A malformed quote_value of a MARKET BUY is replaced", ["REQ-07"], () => ({
    route: when(
      (body) => isMarketBuy(body) && !missing(body, "quote_value") && !isDecimal(body["quote_value"]),
      (body) => ({
        ...body,
        quote_value: some.quote_value,
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
];
