import type { Call, Expectation, PlainExpectation, WrittenStep } from "../model/language.ts";
import { isOurs, isWithin, type Profile } from "../model/profile.ts";
import type { Value, ValueMap } from "../model/value.ts";
import { closed } from "./claims.ts";
import type { Tuple } from "./covering-array.ts";
import { fieldsIn, isPart, listed, noAmount, original, reads, sizeOf, soon } from "./order-states.ts";
import { changed, repeat } from "./placements.ts";
import type { Plan, Situation } from "./property.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import {
  halfOf,
  marketOf,
  middleOf,
  noHalf,
  productWords,
  renamed,
  shapeOf,
  sides,
  types,
  unknownPrice,
} from "./table-orders.ts";
import { call, demanding, type Judged, orderOf, place, settle } from "./templates.ts";

/**
 * P-40: one client_order_id is one order, for every order, every state of it, and every key, content and time of the
 * repeat.
 * Clauses: PLC-10 to PLC-17, PLC-19, PLC-34, STA-04, CLM-01.
 * Oracle: if the order exists, every repeat is a replay. If it may not exist yet (a race for a new id, a refusal, a
 * failed outcome), the answers fit one order at most. Another client never sees the order, and a key that may not place
 * may not repeat. Filled quantities do not change. That a second key of the client repeats is recommended, or required
 * of a target that adopts AS-12.
 * Safety: orders rest far from the market; plans that trade are left out if the profile allows no trades.
 */
const table: Table = {
  id: "P-40",
  title: "A repeat is a replay, for every order, state, key and time",
  spec: [
    "PLC-10",
    "PLC-11",
    "PLC-12",
    "PLC-13",
    "PLC-14",
    "PLC-16",
    "PLC-17",
    "PLC-19",
    "PLC-34",
    "STA-04",
    "CLM-01",
  ],
  assumes: ["AS-12", "AS-14"],
  safety: "rests",
  cost: { requests: 30, orders: 5 },
  staging: 3,
  durable: true,
  dimensions: {
    type: types,
    side: sides,
    product: [...productWords, "spare"],
    state: [
      "resting",
      "new",
      "partly filled",
      "filled",
      "cancelled",
      "partly filled and cancelled",
      "refused",
      "failed",
    ],
    who: ["same key", "second key", "other client", "key without the claim"],
    body: ["same", "side", "type", "base_quantity", "quote_value", "price", "stop_price", "product"],
    timing: ["at once", "later", "other connection", "racing in 2", "racing in 20", "after 60 others"],
  },
  strength: 2,
  closer: [{ who: "other client" }, { state: "filled" }, { state: "partly filled" }],
  cannot: ({ type, state, product }) => {
    const part = isPart(String(state));
    if (type === "MARKET" && (part || state === "resting" || state === "cancelled"))
      return "a MARKET order does not wait, so it is never in this state";
    if (type === "STOP_LIMIT" && (part || state === "filled"))
      return "a STOP_LIMIT trades after a trade at its trigger: P-46 tests that";
    if (part && product !== "spare")
      return "an order is filled in part only where the kit's own clients make the book";
    return undefined;
  },
  lacks,
  // A repeat with other contents changes nothing, so all contents of a repeat are tried on one order.
  together: (tuple) => (mayBeNew(tuple) ? undefined : JSON.stringify({ ...tuple, body: undefined })),
  plan,
};

export const placementAndReplay = tableProperty(table);

const roles: Readonly<Record<string, string>> = {
  "same key": "trader",
  "second key": "writeOrders",
  "other client": "otherClient",
  "key without the claim": "reader",
};

function lacks(tuple: Tuple, situation: Situation): string | undefined {
  const { type = "", side = "", product = "", state = "", who = "", body = "", timing = "" } = tuple;
  const { profile } = situation;
  const { budget, allow } = profile.safety;
  const part = isPart(state);
  const trades = type === "MARKET" || state === "filled" || part || body === "type";
  if (trades && !isWithin("trades", allow)) return `the profile allows "${allow}" (safety.allow)`;
  if ((type === "STOP_LIMIT" || body === "type" || timing === "after 60 others") && !isOurs(profile))
    return "stop orders and floods are tried on this machine only";
  const racers = racersIn(timing);
  if (racers !== undefined && racers > budget.concurrency)
    return `${racers} requests at once are more than safety.budget.concurrency`;
  const { trader, writeOrders } = profile.credentials;
  return (
    missing(situation, {
      products: [product, ...(body === "product" ? [otherWord(product)] : [])],
      credentials: [...(who === "same key" ? [] : [roles[who] ?? ""]), ...(part ? ["counterparty"] : [])],
      operations: [
        ...(state === "filled" || part ? ["readOrder"] : []),
        ...(state.endsWith("cancelled") ? ["cancelOrder"] : []),
      ],
      capabilities: trades ? ["liquidity.cross"] : [],
      facts: state === "failed" ? ["trigger"] : [],
    }) ??
    (who === "second key" && (trader?.client === undefined || trader.client !== writeOrders?.client)
      ? "the profile does not say that writeOrders is the trader's client"
      : undefined) ??
    unknownPrice(situation, product, "far") ??
    (body === "price" || body === "stop_price" ? noHalf(situation, product, side) : undefined) ??
    (trades
      ? (unknownPrice(situation, product, "near") ?? unknownPrice(situation, product, "cross"))
      : undefined)
  );
}

function plan(tuple: Tuple, situation: Situation, all: readonly Tuple[]): Plan {
  const { type = "", side = "", state = "", timing = "" } = tuple;
  const { profile } = situation;
  const shape = shapeOf(type, side);
  const valid = orderOf(shape, "a", { ...fieldsIn(state, side, type), client_order_id: "${key}" });
  const first = state === "refused" ? { ...valid, [sizeOf(shape)]: noAmount } : valid;
  const racers = racersIn(timing);
  return {
    vars: Object.fromEntries(all.flatMap((one) => Object.entries(varsFor(one, situation)))),
    ...(isPart(state) ? { isolation: "product" as const } : {}),
    steps: [
      ...(isFirst(state, racers) ? [] : original(first, state, side)),
      ...between(timing),
      ...all.flatMap((one, index) => {
        const number = index === 0 ? "" : String(index + 1);
        const repeated = changed(one, valid);
        return racers === undefined
          ? [once(one, repeated, first, [`repeated${number}`, profile])]
          : race(one, repeated, first, [racers, number, profile]);
      }),
      ...afterwards(tuple, racers),
    ],
  };
}

/** In a race any of the requests may create the order, and the order then has the contents of that request. */
const mayBeNew = ({ state = "", timing = "" }: Tuple): boolean =>
  isOpen(state) || isFirst(state, racersIn(timing));

/** In a race for a new id, the first request creates the order. */
const isFirst = (state: string, racers: number | undefined): boolean =>
  state === "new" && racers !== undefined;
/** States in which there may be no order under the id. */
const isOpen = (state: string): boolean => state === "refused" || state === "failed";

const racersIn = (timing: string): number | undefined =>
  timing.startsWith("racing") ? Number(timing.split(" ").at(-1)) : undefined;

const otherWord = (word: string): string => (word === "tradable" ? "second" : "tradable");

function varsFor({ side = "", product = "", state = "", body = "" }: Tuple, situation: Situation): ValueMap {
  const other = marketOf(otherWord(product));
  return {
    key:
      state === "failed" ? { $uuid: { version: 4, prefix: { $fact: "trigger.external" } } } : { $uuid4: "a" },
    ...marketOf(product),
    ...(isPart(state) ? { middle: middleOf(situation, product) } : {}),
    ...(body === "price" || body === "stop_price"
      ? { lower: halfOf("far", situation, product, side, "far") }
      : {}),
    higher: { $calc: "farSell * 2" },
    more: { $calc: "quantity * 3" },
    spendMore: { $calc: "spend * 2" },
    ...(body === "product" ? renamed(other) : {}),
  };
}

function between(timing: string): WrittenStep[] {
  const another = (id: Value): ValueMap => ({
    ...shapeOf("LIMIT", "BUY").fields,
    client_order_id: id,
    product: "${product}",
  });
  if (timing === "later") return [place("another", another("${id.another}")), call("listing", "openOrders")];
  if (timing !== "after 60 others") return [];
  const others = (times: number, step: WrittenStep): WrittenStep => ({
    repeat: { times, as: "n", steps: [step] },
  });
  return [
    others(30, place("another", another({ $uuid4: "another-${n}" }))),
    others(30, place("refused", { ...another({ $uuid4: "refused-${n}" }), base_quantity: noAmount })),
  ];
}

const busy: Expectation = { status: { $in: [409, 425, 429] } };

/** Does an id belong to the client, with any of its keys? That is open (AS-12), unless the profile says so. */
const isOfClient = ({ assumptions }: Profile): boolean => assumptions["AS-12"] === "adopt";

/** A repeat is a placement, so it needs the same claim, with any state of the order. */
function turnedAway(tuple: Tuple): Judged {
  const { type = "", body = "" } = tuple;
  const hidden: PlainExpectation = !mayBeNew(tuple)
    ? { anywhere: { object: { id: { $eqVar: "order" } }, times: 0 } }
    : {};
  const expect = { ...closed, ...hidden };
  return { spec: ["CLM-01"], expect: isStray(type, body) ? { $anyOf: [expect, { status: 400 }] } : expect };
}

/** A price on a MARKET order may be a mistake that is checked first (AS-11). */
const isStray = (type: string, body: string): boolean =>
  type === "MARKET" && (body === "price" || body === "stop_price");

/** The expected answer to a repeat; undefined if only the check of all answers together can decide. */
function wanted(tuple: Tuple, order: ValueMap, repeated: ValueMap, profile: Profile): Judged | undefined {
  const { state = "", who = "", type = "", body = "" } = tuple;
  if (who === "key without the claim") return turnedAway(tuple);
  if (who === "other client")
    return isOpen(state)
      ? undefined
      : { spec: ["PLC-19"], expect: { anywhere: { object: { id: { $eqVar: "order" } }, times: 0 } } };
  if (state === "refused")
    return { spec: ["PLC-34"], expect: { $anyOf: [{ $macro: "placed" }, { $macro: "rejected" }, busy] } };
  if (state === "failed") return undefined;
  const strays = (is: Expectation): Expectation =>
    isStray(type, body) ? { $anyOf: [is, { status: 400 }] } : is;
  if (who === "second key") {
    const same: Expectation = {
      status: 200,
      body: { data: { type: "DUPLICATE_REPLAY", order: { id: { $eqVar: "order" } } } },
    };
    return {
      spec: ["PLC-10", "PLC-19"],
      ...demanding(isOfClient(profile) ? "expect" : "should", strays(same)),
    };
  }
  const ended = state === "filled" || state.endsWith("cancelled");
  const clause = ended ? "PLC-17" : body === "same" ? undefined : "PLC-14";
  const { spec, expect } = repeat("repeated", repeated, "order", order, clause);
  return { spec: spec ?? [], expect: strays(expect ?? {}) };
}

function once(
  tuple: Tuple,
  body: ValueMap,
  first: ValueMap,
  [id, profile]: readonly [id: string, profile: Profile],
): WrittenStep {
  const { who = "", timing = "" } = tuple;
  const more: Call = {
    ...(who === "same key" ? {} : { as: roles[who] ?? "" }),
    ...(timing === "other connection" ? { pool: "fresh" } : {}),
  };
  return call(id, "placeOrder", { ...more, body }, wanted(tuple, first, body, profile) ?? {});
}

/** All of them by one key, or half of them by the other key of the plan. */
function race(
  tuple: Tuple,
  body: ValueMap,
  first: ValueMap,
  [racers, number, profile]: readonly [racers: number, number: string, profile: Profile],
): WrittenStep[] {
  const { who = "", state = "" } = tuple;
  const askers = who === "same key" ? ["trader"] : ["trader", roles[who] ?? ""];
  const branch = (as: string): WrittenStep[] => {
    const asker = as === "trader" ? "same key" : who;
    const open = mayBeNew(tuple) && asker !== "key without the claim";
    const judged = (open ? undefined : wanted({ ...tuple, who: asker }, first, body, profile)) ?? {};
    const { expect, should } = judged;
    const allowed = {
      ...judged,
      ...(expect === undefined ? {} : { expect: orBusy(expect) }),
      ...(should === undefined ? {} : { should: orBusy(should) }),
    };
    return [{ call: { op: "placeOrder", as, body }, ...allowed }];
  };
  const raced: WrittenStep = {
    id: `raced${number}`,
    concurrent: {
      release: "barrier",
      fanout: racers / askers.length,
      branches: askers.map(branch),
      collect: `race${number}`,
    },
  };
  if (!mayBeNew(tuple)) return [raced];
  if (who === "second key" && !isOfClient(profile)) return [raced];
  const spec = [who === "second key" ? "PLC-19" : "PLC-16"];
  const history = isFirst(state, racers) ? ["race"] : ["original", "race"];
  return [raced, { id: "explained", spec, check: { linearizable: "placement", history } }];
}

const orBusy = (expect: Expectation): Expectation => ({ $anyOf: [expect, busy] });

/** A MARKET order has ended before the end of the plan, so that nothing is left to cancel. */
function ends(tuple: Tuple, racers: number | undefined): WrittenStep[] {
  const { type = "", state = "", who = "" } = tuple;
  const repeated = changed(tuple, { type })["type"] === "MARKET";
  const mine = isOpen(state) || isFirst(state, racers) ? repeated : state === "new" && type === "MARKET";
  const askers = [
    ...(mine ? ["trader"] : []),
    ...(repeated && who === "other client" ? ["otherClient"] : []),
  ];
  if (askers.length === 0) return [];
  const over = (as: string): WrittenStep => ({
    note: "a MARKET order ends",
    onFail: "block",
    poll: { call: { op: "openOrders", as }, until: listed(0), ...soon },
  });
  return [settle, ...askers.map(over)];
}

const keptPart: Expectation = { order: { filledQuantity: { $dec: "${reached.order.filledQuantity}" } } };

function afterwards(tuple: Tuple, racers: number | undefined): WrittenStep[] {
  const { state = "", who = "" } = tuple;
  const steps = [
    ...ends(tuple, racers),
    call(
      "open",
      "openOrders",
      {},
      { spec: ["PLC-10"], expect: listed(who === "second key" ? { lte: 2 } : { lte: 1 }) },
    ),
  ];
  // An ended order is compared with what it showed at its end, for every key that reads it. If it showed no
  // amounts, it must not show others later.
  if (state === "partly filled") steps.push({ id: "kept", call: reads, spec: ["STA-04"], expect: keptPart });
  else if (state === "filled" || isPart(state)) steps.push({ id: "kept", call: reads, spec: ["STA-04"] });
  if (state === "failed" && racers === undefined && who === "same key")
    steps.push({
      id: "explained",
      spec: ["PLC-10"],
      check: { linearizable: "placement", history: ["original", "repeated"] },
    });
  return steps;
}
