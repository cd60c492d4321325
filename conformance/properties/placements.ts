/** Placements and their repeats, as the properties of idempotency use them. */
import type { WrittenStep } from "../model/language.ts";
import type { Value, ValueMap } from "../model/value.ts";
import type { Tuple } from "./covering-array.ts";
import { ofSecond, shapeOf, types } from "./table-orders.ts";
import { orderOf, place, type Shape } from "./templates.ts";

/**
 * Fields that must not change when a repeat shows the order again: those of the first request, if the order shows them.
 */
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

/**
 * A placement with a key that was used before: a replay of that order, with any contents of its own. `clause` is the
 * clause for a repeat in these circumstances, in addition to the clauses of any repeat.
 */
export function repeat(
  id: string,
  body: ValueMap,
  order: string,
  first: ValueMap,
  clause?: string,
): WrittenStep {
  const cited = (is: Value): ValueMap => (clause === undefined ? {} : { $cite: clause, is });
  const shown = clause === undefined ? {} : { id: cited({ $eqVar: order }) };
  const data = { order: { ...unchanged(first), ...shown } };
  return place(id, body, {
    spec: clause === undefined ? ["PLC-10", "PLC-11", "PLC-12"] : [clause],
    expect: {
      $macro: `replayed(${order})`,
      ...(clause === undefined ? {} : { status: cited(200) }),
      body: { data: clause === undefined ? data : { type: cited("DUPLICATE_REPLAY"), ...data } },
    },
  });
}

export interface Placement {
  readonly slot: string;
  readonly shape: Shape;
  /** Does it ask for the double quantity? Otherwise the body is that of its shape. */
  readonly doubled: boolean;
}

export function bodyOf({ slot, shape, doubled }: Placement): ValueMap {
  return orderOf(shape, slot, doubled ? { base_quantity: "${double}" } : {});
}

export const doubleQuantity: ValueMap = { double: { $calc: "quantity * 2" } };

/** The contents of the repeat. They may differ, and are a valid order in themselves. */
export function changed({ type = "", side = "", body = "" }: Tuple, first: ValueMap): ValueMap {
  const instead = (shape: Shape): ValueMap => orderOf(shape, "a", { client_order_id: "${key}" });
  switch (body) {
    case "side":
      return instead(shapeOf(type, side === "BUY" ? "SELL" : "BUY"));
    case "type":
      return instead(
        shapeOf(types[(types.findIndex((one) => one === type) + 1) % types.length] ?? type, side),
      );
    case "base_quantity":
      return { ...first, base_quantity: "${more}" };
    case "quote_value":
      return { ...first, quote_value: type === "MARKET" && side === "BUY" ? "${spendMore}" : "${spend}" };
    case "price":
      return { ...first, price: side === "BUY" ? "${lower}" : "${higher}" };
    case "stop_price":
      return { ...first, stop_price: type === "STOP_LIMIT" && side === "BUY" ? "${higher}" : "${lower}" };
    case "product": {
      const fields = Object.entries({ ...shapeOf(type, side).fields, product: "${product}" });
      const others = fields.map(([field, value]) => [field, ofSecond(value)] as const);
      return { ...Object.fromEntries(others), client_order_id: "${key}" };
    }
    default:
      return first;
  }
}
