import type { Plan, Property, Situation } from "./property.ts";
import {
  call,
  eventually,
  firstPlacement,
  key,
  market,
  orderOf,
  restingShapes,
  type Shape,
} from "./templates.ts";

/**
 * P-11: an order has the fields of the table in every answer that shows it.
 * Clauses: ORD-01 and the clauses of its fields, STA-01, GEN-04, GEN-06, ORD-39.
 * Generator: a resting shape, and the answers that are checked: its own, the open orders, and the read of one order if
 * the profile maps it.
 * Oracle: the field table (`orderShape`) holds for orders that the document describes, and the id is the same
 * everywhere. The shape of the open list is not specified. An order that is recognised in it is compared with the table
 * nevertheless, like every order in every reply of the run.
 * Shrinks to a LIMIT BUY; the finding names the field. Safety: one order rests.
 */
export const orderShape: Property = {
  id: "P-11",
  title: "An order has its fields in every answer",
  spec: ["ORD-01", "STA-01", "GEN-04", "GEN-06", "ORD-39"],
  safety: "rests",
  runs: { local: 4, staging: 1 },
  cost: { requests: 12, orders: 1 },
  plans: (situation) => restingShapes(situation).map((shape) => planOf(shape, situation)),
};

function planOf(shape: Shape, { profile }: Situation): Plan {
  const shown = { clientOrderId: key("a"), id: { $eqVar: "order" } };
  const read = typeof profile.operations["readOrder"] === "object";
  return {
    vars: market,
    steps: [
      ...firstPlacement("placed", orderOf(shape, "a"), "order"),
      call(
        "listed",
        "openOrders",
        {},
        {
          spec: ["ORD-39"],
          expect: {
            $anyOf: [
              { anywhere: { object: { clientOrderId: key("a") }, times: 0 } },
              { anywhere: { object: shown, times: { gte: 1 } } },
            ],
          },
        },
      ),
      ...(read
        ? [
            eventually(
              "read",
              ["readOrder", { params: { id: "${order}" } }],
              { status: "2xx" },
              { spec: ["ORD-39"], expect: { order: { $allOf: [shown, { $macro: "orderShape" }] } } },
            ),
          ]
        : []),
    ],
  };
}
