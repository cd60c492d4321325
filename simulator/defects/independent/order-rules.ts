/** Bugs in what each kind of order needs, uses and ignores. */

import { lotsText, ticksText } from "../../domain/steps.ts";
import { refuse, refuseProblems } from "../../http/route.ts";
import { isMarketBuy, type OrderBody, placing, reading, textOf } from "../../variations/changed-call.ts";
import { type BrokenCall, bug, type Defect } from "../../variations/defect.ts";
import { productOf } from "./order-fields.ts";

const has = (body: OrderBody, ...fields: readonly string[]): boolean =>
  fields.every((field) => typeof body[field] === "string");

const numberIn = (body: OrderBody, field: string): number => Number(textOf(body, field));

function bestAsk(call: BrokenCall, body: OrderBody): number | null {
  const market = call.state.marketOf(textOf(body, "product"));
  const price = market?.book.depth("SELL", 1)[0]?.price;
  return market === null || price === undefined ? null : Number(ticksText(market.product, price));
}

export const orderRules: readonly Defect[] = [
  // A value to spend sizes every order for which it is given.
  bug("A-42", "The quote_value of a STOP_LIMIT sizes it", ["PLC-08", "ORD-44"], () => ({
    route: reading((body) =>
      body["type"] === "STOP_LIMIT" && has(body, "quote_value", "price")
        ? { ...body, base_quantity: (numberIn(body, "quote_value") / numberIn(body, "price")).toFixed(4) }
        : null,
    ),
  })),
  // An order with a trigger is a stop order, and needs a price.
  bug(
    "A-43",
    "A MARKET order with a stop_price is refused for want of a price",
    ["PLC-09", "REQ-11"],
    () => ({
      route: placing(async (_call, body, place) =>
        body["type"] === "MARKET" && has(body, "stop_price") && !has(body, "price")
          ? refuseProblems("VALIDATION_FAILED", [{ field: "price", issue: "is required with a stop_price" }])
          : place(body),
      ),
    }),
  ),
  // A quantity goes before a value.
  bug(
    "A-44",
    "A MARKET BUY that has a base_quantity is sized by it and not by its quote_value",
    ["PLC-06", "PLC-05"],
    () => ({
      route: reading((body, call) => {
        const ask = bestAsk(call, body);
        if (!isMarketBuy(body) || ask === null || !has(body, "base_quantity")) return null;
        return { ...body, quote_value: (numberIn(body, "base_quantity") * ask * 1.01).toFixed(2) };
      }),
    }),
  ),
  // Quantity times price makes up for a missing value.
  bug(
    "A-45",
    "A MARKET BUY without quote_value is taken when it has a quantity and a price",
    ["PLC-04"],
    () => ({
      route: reading((body) =>
        isMarketBuy(body) && !has(body, "quote_value") && has(body, "base_quantity", "price")
          ? { ...body, quote_value: (numberIn(body, "base_quantity") * numberIn(body, "price")).toFixed(2) }
          : null,
      ),
    }),
  ),
  // A stop to buy without a limit is limited at its trigger.
  bug("A-46", "A STOP_LIMIT to buy without a price gets its trigger as price", ["PLC-07"], () => ({
    route: reading((body) =>
      body["type"] === "STOP_LIMIT" && body["side"] === "BUY" && !has(body, "price")
        ? { ...body, price: body["stop_price"] }
        : null,
    ),
  })),
  // A LIMIT may be sized by its value.
  bug("A-47", "A LIMIT without base_quantity is sized by its quote_value", ["PLC-02", "PLC-08"], () => ({
    route: reading((body) =>
      body["type"] === "LIMIT" && !has(body, "base_quantity") && has(body, "quote_value", "price")
        ? { ...body, base_quantity: (numberIn(body, "quote_value") / numberIn(body, "price")).toFixed(4) }
        : null,
    ),
  })),
  // Pairs that are not priced in dollars were forgotten in a rule.
  bug(
    "A-48",
    "A MARKET SELL without a price is refused on pairs that are not quoted in USD",
    ["REQ-11", "PLC-03"],
    () => ({
      route: placing(async (_call, body, place) =>
        body["type"] === "MARKET" &&
        body["side"] === "SELL" &&
        !has(body, "price") &&
        !textOf(body, "product").endsWith("-USD")
          ? refuse("VALIDATION_FAILED", "price is required")
          : place(body),
      ),
    }),
  ),
  // A quantity that is not used is checked against the smallest size all the same.
  bug("A-49", "A MARKET BUY is refused for a base_quantity below the minimum size", ["PLC-05"], () => ({
    route: placing(async (call, body, place) => {
      const product = productOf(call, body);
      const least = product?.minOrderSize ?? null;
      if (product === undefined || least === null || !isMarketBuy(body) || !has(body, "base_quantity"))
        return place(body);
      return numberIn(body, "base_quantity") < Number(lotsText(product, least))
        ? refuse("ORDER_SIZE_BELOW_MINIMUM", "Order size is below the minimum")
        : place(body);
    }),
  })),
];
