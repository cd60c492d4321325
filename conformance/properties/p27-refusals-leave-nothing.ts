import fc from "fast-check";
import type { ValueMap } from "../model/value.ts";
import type { Plan, Property, Situation } from "./property.ts";
import { call, key, market, orderOf, place, shapes } from "./templates.ts";

/**
 * P-27: a refused placement has no effect: nothing of it is ever visible, and its key is as good as new.
 * Clauses: PLC-34 (after a 400), AUTH-39 (after a 401), CLM-01 (without the claim), PLC-20 (the key; assumed).
 * Generator: one way of being refused: a field missing or wrong, no signature, a wrong one, a key without the claim.
 * Oracle: for half a second no order with the key is open; then a valid placement under the key is a new order.
 * After a 401 or a missing claim that is required, after a 400 it is an assumption.
 * Shrinks to the simplest refusal. Safety: one order rests far from the market.
 */
export const refusalsLeaveNothing: Property = {
  id: "P-27",
  title: "A refused placement leaves nothing behind",
  spec: ["PLC-34", "AUTH-39", "PLC-20"],
  safety: "rests",
  runs: { local: 6, staging: 3 },
  cost: { requests: 5, orders: 1 },
  plans: (situation) => refusal(situation).map(planOf),
};

interface Refusal {
  readonly more: ValueMap;
  readonly fields: ValueMap;
  readonly spec: string;
  /** What says that the key is free afterwards. */
  readonly free: string;
}

function refusal({ profile }: Situation): fc.Arbitrary<Refusal> {
  const invalid = { more: {}, spec: "PLC-34", free: "PLC-20" };
  const closed = { fields: {}, spec: "AUTH-39", free: "AUTH-39" };
  const keys = profile.credentials["reader"] === undefined ? [] : [{ ...closed, more: { as: "reader" } }];
  return fc.constantFrom<Refusal[]>(
    { ...invalid, fields: { side: "NEITHER" } },
    { ...invalid, fields: { base_quantity: "abc" } },
    { ...invalid, fields: { price: "1,5" } },
    { ...closed, more: { as: "anonymous" } },
    { ...closed, more: { sign: { transform: ["flipBit(0)"] } } },
    ...keys,
  );
}

function planOf({ more, fields, spec, free }: Refusal): Plan {
  const object = { clientOrderId: key("a") };
  const whole = orderOf(shapes.limitBuy, "a");
  return {
    vars: market,
    steps: [
      call(
        "refused",
        "placeOrder",
        { ...more, body: { ...whole, ...fields } },
        { expect: { $macro: "refused" } },
      ),
      {
        id: "nothing",
        spec: [spec],
        never: {
          call: { op: "openOrders" },
          match: { anywhere: { object, times: { gte: 1 } } },
          for: "500ms",
        },
      },
      place("valid", whole, {
        spec: [free],
        expect: { $anyOf: [{ body: { data: { type: "NEW_ORDER" } } }, { $macro: "rejected" }] },
      }),
    ],
  };
}
