import fc from "fast-check";
import type { Plan, Property } from "./property.ts";
import { allShapes, market, nowhere, orderOf, place, type Shape } from "./templates.ts";

/**
 * P-12: an order without one of its required fields is invalid.
 * Clauses: PLC-01 to PLC-04, PLC-07, PLC-34, EPT-08.
 * Generator: one of the six shapes, and one of its required fields to leave out, or any larger set of them.
 * Oracle: 400, and no order with its key is open.
 * Shrinks to one missing field of a LIMIT BUY. Safety: nothing that is sent may become an order.
 */
export const requiredFields: Property = {
  id: "P-12",
  title: "An order without any of its required fields is invalid",
  spec: ["PLC-01", "PLC-02", "PLC-03", "PLC-04", "PLC-07", "PLC-34", "EPT-08"],
  safety: "reject-only",
  runs: { local: 28, staging: 18 },
  cost: { requests: 2, orders: 1 },
  plans: () =>
    fc
      .record({ shape: fc.constantFrom(...allShapes), one: fc.constantFrom(...fields), others })
      .map(({ shape, one, others: more }) => planOf(shape, [one, ...more])),
};

const general = new Set(["side", "type", "client_order_id", "product"]);
const fields = ["price", "base_quantity", "quote_value", "stop_price", ...general];
const others = fc.oneof({ withCrossShrink: true }, fc.constant([]), fc.subarray(fields));

function planOf(shape: Shape, chosen: readonly string[]): Plan {
  const needed = chosen.filter((name) => shape.required.includes(name));
  const missing = needed.length > 0 ? needed : ["side"];
  const whole = orderOf(shape, "a");
  const body = Object.fromEntries(Object.entries(whole).filter(([name]) => !missing.includes(name)));
  const spec = missing.some((name) => general.has(name)) ? "PLC-01" : shape.clause;
  return {
    vars: market,
    steps: [
      place("incomplete", body, { spec: [spec], expect: { $macro: "invalid" } }),
      ...(missing.includes("client_order_id") ? [] : [nowhere("nothing", "a")]),
    ],
  };
}
