import { isArray, type Json } from "../model/json.ts";
import { resolveFirst, resolvePointer } from "./pointer.ts";

/** Where a level of a book has its parts; without a statement, by their names or as `[price, quantity]`. */
export interface LevelPointers {
  readonly price?: string | undefined;
  readonly quantity?: string | undefined;
}

export function priceOf(level: Json, { price }: LevelPointers): Json | undefined {
  return resolveFirst(level, [...(price === undefined ? [] : [price]), "#/price", "#/0"]);
}

export function quantityOf(level: Json, { quantity }: LevelPointers): Json | undefined {
  return resolveFirst(level, [...(quantity === undefined ? [] : [quantity]), "#/quantity", "#/1"]);
}

/** The levels at a pointer; none if it is no list. */
export function levelsAt(reply: Json | undefined, pointer: string): readonly Json[] {
  const levels = resolvePointer(reply, pointer);
  return isArray(levels) ? levels : [];
}
