/** Which claim opens a route, and how the answer shows it. */
import type { PlainExpectation, WrittenStep } from "../model/language.ts";
import type { Profile } from "../model/profile.ts";
import { isMap } from "../model/value.ts";
import { call, type Judged, orderOf, type Shape } from "./templates.ts";

/**
 * The document states the claim for placing, the profile those of the other operations, each of which opens it; open orders are read with the
 * claim to read.
 */
export function claimsFor(operation: string, { said }: Profile): readonly string[] {
  if (operation === "placeOrder" || operation === "repeat") return ["write:orders"];
  const { operations } = said;
  const stated = isMap(operations) ? operations[operation] : undefined;
  const claims = isMap(stated) ? [stated["claim"] ?? []].flat().map(String) : [];
  return claims.length === 0 && operation === "openOrders" ? ["read:orders"] : claims;
}

/** A key that has the claim is not refused for lack of it; other mistakes do not matter. */
export const open: PlainExpectation = { status: { $not: { $in: [401, 403] } } };
export const closed: PlainExpectation = { status: { $in: [401, 403] } };

/** A placement by a key that may place is invalid, and one by a key that may not is valid. */
export function placing(role: string, may: boolean, shape: Shape): WrittenStep {
  const body = orderOf(shape, "a", may ? { side: "NEITHER" } : {});
  const judged: Judged = { spec: [may ? "CLM-02" : "CLM-01"], expect: may ? open : closed };
  return call("place", "placeOrder", { as: role, body }, judged);
}
