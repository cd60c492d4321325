import type { Difference } from "../model/finding.ts";
import { isArray, type Json, JsonObject } from "../model/json.ts";
import { describeJson } from "./describe.ts";
import { match } from "./match.ts";
import { noContext } from "./matching.ts";

export interface ListingReading {
  readonly exercised: readonly string[];
  readonly differences: readonly Difference[];
}

const listClauses = ["PRD-01", "ENV-08"];
const groupClauses = ["PRD-02", "PRD-03"];
const pairClauses = Array.from({ length: 13 }, (_, index) => `PRD-${String(index + 4).padStart(2, "0")}`);

/** All that a listing with pairs is looked at for. */
export const listingClauses: readonly string[] = [...listClauses, ...groupClauses, ...pairClauses];

/** PRD-01 to PRD-16 on a reply to GET /product. Without groups or pairs their clauses are not exercised. */
export function checkProductListing(json: JsonObject): ListingReading {
  const groups = json.get("data");
  const differences: Difference[] = match(
    { $cite: "PRD-01", is: { $each: { $macro: "productGroup" } } },
    groups,
    noContext,
    { pointer: "/data" },
  );
  const listed = isArray(groups) ? groups : [];
  const pairs = listed.flatMap((group) => (group instanceof JsonObject ? pairsOf(group) : []));
  for (const [name, pair] of pairs) {
    const [id, base, quote] = [pair.get("id"), pair.get("base"), pair.get("quote")];
    if (id !== `${String(base)}-${String(quote)}`)
      differences.push({
        pointer: "id",
        expected: `${String(base)}-${String(quote)}`,
        actual: describeJson(id),
        clause: "PRD-04",
      });
    if (base !== name)
      differences.push({
        pointer: "base",
        expected: `the base asset of its group, ${String(name)}`,
        actual: describeJson(base),
        clause: "PRD-16",
      });
  }
  const shown = [...(listed.length > 0 ? groupClauses : []), ...(pairs.length > 0 ? pairClauses : [])];
  return {
    exercised: [...listClauses, ...shown],
    differences,
  };
}

function pairsOf(group: JsonObject): (readonly [Json | undefined, JsonObject])[] {
  const pairs = group.get("availablePairs");
  return (isArray(pairs) ? pairs : []).flatMap((pair) =>
    pair instanceof JsonObject ? [[group.get("name"), pair] as const] : [],
  );
}
