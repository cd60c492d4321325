import fc from "fast-check";
import type { Expectation } from "../model/language.ts";
import { book, placeBuy, trading } from "./market-buys.ts";
import type { Plan, Property } from "./property.ts";

/**
 * P-23: a MARKET BUY may leave base_quantity out.
 * Clauses: PLC-05, REQ-06, REQ-27.
 * Generator: a value to spend, and a quantity as well: the usual one or a multiple.
 * Oracle: differential, in one direction. If the order with base_quantity is accepted, the one without must be, too. A
 * target that refuses an unnecessary quantity shows nothing about its absence.
 * Shrinks to the least value and the usual quantity. Safety: trades, for the least that can be traded.
 */
export const quantityIsOptional: Property = {
  id: "P-23",
  title: "A MARKET BUY that is accepted with base_quantity is accepted without it",
  spec: ["PLC-05", "REQ-06", "REQ-27"],
  safety: "trades",
  requires: trading,
  runs: { local: 3, staging: 1 },
  cost: { requests: 10, orders: 2 },
  plans: () =>
    fc.record({ part: fc.integer({ min: 1000, max: 3000 }), factor: fc.constantFrom("1", "2", "3") }).map(
      ({ part, factor }): Plan => ({
        isolation: "product",
        vars: {
          ...book,
          value: { $calc: `(least * ${part} / (1000 * unit) @ 0) * unit` },
          quantityBeside: { $calc: `quantity * ${factor}` },
        },
        steps: [
          { ...withQuantity, capture: { outcome: "#/data/type" } },
          { ...placeBuy("without", { quote_value: "${value}" }), expect: alsoAnOrder },
        ],
      }),
    ),
};

const withQuantity = placeBuy("beside", { quote_value: "${value}", base_quantity: "${quantityBeside}" });

const alsoAnOrder: Expectation = {
  $switch: "${besidePlaced.status}",
  "200": { status: 200, body: { data: { type: { $eqVar: "outcome" } } } },
};
