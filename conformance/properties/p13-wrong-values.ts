import fc from "fast-check";
import { fields, type Malformed, malformed } from "./malformed.ts";
import type { Plan, Property } from "./property.ts";
import { demanding, type Judged, market, orderOf, place, type Shape, shapes } from "./templates.ts";

/**
 * P-13: a value of the wrong type or grammar in one field creates no order and causes no server error.
 * Clauses: REQ-05, REQ-07, REQ-09, REQ-12 (amounts), REQ-17 (pair), REQ-18 (not above zero), REQ-19 (null), REQ-20 (type), ERR-09.
 * Generator: a field in a shape that needs it, and one of the malformed forms of P-44. P-44 tries them one by one; here
 * they are drawn, so that a few requests suffice on a machine that is not ours. Other spellings of a number are left to
 * P-25.
 * Oracle: 400 or a failed outcome, never 5xx. For forms that a lenient reader may accept it is a `should`.
 * Shrinks to the simplest value in a LIMIT order. Safety: nothing that is sent may become an order.
 */
export const wrongValues: Property = {
  id: "P-13",
  title: "A value of the wrong type or grammar creates no order",
  spec: ["REQ-05", "REQ-07", "REQ-09", "REQ-12", "REQ-17", "REQ-18", "REQ-19", "REQ-20", "ERR-09"],
  safety: "reject-only",
  runs: { local: 30, staging: 25 },
  cost: { requests: 1, orders: 1 },
  plans: ({ market: known }) =>
    fc
      .tuple(fc.constantFrom(...Object.keys(shapeOf)), fc.constantFrom(...Object.keys(malformed)))
      .map(([field, form]) => [field, wrong(field, form, known.product("tradable"))] as const)
      .filter((drawn): drawn is readonly [string, Malformed] => drawn[1] !== undefined)
      .map(([field, value]) => planOf(field, value)),
};

const shapeOf: Readonly<Record<string, Shape>> = {
  base_quantity: shapes.limitBuy,
  price: shapes.limitBuy,
  stop_price: shapes.stopLimitBuy,
  quote_value: shapes.marketBuy,
  product: shapes.limitBuy,
};

function wrong(field: string, form: string, product: string): Malformed | undefined {
  const kind = fields[field]?.kind ?? "amount";
  const right = kind === "pair" ? product : "1";
  const found = malformed[form]?.[kind]?.(right);
  // The target's spelling of a product may differ from that of the document, and may be equal to this
  // malformed form.
  if (found?.value === right) return undefined;
  return found?.verdict === "same" || found?.value === undefined ? undefined : found;
}

function planOf(field: string, { value = null, verdict, clause }: Malformed): Plan {
  const strength = verdict === "refused" ? "expect" : "should";
  const judged: Judged = {
    spec: [clause ?? fields[field]?.clause ?? "REQ-20"],
    ...demanding(strength, { $anyOf: [{ $macro: "rejected" }, { status: "4xx" }] }),
  };
  const body = orderOf(shapeOf[field] ?? shapes.limitBuy, "a", { [field]: value });
  return { vars: market, steps: [place("wrong", body, judged)] };
}
