import fc from "fast-check";
import type { Plan, Property } from "./property.ts";
import { demanding, market, orderOf, place, shapes } from "./templates.ts";

/**
 * P-15: client_order_id is a UUID.
 * Clauses: REQ-15 (a text that is not a UUID is invalid: required; another version: recommended).
 * Generator: a version 4 UUID and one edit that makes it invalid: a character removed or added, a letter beyond f, no
 * dashes; or one edit that a lenient reader may accept, which is a `should`: braces, a URN, a blank, another version or
 * variant.
 * Oracle: 400.
 * Shrinks to one edit of the simplest UUID. Safety: nothing that is sent may become an order.
 */
export const keyGrammar: Property = {
  id: "P-15",
  title: "A client_order_id that is not a UUID is refused",
  spec: ["REQ-15"],
  safety: "reject-only",
  runs: { local: 20, staging: 14 },
  cost: { requests: 1, orders: 1 },
  plans: () =>
    fc.oneof(
      { withCrossShrink: true },
      { weight: 3, arbitrary: fc.tuple(uuid, spoiled).map(([key, spoil]) => planOf(spoil(key), "expect")) },
      {
        weight: 1,
        arbitrary: fc.tuple(uuid, forgiven).map(([key, edit]) => planOf(edit(key), "should")),
      },
    ),
};

const uuid = fc.uuid({ version: 4 });
type Edit = (key: string) => string;

const spoiled: fc.Arbitrary<Edit> = fc.oneof(
  { withCrossShrink: true },
  fc.constant<Edit>((key) => key.slice(0, -1)),
  fc.constant<Edit>(() => ""),
  fc.constant<Edit>((key) => `${key}0`),
  fc.nat({ max: 7 }).map(
    (at): Edit =>
      (key) =>
        `${key.slice(0, at)}g${key.slice(at + 1)}`,
  ),
  fc.constant<Edit>((key) => key.replaceAll("-", "")),
  fc.constant<Edit>((key) => key.replace("-", "_")),
);
const forgiven: fc.Arbitrary<Edit> = fc.oneof(
  fc.constant<Edit>((key) => `{${key}}`),
  fc.constant<Edit>((key) => `urn:uuid:${key}`),
  fc.constant<Edit>((key) => ` ${key}`),
  fc.constantFrom("1", "3", "7", "0").map(
    (version): Edit =>
      (key) =>
        `${key.slice(0, 14)}${version}${key.slice(15)}`,
  ),
  fc.constant<Edit>((key) => `${key.slice(0, 19)}c${key.slice(20)}`),
);

function planOf(key: string, strength: "expect" | "should"): Plan {
  const body = orderOf(shapes.limitBuy, "a", { client_order_id: key });
  return { vars: market, steps: [place("spoiled", body, demanding(strength, { $macro: "invalid" }))] };
}
