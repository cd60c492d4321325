import fc from "fast-check";
import type { Call, WrittenStep } from "../model/language.ts";
import type { ValueMap } from "../model/value.ts";
import { book, tradingWithOurselves } from "./market-buys.ts";
import type { Poll } from "./order-states.ts";
import { standing } from "./own-book.ts";
import type { Plan, Property } from "./property.ts";
import { settle } from "./templates.ts";

/**
 * P-32: fills add up, on each order and over both sides of a trade.
 * Clauses: ORD-53 (not beyond the quantity), ORD-54 (average), ORD-55 (value), PLC-31 (its price or better).
 * Generator: a counterparty's offer alone at a price inside the spread, one to four usual quantities; and a buy at
 * that price of one to four.
 * Oracle: both orders are filled by the smaller of the two quantities, at a price no worse than their own; the value is
 * quantity times average; fees are not negative. If orders cannot be cancelled, both quantities are the same, so that
 * nothing is left for the next plan.
 * Shrinks to one quantity on each side. Safety: trades between the kit's clients.
 */
export const fillsAddUp: Property = {
  id: "P-32",
  title: "Fills add up on both sides of a trade",
  spec: ["ORD-53", "ORD-54", "ORD-55", "PLC-31"],
  safety: "trades",
  requires: tradingWithOurselves,
  runs: { local: 3, staging: 1 },
  cost: { requests: 14, orders: 2 },
  plans: ({ profile }) => {
    const cancels = typeof profile.operations["cancelOrder"] === "object";
    return fc
      .record({ offered: fc.integer({ min: 1, max: 4 }), wanted: fc.integer({ min: 1, max: 4 }) })
      .map(({ offered, wanted }) => planOf(offered, cancels ? wanted : offered, cancels));
  },
};

/** If orders cannot be cancelled, the rest of an earlier offer comes before this one. */
const alone: WrittenStep = {
  note: "the buy met offers other than this one",
  onFail: "block",
  poll: {
    ...readOf("sell", { as: "counterparty" }),
    until: { order: { filledQuantity: { $decVar: "traded" } } },
    ...soon(),
  },
};

function planOf(offered: number, wanted: number, cancels: boolean): Plan {
  return {
    isolation: "product",
    vars: {
      ...book,
      offered: { $calc: `quantity * ${offered}` },
      wanted: { $calc: `quantity * ${wanted}` },
      traded: { $calc: "min(offered, wanted)" },
    },
    steps: [
      standing("sell", "counterparty", atMiddle("SELL", "${offered}")),
      standing("buy", "trader", atMiddle("BUY", "${wanted}")),
      settle,
      {
        id: "shown",
        note: "the target shows the filled quantity",
        onFail: "block",
        poll: { ...readOf("buy"), until: { order: { filledQuantity: { $type: "string" } } }, ...soon() },
      },
      ...(cancels ? [] : [alone]),
      filled("bought", "buy", {}, { lte: "${middle}" }),
      filled("sold", "sell", { as: "counterparty" }, { gte: "${middle}" }),
    ],
  };
}

const atMiddle = (side: string, quantity: string): ValueMap => ({
  side,
  type: "LIMIT",
  base_quantity: quantity,
  price: "${middle}",
});

function soon(): Pick<Poll, "every" | "within"> {
  return { every: "50ms", within: "5s" };
}

function readOf(order: string, more: Call = {}): { readonly call: Call } {
  return { call: { op: "readOrder", ...more, params: { id: `\${${order}Order}` } } };
}

function filled(id: string, order: string, more: Call, average: ValueMap): WrittenStep {
  return {
    id,
    poll: {
      ...readOf(order, more),
      until: { order: { filledQuantity: { $dec: { gte: "${traded}" } } } },
      ...soon(),
    },
    expect: {
      order: {
        filledQuantity: { $cite: "ORD-53", is: { $decVar: "traded" } },
        averageFilledPrice: { $cite: "PLC-31", is: { $dec: average } },
        filledValue: {
          $cite: "ORD-55",
          is: { $dec: { near: { $calc: "filledQuantity * averageFilledPrice" }, tol: "0.01" } },
        },
        fees: { $cite: "ORD-58", is: { $optional: { $nullable: { $dec: { gte: "0" } } } } },
      },
    },
  };
}
