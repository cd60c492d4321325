import fc from "fast-check";
import type { Plan, Property } from "./property.ts";
import { key, place, shapes } from "./templates.ts";

/**
 * P-26: the size limits are two thresholds: refused below the lower, refused above the upper, and on the limits and
 * between them not refused for the size.
 * Clauses: PLC-27, PLC-28 (required), PLC-33 (recommended).
 * Generator: mostly a limit itself or one step outside; also up to three steps to either side, or a hundred.
 * Oracle: 400 outside; inside a `should` that it is taken, because a target may have other reasons to refuse.
 * Shrinks to one step outside, or to the limit itself. Safety: what is inside rests far from the market.
 */
export const sizeLimits: Property = {
  id: "P-26",
  title: "Sizes outside the account's limits are refused, and the limits are inside",
  spec: ["PLC-27", "PLC-28", "PLC-33"],
  safety: "rests",
  requires: { targetFacts: ["limits.product", "limits.min", "limits.max", "limits.step"] },
  runs: { local: 60, staging: 6 },
  cost: { requests: 1, orders: 1 },
  plans: () =>
    fc
      .oneof(
        { withCrossShrink: true },
        { weight: 3, arbitrary: fc.constantFrom(...decisive) },
        {
          weight: 1,
          arbitrary: fc.record({
            limit: fc.constantFrom<Size["limit"]>("least", "most"),
            steps: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(100)),
            below: fc.boolean(),
          }),
        },
      )
      .map(planOf),
};

interface Size {
  readonly limit: "least" | "most";
  readonly steps: number;
  readonly below: boolean;
}

const decisive: readonly Size[] = [
  { limit: "least", steps: 1, below: true },
  { limit: "most", steps: 1, below: false },
  { limit: "least", steps: 0, below: false },
  { limit: "most", steps: 0, below: false },
];

function planOf({ limit, steps, below }: Size): Plan {
  const outside = steps > 0 && below === (limit === "least");
  const judged = outside
    ? { spec: [limit === "least" ? "PLC-27" : "PLC-28"], expect: { $macro: "invalid" } }
    : { spec: ["PLC-33"], should: { status: "2xx" } };
  return {
    vars: {
      product: { $fact: "limits.product" },
      least: { $fact: "limits.min" },
      most: { $fact: "limits.max" },
      step: { $fact: "limits.step" },
      far: { $price: { side: "BUY", away: "far", product: "${product}" } },
      size: { $calc: steps === 0 ? `${limit} + 0` : `${limit} ${below ? "-" : "+"} ${steps} * step` },
    },
    steps: [
      place(
        "sized",
        {
          ...shapes.limitBuy.fields,
          base_quantity: "${size}",
          client_order_id: key("a"),
          product: "${product}",
        },
        judged,
      ),
    ],
  };
}
