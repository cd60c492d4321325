import fc from "fast-check";
import { parseDecimal } from "../check/decimal.ts";
import type { Plan, Property, Situation } from "./property.ts";
import { market, orderOf, place, shapes } from "./templates.ts";

/**
 * P-24: a decimal that was accepted comes back as the same number, as a string, in whatever legal scale.
 * Clauses: GEN-04, ORD-44, ORD-45, REQ-25, and ORD-47 as a `should`.
 * Generator: the far price of the profile with up to 18 digits after the point, in the lower part of its range; the
 * usual quantity with more digits appended; zeros at the end; digits that a double cannot hold.
 * Oracle: refused, or baseQuantity and limitPrice equal what was sent, compared as decimals of 80 digits.
 * Shrinks to the fewest digits. Safety: one order rests, at the far price or below, for less than twice the usual
 * quantity.
 */
export const decimalEcho: Property = {
  id: "P-24",
  title: "An accepted amount comes back as the same number",
  spec: ["GEN-04", "ORD-44", "ORD-45", "REQ-25", "ORD-47"],
  safety: "rests",
  runs: { local: 200, staging: 5 },
  cost: { requests: 1, orders: 1 },
  plans: (situation) =>
    fc.record({ price: priceDigits(situation), quantity: quantityDigits(situation) }).map(planOf),
};

/** Fractions of a legal scale are as frequent as longer ones: a target that refuses those shows nothing by it. */
const fraction = (legal: number) =>
  fc.oneof(
    digits(legal),
    digits(legal),
    digits(18),
    fc.constantFrom("005", "1", "100", "300000000000000004"),
  );
const digits = (most: number) => fc.stringMatching(new RegExp(`^\\d{0,${most}}$`));

function priceDigits({ market: known }: Situation): fc.Arbitrary<string> {
  const far = parseDecimal(String(known.generate("$price", { side: "BUY", away: "far" }, false)));
  const top = Math.floor(far?.toNumber() ?? 0);
  if (top < 2) return fc.constant(far?.toFixed() ?? "1");
  const whole = fc.integer({ min: 0, max: Math.floor(top / 20) }).map((below) => top - 1 - below);
  return fc.tuple(whole, fraction(2)).map(([units, part]) => joined(String(units), part));
}

function quantityDigits({ market: known }: Situation): fc.Arbitrary<string> {
  const usual = String(known.generate("$qty", "typical", false));
  const [units = "0", decimals = ""] = usual.split(".");
  return fraction(Math.max(0, 8 - decimals.length)).map((part) =>
    joined(units, decimals.replace(/0+$/, "") === "" ? decimals : decimals + part),
  );
}

const joined = (units: string, part: string): string => (part === "" ? units : `${units}.${part}`);

function planOf({ price, quantity }: { price: string; quantity: string }): Plan {
  const same = (value: string) => ({ $optional: { $nullable: { $dec: value } } });
  return {
    vars: market,
    steps: [
      place("echo", orderOf(shapes.limitBuy, "a", { base_quantity: quantity, price }), {
        expect: {
          order: {
            $optional: {
              baseQuantity: { $cite: "ORD-44", is: same(quantity) },
              limitPrice: { $cite: "ORD-45", is: same(price) },
            },
          },
        },
        should: {
          order: {
            $optional: {
              quoteValue: {
                $cite: "ORD-47",
                is: { $optional: { $nullable: { $decVar: `${quantity} * ${price}` } } },
              },
            },
          },
        },
      }),
    ],
  };
}
