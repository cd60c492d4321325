import fc from "fast-check";
import type { WrittenStep } from "../model/language.ts";
import type { ValueMap } from "../model/value.ts";
import { bodyOf, doubleQuantity, type Placement, repeat } from "./placements.ts";
import type { Plan, Property, Situation } from "./property.ts";
import { firstPlacement, market, restingShapes } from "./templates.ts";

/**
 * P-16: idempotent replay. In any sequence of placements with a few keys, the first one with a key creates an order (or
 * none), and every later one is a replay of that order, unchanged, with any contents of its own.
 * Clauses: PLC-10, PLC-11, PLC-12, PLC-13, PLC-14, PLC-15, ORD-39.
 * Generator: two to six placements, each under one of two keys, of any resting shape, with one quantity or its double.
 * Oracle: a model that maps a key to its first placement. Before anything is sent, it determines which steps must be
 * NEW_ORDER and which a replay of which order; the expectations of the steps say so.
 * Shrinks to two identical placements with one key. Safety: at most two orders, far from the market. Two orders with
 * one key are lasting evidence, so one observation is enough.
 */
export const sequentialReplay: Property = {
  id: "P-16",
  title: "A repeated placement returns the first order, unchanged",
  spec: ["PLC-10", "PLC-11", "PLC-12", "PLC-13", "PLC-14", "PLC-15", "ORD-39"],
  safety: "rests",
  runs: { local: 6, staging: 2 },
  cost: { requests: 6, orders: 2 },
  durable: true,
  plans: (situation) => fc.array(placement(situation), { minLength: 2, maxLength: 6 }).map(planOf),
};

function placement(situation: Situation): fc.Arbitrary<Placement> {
  const slot = fc.constantFrom("a", "b");
  return fc.record({ slot, shape: restingShapes(situation), doubled: fc.boolean() });
}

function planOf(placements: readonly Placement[]): Plan {
  const first = new Map<string, ValueMap>();
  const repeated = new Set<string>();
  const steps = placements.flatMap((one, index): WrittenStep[] => {
    const { slot } = one;
    const [id, order] = [`place${index + 1}`, `${slot}Order`];
    const earlier = first.get(slot);
    const body = bodyOf(one);
    if (earlier !== undefined) {
      const further = repeated.has(slot) ? "PLC-15" : undefined;
      repeated.add(slot);
      return [repeat(id, body, order, earlier, further)];
    }
    first.set(slot, body);
    return firstPlacement(id, body, order);
  });
  return { vars: { ...market, ...doubleQuantity }, steps };
}
