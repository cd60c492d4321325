import fc from "fast-check";
import type { Value } from "../model/value.ts";
import type { Plan, Property } from "./property.ts";
import { market, orderOf, place, type Shape, shapes } from "./templates.ts";

/**
 * P-13: a value of the wrong type or grammar in any one field makes no order and no server error.
 * Clauses: REQ-05, REQ-07, REQ-09, REQ-12 (amounts), REQ-17 (pair), REQ-18 (not above zero), REQ-20 (type), ERR-09.
 * Generator: an amount field in a shape that needs it, or a text field; and a value from a pool of what clients send
 * by mistake; thousands with a comma; the assets of a pair joined in another way. Values whose refusal the document
 * does not force (a JSON number, `1e3`, full-width digits) are a `should`.
 * Oracle: 400 or a failed outcome, never 5xx.
 * Shrinks to the simplest value in a LIMIT order. Safety: nothing that is sent may become an order.
 */
export const wrongValues: Property = {
  id: "P-13",
  title: "A value of the wrong type or grammar makes no order",
  spec: ["REQ-05", "REQ-07", "REQ-09", "REQ-12", "REQ-17", "REQ-18", "REQ-20", "ERR-09"],
  safety: "reject-only",
  runs: { local: 60, staging: 25 },
  cost: { requests: 1, orders: 1 },
  plans: () =>
    fc.oneof(
      { withCrossShrink: true },
      {
        weight: 5,
        arbitrary: fc.tuple(amount, notAnAmount).map(([field, value]) => planOf(field, value, field.clause)),
      },
      {
        weight: 2,
        arbitrary: fc.tuple(amount, notPositive).map(([field, value]) => planOf(field, value, "REQ-18")),
      },
      {
        weight: 2,
        arbitrary: fc.tuple(text, notText).map(([field, value]) => planOf(field, value, "REQ-20")),
      },
      { weight: 1, arbitrary: fc.constant(planOf(grouped, "1,000.00", grouped.clause)) },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom("/", "", "_", " ")
          .map((joiner) => planOf(product, respelled(joiner), product.clause)),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(amount, doubtful)
          .map(([field, value]) => planOf(field, value, field.clause, "should")),
      },
    ),
};

interface FieldOf {
  readonly name: string;
  readonly shape: Shape;
  readonly clause: string;
}

const grouped: FieldOf = { name: "price", shape: shapes.limitBuy, clause: "REQ-09" };
const product: FieldOf = { name: "product", shape: shapes.limitBuy, clause: "REQ-17" };
/** The pair with something else in its middle, unless the target lists that as well. */
const respelled = (joiner: string): Value => ({
  $pair: { product: "${product}", form: `{base}${joiner}{quote}` },
});
const amount = fc.constantFrom<FieldOf[]>(
  { name: "base_quantity", shape: shapes.limitBuy, clause: "REQ-05" },
  { name: "price", shape: shapes.limitBuy, clause: "REQ-09" },
  { name: "stop_price", shape: shapes.stopLimitBuy, clause: "REQ-12" },
  { name: "quote_value", shape: shapes.marketBuy, clause: "REQ-07" },
);
const text = fc.constantFrom<FieldOf[]>(
  { name: "side", shape: shapes.limitBuy, clause: "REQ-20" },
  { name: "type", shape: shapes.limitBuy, clause: "REQ-20" },
  { name: "product", shape: shapes.limitBuy, clause: "REQ-20" },
  { name: "client_order_id", shape: shapes.limitBuy, clause: "REQ-20" },
);

const notText = fc.constantFrom<Value[]>(false, true, [], {}, { $json: "1" }, { $json: "-1.5" });
const long: Value = { $repeat: { text: "9x", times: 5000 } };
const notAnAmount = fc.oneof(
  fc.constantFrom<Value[]>("", " ", "abc", "1,5", "NaN", "Infinity", "0x10", "--1", "1.2.3", "\u0000", long),
  notText.filter((value) => JSON.stringify(value).includes("$json") === false),
);
const notPositive = fc.constantFrom<Value[]>("0", "-1", "0.0", "-0.00000001");
const doubtful = fc.constantFrom<Value[]>({ $json: "1" }, "1e3", "1_000", "\uff11", "+1", " 1", ".5", "1.");

function planOf(
  { name, shape }: FieldOf,
  value: Value,
  clause: string,
  strength: "expect" | "should" = "expect",
): Plan {
  const judged = { spec: [clause], [strength]: { $anyOf: [{ $macro: "rejected" }, { $macro: "refused" }] } };
  return { vars: market, steps: [place("wrong", orderOf(shape, "a", { [name]: value }), judged)] };
}
