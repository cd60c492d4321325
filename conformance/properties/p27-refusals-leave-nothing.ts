import type { Call, WrittenStep } from "../model/language.ts";
import { isOurs, isWithin } from "../model/profile.ts";
import type { ValueMap } from "../model/value.ts";
import { factStated } from "../runner/prepare/conditions.ts";
import type { Tuple } from "./covering-array.ts";
import type { Plan, Situation } from "./property.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import { marketOf, shapeOf, sides, types, unknownPrice } from "./table-orders.ts";
import { call, key, orderOf, place, settle, shapes } from "./templates.ts";
import { assetsOf, freedBy, nothingHeld, walletsBefore } from "./wallet-steps.ts";

/**
 * P-27: a refused placement has no effect: no order is visible, its key can be used again, and no funds are held. If
 * the execution of a placement fails, no funds are held either, unless the order is shown as waiting; whether it leaves
 * an order is open.
 * Clauses: PLC-34 and PLC-35 (after a 400), AUTH-39 (after a 401 or 403), PLC-20 (the key; assumed).
 * Table: the reason of the refusal, the refused order, and the trace that is looked for.
 * Oracle: for half a second no order with the key is open; a valid placement with the key is a new order, and its
 * repeat is not; the wallets are unchanged.
 * Placements that are not refused are judged by other properties. Safety: a valid order rests far from the market.
 */
const table: Table = {
  id: "P-27",
  title: "A refused placement has no effect",
  spec: ["PLC-34", "PLC-35", "AUTH-39", "PLC-20", "PLC-10"],
  safety: "rests",
  cost: { requests: 8, orders: 1 },
  staging: 3,
  dimensions: {
    refusal: [
      "wrong",
      "too small",
      "too large",
      "closed",
      "beyond the funds",
      "unsigned",
      "forged",
      "without the claim",
      "failed outside",
      "failed inside",
    ],
    type: types,
    side: sides,
    trace: ["order", "id", "wallet"],
  },
  strength: 3,
  cannot: ({ refusal = "", type, side, trace }) => {
    if (hasFailed(refusal) && trace !== "wallet")
      return "the effect of a failed execution on the order and its id is open";
    if (refusal === "beyond the funds" && type === "MARKET")
      return "a target that accepts an order beyond the funds would trade all of them";
    return isOfSize(refusal) && type === "MARKET" && side === "BUY"
      ? "a MARKET BUY is sized by its value, and the limits are of quantities"
      : undefined;
  },
  lacks,
  plan,
};
export const refusalsLeaveNothing = tableProperty(table);

const hasFailed = (refusal: string): boolean => refusal.startsWith("failed");

const isOfSize = (refusal: string): boolean => refusal === "too small" || refusal === "too large";

function lacks({ refusal = "", type, trace }: Tuple, situation: Situation): string | undefined {
  const { profile } = situation;
  const { allow } = profile.safety;
  if (type === "MARKET" && !isWithin("trades", allow)) return `the profile allows "${allow}" (safety.allow)`;
  if ((type === "STOP_LIMIT" || refusal === "closed" || refusal === "beyond the funds") && !isOurs(profile))
    return "stop orders, products outside safety.products and orders beyond the funds are tried on this machine only";
  const limit = ["product", "min", "max", "step"].find(
    (name) => !factStated(profile.facts, `limits.${name}`),
  );
  const trigger = triggers[refusal];
  if (trigger !== undefined && !factStated(profile.facts, trigger))
    return `the profile does not state the fact ${trigger}`;
  if (isOfSize(refusal) && limit !== undefined) return `the profile does not state the fact limits.${limit}`;
  return (
    missing(situation, {
      credentials: refusal === "without the claim" ? ["reader"] : [],
      operations: trace === "wallet" || refusal === "beyond the funds" ? ["wallets"] : [],
      facts: refusal === "closed" ? ["disabledProduct"] : [],
    }) ?? unknownPrice(situation, "tradable", "far")
  );
}

function plan({ refusal = "", type = "", side = "", trace }: Tuple): Plan {
  const body = { ...orderOf(shapeOf(type, side), "a"), ...fieldsOf[refusal], ...tooDear(refusal, side) };
  const funds = refusal === "beyond the funds" ? walletsBefore : [];
  const law = ["unsigned", "forged", "without the claim"].includes(refusal) ? "AUTH-39" : undefined;
  const failed = hasFailed(refusal);
  const refused = call(
    "refused",
    "placeOrder",
    { ...senderOf[refusal], body },
    {
      note: "the target accepted the order",
      onFail: "block",
      expect: { $macro: failed ? "failedOutcome" : "refused" },
    },
  );
  const steps = {
    order: [...funds, refused, nothing(law ?? "PLC-34")],
    id: [...funds, refused, ...valid(law ?? "PLC-34", law ?? "PLC-20")],
    wallet: [
      settle,
      ...walletsBefore,
      refused,
      settle,
      ...(failed ? [waitsNot, ...freedBy("PLC-35")] : nothingHeld(law ?? "PLC-35")),
    ],
  }[String(trace)];
  return {
    // Limits and closed products are those of the trader, so the wallets of the trader must not move.
    ...(trace === "wallet" ? { isolation: "exclusive" as const } : {}),
    vars: {
      ...marketOf("tradable"),
      ...assetsOf(refusal === "closed" ? "${closed}" : "${product}"),
      ...varsOf(refusal),
    },
    steps: steps ?? [],
  };
}

const fieldsOf: Readonly<Record<string, ValueMap>> = {
  wrong: { side: "NEITHER" },
  "too small": { base_quantity: "${size}" },
  "too large": { base_quantity: "${size}" },
  closed: { product: "${closed}" },
  "failed outside": { client_order_id: "${failing}" },
  "failed inside": { client_order_id: "${failing}" },
};

const triggers: Readonly<Record<string, string>> = {
  "failed outside": "trigger.external",
  "failed inside": "trigger.internal",
};

/** An exchange that did not answer may have the order, and that is then the client's, with its funds. */
const waitsNot: WrittenStep = call(
  "listed",
  "openOrders",
  {},
  {
    note: "the order waits, although its execution was said to have failed",
    onFail: "block",
    expect: { status: "2xx", anywhere: { object: { clientOrderId: "${failing}" }, times: 0 } },
  },
);

/** About twice the available amount: a price at which no order rests, or a larger quantity. */
function tooDear(refusal: string, side: string): ValueMap {
  if (refusal !== "beyond the funds") return {};
  return side === "BUY"
    ? { price: { $calc: "quoteBefore.available / quantity @ 0 * 2" } }
    : { base_quantity: { $calc: "round(baseBefore.available * 2, 0, up)" } };
}

const senderOf: Readonly<Record<string, Call>> = {
  unsigned: { as: "anonymous" },
  forged: { sign: { transform: ["flipBit(0)"] } },
  "without the claim": { as: "reader" },
};

function varsOf(refusal: string): ValueMap {
  const trigger = triggers[refusal];
  if (trigger !== undefined) return { failing: { $uuid: { version: 4, prefix: { $fact: trigger } } } };
  if (!isOfSize(refusal)) return { closed: { $fact: "disabledProduct" } };
  const limit = refusal === "too small" ? "min" : "max";
  return {
    product: { $fact: "limits.product" },
    limit: { $fact: `limits.${limit}` },
    step: { $fact: "limits.step" },
    size: { $calc: `limit ${limit === "min" ? "-" : "+"} step` },
  };
}

const nothing = (law: string): WrittenStep => ({
  id: "nothing",
  spec: [law],
  never: {
    call: { op: "openOrders" },
    match: { anywhere: { object: { clientOrderId: key("a") }, times: { gte: 1 } } },
    for: "500ms",
  },
});

/** The key is free; or it is used up, and then by no order. */
const valid = (law: string, ofKey: string): WrittenStep[] => [
  place("valid", orderOf(shapes.limitBuy, "a")),
  {
    assert: { of: "valid" },
    spec: [law],
    expect: { anywhere: { object: { type: "DUPLICATE_REPLAY" }, times: 0 } },
  },
  {
    assert: { of: "valid" },
    spec: [ofKey],
    expect: { $anyOf: [{ body: { data: { type: "NEW_ORDER" } } }, { $macro: "rejected" }] },
  },
  place("again", orderOf(shapes.limitBuy, "a"), {
    spec: ["PLC-10"],
    expect: { $switch: "${valid.status}", "200": { body: { data: { type: "DUPLICATE_REPLAY" } } } },
  }),
];
