import fc from "fast-check";
import type { ValueMap } from "../model/value.ts";
import type { Property } from "./property.ts";
import { call, market, orderOf, place, restingShapes } from "./templates.ts";

/**
 * P-10: every success of the specified operations comes in the envelope, as JSON.
 * Clauses: ENV-01 to ENV-05, GEN-07, GEN-12, GEN-13.
 * Generator: one to four of: the open orders, the products, a placement of any resting shape.
 * Oracle: a 2xx is JSON in the envelope (`envelope: ok`), of the right media type. The same rules are looked at on
 * every other reply of the run; this property makes sure that there are some.
 * Shrinks to one operation. Safety: orders rest far from the market.
 */
export const envelope: Property = {
  id: "P-10",
  title: "Every success comes in the envelope",
  spec: ["ENV-01", "ENV-02", "ENV-03", "ENV-04", "ENV-05", "GEN-07", "GEN-12", "GEN-13"],
  safety: "rests",
  runs: { local: 20, staging: 2 },
  cost: { requests: 3, orders: 3 },
  plans: () =>
    fc
      .array(operation, { minLength: 1, maxLength: 3 })
      .map((operations) => ({ vars: market, steps: operations.map((one, index) => stepOf(one, index)) })),
};

const operation = fc.oneof(fc.constantFrom("products", "openOrders"), fc.constantFrom(...restingShapes));

const wrapped: ValueMap = { contentType: "json", envelope: "ok" };

function stepOf(one: string | (typeof restingShapes)[number], index: number): ValueMap {
  const id = `call${index + 1}`;
  if (typeof one === "string") return call(id, one, {}, { expect: { status: 200, ...wrapped } });
  const judged = { expect: { $anyOf: [{ status: 200, ...wrapped }, { $macro: "rejected" }] } };
  return place(id, orderOf(one, `a${index}`), judged);
}
