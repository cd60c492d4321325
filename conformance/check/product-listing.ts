import type { Difference } from "../model/finding.ts";
import { isArray, type Json, JsonObject } from "../model/json.ts";
import { describeJson, shorten } from "./describe.ts";
import { match } from "./match.ts";
import { noContext } from "./matching.ts";

export interface ListingReading {
  readonly exercised: readonly string[];
  readonly differences: readonly Difference[];
}

const listClauses = ["PRD-01", "ENV-08"];
const groupClauses = ["PRD-02", "PRD-03"];
const onceClauses = ["PRD-17", "PRD-18"];
const pairClauses = Array.from({ length: 13 }, (_, index) => `PRD-${String(index + 4).padStart(2, "0")}`);

/** All clauses that are checked on a listing with pairs. */
export const listingClauses: readonly string[] = [
  ...listClauses,
  ...groupClauses,
  ...pairClauses,
  ...onceClauses,
];

/** Enough differences to understand the problems of a listing of any length. */
const mostDifferences = 2000;

/** Checks PRD-01 to PRD-18 on a reply to GET /product. Without groups or pairs their clauses are not exercised. */
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
    if (differences.length > mostDifferences) break;
    const [id, base, quote] = [pair.get("id"), pair.get("base"), pair.get("quote")];
    if (id !== `${String(base)}-${String(quote)}`)
      differences.push({
        pointer: "id",
        expected: shorten(`${String(base)}-${String(quote)}`),
        actual: describeJson(id),
        clause: "PRD-04",
      });
    if (base !== name)
      differences.push({
        pointer: "base",
        expected: `the base asset of its group, ${describeJson(name)}`,
        actual: describeJson(base),
        clause: "PRD-16",
      });
  }
  differences.push(
    ...repeated(
      listed.map((group) => nameOf(group, "name")),
      "name",
      "PRD-17",
    ),
    ...repeated(
      pairs.map(([, pair]) => nameOf(pair, "id")),
      "id",
      "PRD-18",
    ),
  );
  const shown = [...(listed.length > 0 ? groupClauses : []), ...(pairs.length > 0 ? pairClauses : [])];
  return {
    exercised: [...listClauses, ...shown],
    differences,
  };
}

function nameOf(object: Json, field: string): string | undefined {
  const name = object instanceof JsonObject ? object.get(field) : undefined;
  return typeof name === "string" ? name : undefined;
}

/** A group or a pair that occurs in the list a second time. */
function repeated(names: readonly (string | undefined)[], pointer: string, clause: string): Difference[] {
  const before = new Set<string>();
  const again = names.find((name) => name !== undefined && (before.has(name) || !before.add(name)));
  return again === undefined
    ? []
    : [{ pointer, expected: "each once", actual: `${describeJson(again)} twice`, clause }];
}

function pairsOf(group: JsonObject): (readonly [Json | undefined, JsonObject])[] {
  const pairs = group.get("availablePairs");
  return (isArray(pairs) ? pairs : []).flatMap((pair) =>
    pair instanceof JsonObject ? [[group.get("name"), pair] as const] : [],
  );
}
