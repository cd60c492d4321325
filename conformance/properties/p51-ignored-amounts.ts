import type { Expectation, WrittenStep } from "../model/language.ts";
import type { ValueMap } from "../model/value.ts";
import type { Tuple } from "./covering-array.ts";
import { tradingWithOurselves } from "./market-buys.ts";
import {
  bookVars,
  limitOrder,
  matched,
  opposite,
  reached,
  room,
  type Side,
  seen,
  standing,
} from "./own-book.ts";
import type { Plan } from "./property.ts";
import { type Table, tableProperty } from "./table.ts";
import { shapeOf, sides } from "./table-orders.ts";
import { call, key } from "./templates.ts";

/**
 * P-51: an order with an ignored amount trades as it does without it. Orders that rest have cases (orders-040). Only a trade shows
 * whether a trigger keeps a LIMIT from trading, or whether a value sizes it.
 * Oracle: differential. The plain order meets an offer of the counterparty, and the other one an equal offer at the
 * same price.
 */
const table: Table = {
  id: "P-51",
  title: "An ignored amount does not change how an order trades",
  spec: ["PLC-08", "PLC-09"],
  safety: "trades",
  requires: tradingWithOurselves,
  cost: { requests: 16, orders: 4 },
  staging: 1,
  dimensions: {
    type: ["LIMIT", "MARKET"],
    side: sides,
    also: ["stop_price", "quote_value"],
    amount: ["large", "small", "at its price"],
  },
  strength: 3,
  cannot: ({ type = "", side = "", also = "" }) =>
    shapeOf(type, side).required.includes(also) ? "a MARKET BUY is sized by its value" : undefined,
  plan,
};
export const ignoredInTrades = tableProperty(table);

const place = "8";
const amounts: Readonly<Record<string, string>> = {
  large: "1000000000",
  small: "0.01",
  "at its price": `\${price${place}}`,
};

function plan({ type = "", side: word, also = "", amount = "" }: Tuple): Plan {
  const side = word as Side;
  const offer = (id: string): WrittenStep =>
    standing(id, "counterparty", limitOrder(opposite(side), place, "${quantity}"));
  const plain = plainOrder(type, side);
  const over: Expectation = {
    order: { status: { $in: ["FILLED", "CANCELLED", "EXPIRED"] }, filledQuantity: { $dec: { gt: "0" } } },
  };
  const spec = [also === "stop_price" ? "PLC-09" : "PLC-08"];
  const body = {
    ...plain,
    [also]: amounts[amount] ?? "",
    client_order_id: key("extra"),
    product: "${product}",
  };
  return {
    isolation: "product",
    vars: { ...bookVars([place]), value: { $calc: `(quantity * price${place} / unit @ 0) * unit + unit` } },
    steps: [
      room,
      offer("first"),
      standing("plain", "trader", plain),
      matched,
      reached("traded", "plain", "trader", over, "the plain order did not trade", {
        capture: { had: "#order/filledQuantity" },
      }),
      offer("second"),
      call(
        "extra",
        "placeOrder",
        { body },
        {
          spec,
          expect: { status: 200, body: { data: { type: "NEW_ORDER" } } },
          capture: { extraOrder: "#/data/order/id" },
        },
      ),
      matched,
      seen("likewise", "extra", "trader", { order: { filledQuantity: { $decVar: "had" } } }, { spec }),
    ],
  };
}

function plainOrder(type: string, side: Side): ValueMap {
  if (type === "LIMIT") return limitOrder(side, place, "${quantity}");
  return { side, type, ...(side === "BUY" ? { quote_value: "${value}" } : { base_quantity: "${quantity}" }) };
}
