import type { Call, Expectation, PlainExpectation, WrittenStep } from "../model/language.ts";
import { isOurs, isWithin } from "../model/profile.ts";
import type { Value, ValueMap } from "../model/value.ts";
import { claimsFor } from "./claims.ts";
import type { Tuple } from "./covering-array.ts";
import {
  fieldsIn,
  insideVars,
  isInside,
  isMet,
  isStop,
  original,
  type Poll,
  reads,
  soon,
} from "./order-states.ts";
import { repeat } from "./placements.ts";
import type { Plan, Situation } from "./property.ts";
import { connected, heard, silence, subscribed } from "./stream-steps.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import { marketOf, productWords, shapeOf, sides, unknownPrice } from "./table-orders.ts";
import { call, type Judged, key, orderOf, settle } from "./templates.ts";

/**
 * P-45: the open list, the list, the single read, a repeat and the stream show the same order, to its own client and to
 * no other.
 * Clauses: EPT-06, EPT-07, EPT-09, EPT-12, ORD-39, PLC-12, PLC-17, PLC-19, EVT-07, EVT-09, OWN-01, OWN-02, OWN-04 to
 * OWN-06, CLM-03.
 * Oracle: an open order is in the open list and an ended one is not, after a moment; every item of a filtered list fits
 * the filters, alone and in pairs; a search by client_order_id finds the order in its current state; pages of orders
 * that were placed at the same time are no longer than requested and share no order; a cancel by another client, either
 * of the two, or by a key without the claim, does not change the order; the other side of a trade is another client
 * like any other. Among more than a hundred orders of its kind, which is more than lists usually return, the open list
 * has each once, five pages of twenty share none, and a repeat finds the first order.
 * Safety: orders rest far from the market; plans that trade are left out if the profile allows no trades.
 */
const many = "among a hundred";
const filters = ["none", "product", "status", "side", "type", "clientOrderId"] as const;

const table: Table = {
  id: "P-45",
  title: "An order is the same in every read, and only its client can read it",
  spec: [
    "EPT-06",
    "EPT-07",
    "EPT-09",
    "EPT-12",
    "ORD-39",
    "PLC-17",
    "PLC-19",
    "EVT-07",
    "OWN-01",
    "OWN-02",
    "OWN-04",
    "OWN-05",
    "OWN-06",
    "CLM-03",
  ],
  assumes: ["AS-12"],
  safety: "rests",
  cost: { requests: 20, orders: 6 },
  staging: 2,
  dimensions: {
    view: ["open list", "list", "single", "repeat", "stream", "cancel", "cancel by client_order_id"],
    state: [
      "resting",
      "partly filled",
      "filled",
      "cancelled",
      "waiting",
      "filled by another",
      "partly filled and cancelled",
      "gone off",
    ],
    side: sides,
    product: productWords.slice(0, 4),
    filter: filters,
    also: filters,
    page: ["whole", "one", "two", many],
    who: ["same key", "second key", "other client", "the other client's order", "who met it"],
  },
  strength: 2,
  closer: [{ who: "other client" }, { who: "same key", view: "open list" }],
  cannot: ({ view = "", state = "", side, product, filter, also, page, who = "" }) => {
    if (isCancel(view) && who === "same key") return "the owner of an order may cancel it";
    if (isCancel(view) && !isLive(state)) return "an ended order cannot be cancelled";
    if (who === "who met it" && !isMet(state))
      return "the other side of its trades is not a client of the kit";
    if (state === "gone off" && (filter !== "none" || also !== "none"))
      return "filters are tried on orders that are open from the start";
    if (isInside(state) && product !== "tradable")
      return "an order trades with the kit's own clients on a product where they make the book";
    if (state === "waiting" && [filter, also].includes("status")) return "the status of a stop is open";
    if (view === "repeat" && who === "second key") return "P-40 repeats with a second key";
    const lists = view === "open list" || view === "list";
    if (!lists && (filter !== "none" || also !== "none" || page !== "whole"))
      return "a single order is neither filtered nor paged";
    const plain =
      side === "BUY" && product === "tradable" && who === "same key" && filter === "none" && also === "none";
    if (page === many && !plain) return "a long list is read once";
    if (view === "open list" && page !== "whole" && page !== many)
      return "the paging of the open list is open";
    if (filter === also && filter !== "none") return "a filter is used once";
    if (page !== "whole" && [filter, also].includes("clientOrderId")) return "one order fits on one page";
    return page !== "whole" && state !== "resting" ? "pages are made of orders that wait" : undefined;
  },
  lacks,
  together: ({ page }) => (page === many ? many : undefined),
  plan,
};

export const reading = tableProperty(table);

const isCancel = (view: string): boolean => view.startsWith("cancel");

/**
 * Does a client ask for an order of another one? Both directions are tried, because a target may mix up clients in one
 * direction only.
 */
const isForeign = ({ who = "" }: Tuple): boolean => who.includes("other client") || who === "who met it";

const isLive = (state: string): boolean =>
  ["resting", "waiting", "partly filled", "gone off"].includes(state);

const typeOf = ({ state = "" }: Tuple): string => (isStop(state) ? "STOP_LIMIT" : "LIMIT");

const ownerOf = ({ who }: Tuple): string => (who === "the other client's order" ? "otherClient" : "trader");

const readers: Readonly<Record<string, string>> = {
  "same key": "trader",
  "second key": "reader",
  "other client": "otherClient",
  "who met it": "counterparty",
};

const roleOf = ({ who = "" }: Tuple): string => readers[who] ?? "trader";

const productOf = ({ state = "", product = "" }: Tuple): string => (isInside(state) ? "spare" : product);

const filtersOf = ({ filter = "", also = "" }: Tuple): string[] =>
  [filter, also].filter((name) => name !== "none");

function lacks(tuple: Tuple, situation: Situation): string | undefined {
  const { view = "", state = "", page = "", who = "" } = tuple;
  const { profile } = situation;
  const { allow } = profile.safety;
  const trades = state === "filled" || isInside(state);
  if (trades && !isWithin("trades", allow)) return `the profile allows "${allow}" (safety.allow)`;
  if (isStop(state) && !isOurs(profile)) return "stop orders are tried on this machine only";
  const open = profile.operations["openOrders"];
  const unnamed = filtersOf(tuple).find((name) => typeof open !== "object" || open.query[name] === undefined);
  if (view === "open list" && unnamed !== undefined)
    return `operations.openOrders.query.${unnamed} is not named`;
  if (view === "single" && who !== "same key" && typeof profile.operations["readOrder"] !== "object")
    return "readOrder is not mapped, and only the key that placed an order can read it by a repeat";
  if (page === many && (!isOurs(profile) || profile.safety.budget.openOrders <= mostKeys.length))
    return "floods are tried on this machine only, where safety.budget.openOrders allows them";
  if (page === many && view === "open list" && typeof open === "object" && open.next !== undefined)
    return "the open list comes in pages";
  const role = roleOf(tuple);
  const { trader } = profile.credentials;
  const held = profile.credentials[role]?.claims;
  const may = held === undefined || claimsFor("cancelOrder", profile).some((claim) => held.includes(claim));
  if (isCancel(view) && who === "second key" && may)
    return `the profile does not say that ${role} may not cancel`;
  return (
    missing(situation, {
      credentials: [role, ownerOf(tuple), ...(isInside(state) ? ["counterparty"] : [])],
      operations: [
        ...(view === "list" ? ["listOrders"] : []),
        ...(trades || view === "single" || (isCancel(view) && isStop(state)) ? ["readOrder"] : []),
        ...(state.endsWith("cancelled") || isCancel(view) ? ["cancelOrder"] : []),
      ],
      capabilities: [
        ...(view === "stream" ? ["ws", "ws.orders"] : []),
        ...(view === "list" ? filtersOf(tuple).map((name) => `list.${name}`) : []),
        ...(page === "whole" || view === "open list" ? [] : ["list.pages"]),
        ...(trades ? ["liquidity.cross"] : []),
      ],
      products: [productOf(tuple)],
    }) ??
    (who === "second key" && trader?.client !== profile.credentials[role]?.client
      ? `the profile does not say that ${role} is the trader's client`
      : undefined) ??
    unknownPrice(situation, productOf(tuple), "far") ??
    (trades
      ? (unknownPrice(situation, productOf(tuple), "near") ??
        unknownPrice(situation, productOf(tuple), "cross"))
      : undefined)
  );
}

function plan(tuple: Tuple, situation: Situation, all: readonly Tuple[]): Plan {
  const { state = "", side = "", page = "" } = tuple;
  const body = orderOf(shapeOf(typeOf(tuple), side), "a", {
    ...fieldsIn(state, side, typeOf(tuple)),
    client_order_id: "${key}",
  });
  const paged = page !== "whole";
  return {
    vars: {
      key: { $uuid4: "a" },
      ...marketOf(productOf(tuple)),
      ...insideVars(state, situation),
    },
    // With pages by number, a new order of the client would move one of these to the second page.
    ...(paged ? { isolation: "account" as const } : {}),
    ...(isInside(state) ? { isolation: "product" as const } : {}),
    steps: [
      ...original(body, state, side, ownerOf(tuple)),
      ...(page === many ? flood(body, situation) : []),
      ...(page === "one" || page === "two" ? [atOnce("more", ["b", "c"], body, ownerOf(tuple))] : []),
      ...(paged
        ? all.flatMap((one) => (one["view"] === "list" ? pages(one) : [wholeList]))
        : views(tuple, body, situation)),
      // A target that remembers only the last hundred orders has forgotten the first of them.
      ...(page === many ? [repeated(tuple, body)] : []),
    ],
  };
}

/** More orders like it, placed together, so that their times are equal. */
const atOnce = (id: string, slots: readonly string[], body: ValueMap, as: string): WrittenStep => ({
  id,
  concurrent: {
    release: "barrier",
    branches: slots.map((slot): WrittenStep[] => [
      {
        call: { op: "placeOrder", as, body: { ...body, client_order_id: key(slot) } },
        onFail: "block",
        expect: { status: "2xx" },
      },
    ]),
  },
});

/** Together with the original more than a page usually holds, by more than another page of twenty. */
const mostKeys = Array.from({ length: 124 }, (_, index) => `many${index + 1}`);

/** As many at a time as the profile allows requests in parallel. */
function flood(body: ValueMap, { profile }: Situation): WrittenStep[] {
  const size = Math.min(16, profile.safety.budget.concurrency);
  return Array.from({ length: Math.ceil(mostKeys.length / size) }, (_, wave) =>
    atOnce(`wave${wave + 1}`, mostKeys.slice(wave * size, (wave + 1) * size), body, "trader"),
  );
}

const wholeList: WrittenStep = {
  id: "found",
  spec: ["EPT-07"],
  poll: {
    call: { op: "openOrders" },
    until: {
      anywhere: {
        object: { clientOrderId: { $in: ["${key}", ...mostKeys.map(key)] } },
        times: mostKeys.length + 1,
      },
    },
    ...soon,
  },
};

const statusWords: Readonly<Record<string, string>> = {
  resting: "OPEN",
  "partly filled": "OPEN",
  "gone off": "OPEN",
  filled: "FILLED",
  cancelled: "CANCELLED",
  waiting: "OPEN",
  "filled by another": "FILLED",
  "partly filled and cancelled": "CANCELLED",
};

function valueOf(name: string, { state = "", side = "" }: Tuple): string {
  const values: Readonly<Record<string, string>> = {
    product: "${product}",
    status: statusWords[state] ?? "",
    side,
    type: typeOf({ state }),
    clientOrderId: "${key}",
  };
  return values[name] ?? "";
}

const paramsOf = (tuple: Tuple): ValueMap =>
  Object.fromEntries(filtersOf(tuple).map((name) => [name, valueOf(name, tuple)]));

/** The values that an item must have to be in a list with these filters. */
function fitting(tuple: Tuple): ValueMap {
  const fields: Readonly<Record<string, string>> = { product: "productId" };
  const entries = filtersOf(tuple).map((name): [string, Value] => [
    fields[name] ?? name,
    name === "clientOrderId" ? { $re: "^${key}$", flags: "i" } : valueOf(name, tuple),
  ]);
  return Object.fromEntries(entries);
}

const mine = (times: Value): PlainExpectation => ({
  anywhere: { object: { id: { $eqVar: "order" } }, times },
});

function views(tuple: Tuple, body: ValueMap, situation: Situation): WrittenStep[] {
  switch (tuple["view"]) {
    case "open list":
    case "list":
      return lists(tuple);
    case "single":
      return single(tuple);
    case "repeat":
      return [repeated(tuple, body)];
    case "cancel":
    case "cancel by client_order_id":
      return cancelling(tuple);
    default:
      return onStream(tuple, situation);
  }
}

/** The answer to the other client does not matter, nor does the name of the order: the order stays open. */
function cancelling(tuple: Tuple): WrittenStep[] {
  const params = { id: tuple["view"] === "cancel" ? "${order}" : "${key}" };
  const as = ownerOf(tuple);
  // A waiting stop need not be in the list of open orders, and this test does not judge whether a triggered
  // one is.
  const waits: Poll = isStop(tuple["state"] ?? "")
    ? { call: { ...reads, as }, until: { order: { status: { $in: ["OPEN", "PENDING"] } } }, ...soon }
    : { call: { op: "openOrders", as }, until: mine({ gte: 1 }), ...soon };
  return [
    call("stolen", "cancelOrder", { as: roleOf(tuple), params }),
    settle,
    { id: "kept", spec: [isForeign(tuple) ? "OWN-04" : "CLM-03"], poll: waits },
  ];
}

function lists(tuple: Tuple): WrittenStep[] {
  const { view = "", state = "" } = tuple;
  const op = view === "list" ? "listOrders" : "openOrders";
  const asked: Call = { op, as: roleOf(tuple), params: paramsOf(tuple) };
  if (isForeign(tuple))
    return [
      {
        id: "hidden",
        call: asked,
        spec: [filtersOf(tuple).includes("clientOrderId") ? "OWN-05" : "OWN-02"],
        expect: mine(0),
      },
    ];
  const waits = isLive(state);
  const sure =
    (view === "open list" && state !== "waiting") ||
    (view === "list" && filtersOf(tuple).includes("clientOrderId"));
  const there = view === "list" || waits;
  // Long lists come in pages: only an order that is searched by its own id must be on the first page.
  const found: WrittenStep[] = sure
    ? [
        {
          id: "found",
          spec: [view === "list" ? "EPT-12" : waits ? "EPT-07" : "EPT-09"],
          poll: { call: asked, until: there ? mine({ gte: 1 }) : mine(0), ...soon, ...still(state) },
        },
      ]
    : [];
  const fits: WrittenStep = {
    id: "fits",
    call: asked,
    spec: ["EPT-06"],
    expect: { status: "2xx", items: { $each: fitting(tuple) } },
  };
  return [...found, ...(filtersOf(tuple).length === 0 ? [] : [fits])];
}

/** It may take a moment until a stop is shown as triggered; until then it is shown as waiting. */
const still = (state: string): Pick<Poll, "stable"> => (state === "gone off" ? { stable: 5 } : {});

function single(tuple: Tuple): WrittenStep[] {
  const { state = "" } = tuple;
  const asked: Call = { ...reads, as: roleOf(tuple) };
  if (isForeign(tuple)) return [{ id: "hidden", call: asked, spec: ["OWN-01"], expect: mine(0) }];
  const order = {
    id: { $eqVar: "order" },
    clientOrderId: { $re: "^${key}$", flags: "i" },
    status: statusWords[state] === "OPEN" ? { $in: ["OPEN", "PENDING"] } : (statusWords[state] ?? ""),
  };
  return [{ id: "same", spec: ["EPT-12"], poll: { call: asked, until: { order }, ...soon } }];
}

function repeated(tuple: Tuple, body: ValueMap): WrittenStep {
  const { state = "" } = tuple;
  const asked: Call = { as: roleOf(tuple), body };
  if (isForeign(tuple)) return call("repeated", "placeOrder", asked, { spec: ["PLC-19"], expect: mine(0) });
  const clause = isLive(state) ? undefined : "PLC-17";
  const { spec, expect } = repeat("repeated", body, "order", body, clause);
  return call("repeated", "placeOrder", asked, { spec: spec ?? [], expect: expect ?? {} });
}

function onStream(tuple: Tuple, { profile }: Situation): WrittenStep[] {
  const { state = "" } = tuple;
  const joined = [...connected("open", { connect: { as: roleOf(tuple) } }), subscribed("joined", "orders")];
  if (isForeign(tuple))
    return [
      ...joined,
      // Messages that were sent before the answer to one more subscription have arrived before it, even on a
      // busy machine.
      subscribed("again", "orders"),
      silence("hidden", { bodyText: { $contains: "${key}" } }, ["OWN-06"], "150ms"),
    ];
  const begins = profile.stream?.events["orders"]?.fields["orders"] !== undefined;
  // Whether a waiting stop is in the first messages of a channel is open.
  if (!begins || !isLive(state) || state === "waiting") return joined;
  const event = { is: "orders", orders: { $some: { id: { $eqVar: "order" } } } };
  return [...joined, heard("begins", event, ["EVT-07"], { from: "connect" })];
}

/**
 * No page repeats orders of earlier pages, also if other orders have the same time; each page of a long list is full.
 */
function pages(tuple: Tuple): WrittenStep[] {
  const { page } = tuple;
  const size = page === many ? 20 : page === "one" ? 1 : 2;
  const items = {
    $allOf: [{ $len: page === many ? { gte: size, lte: size } : { lte: size } }, { $each: fitting(tuple) }],
  };
  const params = { ...paramsOf(tuple), limit: String(size) };
  const judged: Judged = { spec: ["EPT-06"], capture: { cursor: { next: true } } };
  const first = call(
    "page1",
    "listOrders",
    { params, as: isForeign(tuple) ? ownerOf(tuple) : roleOf(tuple) },
    { ...judged, expect: { status: "2xx", items } },
  );
  const further: Call = { params: { ...params, cursor: "${cursor}" }, as: roleOf(tuple) };
  if (isForeign(tuple))
    return [first, call("page2", "listOrders", further, { spec: ["OWN-02"], expect: mine(0) })];
  const before = (number: number): string[] =>
    Array.from(
      { length: size * (number - 1) },
      (_, index) => `\${page${1 + Math.floor(index / size)}.items.${index % size}.id}`,
    );
  const next = (number: number): WrittenStep => {
    const seen: PlainExpectation["anywhere"] = {
      object: { id: { $in: before(number) }, clientOrderId: "$any" },
      times: 0,
    };
    const expect: Expectation = { status: "2xx", items, anywhere: seen };
    return call(`page${number}`, "listOrders", further, { ...judged, expect });
  };
  return [first, ...(page === many ? [2, 3, 4, 5] : [2]).map(next)];
}
