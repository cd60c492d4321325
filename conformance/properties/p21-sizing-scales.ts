import fc from "fast-check";
import { book, buy, offer, trading } from "./market-buys.ts";
import type { Plan, Property } from "./property.ts";
import { settle } from "./templates.ts";

/**
 * P-21: more money never buys less, and against one deep offer it buys in proportion.
 * Clauses: PLC-06.
 * Generator: two values a <= b. A counterparty first offers, inside the spread and alone at its price, more than both
 * can buy: the book is known and the first buy does not change what the second one meets.
 * Oracle: filled(a) <= filled(b), and filled(b) differs from filled(a) * b / a by no more than rounding to the step of
 * the product can explain. A fee that is taken out of the value is a factor on both sides and cancels out.
 * Shrinks to a = b, the least value. Safety: trades with ourselves.
 */
export const sizingScales: Property = {
  id: "P-21",
  title: "MARKET BUYs of one book are sized in proportion to their value",
  spec: ["PLC-06"],
  assumes: ["AS-23"],
  safety: "trades",
  requires: { ...trading, credentials: ["counterparty"] },
  runs: { local: 30, staging: 1 },
  cost: { requests: 14, orders: 3 },
  plans: () =>
    fc
      .record({ least: fc.integer({ min: 1000, max: 2000 }), more: fc.integer({ min: 0, max: 2000 }) })
      .map(({ least, more }) => planOf(least, least + more)),
};

/** The finest step that products of this kind trade in, as a share of what is bought; rounding moves each side by one. */
const step = "0.00000002";

function planOf(small: number, large: number): Plan {
  return {
    vars: {
      ...book,
      small: { $calc: `least * ${small} / 1000 @ 2` },
      large: { $calc: `least * ${large} / 1000 @ 2` },
      deep: { $calc: "large * 3 / middle @ 6" },
      tolerance: { $calc: `${step} * (large / small @ 8) + ${step}` },
    },
    steps: [
      offer("offer", "${middle}", "${deep}"),
      settle,
      ...buy(
        "less",
        { quote_value: "${small}" },
        {
          expect: { order: { filledQuantity: { $dec: { gt: "0" } } } },
          capture: { got: "#order/filledQuantity" },
        },
      ),
      ...buy(
        "more",
        { quote_value: "${large}" },
        {
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
        },
      ),
    ],
  };
}
