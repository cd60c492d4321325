import type { Call, Expectation, PlainExpectation, WrittenStep } from "../model/language.ts";
import type { Value, ValueMap } from "../model/value.ts";
import type { Situation } from "./property.ts";
import { middleOf } from "./table-orders.ts";
import { call, firstPlacement, key, type Shape, settle } from "./templates.ts";

/**
 * Brings orders into a state, under the key of the variable `key` and with the names of `marketOf`. The steps wait
 * until the state can be seen; otherwise the plan is BLOCKED. A partly filled order rests between bid and ask of a
 * product on which no other client trades, and a stop is triggered by a trade there. Such a plan is isolated by
 * product.
 */
export const sizeOf = ({ required }: Shape): string =>
  required.includes("quote_value") ? "quote_value" : "base_quantity";

/** A wrong amount in any field is refused with 400; an amount that is not positive may also fail in execution. */
export const noAmount = "one";

/** The fields with which an order can reach that state. */
export function fieldsIn(state: string, side: string, type: string): ValueMap {
  if (state === "gone off") return { price: side === "BUY" ? "${bid}" : "${ask}", stop_price: "${middle}" };
  if (type !== "LIMIT") return {};
  if (state === "filled") return { price: side === "BUY" ? "${buyCross}" : "${sellCross}" };
  return isMet(state) ? { base_quantity: "${double}", price: "${middle}" } : {};
}

/** States of orders that were filled in part, and are still open or were cancelled then. */
export const isPart = (state: string): boolean => state.startsWith("partly filled");

/** States that need an order of the counterparty: until it arrives, the order rests between bid and ask. */
export const isMet = (state: string): boolean => isPart(state) || state === "filled by another";

/** Is it a state of a stop, before or after its trigger? */
export const isStop = (state: string): boolean => state === "waiting" || state === "gone off";

/**
 * Does the order rest between bid and ask, where the kit's own clients trade? A triggered stop rests again, at the edge
 * of it.
 */
export const isInside = (state: string): boolean => isMet(state) || state === "gone off";

/** The price of the order there, on a product on which no other client trades. */
export const insideVars = (state: string, situation: Situation): ValueMap =>
  isInside(state) ? { middle: middleOf(situation, "spare") } : {};

export type Poll = NonNullable<WrittenStep["poll"]>;
export const soon: Pick<Poll, "every" | "within"> = { every: "25ms", within: "5s" };
export const partFilled: ValueMap = { filledQuantity: { $dec: { gt: "0" } } };
export const reads: Call = { op: "readOrder", params: { id: "${order}" } };
export const listed = (times: Value): PlainExpectation => ({
  anywhere: { object: { clientOrderId: "${key}" }, times },
});

/** By the trader, or by the given role. */
export function original(body: ValueMap, state: string, side: string, as = "trader"): WrittenStep[] {
  if (state === "refused")
    return [call("original", "placeOrder", { as, body }, { onFail: "block", expect: { $macro: "invalid" } })];
  if (state === "failed")
    return [
      call("original", "placeOrder", { as, body }, { onFail: "block", expect: { $macro: "failedOutcome" } }),
    ];
  const before = state === "gone off" ? beforeTrigger(side) : [];
  return [...before, ...firstPlacement("original", body, "order", as), ...reached(state, side, as)];
}

const cancelled = (as: string): WrittenStep[] => [
  call(
    "cancel",
    "cancelOrder",
    { as, params: { id: "${order}" } },
    { onFail: "block", expect: { status: "2xx" } },
  ),
  settle,
];

/** A trade with the market, on the far side of the trigger. */
function beforeTrigger(side: string): WrittenStep[] {
  const [other, price] = side === "BUY" ? ["SELL", "${sellCross}"] : ["BUY", "${buyCross}"];
  return traded("before", { side: other, price });
}

/** A trade of the kit's own clients at the trigger. */
function atTrigger(side: string): WrittenStep[] {
  const maker = { ...atMiddle, side: side === "BUY" ? "SELL" : "BUY", client_order_id: key("touchMaker") };
  return [
    call("touchMaker", "placeOrder", { as: "counterparty", body: maker }),
    ...traded("touch", { side, price: "${middle}" }),
  ];
}

const atMiddle = { type: "LIMIT", base_quantity: "${quantity}", price: "${middle}", product: "${product}" };

function traded(slot: string, order: ValueMap): WrittenStep[] {
  const called: Call = { op: "readOrder", params: { id: `\${${slot}Order}` } };
  return [
    ...firstPlacement(slot, { ...atMiddle, ...order, client_order_id: key(slot) }, `${slot}Order`),
    settle,
    {
      id: `${slot}Traded`,
      onFail: "block",
      poll: { call: called, until: { order: { status: "FILLED" } }, ...soon },
    },
  ];
}

/** Brings the order into its state and waits until that can be seen. Otherwise the plan is BLOCKED. */
function reached(state: string, side: string, as: string): WrittenStep[] {
  const wait = (called: Call, until: Expectation): WrittenStep => ({
    id: "reached",
    onFail: "block",
    poll: { call: called, until, ...soon },
  });
  switch (state) {
    case "waiting":
      return [settle];
    case "gone off":
      return [...atTrigger(side), settle];
    case "resting":
      return [settle, wait({ op: "openOrders", as }, listed(1))];
    case "cancelled":
      return [...cancelled(as), wait({ op: "openOrders", as }, listed(0))];
    case "filled":
      return [settle, wait({ ...reads, as }, { order: { status: "FILLED" } })];
    case "filled by another":
    case "partly filled":
    case "partly filled and cancelled": {
      const whole = state === "filled by another";
      const theirs = {
        side: side === "BUY" ? "SELL" : "BUY",
        type: "LIMIT",
        base_quantity: whole ? "${double}" : "${quantity}",
        price: side === "BUY" ? "${bid}" : "${ask}",
        client_order_id: "${id.half}",
        product: "${product}",
      };
      const part = [
        call("half", "placeOrder", { as: "counterparty", body: theirs }),
        settle,
        wait({ ...reads, as }, { order: whole ? { status: "FILLED" } : partFilled }),
      ];
      return state === "partly filled and cancelled"
        ? [...part, ...cancelled(as), { ...wait({ op: "openOrders", as }, listed(0)), id: "ended" }]
        : part;
    }
    default:
      return [];
  }
}
