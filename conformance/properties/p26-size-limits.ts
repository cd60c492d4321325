import fc from "fast-check";
import type { Plan, Property } from "./property.ts";
import { type Judged, key, place, shapes } from "./templates.ts";

/**
 * P-26: the size limits are two thresholds: a size below the lower or above the upper one is refused, and a size on or
 * between them is not refused for its size.
 * Clauses: PLC-27, PLC-28 (required), PLC-33 (recommended).
 * Generator: mostly a limit itself or one step outside; also up to three steps to either side, or a hundred; and sizes of
 * any magnitude between the limits, written with any first digit.
 * Oracle: 400 outside; inside them a `should` that it is accepted, because a target may have other reasons to refuse.
 * Shrinks to one step outside, or to the limit itself. Safety: an order inside the limits rests far from the market.
 */
export const sizeLimits: Property = {
  id: "P-26",
  title: "Sizes outside the account's limits are refused, and the limits themselves are accepted",
  spec: ["PLC-27", "PLC-28", "PLC-33"],
  safety: "rests",
  requires: { targetFacts: ["limits.product", "limits.min", "limits.max", "limits.step"] },
  runs: { local: 20, staging: 5 },
  cost: { requests: 1, orders: 1 },
  plans: () =>
    fc
      .oneof(
        { withCrossShrink: true },
        { weight: 3, arbitrary: fc.constantFrom(...decisive) },
        { weight: 1, arbitrary: fc.record({ limit, steps, below: fc.boolean() }).map(away) },
        { weight: 2, arbitrary: fc.record({ digit, power }).map(between) },
      )
      .map(planOf),
};

type Limit = "least" | "most";
const clauses = { least: "PLC-27", most: "PLC-28" } as const;

interface Size {
  /** Of the variables `least`, `most` and `step`. */
  readonly calc: string;
  /** The clause that demands its refusal; without one it is inside. */
  readonly refused?: string;
}

const limit = fc.constantFrom<Limit>("least", "most");
const steps = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(100));

interface Distance {
  readonly limit: Limit;
  readonly steps: number;
  readonly below: boolean;
}

function away({ limit: from, steps: count, below }: Distance): Size {
  const outside = count > 0 && below === (from === "least");
  return {
    calc: count === 0 ? `${from} + 0` : `${from} ${below ? "-" : "+"} ${count} * step`,
    ...(outside ? { refused: clauses[from] } : {}),
  };
}

const decisive = [
  away({ limit: "least", steps: 1, below: true }),
  away({ limit: "most", steps: 1, below: false }),
  away({ limit: "least", steps: 0, below: false }),
  away({ limit: "most", steps: 0, below: false }),
];

/** Any first digit at some magnitudes below the upper limit: numbers that are smaller and longer, or sort otherwise. */
const digit = fc.integer({ min: 1, max: 9 });
const power = fc.integer({ min: 1, max: 3 });

const between = ({ digit: first, power: zeros }: { digit: number; power: number }): Size => ({
  calc: `max(least, ((most * ${first} / ${10 ** zeros} @ 20) / step @ 0) * step)`,
});

function planOf({ calc, refused }: Size): Plan {
  const judged: Judged =
    refused === undefined
      ? { spec: ["PLC-33"], should: { status: "2xx" } }
      : { spec: [refused], expect: { $macro: "invalid" } };
  return {
    vars: {
      product: { $fact: "limits.product" },
      least: { $fact: "limits.min" },
      most: { $fact: "limits.max" },
      step: { $fact: "limits.step" },
      far: { $price: { side: "BUY", away: "far", product: "${product}" } },
      size: { $calc: calc },
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
