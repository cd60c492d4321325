import type { Credential } from "../model/credential.ts";
import type { PlainExpectation, WrittenStep } from "../model/language.ts";
import type { Profile } from "../model/profile.ts";
import { isMap } from "../model/value.ts";
import type { Plan, Property } from "./property.ts";
import { call, type Judged, market, orderOf, type Shape, shapes } from "./templates.ts";

/**
 * P-30: a key opens a route exactly when it has the route's claim.
 * Clauses: CLM-01, CLM-02 (placing, required), CLM-05 (open orders, assumed), CLM-03.
 * Generator: every credential whose claims the profile states, with each operation whose claim is known: placing and
 * the open orders. The product list needs no claim at some targets and is not judged. All combinations are tried,
 * because the table is short.
 * Oracle: with the claim neither 401 nor 403; without it 401 or 403. A key that may place sends an invalid order, a key
 * that may not sends a valid one, so that no cell combines two mistakes and no order can be created.
 * Shrinks: a cell is the smallest plan. Safety: nothing that is sent may become an order.
 */
export const claims: Property = {
  id: "P-30",
  title: "A key opens a route exactly when it has the claim",
  spec: ["CLM-01", "CLM-02", "CLM-03", "CLM-05"],
  assumes: ["AS-07"],
  safety: "reject-only",
  runs: { local: 1, staging: 1 },
  cost: { requests: 1, orders: 1 },
  plans: ({ profile }) =>
    Object.values(profile.credentials)
      .filter((credential) => credential.claims.length > 0 && credential.client !== "none")
      .flatMap((credential) => [
        {
          vars: market,
          steps: [placing(credential.role, credential.claims.includes("write:orders"), shapes.limitBuy)],
        },
        listing(credential, claimsFor("openOrders", profile)),
      ]),
};

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

function listing({ role, claims: held }: Credential, opening: readonly string[]): Plan {
  const may = held.some((claim) => opening.includes(claim));
  const judged: Judged = { spec: [may ? "CLM-03" : "CLM-05"], expect: may ? open : closed };
  return { steps: [call("list", "openOrders", { as: role }, judged)] };
}
