import fc from "fast-check";
import type { Plan, Property } from "./property.ts";
import { demanding, type Judged, market, orderOf, place, shapes } from "./templates.ts";

/**
 * P-14: side and type are words from two short lists.
 * Clauses: REQ-02, REQ-04.
 * Generator: any short text that is not in the list, the types of the Order table that cannot be placed, words with an
 * extra letter or with letters of another alphabet, beginnings of the words, and the words of other interfaces. The
 * right word in other letter case, or with a blank, is a `should`.
 * Oracle: 400.
 * Shrinks to the shortest text that is accepted. Safety: nothing that is sent may become an order.
 */
export const words: Property = {
  id: "P-14",
  title: "Any word except the listed sides and types is refused",
  spec: ["REQ-02", "REQ-04"],
  safety: "reject-only",
  runs: { local: 44, staging: 14 },
  cost: { requests: 1, orders: 1 },
  plans: () =>
    fc.oneof(
      { withCrossShrink: true },
      { weight: 1, arbitrary: fc.tuple(field, letters).map(([name, word]) => planOf(name, word, "expect")) },
      { weight: 6, arbitrary: mistaken.map(([name, word]) => planOf(name, word, "expect")) },
      { weight: 1, arbitrary: forgiven.map(([name, word]) => planOf(name, word, "should")) },
    ),
};

const listed = new Set(["BUY", "SELL", "LIMIT", "MARKET", "STOP_LIMIT"]);
const field = fc.constantFrom("side", "type");
const letters = fc
  .string({ unit: fc.constantFrom(..."ABELSUY_ 0\u0412\u0405\u0399"), maxLength: 12 })
  .filter((word) => !listed.has(word.toUpperCase().trim()));

/** Near misses, beginnings, what other interfaces say, and the types of the Order table that cannot be placed. */
const sides = ["BUYS", "SEL", "B\u0423Y", "B", "S", "1", "2", "BID", "ASK", "LONG", "SHORT", "null"];
const unplaceable = ["TWAP", "BLOCK", "VWAP", "RFQ", "PEG"];
const types = ["STOP-LIMIT", "STOPLIMIT", "M\u0410RKET", "STOP", "LIM", "L", "M", "MKT", "LMT"];
const codes = ["STOP_LOSS", "1", "2", "3", "4", "null"];
const mistaken = fc.constantFrom(
  ...sides.map((word) => ["side", word] as const),
  ...[...types, ...codes, ...unplaceable].map((word) => ["type", word] as const),
);
const forgiven = fc.constantFrom(
  ["side", "buy"] as const,
  ["side", "Sell"] as const,
  ["type", "limit"] as const,
  ["type", "Market"] as const,
  ["type", "LIMIT "] as const,
);

function planOf(field = "side", word = "", strength: "expect" | "should" = "expect"): Plan {
  const judged: Judged = {
    spec: [field === "side" ? "REQ-02" : "REQ-04"],
    ...demanding(strength, { $macro: "invalid" }),
  };
  // The order has all fields that any of the listed types needs, because a target may read the word as any of
  // them.
  const more = field === "type" ? { stop_price: "${far}" } : {};
  return {
    vars: market,
    steps: [place("stray", orderOf(shapes.limitBuy, "a", { ...more, [field]: word }), judged)],
  };
}
