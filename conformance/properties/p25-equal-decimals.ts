import fc from "fast-check";
import { calculate } from "../check/calc.ts";
import type { Plan, Property, Situation } from "./property.ts";
import { market, orderOf, place, sameOutcome, shapes } from "./templates.ts";

/**
 * P-25: two spellings of one number are one number.
 * Clauses: REQ-26.
 * Generator: the amount, and one to eight zeros appended to it; more would test the longest number. Or a tenth of it
 * with the exponent 1: a target that drops the exponent creates a smaller order, not a larger one.
 * Oracle: differential. The outcome is that of the plain spelling, and the shown amounts are equal. An exponent may be
 * refused: the legal spellings are open (AS-21).
 * Shrinks to one zero after the quantity. Safety: two orders rest far from the market.
 */
export const equalDecimals: Property = {
  id: "P-25",
  title: "Another spelling of an amount changes nothing",
  spec: ["REQ-26"],
  safety: "rests",
  runs: { local: 6, staging: 1 },
  cost: { requests: 2, orders: 2 },
  plans: (situation) =>
    fc.record({ field: fc.constantFrom(...fields), spelling }).map((choice) => planOf(choice, situation)),
};

const fields = [
  { sent: "base_quantity", shown: "baseQuantity" },
  { sent: "price", shown: "limitPrice" },
] as const;

/** How many zeros are appended, or an exponent. */
const spelling = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 8 }) },
  { weight: 1, arbitrary: fc.constant("exponent" as const) },
);

interface Choice {
  readonly field: (typeof fields)[number];
  readonly spelling: number | "exponent";
}

function planOf({ field, spelling: how }: Choice, { market: known }: Situation): Plan {
  const usual =
    field.sent === "price"
      ? known.generate("$price", { side: "BUY", away: "far" }, false)
      : known.generate("$qty", "typical", false);
  const amount = String(usual);
  const same = sameOutcome("plain", "outcome", {
    [field.shown]: { $optional: { $nullable: { $dec: amount } } },
  });
  return {
    vars: market,
    steps: [
      place("plain", orderOf(shapes.limitBuy, "a", { [field.sent]: amount }), {
        capture: { outcome: "#/data/type" },
      }),
      place("spelled", orderOf(shapes.limitBuy, "b", { [field.sent]: spelled(amount, how) }), {
        expect: how === "exponent" ? { $anyOf: [{ $macro: "invalid" }, same] } : same,
      }),
    ],
  };
}

function spelled(amount: string, how: Choice["spelling"]): string {
  if (how === "exponent") return `${calculate("amount / 10 @ 30", () => amount)}e1`;
  return `${amount}${amount.includes(".") ? "" : "."}${"0".repeat(how)}`;
}
