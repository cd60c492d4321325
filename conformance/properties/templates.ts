import fc from "fast-check";
import type { Call, Expectation, SwitchedExpectation, WrittenStep } from "../model/language.ts";
import { isOurs } from "../model/profile.ts";
import type { Value, ValueMap } from "../model/value.ts";
import type { Situation } from "./property.ts";

/**
 * A limit beyond the trigger of a stop, by one step, which some targets require. `far` and `farSell` are the triggers.
 */
export const stopLimits: ValueMap = {
  stopSellLimit: { $calc: "max(tick, far - tick)" },
  stopBuyLimit: { $calc: "farSell + tick" },
};

/** Parts of plans: the six shapes of an order according to the rules of POST /order, and common steps. */
export const market: ValueMap = {
  product: { $product: "tradable" },
  quantity: { $qty: "typical" },
  far: { $price: { side: "BUY", away: "far" } },
  farSell: { $price: { side: "SELL", away: "far" } },
  spend: { $spend: "typical" },
  tick: { $step: { of: "price" } },
  ...stopLimits,
};

export interface Shape {
  readonly fields: ValueMap;
  /** Fields that rules 1 to 5 require of it. */
  readonly required: readonly string[];
  /** The clause of the rule, in addition to PLC-01. */
  readonly clause: string;
}

const always = ["side", "type", "client_order_id", "product"];
const limit = ["base_quantity", "price"];
const stop = [...limit, "stop_price"];
const sized = { base_quantity: "${quantity}" };

export const shapes = {
  limitBuy: {
    fields: { side: "BUY", type: "LIMIT", ...sized, price: "${far}" },
    required: [...always, ...limit],
    clause: "PLC-02",
  },
  limitSell: {
    fields: { side: "SELL", type: "LIMIT", ...sized, price: "${farSell}" },
    required: [...always, ...limit],
    clause: "PLC-02",
  },
  marketBuy: {
    fields: { side: "BUY", type: "MARKET", quote_value: "${spend}" },
    required: [...always, "quote_value"],
    clause: "PLC-04",
  },
  marketSell: {
    fields: { side: "SELL", type: "MARKET", ...sized },
    required: [...always, "base_quantity"],
    clause: "PLC-03",
  },
  stopLimitBuy: {
    fields: { side: "BUY", type: "STOP_LIMIT", ...sized, price: "${stopBuyLimit}", stop_price: "${farSell}" },
    required: [...always, ...stop],
    clause: "PLC-07",
  },
  stopLimitSell: {
    fields: { side: "SELL", type: "STOP_LIMIT", ...sized, price: "${stopSellLimit}", stop_price: "${far}" },
    required: [...always, ...stop],
    clause: "PLC-07",
  },
} as const satisfies Record<string, Shape>;

/**
 * Orders that can rest; generators shrink towards the first. The price of a stop order is on the wrong side of the
 * market, and on a machine that is not ours the guard does not allow orders there (live-safety.md).
 */
export function restingShapes({ profile }: Situation): fc.Arbitrary<Shape> {
  const stops = isOurs(profile) ? [shapes.stopLimitBuy, shapes.stopLimitSell] : [];
  return fc.constantFrom<Shape[]>(shapes.limitBuy, shapes.limitSell, ...stops);
}

/**
 * Polls until the condition holds: an order may be readable, listed or streamed a little later than it was accepted.
 */
export function eventually(
  id: string,
  [operation, more]: readonly [operation: string, more: Call],
  until: Expectation,
  judged: Judged = {},
): WrittenStep {
  return { id, poll: { call: { op: operation, ...more }, until, every: "50ms", within: "5s" }, ...judged };
}

/** The other keys of a step. */
export type Judged = Pick<
  WrittenStep,
  "expect" | "should" | "observe" | "capture" | "spec" | "note" | "onFail" | "when" | "timeout" | "rows"
>;

/** An expectation as a requirement (`expect`), or as advice (`should`). */
export const demanding = (strength: "expect" | "should", expectation: Expectation): Judged =>
  strength === "expect" ? { expect: expectation } : { should: expectation };

/** A whole order with the key of a slot. */
export function orderOf(shape: Shape, slot: string, more: ValueMap = {}): ValueMap {
  return { ...shape.fields, client_order_id: key(slot), product: "${product}", ...more };
}

export const key = (slot: string): string => `\${id.${slot}}`;

export function call(id: string, operation: string, more: Call = {}, judged: Judged = {}): WrittenStep {
  return { id, call: { op: operation, ...more }, ...judged };
}

export function place(id: string, body: ValueMap, judged: Judged = {}): WrittenStep {
  return call(id, "placeOrder", { body }, judged);
}

/**
 * A placement with a new key, and the capture of its order. A target may refuse a valid order for its own reasons, and
 * an answer may get lost, so that is not a violation here. Later steps need the order and are BLOCKED without it.
 */
export function firstPlacement(id: string, body: ValueMap, order: string, as = "trader"): WrittenStep[] {
  const judged: Judged = {
    note: "the target neither accepted nor refused the order",
    onFail: "block",
    expect: { $anyOf: [{ $macro: "placed" }, { $macro: "rejected" }] },
    capture: { [order]: "#/data/order/id" },
  };
  return [call(id, "placeOrder", as === "trader" ? { body } : { as, body }, judged), taken(order)];
}

/** Blocks the later steps if the target did not accept the order. */
export function taken(order: string): WrittenStep {
  return {
    note: "the later steps need the order, which was refused",
    onFail: "block",
    assert: { left: `\${${order}}`, is: "$any" },
  };
}

/** Is there an order with that key anywhere in the open list, in any shape of the list? */
export function openWith(id: string, slot: string, times: Value, spec: readonly string[]): WrittenStep {
  const found: Expectation = { anywhere: { object: { clientOrderId: key(slot) }, times } };
  return call(id, "openOrders", {}, { spec: [...spec], expect: found });
}

export const nowhere = (id: string, slot: string): WrittenStep => openWith(id, slot, 0, ["PLC-34", "EPT-08"]);

/**
 * The shortest time that a market may need to act. Slower changes are polled for, as on targets whose clock cannot be
 * moved.
 */
export const settle: WrittenStep = { when: { capability: "clock.control" }, clock: { advance: "60ms" } };

/** The answer of an earlier step again: its status, the type of its outcome, and the expected fields of the order. */
export function sameOutcome(step: string, captured: string, order: ValueMap = {}): SwitchedExpectation {
  const shown = Object.keys(order).length === 0 ? {} : { order: { $optional: order } };
  return {
    $switch: `\${${step}.status}`,
    "200": { status: 200, body: { data: { type: { $eqVar: captured }, ...shown } } },
    "400": { status: 400 },
  };
}
