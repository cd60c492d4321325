/** The list of products as the target sends it. */
import { type ExactDecimal, parseDecimal } from "../../check/decimal.ts";
import { resolvePointer } from "../../check/pointer.ts";
import { hasFormat } from "../../contract/formats.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../../model/json.ts";

/** A pair as the target lists it. Sizes are read where they can be read; their shape is not specified (AS-18). */
export interface ListedPair {
  readonly id: string;
  readonly enabled: boolean;
  readonly size: (field: string) => ExactDecimal | undefined;
}

/** Every pair in a listing, grouped or not, that has an id. */
export function pairsIn(listing: Json | undefined): ListedPair[] {
  return entriesOf(listing).flatMap((pair) => {
    const id = idOf(pair);
    if (!(pair instanceof JsonObject) || typeof id !== "string" || id === "") return [];
    return [
      { id, enabled: pair.get("apiEnabled") === true, size: (field: string) => readSize(pair.get(field)) },
    ];
  });
}

/** What such a list does not name is not there. Of one whose groups or ids are broken, nobody can say that. */
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

/** A group without a list of pairs stands for itself. */
function entriesOf(listing: Json | undefined): Json[] {
  const data = resolvePointer(listing, "#/data");
  return (isArray(data) ? data : []).flatMap((group) => {
    const inner = group instanceof JsonObject ? group.get("availablePairs") : undefined;
    return isArray(inner) ? inner : [group];
  });
}

/** A decimal string, a number, or an object with one decimal inside: what targets are known to send. */
function readSize(value: Json | undefined): ExactDecimal | undefined {
  if (typeof value === "string") return parseDecimal(value);
  if (value instanceof JsonNumber) return parseDecimal(value.lexeme, "lax");
  if (!(value instanceof JsonObject)) return undefined;
  const inner = [...value.entries.values()].map(readSize).filter((size) => size !== undefined);
  return inner.length === 1 ? inner[0] : undefined;
}
