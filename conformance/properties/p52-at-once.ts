import type { Expectation, WrittenStep } from "../model/language.ts";
import { isOurs } from "../model/profile.ts";
import type { ValueMap } from "../model/value.ts";
import type { Tuple } from "./covering-array.ts";
import { tradingWithOurselves } from "./market-buys.ts";
import { listed, soon } from "./order-states.ts";
import {
  bookVars,
  limitOrder,
  matched,
  opposite,
  reached,
  room,
  type Side,
  seen,
  standing,
} from "./own-book.ts";
import { repeat } from "./placements.ts";
import type { Plan } from "./property.ts";
import { type Table, tableProperty } from "./table.ts";
import { call, type Judged, key } from "./templates.ts";
import { freed, walletsBefore } from "./wallet-steps.ts";

/**
 * P-52: an order that is cancelled, traded with (by one or two orders) and repeated at the same time ends in one state.
 * The first request decides, and all answers agree with it.
 * Oracle: both sides of the trade show one quantity, the whole of it when the order is filled; a repeat shows the order
 * as it ended; it is in no list of open orders; it holds no funds; and later reads show what it showed at its end.
 */
const table: Table = {
  id: "P-52",
  title: "An order that is cancelled, traded with and repeated at the same time ends in one state",
  spec: ["ORD-53", "PLC-10", "PLC-11", "PLC-12", "PLC-17", "PLC-36", "STA-04", "STA-06", "EPT-09"],
  safety: "trades",
  requires: { ...tradingWithOurselves, operations: ["readOrder", "cancelOrder"] },
  cost: { requests: 30, orders: 8 },
  staging: 1,
  dimensions: {
    side: ["BUY", "SELL"],
    state: ["resting", "partly filled"],
    atOnce: [
      "cancel and fill",
      "cancel and repeat",
      "fill and repeat",
      "two cancels",
      "two fills",
      "all of them",
    ],
    release: ["together", "one after the other", "the other way round"],
  },
  strength: 3,
  cannot: ({ atOnce, release }) =>
    atOnce?.startsWith("two") === true && release === "the other way round"
      ? "two of a kind have no other order"
      : undefined,
  lacks: (_, { profile }) =>
    isOurs(profile) ? undefined : "elsewhere somebody else may take what the race leaves",
  plan,
};
export const endsAtOnce = tableProperty(table);

const racers: Readonly<Record<string, readonly string[]>> = {
  "cancel and fill": ["cancel", "fill"],
  "cancel and repeat": ["cancel", "repeat"],
  "fill and repeat": ["fill", "repeat"],
  "two cancels": ["cancel", "cancel"],
  "two fills": ["fill", "second"],
  "all of them": ["cancel", "fill", "repeat"],
};

function plan({ side: word, state, atOnce = "", release }: Tuple): Plan {
  const side = word as Side;
  const order = limitOrder(side, "8", "${three}");
  const body = { ...order, client_order_id: "${key}", product: "${product}" };
  const part = state === "partly filled" ? "1" : "0";
  const theirs = limitOrder(opposite(side), "8", `\${rest${part}}`);
  const names = racers[atOnce] ?? [];
  const branches = (release === "the other way round" ? names.toReversed() : names).map((name) => [
    branch(name, body, theirs),
  ]);
  return {
    isolation: "account",
    vars: {
      ...bookVars(["8"]),
      key: key("mine"),
      three: { $calc: "quantity * 3" },
      rest0: "${three}",
      rest1: { $calc: "quantity * 2" },
    },
    steps: [
      room,
      ...walletsBefore,
      standing("mine", "trader", order),
      ...(part === "0" ? [] : taken(opposite(side))),
      { id: "race", concurrent: { release: release === "together" ? "barrier" : "stagger", branches } },
      matched,
      over,
      notCancelledWhole,
      ...(names.includes("fill") ? agreed(theirs, part, names.includes("second")) : []),
      again(body),
      { id: "gone", spec: ["EPT-09"], poll: { call: { op: "openOrders" }, until: listed(0), ...soon } },
      ...freed,
      call("still", "readOrder", { params: { id: "${mineOrder}" } }, same),
    ],
  };
}

const taken = (side: Side): WrittenStep[] => [
  standing("part", "counterparty", limitOrder(side, "8", "${quantity}")),
  matched,
  reached(
    "parted",
    "mine",
    "trader",
    { order: { filledQuantity: { $decVar: "quantity" } } },
    "the order did not trade",
  ),
];

const busy: Expectation = { status: { $in: [409, 425, 429] } };

/** The cancel may be too late, so any answer to it is correct. */
function branch(name: string, body: ValueMap, theirs: ValueMap): WrittenStep {
  if (name === "cancel") return { call: { op: "cancelOrder", params: { id: "${mineOrder}" } } };
  if (name === "fill" || name === "second")
    return { call: { op: "placeOrder", as: "counterparty", body: metBy(theirs, slots[name]) } };
  const { spec = [], expect = {}, call: asked = {} } = repeat("repeat", body, "mineOrder", body);
  return { call: asked, spec, expect: { $anyOf: [expect, busy] } };
}

const slots = { fill: "theirs", second: "second" } as const;

const metBy = (theirs: ValueMap, slot: string): ValueMap => ({
  ...theirs,
  client_order_id: key(slot),
  product: "${product}",
});

const over: WrittenStep = reached(
  "over",
  "mine",
  "trader",
  { order: { status: { $in: ["CANCELLED", "EXPIRED", "FILLED"] }, filledQuantity: { $type: "string" } } },
  "the order did not end, or shows no amounts",
  { capture: { got: "#order/filledQuantity", ended: "#order/status" } },
);

/** An order that is completely filled has ended: a cancel does not change it. */
const notCancelledWhole: WrittenStep = {
  id: "stillFilled",
  assert: { of: "over" },
  spec: ["STA-04"],
  expect: {
    $switch: "${ended}",
    CANCELLED: { order: { filledQuantity: { $dec: { lt: { $eqVar: "three" } } } } },
  },
};

/** The filled quantity of the other side, of two orders together, equals that of the order. */
function agreed(theirs: ValueMap, part: string, areTwo: boolean): WrittenStep[] {
  const whole: Expectation = {
    $switch: "${ended}",
    FILLED: { order: { filledQuantity: { $decVar: "three" } } },
  };
  const rest = `got - quantity * ${part}`;
  const has = (amount: string): Expectation => ({
    order: { filledQuantity: { $optional: { $nullable: { $decVar: amount } } } },
  });
  const ofBoth = (id: string, amount: string): WrittenStep =>
    seen("agreed", id, "counterparty", has(amount), { spec: ["ORD-53"] });
  return [
    { id: "whole", assert: { of: "over" }, spec: ["ORD-53"], expect: whole },
    askedAgain("theirs", theirs),
    ...(areTwo ? [askedAgain("second", theirs)] : []),
    matched,
    ...(areTwo ? [firstOfTwo, ofBoth("second", `${rest} - first`)] : [ofBoth("theirs", rest)]),
  ];
}

/** The answer in the race may have been that the target is busy, so the order is requested again. */
const askedAgain = (slot: string, theirs: ValueMap): WrittenStep =>
  call(
    slot,
    "placeOrder",
    { as: "counterparty", body: metBy(theirs, slot) },
    {
      note: "the target does not accept the other order",
      onFail: "block",
      expect: { body: { data: { order: { id: "$any" } } } },
      capture: { [`${slot}Order`]: "#/data/order/id" },
    },
  );

/** Some reads show a trade only a moment later. */
const firstOfTwo: WrittenStep = {
  id: "first",
  note: "the other order shows no amounts",
  onFail: "block",
  poll: {
    call: { op: "readOrder", as: "counterparty", params: { id: "${theirsOrder}" } },
    until: { order: { filledQuantity: { $type: "string" } } },
    every: "40ms",
    stable: 4,
  },
  capture: { first: "#order/filledQuantity" },
};

/** A target that always repeats its first answer shows nothing here (F-replay-state). */
function again(body: ValueMap): WrittenStep {
  const { spec = [], expect = {} } = repeat("again", body, "mineOrder", body, "PLC-17");
  return call("again", "placeOrder", { body }, { spec, expect });
}

const same: Judged = {
  spec: ["STA-04", "STA-06"],
  expect: {
    order: { status: { $eqVar: "ended" }, filledQuantity: { $cite: "STA-06", is: { $decVar: "got" } } },
  },
};
