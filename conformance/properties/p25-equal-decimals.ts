import fc from "fast-check";
import type { Plan, Property, Situation } from "./property.ts";
import { market, orderOf, place, sameOutcome, shapes } from "./templates.ts";

/**
 * P-25: two spellings of one number are one number.
 * Clauses: REQ-26.
 * Generator: which amount, and one to eight zeros appended to it; more would ask how long a number may be.
 * Oracle: differential. The outcome is that of the plain spelling, and the echoed amounts are equal.
 * Shrinks to one zero behind the quantity. Safety: two orders rest far from the market.
 */
export const equalDecimals: Property = {
  id: "P-25",
  title: "Zeros at the end of an amount change nothing",
  spec: ["REQ-26"],
  safety: "rests",
  runs: { local: 40, staging: 2 },
  cost: { requests: 2, orders: 2 },
  plans: (situation) =>
    fc.record({ field: fc.constantFrom(...fields), zeros }).map((choice) => planOf(choice, situation)),
};

const fields = [
  { sent: "base_quantity", shown: "baseQuantity" },
  { sent: "price", shown: "limitPrice" },
] as const;
const zeros = fc.integer({ min: 1, max: 8 });

interface Choice {
  readonly field: (typeof fields)[number];
  readonly zeros: number;
}

function planOf({ field, zeros: count }: Choice, { market: known }: Situation): Plan {
  const usual =
    field.sent === "price"
      ? known.generate("$price", { side: "BUY", away: "far" }, false)
      : known.generate("$qty", "typical", false);
  const plain = String(usual);
  const padded = `${plain}${plain.includes(".") ? "" : "."}${"0".repeat(count)}`;
  return {
    vars: market,
    steps: [
      place("plain", orderOf(shapes.limitBuy, "a", { [field.sent]: plain }), {
        capture: { outcome: "#/data/type" },
      }),
      place("padded", orderOf(shapes.limitBuy, "b", { [field.sent]: padded }), {
        expect: sameOutcome("plain", "outcome", {
          [field.shown]: { $optional: { $nullable: { $dec: plain } } },
        }),
      }),
    ],
  };
}
