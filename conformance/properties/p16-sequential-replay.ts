import fc from "fast-check";
import type { ValueMap } from "../model/value.ts";
import { bodyOf, doubleQuantity, repeat, type Wish } from "./placements.ts";
import type { Plan, Property } from "./property.ts";
import { firstPlacement, market, restingShapes } from "./templates.ts";

/**
 * P-16: idempotent replay. In any sequence of placements over a few keys, the first under a key makes an order (or
 * none), and every later one is a replay of that order, unchanged, whatever its own contents are.
 * Clauses: PLC-10, PLC-11, PLC-12, PLC-13, PLC-14, PLC-15, ORD-39.
 * Generator: two to six placements, each under one of two keys, of any resting shape, with one quantity or its double.
 * Oracle: a model that maps a key to the placement that came first. It knows before anything is sent which step has
 * to be NEW_ORDER and which a replay of which order; the steps say so.
 * Shrinks to two identical placements under one key. Safety: at most two orders, far from the market. Two orders for
 * one key are proof that does not go away, so one observation is enough.
 */
export const sequentialReplay: Property = {
  id: "P-16",
  title: "A repeated placement returns the first order, unchanged",
  spec: ["PLC-10", "PLC-11", "PLC-12", "PLC-13", "PLC-14", "PLC-15", "ORD-39"],
  safety: "rests",
  runs: { local: 60, staging: 3 },
  cost: { requests: 6, orders: 2 },
  durable: true,
  plans: () => fc.array(wish, { minLength: 2, maxLength: 6 }).map(planOf),
};

const wish: fc.Arbitrary<Wish> = fc.record({
  slot: fc.constantFrom("a", "b"),
  shape: fc.constantFrom(...restingShapes),
  doubled: fc.boolean(),
});

function planOf(wishes: readonly Wish[]): Plan {
  const first = new Map<string, ValueMap>();
  const steps = wishes.flatMap((one, index): ValueMap[] => {
    const [id, order] = [`place${index + 1}`, `${one.slot}Order`];
    const earlier = first.get(one.slot);
    const body = bodyOf(one);
    if (earlier !== undefined) return [repeat(id, body, order, earlier)];
    first.set(one.slot, body);
    return firstPlacement(id, body, order);
  });
  return { vars: { ...market, ...doubleQuantity }, steps };
}
