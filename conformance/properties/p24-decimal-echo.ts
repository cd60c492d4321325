import fc from "fast-check";
import { parseDecimal } from "../check/decimal.ts";
import { isOurs } from "../model/profile.ts";
import type { ValueMap } from "../model/value.ts";
import type { Plan, Property, Situation } from "./property.ts";
import { market, orderOf, place, shapes } from "./templates.ts";

/**
 * P-24: an accepted decimal is shown as the same number, as a string, in any legal scale.
 * Clauses: GEN-04, ORD-44, ORD-45, ORD-46, REQ-25, and ORD-47 as a `should`.
 * Generator: the far price of the profile with up to 18 digits after the point, in the lower part of its range; the
 * usual quantity with more digits appended; zeros at the end; digits that a double cannot hold; in a LIMIT order, or, on
 * this machine, in a STOP_LIMIT with a stop price of its own.
 * Oracle: refused, or baseQuantity, limitPrice and stopPrice equal what was sent, compared as decimals of 80 digits.
 * Shrinks to the fewest digits. Safety: one order rests, at the far price or below, for less than twice the usual
 * quantity.
 */
export const decimalEcho: Property = {
  id: "P-24",
  title: "An accepted amount comes back as the same number",
  spec: ["GEN-04", "ORD-44", "ORD-45", "ORD-46", "REQ-25", "ORD-47"],
  safety: "rests",
  runs: { local: 16, staging: 4 },
  cost: { requests: 1, orders: 1 },
  plans: (situation) =>
    fc
      .record({
        price: priceDigits(situation),
        quantity: quantityDigits(situation),
        stop: isOurs(situation.profile)
          ? fc.option(priceDigits(situation), { nil: undefined })
          : fc.constant(undefined),
      })
      .map(planOf),
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

interface Amounts {
  readonly price: string;
  readonly quantity: string;
  /** Of a STOP_LIMIT; without one it is a LIMIT order. */
  readonly stop?: string | undefined;
}

function planOf({ price, quantity, stop }: Amounts): Plan {
  const same = (clause: string, value: string): ValueMap => ({
    $cite: clause,
    is: { $optional: { $nullable: { $dec: value } } },
  });
  const [shape, more, shown] =
    stop === undefined
      ? [shapes.limitBuy, {}, {}]
      : [shapes.stopLimitSell, { stop_price: stop }, { stopPrice: same("ORD-46", stop) }];
  const product = { $optional: { $nullable: { $decVar: `${quantity} * ${price}` } } };
  const echo = { baseQuantity: same("ORD-44", quantity), limitPrice: same("ORD-45", price), ...shown };
  return {
    vars: market,
    steps: [
      place("echo", orderOf(shape, "a", { base_quantity: quantity, price, ...more }), {
        expect: { order: { $optional: echo } },
        should: { order: { $optional: { quoteValue: { $cite: "ORD-47", is: product } } } },
      }),
    ],
  };
}
