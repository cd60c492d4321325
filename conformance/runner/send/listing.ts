/** The list of products as the target sends it. */
import { type ExactDecimal, parseDecimal } from "../../check/decimal.ts";
import { resolvePointer } from "../../check/pointer.ts";
import { hasFormat } from "../../contract/formats.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../../model/json.ts";

/** A pair in the target's listing. Sizes are read if possible; their shape is not specified (AS-18). */
export interface ListedPair {
  readonly id: string;
  readonly enabled: boolean;
  readonly size: (field: string) => ExactDecimal | undefined;
}

/** Every pair with an id in a listing, grouped or not. */
export function pairsIn(listing: Json | undefined): ListedPair[] {
  return entriesOf(listing).flatMap((pair) => {
    const id = idOf(pair);
    if (!(pair instanceof JsonObject) || typeof id !== "string" || id === "") return [];
    return [
      { id, enabled: pair.get("apiEnabled") === true, size: (field: string) => readSize(pair.get(field)) },
    ];
  });
}

/**
 * Is this a whole listing? Then a product that it does not name does not exist. If groups or ids are broken, that is
 * unknown.
 */
export function isWholeListing(listing: Json | undefined): boolean {
  const entries = entriesOf(listing);
  return (
    entries.length > 0 &&
    entries.every((pair) => {
      const id = idOf(pair);
      return typeof id === "string" && hasFormat("product-id", id);
    })
  );
}

const idOf = (pair: Json): Json | undefined => (pair instanceof JsonObject ? pair.get("id") : undefined);

/** A group without a list of pairs counts as a pair itself. */
function entriesOf(listing: Json | undefined): Json[] {
  const data = resolvePointer(listing, "#/data");
  return (isArray(data) ? data : []).flatMap((group) => {
    const inner = group instanceof JsonObject ? group.get("availablePairs") : undefined;
    return isArray(inner) ? inner : [group];
  });
}

/** A decimal string, a number, or an object with one decimal: the forms that known targets send. */
function readSize(value: Json | undefined): ExactDecimal | undefined {
  if (typeof value === "string") return parseDecimal(value);
  if (value instanceof JsonNumber) return parseDecimal(value.lexeme, "lax");
  if (!(value instanceof JsonObject)) return undefined;
  const inner = [...value.entries.values()].map(readSize).filter((size) => size !== undefined);
  return inner.length === 1 ? inner[0] : undefined;
}
