import fc from "fast-check";
import type { PlainExpectation, WrittenStep } from "../model/language.ts";
import type { Property } from "./property.ts";
import { call, type Judged, market, orderOf, place, restingShapes, type Shape } from "./templates.ts";

/**
 * P-10: every success of the specified operations comes in the envelope, as JSON.
 * Clauses: ENV-01 to ENV-05, GEN-07, GEN-12, GEN-13.
 * Generator: up to two of: the open orders, the products, a placement of any resting shape; and a placement at the end.
 * Oracle: a 2xx is JSON in the envelope (`envelope: ok`), with the right media type. The same rules are checked on
 * every other reply of the run; this property makes sure that there are such replies.
 * Shrinks to one operation. Safety: orders rest far from the market.
 */
export const envelope: Property = {
  id: "P-10",
  title: "Every success comes in the envelope",
  spec: ["ENV-01", "ENV-02", "ENV-03", "ENV-04", "ENV-05", "GEN-07", "GEN-12", "GEN-13"],
  safety: "rests",
  runs: { local: 4, staging: 1 },
  cost: { requests: 3, orders: 3 },
  plans: (situation) => {
    const shape = restingShapes(situation);
    const operation = fc.oneof(fc.constantFrom("products", "openOrders"), shape);
    return fc
      .tuple(fc.array(operation, { maxLength: 2 }), shape)
      .map(([operations, last]) => ({ vars: market, steps: [...operations, last].map(stepOf) }));
  },
};

const wrapped: PlainExpectation = { contentType: "json", envelope: "ok" };

function stepOf(one: string | Shape, index: number): WrittenStep {
  const id = `call${index + 1}`;
  if (typeof one === "string") return call(id, one, {}, { expect: { status: 200, ...wrapped } });
  const judged: Judged = { expect: { $anyOf: [{ status: 200, ...wrapped }, { $macro: "rejected" }] } };
  return place(id, orderOf(one, `a${index}`), judged);
}
