import fc from "fast-check";
import { book, buy, trading } from "./market-buys.ts";
import type { Property } from "./property.ts";
import { sameOutcome } from "./templates.ts";

/**
 * P-23: a MARKET BUY may leave base_quantity out, and what it says there does not size it.
 * Clauses: PLC-05, REQ-06, REQ-27.
 * Generator: a value to spend, and a quantity beside it: the usual one or a multiple.
 * Oracle: differential. With and without base_quantity the outcome is the same.
 * Shrinks to the least value and the usual quantity. Safety: trades, for the least that can be traded.
 */
export const quantityIsOptional: Property = {
  id: "P-23",
  title: "A MARKET BUY has the same outcome with and without base_quantity",
  spec: ["PLC-05", "REQ-06", "REQ-27"],
  safety: "trades",
  requires: trading,
  runs: { local: 3, staging: 1 },
  cost: { requests: 10, orders: 2 },
  plans: () =>
    fc
      .record({ part: fc.integer({ min: 1000, max: 3000 }), factor: fc.constantFrom("1", "2", "3") })
      .map(({ part, factor }) => ({
        vars: {
          ...book,
          value: { $calc: `least * ${part} / 1000 @ 2` },
          beside: { $calc: `quantity * ${factor}` },
        },
        steps: [...without, { ...withQuantity, expect: sameOutcome("withoutPlaced", "outcome") }],
      })),
};

const [placed] = buy("without", { quote_value: "${value}" }, {});
const without = [{ ...placed, capture: { outcome: "#/data/type" } }];
const [withQuantity] = buy("beside", { quote_value: "${value}", base_quantity: "${beside}" }, {});
