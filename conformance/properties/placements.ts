import type { Value, ValueMap } from "../model/value.ts";
import { orderOf, place, type Shape } from "./templates.ts";

/** Placements and their repeats, as the properties of idempotency use them. */

/** What has to stay as it was when a repeat shows the order again: what the first request said, where it is shown. */
function unchanged(first: ValueMap): ValueMap {
  const decimals: readonly (readonly [string, string])[] = [
    ["baseQuantity", "base_quantity"],
    ["limitPrice", "price"],
    ["stopPrice", "stop_price"],
  ];
  const echoed = decimals.flatMap(([shown, sent]): [string, Value][] => {
    const value = first[sent];
    return typeof value === "string"
      ? [[shown, { $cite: "PLC-12", is: { $optional: { $nullable: { $dec: value } } } }]]
      : [];
  });
  return {
    side: { $cite: "PLC-12", is: first["side"] ?? null },
    clientOrderId: { $cite: "PLC-12", is: { $format: "uuid" } },
    ...Object.fromEntries(echoed),
  };
}

/** A placement under a key that was used before: a replay of that order, whatever it says itself. */
export function repeat(id: string, body: ValueMap, order: string, first: ValueMap): ValueMap {
  return place(id, body, {
    spec: ["PLC-10", "PLC-11", "PLC-12", "PLC-15"],
    expect: { $macro: `replayed(${order})`, body: { data: { order: unchanged(first) } } },
  });
}

export interface Wish {
  readonly slot: string;
  readonly shape: Shape;
  /** Does it ask for the double quantity? Otherwise the payload is that of its shape. */
  readonly doubled: boolean;
}

export function bodyOf({ slot, shape, doubled }: Wish): ValueMap {
  return orderOf(shape, slot, doubled ? { base_quantity: "${double}" } : {});
}

export const doubleQuantity: ValueMap = { double: { $calc: "quantity * 2" } };
