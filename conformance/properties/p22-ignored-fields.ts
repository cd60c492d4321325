import fc from "fast-check";
import type { Plan, Property } from "./property.ts";
import { market, orderOf, place, restingShapes, type Shape, sameOutcome } from "./templates.ts";

/**
 * P-22: quote_value outside a MARKET BUY and stop_price outside a STOP_LIMIT change nothing.
 * Clauses: PLC-08, PLC-09.
 * Generator: a resting shape, one of the fields that it ignores, and a well-formed decimal: small, huge, or tiny.
 * Oracle: differential. The same order without and with the field, with two keys, has the same outcome and shows the
 * same type, quantity and price. A target that refuses the plain order must refuse the other one as well.
 * Shrinks to the value "1" in a LIMIT BUY. Safety: two orders rest far from the market.
 */
export const ignoredFields: Property = {
  id: "P-22",
  title: "An amount that does not belong to the type of an order is ignored",
  spec: ["PLC-08", "PLC-09"],
  safety: "rests",
  runs: { local: 14, staging: 2 },
  cost: { requests: 2, orders: 2 },
  plans: (situation) => fc.record({ shape: restingShapes(situation), field, value }).map(planOf),
};

const field = fc.constantFrom("quote_value", "stop_price");
const value = fc.constantFrom("1", "0.00000001", "7.77", "1000000000000", "123456789.123456789", "0");

function planOf({
  shape,
  field: extra,
  value: amount,
}: {
  shape: Shape;
  field: string;
  value: string;
}): Plan {
  const name = extra === "stop_price" && shape.fields["type"] === "STOP_LIMIT" ? "quote_value" : extra;
  const spec = [name === "quote_value" ? "PLC-08" : "PLC-09"];
  const echo = {
    baseQuantity: { $optional: { $nullable: { $dec: "${plain.request.body.base_quantity}" } } },
    limitPrice: { $optional: { $nullable: { $dec: "${plain.request.body.price}" } } },
    type: { $eqVar: "kind" },
  };
  return {
    vars: market,
    steps: [
      place("plain", orderOf(shape, "a"), {
        capture: { outcome: "#/data/type", kind: "#/data/order/type" },
      }),
      place("extra", orderOf(shape, "b", { [name]: amount }), {
        spec,
        expect: sameOutcome("plain", "outcome", echo),
      }),
    ],
  };
}
