import fc from "fast-check";
import type { Property } from "./property.ts";
import { market, orderOf, place, shapes } from "./templates.ts";

/**
 * P-14: side and type are words from two short lists.
 * Clauses: REQ-02, REQ-04.
 * Generator: any short text that is not in the list, the types of the Order table that cannot be placed, words with a
 * letter too many or from another alphabet; the right word in other letter case is a `should`.
 * Oracle: 400.
 * Shrinks to the shortest text that is taken. Safety: nothing that is sent may become an order.
 */
export const words: Property = {
  id: "P-14",
  title: "Any word beside the listed sides and types is refused",
  spec: ["REQ-02", "REQ-04"],
  safety: "reject-only",
  runs: { local: 20, staging: 14 },
  cost: { requests: 1, orders: 1 },
  plans: () =>
    fc.oneof(
      { withCrossShrink: true },
      fc.tuple(fc.constantFrom("side", "type"), stray).map(([field, word]) => planOf(field, word, "expect")),
      unplaceable.map((word) => planOf("type", word, "expect")),
      otherCase.map(([field, word]) => planOf(field, word, "should")),
    ),
};

const listed = new Set(["BUY", "SELL", "LIMIT", "MARKET", "STOP_LIMIT"]);
const stray = fc
  .oneof(
    { withCrossShrink: true },
    fc.string({ unit: fc.constantFrom(..."ABELSUY_ 0\u0412\u0405\u0399"), maxLength: 12 }),
    fc.constantFrom("BUYS", "SEL", "B\u0423Y", "LIMIT ", "STOP-LIMIT", "STOPLIMIT", "M\u0410RKET", "null"),
  )
  .filter((word) => !listed.has(word.toUpperCase().trim()));
const unplaceable = fc.constantFrom("TWAP", "BLOCK", "VWAP", "RFQ", "PEG");
const otherCase = fc.constantFrom(["side", "buy"], ["side", "Sell"], ["type", "limit"], ["type", "Market"]);

function planOf(field = "side", word = "", strength: "expect" | "should" = "expect") {
  const judged = { spec: [field === "side" ? "REQ-02" : "REQ-04"], [strength]: { $macro: "invalid" } };
  return { vars: market, steps: [place("stray", orderOf(shapes.limitBuy, "a", { [field]: word }), judged)] };
}
