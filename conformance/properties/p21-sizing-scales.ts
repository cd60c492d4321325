import fc from "fast-check";
import { book, ending, offer, placeBuy, tradingWithOurselves } from "./market-buys.ts";
import { bookWalks } from "./p21-walks-the-book.ts";
import type { Plan, Property } from "./property.ts";
import { settle } from "./templates.ts";

/**
 * P-21: more money never buys less. Against one deep offer it buys in proportion, and over several offers it pays their
 * sum (p21-walks-the-book.ts).
 * Clauses: PLC-06.
 * Generator: two values a <= b. A counterparty first offers, inside the spread and alone at its price, more than both
 * can buy: the book is known, and the first buy does not change the offers for the second one. Or: two or three small
 * offers, and a value that uses up all but a part of the last.
 * Oracle: filled(a) <= filled(b), and filled(b) differs from filled(a) * b / a only by rounding to the step of the
 * product. A fee that is taken out of the value is a factor on both sides and cancels out. Or: the exact cost of the
 * offers.
 * Shrinks to a = b, the least value; or to two offers. Safety: trades between the kit's clients.
 */
export const sizingScales: Property = {
  id: "P-21",
  title: "MARKET BUYs are sized in proportion to their value and pay the sum of the offers",
  spec: ["PLC-06"],
  assumes: ["AS-23"],
  safety: "trades",
  requires: tradingWithOurselves,
  runs: { local: 8, staging: 2 },
  cost: { requests: 14, orders: 4 },
  plans: (situation) => fc.oneof({ withCrossShrink: true }, proportions, bookWalks(situation)),
};

const proportions = fc
  .record({ least: fc.integer({ min: 1000, max: 2000 }), more: fc.integer({ min: 0, max: 2000 }) })
  .map(({ least, more }) => inProportion(least, least + more));

function inProportion(small: number, large: number): Plan {
  return {
    isolation: "product",
    vars: {
      ...book,
      small: { $calc: `(least * ${small} / (1000 * unit) @ 0) * unit` },
      large: { $calc: `(least * ${large} / (1000 * unit) @ 0) * unit` },
      deep: { $calc: "((small + large) * 1.1 / (middle * lot) @ 0) * lot + lot" },
      tolerance: { $calc: "(lot + 0.00000001) * ((large / small @ 8) + 1)" },
    },
    steps: [
      offer("offer", "${middle}", "${deep}"),
      placeBuy("less", { quote_value: "${small}" }),
      placeBuy("more", { quote_value: "${large}" }),
      settle,
      ending("less", {
        note: "the first buy has bought something, and the target shows the quantity",
        onFail: "block",
        expect: { order: { filledQuantity: { $dec: { gt: "0" } } } },
        capture: { got: "#order/filledQuantity" },
      }),
      ending("more", {
        expect: {
          order: {
            filledQuantity: {
              $allOf: [
                { $dec: { gte: "${got}" } },
                { $dec: { near: { $calc: "got * large / small @ 12" }, tol: "${tolerance}" } },
              ],
            },
          },
        },
      }),
    ],
  };
}
